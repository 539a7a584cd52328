//! The owners of API groups and of the domains of keys, by their names.
//!
//! Three questions are told apart:
//!
//! - [`is_custom`]: does an extension serve this API group, and not Kubernetes itself?
//! - [`is_reserved`]: is this domain of a finalizer or of a label reserved for Kubernetes and its sub-projects, so
//!   that it names no product? `snapshot.storage.k8s.io` is, although an extension serves this group.
//! - [`SHARED`]: do many products have groups and domains below this one?

use crate::survey::is_built_in_group;

/// Domains below which many products have groups and domains.
const SHARED: [&str; 4] = ["k8s.io", "x-k8s.io", "kubernetes.io", "github.io"];

/// Whether a group belongs to an extension, not to Kubernetes itself. The groups of sub-projects end like
/// those of Kubernetes (`snapshot.storage.k8s.io`), and metrics.k8s.io is Kubernetes' own, although another
/// server answers for it.
pub(crate) fn is_custom(group: &str) -> bool {
    group.contains('.') && !is_built_in_group(group) && group != "metrics.k8s.io"
}

/// Whether a domain is reserved for Kubernetes and its sub-projects
/// (<https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set>).
pub(crate) fn is_reserved(domain: &str) -> bool {
    is_below(domain, "k8s.io") || is_below(domain, "kubernetes.io")
}

/// Whether a domain is `end`, or ends in it.
fn is_below(domain: &str, end: &str) -> bool {
    domain.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// The domain of a finalizer: `acme.io` for `acme.io/backup`, or the whole finalizer if it has no
/// path.
pub(crate) fn domain(finalizer: &str) -> &str {
    finalizer.split('/').next().unwrap_or(finalizer)
}

/// Whether a group and a domain have one owner: one is a suffix of the other.
pub(crate) fn belongs_to(group: &str, domain: &str) -> bool {
    let is_specific = !SHARED.contains(&group) && domain.contains('.') && !SHARED.contains(&domain);
    is_custom(group) && is_specific && (is_below(group, domain) || is_below(domain, group))
}

/// Whether two groups end in the same two words: `apps.acme.io` and `db.acme.io`.
pub(crate) fn same_domain(one: &str, other: &str) -> bool {
    let domain = |group: &str| {
        let mut parts = group.rsplit('.');
        let (last, before) = (parts.next()?, parts.next()?);
        Some(format!("{before}.{last}")).filter(|domain| before.len() > 3 && !SHARED.contains(&domain.as_str()))
    };
    is_custom(one) && is_custom(other) && domain(one).is_some() && domain(one) == domain(other)
}

/// Whether two groups, or the domains of keys, are of one product.
pub(crate) fn is_kin(one: &str, other: &str) -> bool {
    let end = |text: &str| text.split_once('.').map(|(_, end)| end.to_owned()).unwrap_or_default();
    one == other
        || belongs_to(one, other)
        || same_domain(one, other)
        || (end(one) == end(other) && belongs_to(one, &end(other)))
}

/// `acme` of `databases.acme.io`.
pub(crate) fn brand(group: &str) -> Option<String> {
    let mut parts = group.rsplit('.').skip(1);
    let brand = parts.next()?;
    let is_shared =
        ["co", "com"].contains(&brand) || SHARED.iter().any(|domain| domain.starts_with(&format!("{brand}.")));
    let brand = if is_shared { parts.next()? } else { brand };
    (brand.len() > 3).then(|| brand.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finalizers_domain_leads_to_its_groups() {
        assert!(belongs_to("ceph.rook.io", domain("ceph.rook.io/disaster-protection")));
        assert!(belongs_to("longhorn.io", domain("longhorn.io")));
        assert!(belongs_to("db.acme.io", domain("acme.io/backup")));
        assert!(!belongs_to("networking.k8s.io", domain("kubernetes.io/pvc-protection")));
        assert!(!belongs_to("other.io", domain("acme.io/backup")));
    }

    #[test]
    fn a_group_that_an_extension_serves_may_have_a_reserved_domain() {
        for (group, custom, reserved) in [
            ("apps", false, false),
            ("networking.k8s.io", false, true),
            ("gateway.networking.k8s.io", true, true),
            ("snapshot.storage.k8s.io", true, true),
            ("metrics.k8s.io", false, true),
            ("cluster.x-k8s.io", true, false),
            ("acme.io", true, false),
            ("mykubernetes.io", true, false),
        ] {
            assert_eq!((is_custom(group), is_reserved(group)), (custom, reserved), "{group}");
        }
    }

    #[test]
    fn a_products_name_is_taken_from_its_group() {
        assert_eq!(brand("databases.acme.io").as_deref(), Some("acme"));
        assert_eq!(brand("cluster.x-k8s.io").as_deref(), Some("cluster"));
        assert_eq!(brand("widgets.github.io").as_deref(), Some("widgets"));
        assert_eq!(brand("apps"), None);
    }

    #[test]
    fn groups_of_one_product_share_their_domain() {
        assert!(is_kin("infra.fleet.acme.io", "controlplane.fleet.acme.io"));
        assert!(is_kin("acme.io", "db.acme.io") && is_kin("acme.io", "acme.io"));
        assert!(!is_kin("acme.io", "gitops.tools") && !is_kin("db.acme.io", "db.other.io"));
        assert!(!is_kin("snapshot.storage.k8s.io", "gateway.networking.k8s.io"));
    }
}
