# Like claim-in-use--finished-pods-of-jobs, but the pods still run.
PHASE=Running
. "$(dirname "${BASH_SOURCE[0]}")/../claim-in-use--finished-pods-of-jobs/make.sh"
