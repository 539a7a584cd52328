# Like controller-refused--policy-in-a-file, but the name is that of a policy like any other, and none has it.
POLICY=keep-jobs-out
. "$(dirname "${BASH_SOURCE[0]}")/../controller-refused--policy-in-a-file/make.sh"
