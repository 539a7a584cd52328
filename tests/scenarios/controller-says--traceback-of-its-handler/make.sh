# The handler of an operator fails. Only its log says so, on the last line of a traceback (kopf).
crd datasets codeflare.dev Dataset Namespaced v1alpha1
logging codeflare-system dataset-operator datasets.codeflare.dev
hung 5 lab Dataset.v1alpha1.codeflare.dev datasets templates kopf.zalando.org/KopfFinalizerMarker kopf '{local: {type: COS}}'
logged codeflare-system "$(pods_of codeflare-system dataset-operator)" manager templates <<'LOG'
[@log4j,117] kopf.objects         [ERROR   ] [lab/templates] Handler 'delete_dataset' failed with an exception. Will retry.
Traceback (most recent call last):
  File "/usr/local/lib/python3.12/site-packages/kopf/_core/actions/execution.py", line 279, in execute_handler_once
    result = await invoke_handler(
             ^^^^^^^^^^^^^^^^^^^^^
  File "/src/handlers.py", line 61, in delete_dataset
    bucket.delete()
botocore.exceptions.ClientError: An error occurred (BucketNotEmpty) when calling the DeleteBucket operation: The bucket you tried to delete is not empty
LOG
