# The kubelet of one node does not report. Another node is healthy.
node alive Ready
node silent NotReady
kubectl create namespace shop
pod shop web silent 1
kubectl delete namespace shop --wait=false
looked shop
late
