# Like controller-says--never-launched, but the machine was launched and has an id: it stays when nobody terminates it.
ID=yard:///zone-a/v-0a81c7
. "$(dirname "${BASH_SOURCE[0]}")/../controller-says--never-launched/make.sh"
