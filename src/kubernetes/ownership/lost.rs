//! Workloads that were installed along with a kind and may no longer write it: they are not gone, but
//! have lost their permissions.

/// The weight from which an installer's marks show one installation.
pub(crate) const ONE_INSTALLATION: i64 = 3;

/// The evidence for a workload that may not write the kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a trace of its own, and no two exclude each other")]
pub(crate) struct Lost {
    /// The weight of the marks that the workload shares with the kind's definition.
    pub(crate) marks: i64,
    /// The weight of the marks that the workload shares with the object itself.
    pub(crate) of_object: i64,
    /// A role without a binding allows writes to the kind, and has the workload's name or was installed
    /// along with it.
    pub(crate) role: bool,
    /// The workload has part of a name of the controller.
    pub(crate) named: bool,
    /// Its configuration contains the finalizer itself.
    pub(crate) told: bool,
    /// The workload's account may still list the kind.
    pub(crate) lists: bool,
    /// Few accounts may list the kind and not write it.
    pub(crate) rare: bool,
    /// The workload runs a program with the name under which the finalizer was set.
    pub(crate) writes: bool,
    /// One of the workload's names contains "controller", "operator" or "manager".
    pub(crate) called: bool,
}

impl Lost {
    /// Whether the evidence is so strong that the finalizer's owner need not be gone.
    pub(crate) fn is_likely(&self) -> bool {
        self.marks >= ONE_INSTALLATION
            || self.role
            || self.named
            || self.told
            || (self.lists && (self.of_object >= ONE_INSTALLATION || (self.rare && self.called)))
    }
}

/// Chooses the workload that is the controller, if the evidence shows it: a release contains more
/// than its controller, and the rest never had the permission.
pub(crate) fn choose(all: &[Lost]) -> Option<usize> {
    let mut left: Vec<usize> = (0..all.len()).filter(|at| all[*at].is_likely()).collect();
    let tests: [fn(&Lost) -> bool; 6] = [
        |lost| lost.told,
        |lost| lost.named,
        |lost| lost.lists,
        |lost| lost.role,
        |lost| lost.writes,
        |lost| lost.called,
    ];
    for test in tests {
        let passing: Vec<usize> = left.iter().copied().filter(|at| test(&all[*at])).collect();
        if !passing.is_empty() {
            left = passing;
        }
    }
    <[usize; 1]>::try_from(left).ok().map(|[only]| only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_controller_that_lost_its_rights_is_chosen() {
        let part = Lost { marks: 4, ..Lost::default() };
        let lists = Lost { lists: true, ..part };
        let writes = Lost { writes: true, ..part };
        let called = Lost { called: true, ..part };
        assert_eq!(choose(&[]), None);
        assert_eq!(choose(&[part]), Some(0), "it brings nothing else");
        assert_eq!(choose(&[part, part]), None, "which of them is not known");
        assert_eq!(choose(&[part, lists]), Some(1));
        assert_eq!(choose(&[called, lists]), Some(1));
        assert_eq!(choose(&[part, called, writes]), Some(2));
        assert_eq!(choose(&[lists, lists, part]), None);
        assert_eq!(choose(&[Lost { marks: 1, ..lists }]), None, "another installation's");
        let beside = Lost { of_object: 3, ..Lost::default() };
        assert_eq!(choose(&[beside]), None, "what was installed with the object need not work on it");
        assert_eq!(choose(&[Lost { lists: true, ..beside }]), Some(0));
    }

    #[test]
    fn rare_rights_and_unbound_roles_point_at_the_controller() {
        let lists = Lost { lists: true, rare: true, ..Lost::default() };
        let controller = Lost { called: true, ..lists };
        assert_eq!(choose(&[lists]), None, "many only look");
        assert_eq!(choose(&[lists, controller]), Some(1));
        assert_eq!(choose(&[controller, controller]), None, "which of them is not known");
        assert_eq!(choose(&[Lost { rare: false, ..controller }]), None);
        let unbound = Lost { role: true, ..Lost::default() };
        assert_eq!(choose(&[Lost::default(), unbound]), Some(1));
        assert_eq!(choose(&[unbound, Lost { told: true, ..Lost::default() }]), Some(1));
    }
}
