# Like claim-in-use--finished-pods-of-jobs, but the pods still run.
PHASE=Running
twin_of claim-in-use--finished-pods-of-jobs
