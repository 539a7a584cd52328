# Somebody deleted a group in its service first. The service answers 404, which the operator takes for
# an error. Only its log says so (controller-runtime, console).
crd pocketidusergroups pocketid.internal PocketIDUserGroup Namespaced v1alpha1
logging pocket-id-operator-system pocket-id-operator pocketidusergroups.pocketid.internal
hung 5 auth PocketIDUserGroup.v1alpha1.pocketid.internal pocketidusergroups developers pocketid.internal/user-group-finalizer manager '{name: developers}'
logged pocket-id-operator-system "$(pods_of pocket-id-operator-system pocket-id-operator)" manager developers <<'LOG'
@iso	ERROR	Reconciler error	{"controller": "pocketidusergroup", "controllerGroup": "pocketid.internal", "controllerKind": "PocketIDUserGroup", "PocketIDUserGroup": {"name":"developers","namespace":"auth"}, "namespace": "auth", "name": "developers", "reconcileID": "5e2b9d10-41cf-4f7b-8a36-2f9e8d7c6b5a", "error": "delete user group: [DELETE /api/user-groups/{id}][404] user group 8a1c2d7e does not exist"}
sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).reconcileHandler
	/go/pkg/mod/sigs.k8s.io/controller-runtime@v0.22.4/pkg/internal/controller/controller.go:474
sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).processNextWorkItem
	/go/pkg/mod/sigs.k8s.io/controller-runtime@v0.22.4/pkg/internal/controller/controller.go:421
LOG
