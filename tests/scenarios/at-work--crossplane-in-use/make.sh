# A Crossplane ProviderConfig has no users left and is not released yet.
node worker Ready
crd buckets s3.aws.upbound.io Bucket Cluster v1beta1
crd providerconfigs aws.upbound.io ProviderConfig Cluster v1beta1
operator crossplane-system provider-aws-s3-4f3c8d0e7a11 1 buckets.s3.aws.upbound.io providerconfigs.aws.upbound.io
pods_ready crossplane-system provider-aws-s3-4f3c8d0e7a11
leading crossplane-system crossplane-leader-election-provider-aws-s3 provider-aws-s3-4f3c8d0e7a11-6b8_1
crd providerconfigusages aws.upbound.io ProviderConfigUsage Cluster v1beta1
object "" ProviderConfig.v1beta1.aws.upbound.io default '{credentials: {source: IRSA}}'
finalizer "" providerconfigs default in-use.crossplane.io provider
says "" providerconfigs default provider '{users: 0}'
kubectl delete providerconfig default --wait=false
late
