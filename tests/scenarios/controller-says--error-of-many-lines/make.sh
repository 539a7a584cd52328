# The plan of an operator fails. Only its log says so, far back in an error of many lines with frames
# around them (Terraform).
crd terraforms infra.contrib.fluxcd.io Terraform Namespaced v1alpha2
logging flux-system tf-controller terraforms.infra.contrib.fluxcd.io
hung 60 shop Terraform.v1alpha2.infra.contrib.fluxcd.io terraforms network finalizers.tf.contrib.fluxcd.io tf-controller '{destroyResourcesOnDeletion: true, path: ./network}'
logged flux-system "$(pods_of flux-system tf-controller)" manager network <<'LOG'
{"level":"error","ts":"@iso","logger":"controller-runtime.metrics","msg":"Reconciler error","controller":"terraform","controllerGroup":"infra.contrib.fluxcd.io","controllerKind":"Terraform","Terraform":{"name":"network","namespace":"shop"},"namespace":"shop","name":"network","reconcileID":"5d6e7f8a-9b0c-4d1e-8f2a-3b4c5d6e7f8a","error":"error running Destroy: rpc error: code = Internal desc = error running Destroy: exit status 1\n\nError: deleting EC2 VPC (vpc-0a1b2c3d): operation error EC2: DeleteVpc, https response error StatusCode: 400, RequestID: 1f3a, api error DependencyViolation: The vpc 'vpc-0a1b2c3d' has dependencies and cannot be deleted.\n\n  with aws_vpc.main,\n  on main.tf line 12, in resource \"aws_vpc\" \"main\":\n  12: resource \"aws_vpc\" \"main\" {\n"}
LOG
