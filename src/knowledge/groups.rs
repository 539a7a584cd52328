//! The API groups of the kinds that the catalogue names.

/// `KIND: GROUP, …`, a line for each kind, `core` for the group without a name.
const GROUPS: &str = include_str!("groups.yaml");

/// The groups in which products of the catalogue serve a kind; the core group is empty. None if that is not known.
#[must_use]
pub fn of(kind: &str) -> Vec<&'static str> {
    let line = GROUPS.lines().find_map(|line| line.split_once(": ").filter(|(known, _)| *known == kind));
    let group = |group: &'static str| if group == "core" { "" } else { group };
    line.into_iter().flat_map(|(_, groups)| groups.split(", ").map(group)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_sorted_and_have_groups() {
        let lines: Vec<&str> = GROUPS.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.is_sorted_by_key(|line| line.split(':').next()), "sort groups.yaml by kind");
        for line in lines {
            let (kind, groups) = line.split_once(": ").expect(line);
            let is_group =
                |group: &str| group == "core" || matches!(group, "apps" | "batch" | "policy") || group.contains('.');
            assert!(kind.starts_with(char::is_uppercase) && groups.split(", ").all(is_group), "{line}");
        }
    }
}
