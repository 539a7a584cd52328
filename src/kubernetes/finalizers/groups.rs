//! The owners of API groups, by their names.

use crate::survey::is_own_group;

/// Whether a group belongs to an extension, not to Kubernetes itself. The groups of sub-projects end like
/// those of Kubernetes (`snapshot.storage.k8s.io`), and metrics.k8s.io is Kubernetes' own, although another
/// server answers for it.
pub(crate) fn is_custom(group: &str) -> bool {
    group.contains('.') && !is_own_group(group) && group != "metrics.k8s.io"
}

/// The domain of a finalizer: `acme.io` for `acme.io/backup`, or the whole finalizer if it has no
/// path.
pub(crate) fn domain(finalizer: &str) -> &str {
    finalizer.split('/').next().unwrap_or(finalizer)
}

/// Whether a group and a domain have one owner: one is a suffix of the other.
pub(crate) fn belongs_to(group: &str, domain: &str) -> bool {
    let below =
        |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    let specific =
        |name: &str| name.contains('.') && !["k8s.io", "x-k8s.io", "kubernetes.io", "github.io"].contains(&name);
    is_custom(group) && specific(group) && specific(domain) && (below(group, domain) || below(domain, group))
}

/// Whether two groups end in the same two words: `apps.acme.io` and `db.acme.io`.
pub(crate) fn same_domain(one: &str, other: &str) -> bool {
    let domain = |group: &str| {
        let mut parts = group.rsplit('.');
        let (last, before) = (parts.next()?.to_owned(), parts.next()?.to_owned());
        (before.len() > 3 && !["k8s", "x-k8s", "kubernetes", "github"].contains(&before.as_str()))
            .then_some((last, before))
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
    let brand = if ["k8s", "x-k8s", "kubernetes", "co", "com"].contains(&brand) { parts.next()? } else { brand };
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
    fn a_products_name_is_taken_from_its_group() {
        assert_eq!(brand("databases.acme.io").as_deref(), Some("acme"));
        assert_eq!(brand("cluster.x-k8s.io").as_deref(), Some("cluster"));
        assert_eq!(brand("apps"), None);
    }
}
