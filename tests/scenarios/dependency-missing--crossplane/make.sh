# The ProviderConfig of a Crossplane managed resource was deleted first.
node worker Ready
crd buckets s3.aws.upbound.io Bucket Cluster v1beta1
crd providerconfigs aws.upbound.io ProviderConfig Cluster v1beta1
operator crossplane-system provider-aws-s3-4f3c8d0e7a11 1 buckets.s3.aws.upbound.io providerconfigs.aws.upbound.io
pods_ready crossplane-system provider-aws-s3-4f3c8d0e7a11
leading crossplane-system crossplane-leader-election-provider-aws-s3 provider-aws-s3-4f3c8d0e7a11-6b8_1
object "" Bucket.v1beta1.s3.aws.upbound.io assets '{deletionPolicy: Delete, providerConfigRef: {name: default}}'
finalizer "" buckets assets finalizer.managedresource.crossplane.io provider
kubectl delete bucket assets --wait=false
failure='connect failed: cannot get terraform setup: cannot get referenced ProviderConfig:'
says "" buckets assets provider "{conditions: [$(condition Ready False Deleting),
  $(condition Synced False ReconcileError "$failure ProviderConfig.aws.upbound.io \"default\" not found")]}"
late
