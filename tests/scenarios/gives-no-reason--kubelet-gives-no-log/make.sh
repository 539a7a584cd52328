# Like controller-says--template-in-use-in-its-database, but the kubelet refuses to give the log.
. "$(dirname "${BASH_SOURCE[0]}")/../controller-says--template-in-use-in-its-database/make.sh"
kubelet_mode forbidden
