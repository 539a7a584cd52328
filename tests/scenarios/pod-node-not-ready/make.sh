# The kubelet of one node is silent; another node is well.
node alive Ready
node silent NotReady
kubectl create namespace shop
pod shop web silent 1
kubectl delete namespace shop --wait=false
looked shop
late
