# Like no-longer-referenced--no-referrer-left, but an object still refers to the deleted Secret.
GOES=new
. "$(dirname "${BASH_SOURCE[0]}")/../no-longer-referenced--no-referrer-left/make.sh"
