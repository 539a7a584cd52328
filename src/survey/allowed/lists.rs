//! The fields of each kind that a survey file keeps: those that rules ask for.

use super::fields::Fields;
use crate::survey::ResourceId;
use std::sync::LazyLock;

/// Fields kept for every kind.
const EVERY: &[&str] = &[
    "spec/?",
    "status/?",
    "status/conditions/*/{type,status,reason,message,lastTransitionTime,observedGeneration}",
    "status/{phase,reason,message,observedGeneration}",
];

/// Fields kept for kinds that are not listed here, mainly custom resources, in addition to
/// references: messages in the status, identities of things outside the cluster, and the namespaces
/// into which an installer installs.
const OTHERS: &[&str] = &[
    "status/{error,errorMessage,lastError,failureMessage,statusMessage,lastErrorMessage}",
    "status/error/message",
    "status/{selfLink,snapshotHandle,providerID,readyToUse,boundVolumeSnapshotContentName}",
    "spec/{paused,pause,suspend,suspended,schedule,cron,managementState,prune}",
    "spec/{nodeName,node,clusterName}",
    "spec/{zone,availabilityZone,failureDomain}",
    "{spec,status}/nodeRef/{apiVersion,kind,name,uid}",
    "status/{nodeName,node}",
    "status/atProvider/arn",
    "status/ackResourceMetadata/arn",
    "status/loadBalancer/ingress/*/{hostname,ip}",
    "status/addresses/*/value",
    "status/networkEndpointGroups/*/{selfLink,id}",
    "status/inventory/entries/*/{id,v}",
    "status/{resources,resourceRefs,inventory}/*/{group,version,apiVersion,kind,namespace,name,id}",
    "status/{resources,resourceRefs,inventory}/*/{requiresDeletionConfirmation,requiresConfirmation,requiresApproval}",
    "status/{requiresDeletionConfirmation,requiresCleanupConfirmation,requiresConfirmation,requiresApproval,needsApproval}",
    "spec/resourceRefs/*/{apiVersion,kind,namespace,name}",
    "spec/crossplane/resourceRefs/*/{apiVersion,kind,namespace,name}",
    "spec/{providerID,targetGroupARN,targetNamespace,driver,deletionPolicy,managedBy,controllerName}",
    "spec/destination/{name,namespace}",
    "spec/namespaceSelector/matchLabels/+",
    "spec/namespaceSelector/matchExpressions/*/{key,operator,values}",
    "spec/namespaceSelectors/*/matchLabels/+",
    "spec/namespaceSelectors/*/matchExpressions/*/{key,operator,values}",
    "spec/namespaces",
    "spec/by/{apiVersion,kind,namespace,name}",
    "spec/by/resourceRef/name",
    "spec/{replicas,instances}",
    "spec/scaleTargetRef/{kind,name}",
    "spec/source/persistentVolumeClaimName",
    "spec/{dataSource,dataSourceRef}/{apiGroup,kind,name}",
    "spec/volumeSnapshotRef/{namespace,name,uid}",
    "spec/finalizers",
    "spec/lifecycleHooks/{preDrain,preTerminate}/*/{name,owner}",
];

/// Fields of pods and of pod templates.
const POD_SPEC: &[&str] = &[
    "{nodeName,restartPolicy,runtimeClassName,serviceAccountName}",
    "nodeSelector/+",
    "tolerations/*/{key,operator,value,effect}",
    "affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/**",
    "containers/*/{name,image}",
    "containers/*/ports/*/{name,containerPort}",
    "containers/*/lifecycle/preStop/?",
    "containers/*/envFrom/*/configMapRef/name",
    "volumes/*/name",
    "volumes/*/persistentVolumeClaim/claimName",
    "volumes/*/ephemeral/?",
    "volumes/*/nfs/{server,path}",
    "volumes/*/csi/driver",
    "volumes/*/projected/sources/*/serviceAccountToken/?",
    "resourceClaims/*/{name,resourceClaimName,resourceClaimTemplateName}",
];
const POD_STATUS: &[&str] = &[
    "status/{containerStatuses,initContainerStatuses,ephemeralContainerStatuses}/*/{name,ready,restartCount}",
    "status/{containerStatuses,initContainerStatuses,ephemeralContainerStatuses}/*/{state,lastState}/running/startedAt",
    "status/{containerStatuses,initContainerStatuses,ephemeralContainerStatuses}/*/{state,lastState}/waiting/{reason,message}",
    "status/{containerStatuses,initContainerStatuses,ephemeralContainerStatuses}/*/{state,lastState}/terminated/{exitCode,reason,message,startedAt,finishedAt}",
    "status/resourceClaimStatuses/*/{name,resourceClaimName}",
];
const WORKLOAD: &[&str] = &[
    "spec/{replicas,managedBy}",
    "spec/selector/**",
    "spec/template/metadata/labels/+",
    "spec/template/metadata/annotations/olm.targetNamespaces",
    "spec/template/spec/finalizersNamed/**",
    "status/{replicas,readyReplicas,availableReplicas,numberReady,desiredNumberScheduled}",
];

const WEBHOOKS: &[&str] = &[
    "webhooks/*/{name,failurePolicy,matchPolicy,timeoutSeconds,sideEffects}",
    "webhooks/*/clientConfig/url",
    "webhooks/*/clientConfig/service/{namespace,name,port,path}",
    "webhooks/*/{rules,namespaceSelector,objectSelector}/**",
    "webhooks/*/matchConditions/*/{name,expression}",
];
const POLICY: &[&str] = &[
    "spec/{failurePolicy,looksAt}",
    "spec/paramKind/{apiVersion,kind}",
    "spec/matchConstraints/**",
    "spec/matchConditions/*/{name,expression}",
    "spec/validations/*/expression",
    "spec/variables/*/{name,expression}",
];
const BINDING: &[&str] = &["spec/{policyName,validationActions}", "spec/{paramRef,matchResources}/**"];
const ROLE: &[&str] = &["{rules,aggregationRule}/**"];
const ROLE_BINDING: &[&str] = &["{subjects,roleRef}/**"];
const EVENT: &[&str] = &[
    "{involvedObject,regarding}/{apiVersion,kind,namespace,name,uid}",
    "{reason,message,note,type,reportingComponent,reportingController}",
    "{firstTimestamp,lastTimestamp,eventTime,deprecatedFirstTimestamp,deprecatedLastTimestamp}",
    "source/component",
    "series/{count,lastObservedTime}",
];

/// The fields kept for one kind, with its group and plural.
type KindFields = (&'static str, &'static str, &'static [&'static str]);

const KINDS: &[KindFields] = &[
    ("", "namespaces", &["spec/finalizers"]),
    (
        "",
        "nodes",
        &[
            "spec/{unschedulable,podCIDR,providerID}",
            "spec/taints/**",
            "status/addresses/*/{type,address,value}",
            "status/nodeInfo/{kubeletVersion,kernelVersion,containerRuntimeVersion,operatingSystem}",
        ],
    ),
    ("", "events", EVENT),
    ("events.k8s.io", "events", EVENT),
    ("coordination.k8s.io", "leases", &["spec/{holderIdentity,renewTime,leaseDurationSeconds}"]),
    (
        "",
        "services",
        &[
            "spec/{type,externalName}",
            "spec/selector/+",
            "spec/ports/**",
            "status/loadBalancer/ingress/*/{hostname,ip}",
        ],
    ),
    (
        "discovery.k8s.io",
        "endpointslices",
        &["addressType", "endpoints/*/{addresses,nodeName}", "endpoints/*/{conditions,targetRef}/**", "ports/**"],
    ),
    (
        "",
        "persistentvolumes",
        &[
            "spec/claimRef/{uid,namespace,name}",
            "spec/{persistentVolumeReclaimPolicy,storageClassName,volumeAttributesClassName}",
            "spec/csi/{driver,volumeHandle}",
            "spec/nodeAffinity/required/**",
            "spec/awsElasticBlockStore/volumeID",
            "spec/gcePersistentDisk/pdName",
            "spec/azureDisk/diskURI",
            "spec/nfs/path",
        ],
    ),
    (
        "",
        "persistentvolumeclaims",
        &[
            "spec/{volumeName,storageClassName,volumeAttributesClassName}",
            "spec/accessModes/*",
            "spec/{dataSource,dataSourceRef}/{apiGroup,kind,namespace,name}",
            "status/currentVolumeAttributesClassName",
            "status/modifyVolumeStatus/targetVolumeAttributesClassName",
        ],
    ),
    (
        "storage.k8s.io",
        "volumeattachments",
        &[
            "spec/{attacher,nodeName}",
            "spec/source/persistentVolumeName",
            "status/attached",
            "status/{attachError,detachError}/{time,message}",
        ],
    ),
    ("storage.k8s.io", "csidrivers", &[]),
    ("storage.k8s.io", "csinodes", &["spec/drivers/*/{name,nodeID}"]),
    ("certificates.k8s.io", "certificatesigningrequests", &["spec/{signerName,username}"]),
    ("storage.k8s.io", "storageclasses", &["{provisioner,reclaimPolicy}"]),
    (
        "policy",
        "poddisruptionbudgets",
        &[
            "spec/{minAvailable,maxUnavailable,unhealthyPodEvictionPolicy}",
            "spec/selector/**",
            "status/{disruptionsAllowed,currentHealthy,desiredHealthy,expectedPods}",
        ],
    ),
    (
        "lifecycle.k8s.io",
        "evictions",
        &[
            "spec/target/pod/{name,uid}",
            "status/requesters/*/{name,intent}",
            "status/targetResponders/*/{name,state}",
            "status/responders/*/{name,startTime,heartbeatTime,expectedCompletionTime,message}",
        ],
    ),
    ("networking.k8s.io", "ingressclasses", &["spec/controller"]),
    ("networking.k8s.io", "servicecidrs", &["spec/cidrs/*"]),
    ("networking.k8s.io", "ipaddresses", &["spec/parentRef/{group,resource,namespace,name}"]),
    (
        "resource.k8s.io",
        "resourceclaims",
        &[
            "status/reservedFor/*/{apiGroup,resource,name,uid}",
            "status/allocation/devices/results/*/driver",
            "status/allocation/nodeSelector/**",
        ],
    ),
    ("resource.k8s.io", "resourceslices", &["spec/{driver,nodeName}"]),
    (
        "apiregistration.k8s.io",
        "apiservices",
        &[
            "spec/{group,version,groupPriorityMinimum,versionPriority,insecureSkipTLSVerify}",
            "spec/service/{namespace,name,port}",
        ],
    ),
    (
        "apiextensions.k8s.io",
        "customresourcedefinitions",
        &[
            "spec/{group,scope}",
            "spec/{names,conversion}/**",
            "spec/versions/*/{name,served,storage,deprecated}",
            "status/storedVersions",
        ],
    ),
    ("admissionregistration.k8s.io", "validatingwebhookconfigurations", WEBHOOKS),
    ("admissionregistration.k8s.io", "mutatingwebhookconfigurations", WEBHOOKS),
    ("admissionregistration.k8s.io", "validatingadmissionpolicies", POLICY),
    ("admissionregistration.k8s.io", "mutatingadmissionpolicies", POLICY),
    ("admissionregistration.k8s.io", "validatingadmissionpolicybindings", BINDING),
    ("admissionregistration.k8s.io", "mutatingadmissionpolicybindings", BINDING),
    ("rbac.authorization.k8s.io", "roles", ROLE),
    ("rbac.authorization.k8s.io", "clusterroles", ROLE),
    ("rbac.authorization.k8s.io", "rolebindings", ROLE_BINDING),
    ("rbac.authorization.k8s.io", "clusterrolebindings", ROLE_BINDING),
    ("", "secrets", &[]),
    ("", "configmaps", &[]),
    ("", "serviceaccounts", &[]),
];

const PODS: (&str, &str) = ("", "pods");

/// Pods, and the kinds that create pods and contain a pod template.
const WORKLOADS: [(&str, &str); 7] = [
    PODS,
    ("", "replicationcontrollers"),
    ("apps", "daemonsets"),
    ("apps", "deployments"),
    ("apps", "replicasets"),
    ("apps", "statefulsets"),
    ("batch", "jobs"),
];

/// The annotations whose values are kept: marks of installers and of this program, and notes by
/// which controllers find the things they created.
const ANNOTATIONS: [&str; 32] = [
    "app.kubernetes.io/instance",
    "app.kubernetes.io/name",
    "app.kubernetes.io/part-of",
    "argocd.argoproj.io/instance",
    "argocd.argoproj.io/sync-options",
    "argocd.argoproj.io/tracking-id",
    "cert-manager.io/inject-ca-from",
    "cloud.google.com/neg-status",
    "cluster.x-k8s.io/cluster-namespace",
    "cluster.x-k8s.io/machine",
    "crossplane.io/external-name",
    "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-deleted",
    "helm.sh/resource-policy",
    "helm.toolkit.fluxcd.io/name",
    "helm.toolkit.fluxcd.io/namespace",
    "kapp.k14s.io/identity",
    "kubernetes.io/config.mirror",
    "kubernetes.io/config.source",
    "kustomize.toolkit.fluxcd.io/name",
    "kustomize.toolkit.fluxcd.io/prune",
    "machine.openshift.io/machine",
    "meta.helm.sh/release-name",
    "meta.helm.sh/release-namespace",
    "objectset.rio.cattle.io/id",
    "olm.owner",
    "olm.owner.namespace",
    "pv.kubernetes.io/migrated-to",
    "pv.kubernetes.io/provisioned-by",
    "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted",
    "unstick.dev/nudged-at",
    "unstick.dev/recreated",
    "volume.kubernetes.io/storage-provisioner",
];

/// The last words of annotations that tell a controller to ignore an object or not to move it, or
/// that choose the controller.
const SWITCHES: [&str; 19] = [
    "class", "disable-reconcile", "do-not-disrupt", "do-not-evict", "managed", "pause", "pause-reconciliation",
    "paused", "reconcile", "reconcile-paused", "reconcile-policy", "rev", "revision", "safe-to-evict", "shard",
    "skip-reconcile", "suspend", "suspended", "watch-filter",
];

/// The last word in the key of an annotation or a label: `paused` of `acme.io/paused`, `class` of
/// `kubernetes.io/ingress.class`.
pub(crate) fn last_word(key: &str) -> &str {
    let name = key.rsplit('/').next().unwrap_or(key);
    if name.ends_with("class") { "class" } else { name.rsplit('.').next().unwrap_or(name) }
}

/// The last words of annotations in which controllers record failures.
const ERRORS: [&str; 5] = ["error", "failure-message", "last-error", "last-failure", "lastError"];

/// Whether an annotation records attempts of a controller. Kopf keeps a record for each handler
/// (<https://docs.kopf.dev/en/stable/configuration/#handling-progress>).
pub(crate) fn tells_of_attempts(key: &str) -> bool {
    let of_kopf = key.strip_prefix("kopf.zalando.org/").is_some_and(|name| name != "last-handled-configuration");
    of_kopf || ERRORS.contains(&last_word(key))
}

/// Whether the value of an annotation is kept.
pub(crate) fn is_kept_annotation(key: &str) -> bool {
    ANNOTATIONS.binary_search(&key).is_ok()
        || SWITCHES.binary_search(&last_word(key)).is_ok()
        || tells_of_attempts(key)
        || key.contains(".delete.hook.")
}

/// The listed kinds, by their group and plural. They are few, so that one is found by looking at each.
static LISTS: LazyLock<Vec<((&str, &str), Fields)>> = LazyLock::new(|| {
    let listed = KINDS.iter().map(|(group, plural, paths)| ((*group, *plural), with_every(paths)));
    listed.chain(WORKLOADS.map(|kind| (kind, of_workload(kind)))).collect()
});

static REST: LazyLock<Fields> = LazyLock::new(|| with_every(OTHERS));

fn with_every(paths: &[&'static str]) -> Fields {
    Fields::of(EVERY.iter().chain(paths))
}

fn of_workload(kind: (&str, &str)) -> Fields {
    let mut fields = with_every(if kind == PODS { POD_STATUS } else { WORKLOAD });
    fields.add_below(place_of_pod(kind), POD_SPEC);
    fields
}

/// The JSON pointer to the pod's spec in a pod or in a kind that creates pods.
fn place_of_pod(kind: (&str, &str)) -> &'static str {
    if kind == PODS { "/spec" } else { "/spec/template/spec" }
}

/// The fields kept for a listed kind; `None` for other kinds.
pub(super) fn of(resource: &ResourceId) -> Option<&'static Fields> {
    let wanted = (resource.group.as_str(), resource.plural.as_str());
    LISTS.iter().find(|(kind, _)| *kind == wanted).map(|(_, fields)| fields)
}

/// The fields kept for kinds that are not listed.
pub(super) fn of_others() -> &'static Fields {
    &REST
}

/// The JSON pointer to the pod's spec in objects of this kind.
pub(super) fn pod_spec(resource: &ResourceId) -> Option<&'static str> {
    let kind = (resource.group.as_str(), resource.plural.as_str());
    WORKLOADS.contains(&kind).then(|| place_of_pod(kind))
}

/// Whether the field at a JSON pointer, or a part of it, is kept for some kind.
#[must_use]
pub fn keeps(pointer: &str) -> bool {
    let path: Vec<&str> = pointer.trim_start_matches('/').split('/').collect();
    LISTS.iter().map(|(_, fields)| fields).chain([of_others()]).any(|fields| fields.reach(&path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotation_lists_are_sorted_for_the_search() {
        assert!(ANNOTATIONS.is_sorted() && SWITCHES.is_sorted());
        assert!(is_kept_annotation("acme.io/paused") && is_kept_annotation("kubernetes.io/ingress.class"));
        assert!(is_kept_annotation("olm.owner") && !is_kept_annotation("acme.io/password"));
    }

    #[test]
    fn a_pointer_is_kept_where_a_list_names_it() {
        for kept in ["/spec/nodeName", "/status/conditions", "/webhooks/0/name", "/rules", "/spec/conversion/webhook"] {
            assert!(keeps(kept), "{kept}");
        }
        for not in ["/spec/password", "/data", "/secret", "/spec/template/spec/containers/0/env", "/parameters"] {
            assert!(!keeps(not), "{not}");
        }
    }
}
