# operator-framework/operator-sdk#3967: all manifests of an operator were deleted, before its resource.
node worker Ready
settled worker
crd externalloadbalancers lb.lbconfig.io ExternalLoadBalancer Namespaced v1alpha1
works 600 metallb-system metallb-controller ipaddresspools.metallb.io
namespace lbconfig-operator-system
furnished lbconfig-operator-system
object lbconfig-operator-system ExternalLoadBalancer.v1alpha1.lb.lbconfig.io externalloadbalancer-master-sample '{vip: 192.168.1.40, type: master, ports: [6443]}'
finalizer lbconfig-operator-system externalloadbalancers externalloadbalancer-master-sample lb.lbconfig.io/finalizer manager
says lbconfig-operator-system externalloadbalancers externalloadbalancer-master-sample manager '{vip: 192.168.1.40, numnodes: 3}'
kubectl delete namespace lbconfig-operator-system --wait=false
kubectl delete crd externalloadbalancers.lb.lbconfig.io --wait=false
looked lbconfig-operator-system
sleep 6
late
aged 60 /registry/lb.lbconfig.io/externalloadbalancers/lbconfig-operator-system/externalloadbalancer-master-sample externalloadbalancers externalloadbalancer-master-sample -n lbconfig-operator-system
aged 60 /registry/namespaces/lbconfig-operator-system namespace lbconfig-operator-system
