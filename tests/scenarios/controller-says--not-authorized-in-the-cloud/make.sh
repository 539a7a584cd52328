# A controller may not take targets out of a load balancer. Only its log says so (the SDK's answer in
# JSON).
crd targetgroupbindings elbv2.k8s.aws TargetGroupBinding Namespaced v1beta1
logging kube-system aws-load-balancer-controller targetgroupbindings.elbv2.k8s.aws
hung 60 shop TargetGroupBinding.v1beta1.elbv2.k8s.aws targetgroupbindings k8s-shop-web-1f3a9c7e0b elbv2.k8s.aws/resources controller '{serviceRef: {name: web, port: 80}}'
logged kube-system "$(pods_of kube-system aws-load-balancer-controller)" manager k8s-shop-web-1f3a9c7e0b <<'LOG'
{"level":"error","ts":"@iso","msg":"Reconciler error","controller":"targetGroupBinding","controllerGroup":"elbv2.k8s.aws","controllerKind":"TargetGroupBinding","TargetGroupBinding":{"name":"k8s-shop-web-1f3a9c7e0b","namespace":"shop"},"namespace":"shop","name":"k8s-shop-web-1f3a9c7e0b","reconcileID":"6b7c8d9e-0f1a-4b2c-8d3e-4f5a6b7c8d9e","error":"operation error Elastic Load Balancing v2: DeregisterTargets, https response error StatusCode: 403, RequestID: 7d0c, api error AccessDenied: User: arn:aws:sts::123456789012:assumed-role/lbc/1 is not authorized to perform: elasticloadbalancing:DeregisterTargets because no identity-based policy allows it"}
LOG
