# Like controller-refused--policy-in-a-file, but the name is that of a policy like any other, and none has it.
POLICY=keep-jobs-out
twin_of controller-refused--policy-in-a-file
