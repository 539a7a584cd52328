# Like agent-down--beside-its-manager, but the agent works and the manager is at 0 replicas.
WELL=yes
. "$(dirname "${BASH_SOURCE[0]}")/../agent-down--beside-its-manager/make.sh"
kubectl -n wren scale deployment wren-manager --replicas=0
kubectl -n wren delete pod -l app.kubernetes.io/name=wren-manager --force --grace-period=0
