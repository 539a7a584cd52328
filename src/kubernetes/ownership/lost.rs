//! A workload that was installed along with a kind and may no longer write it: it is not
//! gone, it has lost its rights.

/// Marks of an installer that weigh so much are of one installation.
pub(crate) const ONE_INSTALLATION: i64 = 3;

/// What points at a workload that may not write the kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Lost {
    /// What the marks weigh that it shares with the kind's definition.
    pub(crate) marks: i64,
    /// What those weigh that it shares with the object itself.
    pub(crate) of_object: i64,
    /// It may still list the kind.
    pub(crate) lists: bool,
    /// It runs a program of the name under which the finalizer was set.
    pub(crate) writes: bool,
    /// Its name says that it is a controller.
    pub(crate) called: bool,
}

/// Which of these workloads is the one, where that shows: a release brings more than its
/// controller, and what else it brings never had the right.
pub(crate) fn choose(all: &[Lost]) -> Option<usize> {
    let installed = |lost: &Lost| lost.marks >= ONE_INSTALLATION || (lost.of_object >= ONE_INSTALLATION && lost.lists);
    let all: Vec<(usize, &Lost)> = all.iter().enumerate().filter(|(_, lost)| installed(lost)).collect();
    let tests: [fn(&Lost) -> bool; 4] = [|lost| lost.lists, |lost| lost.writes, |lost| lost.called, |_| true];
    let chosen = tests.iter().find_map(|test| {
        let passing: Vec<usize> = all.iter().filter(|(_, lost)| test(lost)).map(|(at, _)| *at).collect();
        (!passing.is_empty()).then_some(passing)
    })?;
    <[usize; 1]>::try_from(chosen).ok().map(|[only]| only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_a_release_brings_the_controller_has_lost_its_rights() {
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
}
