# Like controller-says--never-launched, but the machine was launched and has an id: it stays when nobody terminates it.
ID=yard:///zone-a/v-0a81c7
twin_of controller-says--never-launched
