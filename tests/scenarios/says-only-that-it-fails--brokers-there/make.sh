# Like dangling-reference--brokers-gone, but the brokers that the topic names exist, so the reason is
# unknown.
TWIN=yes
twin_of dangling-reference--brokers-gone
