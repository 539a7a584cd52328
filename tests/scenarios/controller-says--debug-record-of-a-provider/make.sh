# A provider cannot connect to its cloud. Only a record of level DEBUG says so, which names the object as
# its request (Crossplane, console).
crd buckets s3.aws.crossplane.example Bucket Cluster v1beta1
logging crossplane-system provider-aws-s3 buckets.s3.aws.crossplane.example
hung 5 "" Bucket.v1beta1.s3.aws.crossplane.example buckets uploads-7c1f0a finalizer.managedresource.crossplane.io provider '{forProvider: {region: eu-central-1}}'
logged crossplane-system "$(pods_of crossplane-system provider-aws-s3)" manager uploads-99990a <<'LOG'
@iso	DEBUG	provider-aws	Reconciling	{"controller": "managed/s3.aws.crossplane.example/v1beta1, kind=bucket", "request": {"name":"uploads-7c1f0a"}}
@iso	DEBUG	provider-aws	Cannot connect to provider	{"controller": "managed/s3.aws.crossplane.example/v1beta1, kind=bucket", "request": {"name":"uploads-7c1f0a"}, "uid": "5f0b7f0c-8a35-4f52-9a1b-0d1a4b6b7e01", "version": "4711", "external-name": "uploads-7c1f0a", "error": "cannot get terraform setup: failed to retrieve the credentials: operation error STS: AssumeRoleWithWebIdentity, https response error StatusCode: 400, RequestID: 0f3c, InvalidIdentityToken: No OpenIDConnect provider found in your account"}
LOG
