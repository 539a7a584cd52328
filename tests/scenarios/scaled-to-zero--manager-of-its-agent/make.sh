# Like agent-down--beside-its-manager, but the agent works and the manager is at 0 replicas.
WELL=yes
twin_of agent-down--beside-its-manager
kubectl -n wren scale deployment wren-manager --replicas=0
kubectl -n wren delete pod -l app.kubernetes.io/name=wren-manager --force --grace-period=0
