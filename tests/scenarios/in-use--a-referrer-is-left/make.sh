# Like no-longer-referenced--no-referrer-left, but an object still refers to the deleted Secret.
GOES=new
twin_of no-longer-referenced--no-referrer-left
