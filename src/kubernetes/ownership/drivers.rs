//! The storage driver that serves an object, and the workloads of that driver: the sidecars of every
//! driver's controller have the same names
//! (<https://kubernetes-csi.github.io/docs/sidecar-containers.html>).

use crate::facts::{Facts, Known, Readable};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::names::ControllerName;
use crate::kubernetes::messages::mentions;
use crate::kubernetes::ownership::owner::{COMMON, RuledOut};
use crate::survey::{Form, Object, Seen, each_text, is_path_segment};

/// Names of containers that many products share.
const SHARED: [&str; 12] = [
    "controller", "controller-manager", "csi-attacher", "csi-provisioner", "csi-resizer", "csi-snapshotter",
    "external-attacher", "external-provisioner", "external-resizer", "external-snapshotter", "manager", "operator",
];

/// Whether many products share this name.
pub(crate) fn is_shared(name: &str) -> bool {
    SHARED.contains(&name)
}

/// The fields in which objects of the core and storage groups name their driver
/// (kubernetes/kubernetes: staging/src/k8s.io/api/core/v1/types.go, storage/v1/types.go).
pub(crate) const FIELDS: [&str; 3] = ["/spec/csi/driver", "/spec/attacher", "/spec/driver"];
/// The annotations in which such objects name their driver
/// (<https://kubernetes.io/docs/reference/labels-annotations-taints/>). Volumes of in-tree plugins
/// are served by the driver that they were migrated to (kubernetes/kubernetes:
/// staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go, `AnnMigratedTo`).
const ANNOTATIONS: [&str; 3] =
    ["pv.kubernetes.io/migrated-to", "pv.kubernetes.io/provisioned-by", "volume.kubernetes.io/storage-provisioner"];

/// The driver that serves the held objects.
#[derive(Debug)]
pub(crate) struct Driver<'s> {
    pub(crate) name: String,
    /// The driver's `CSIDriver`; `None` if the cluster has no such driver.
    pub(crate) installed: Option<&'s Object>,
    /// Whether the `CSIDriver` could be read.
    pub(crate) known: bool,
}

/// How well a workload matches a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Serves {
    /// The workload does not mention the driver.
    No,
    /// The workload contains this many words of the driver's name.
    Words(usize),
    /// The workload contains the driver's whole name.
    Named,
}

impl Serves {
    /// The weight of the match as evidence.
    pub(crate) fn weight(self) -> i64 {
        match self {
            Self::No => 0,
            Self::Words(count) => i64::try_from(count.min(3)).unwrap_or_default(),
            Self::Named => 4,
        }
    }
}

impl<'s> Driver<'s> {
    /// Starts reading the driver that serves the held objects.
    pub(crate) fn of(held: &HeldObjects<'s>, facts: &Facts<'s>) -> Option<(String, Known<Option<&'s Object>>)> {
        let driver = held.read().find_map(driver_of)?;
        let kind = facts.preferred("storage.k8s.io", "csidrivers")?;
        Some((driver.to_owned(), facts.get(&kind.id, None, driver, Form::Whole)))
    }

    /// Why a workload does not belong to this driver.
    pub(crate) fn rules_out(&self, workload: &Object) -> Option<RuledOut> {
        let sure = self.known && self.installed.is_none() && is_csi(&self.name);
        let why = || format!("nothing in it names driver {}", self.name);
        (self.served_by(workload) == Serves::No).then(|| RuledOut::new(why(), sure))
    }

    /// How well a workload or a pod matches the driver.
    pub(crate) fn served_by(&self, workload: &Object) -> Serves {
        let metadata = &workload.metadata;
        let mut texts: Vec<&str> = vec![workload.name()];
        texts.extend(metadata.namespace.as_deref());
        texts.extend(metadata.labels.values().chain(metadata.annotations.values()).map(String::as_str));
        if let Some(spec) = workload.at("/spec/template/spec").or_else(|| workload.at("/spec")) {
            each_text(spec, &mut |text| texts.push(text));
        }
        if texts.iter().any(|text| mentions(text, &self.name)) {
            return Serves::Named;
        }
        match self.words().filter(|word| texts.iter().any(|text| text.contains(word))).count() {
            0 => Serves::No,
            count => Serves::Words(count),
        }
    }

    /// The words of its name that distinguish it from other drivers.
    fn words(&self) -> impl Iterator<Item = &str> {
        let words = self.name.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter(|word| {
            word.len() > 2
                && !COMMON.contains(word)
                && !["csi", "com", "net", "org", "k8s", "storage", "example"].contains(word)
        })
    }
}

/// Annotations of an object whose common controller has finished and left the rest to the sidecar of
/// the driver that the object names (kubernetes-csi/external-snapshotter: `pkg/utils/util.go`,
/// `pkg/sidecar-controller/snapshot_controller.go`).
const HANDED_OVER: [&str; 2] = [
    "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-deleted",
    "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted",
];

/// The suffix of the groups of snapshots and of group snapshots.
const SNAPSHOTS: &str = "snapshot.storage.k8s.io";

/// Keeps only the driver's sidecars in `names`, if the object names its driver and any other
/// program that may have set the finalizer has handed the object over. Before a deletion the
/// handover is still to come, and the sidecar then does the rest.
pub(crate) fn leave_those_of_sidecars(names: &mut Vec<ControllerName>, held: &HeldObjects<'_>) {
    let handed_over = |seen: Seen<'_>| {
        let marked = || HANDED_OVER.into_iter().any(|key| seen.object.metadata.annotations.contains_key(key));
        let foreseen = !seen.object.is_deleting() && seen.resource.id.group.ends_with(SNAPSHOTS);
        FIELDS.iter().any(|field| seen.object.text(field).is_some()) && (foreseen || marked())
    };
    if names.iter().any(|name| name.owner && is_shared(&name.word)) && held.read().any(handed_over) {
        names.retain(|name| is_shared(&name.word));
    }
}

/// Whether the sidecars of every driver set this finalizer
/// (<https://kubernetes-csi.github.io/docs/sidecar-containers.html>).
pub(crate) fn is_any_drivers(finalizer: &str) -> bool {
    ["external-attacher/", "external-provisioner.volume.kubernetes.io/", "snapshot.storage.kubernetes.io/"]
        .iter()
        .any(|start| finalizer.starts_with(start))
}

/// Cluster-scoped kinds that name their driver in a field that a list of metadata does not contain.
const NAMING: [&str; 3] = ["persistentvolumes", "volumeattachments", "volumesnapshotcontents"];

/// Whether an object that waits for a sidecar's finalizer is served by another driver than
/// `workload`'s: the sidecars of all drivers use the same finalizers.
pub(crate) fn is_served_by_another(seen: Seen<'_>, workload: &Object, facts: &Facts<'_>) -> Known<bool> {
    let mut name = driver_of(seen);
    if name.is_none() && NAMING.contains(&seen.resource.id.plural.as_str()) {
        let whole = facts.whole(seen).if_readable()?.flatten();
        name = whole.and_then(|object| driver_of(Seen { object, ..seen }));
    }
    let driver = name.map(|name| Driver { name: name.to_owned(), installed: None, known: false });
    Ok(driver.is_some_and(|driver| driver.served_by(workload) == Serves::No))
}

/// Whether a provisioner may be a CSI driver: the names of other provisioners contain a slash,
/// which the name of an object cannot.
pub(crate) fn is_csi(driver: &str) -> bool {
    is_path_segment(driver)
}

/// The driver that an object of the core or storage groups names.
pub(crate) fn driver_of(seen: Seen<'_>) -> Option<&str> {
    if !["", "storage.k8s.io", "snapshot.storage.k8s.io"].contains(&seen.resource.id.group.as_str()) {
        return None;
    }
    let annotations = &seen.object.metadata.annotations;
    let noted = || ANNOTATIONS.iter().find_map(|key| annotations.get(key)).map(String::as_str);
    FIELDS.iter().find_map(|field| seen.object.text(field)).or_else(noted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn workloads_are_matched_to_the_driver_they_name() {
        let workload = |name: &str, arguments: &str| -> Object {
            serde_json::from_value(json!({"metadata": {"name": name, "namespace": "kube-system"},
                "spec": {"template": {"spec": {"containers": [
                    {"name": "csi-attacher", "image": "registry.k8s.io/sig-storage/csi-attacher:v4"},
                    {"name": "driver", "args": [arguments]}]}}}}))
            .unwrap()
        };
        let north = Driver { name: "disk.north.example".into(), installed: None, known: true };
        let served = |name, arguments| north.served_by(&workload(name, arguments));
        assert_eq!(served("csi-controller", "--drivername=disk.north.example"), Serves::Named);
        assert_eq!(served("csi-controller", "/var/lib/kubelet/plugins/disk.north.example/csi.sock"), Serves::Named);
        assert_eq!(served("north-controller", ""), Serves::Words(1));
        assert_eq!(served("csi-controller", "--drivername=block.south.example"), Serves::No);
        let sure = |driver: &Driver<'_>| driver.rules_out(&workload("csi-controller", "")).map(|out| out.sure);
        assert_eq!(sure(&north), Some(true), "it is not installed");
        assert_eq!(sure(&Driver { known: false, ..north }), Some(false), "that is not known");
    }
}
