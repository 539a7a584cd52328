# Like dangling-reference--ingress-without-its-class, but the ingress now has a class that exists and
# belongs to another controller.
TWIN=yes
twin_of dangling-reference--ingress-without-its-class
