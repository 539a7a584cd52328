# The kind of the owner was uninstalled: nobody can look for the owner any more.
kubectl create namespace shop
owned shop index acme.io/v1 Shelf shelf 11111111-1111-4111-8111-111111111111
late
