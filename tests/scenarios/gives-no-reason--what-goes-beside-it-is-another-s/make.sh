# Like scaled-to-zero--what-it-deletes-is-held, but the other deleted objects do not have the
# operator's label.
TWIN=yes
twin_of scaled-to-zero--what-it-deletes-is-held
