# Like no-longer-referenced--selector-no-longer-matches, but the namespace still has the label.
KEPT=yes
twin_of no-longer-referenced--selector-no-longer-matches
