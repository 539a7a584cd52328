# A task of an operator's playbook fails. Only its log says so: the record that names the object has no
# reason, and the task's own line has no object (Ansible operator).
crd galaxies pulp.example Galaxy Namespaced v1beta1
logging pulp pulp-operator galaxies.pulp.example
hung 5 content Galaxy.v1beta1.pulp.example galaxies hub pulp.example/finalizer ansible-operator '{size: small}'
logged pulp "$(pods_of pulp pulp-operator)" manager hub <<'LOG'
{"level":"info","ts":"@iso","logger":"logging_event_handler","msg":"[playbook task start]","name":"hub","namespace":"content","gvk":"pulp.example/v1beta1, Kind=Galaxy","event_type":"playbook_on_task_start","job":"5577006791947779410","EventData.Name":"finalizer : drop the database"}
{"level":"error","ts":"@iso","logger":"logging_event_handler","msg":"","name":"hub","namespace":"content","gvk":"pulp.example/v1beta1, Kind=Galaxy","event_type":"runner_on_failed","job":"5577006791947779410","EventData.Task":"drop the database","EventData.TaskArgs":"","EventData.FailedTaskPath":"/opt/ansible/roles/finalizer/tasks/main.yml:12","error":"[playbook task failed]: database \"hub\" is being accessed by other users"}
LOG
