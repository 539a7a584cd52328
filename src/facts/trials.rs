//! The server's answers to dry runs.

use super::known::{Known, Unknown};
use super::read::{Facts, subject};
use crate::survey::{
    Fact, Form, Object, Probe, Probed, Purpose, Reason, Resource, ResourceId, Seen, ServedBy, Sought, TargetName,
    Unread, Want,
};
use std::cell::RefCell;

/// With this many finalizers or more, no removal is tried on an object that is not being deleted.
const MAX_TRIED: usize = 20;
/// How many objects of one kind are tried in the same way.
const MAX_EXAMPLES: usize = 20;

/// The objects that are tried in one way, in the order of the targets.
#[derive(Default)]
struct Examples(RefCell<Vec<TargetName>>);

impl<'s> Facts<'s> {
    /// The server's answer to a dry run of `probe`; `None` if the object is gone, if its kind does not
    /// serve such a request, or if the answer is not needed. For an object that is not being deleted,
    /// it is needed only if deletions are to be foreseen (and the removal of a finalizer only for
    /// objects that are a target or are deleted with one), or if a DELETE is tried and its namespace
    /// is being deleted.
    ///
    /// # Errors
    /// When it was not tried yet, or the server gave no verdict: the caller lacks the permissions, or
    /// no answer came in time. Also when it is unknown whether the API server itself would answer:
    /// then nothing is tried.
    ///
    /// An aggregated API is never tried: the server behind it may ignore `dryRun`.
    pub fn probe(&self, seen: Seen<'_>, probe: Probe) -> Known<Option<&'s Probed>> {
        self.probe_by(None, seen, probe)
    }

    /// The server's answer to the same dry run by `user`, if the caller may act for it. The API server decides that
    /// by the verb `impersonate` or by those of constrained impersonation, `impersonate:serviceaccount` and
    /// `impersonate-on:serviceaccount:patch` (kubernetes/enhancements:
    /// `keps/sig-auth/5284-constrained-impersonation`; beta in 1.36).
    ///
    /// # Errors
    /// As for [`Self::probe`].
    pub fn probe_as(&self, user: &str, seen: Seen<'_>, probe: Probe) -> Known<Option<&'s Probed>> {
        self.probe_by(Some(user), seen, probe)
    }

    /// The object whose dry run shows what the server answers for `seen`: this one, or the first of its kind that is
    /// tried `in_this_way` if there are many already, since a run may have ten thousand targets.
    pub(crate) fn example(&self, in_this_way: &str, seen: Seen<'s>) -> Known<Seen<'s>> {
        let key = format!("{} {in_this_way}", seen.resource.id.path(None, None));
        let examples = self.once::<Examples>(&key, || Ok(Examples::default()))?;
        let mut examples = examples.0.borrow_mut();
        let name = TargetName::of(&seen.resource.id, seen.object);
        if examples.contains(&name) {
            return Ok(seen);
        }
        if examples.len() < MAX_EXAMPLES {
            examples.push(name);
            return Ok(seen);
        }
        let first = self.get_or_metadata(&examples[0].want())?;
        Ok(first.map_or(seen, |object| Seen { object, ..seen }))
    }

    fn probe_by(&self, user: Option<&str>, seen: Seen<'_>, probe: Probe) -> Known<Option<&'s Probed>> {
        // While a definition is being deleted, discovery omits the verbs that change its objects; PATCH is
        // still served (kubernetes/kubernetes:
        // `staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_discovery_controller.go`).
        let served = seen.resource.can("delete") || (probe != Probe::Delete && seen.resource.can("patch"));
        let of_target = || self.is_asked_about(seen) && seen.object.metadata.finalizers.len() < MAX_TRIED;
        let foreseen =
            matches!(self.survey.purpose, Purpose::Preflight { .. }) && (probe == Probe::Delete || of_target());
        let asked = foreseen
            || seen.object.is_deleting()
            || (probe == Probe::Delete && self.is_in_going_namespace(seen.object)?);
        if !asked || !served || seen.object.uid().is_empty() {
            return Ok(None);
        }
        let want = Want::probe(seen, probe);
        let want = match user {
            Some(user) => want.by_user(user),
            None => want,
        };
        if self.survey.find(want.sought()).is_none() {
            match self.served_by(seen.resource)? {
                ServedBy::ApiServer => {}
                ServedBy::Another => return Ok(None),
                ServedBy::Unknown => return Err(self.untried(&want)),
            }
        }
        match self.answer(want.sought())? {
            Fact::Probed(probed) => Ok(Some(probed)),
            _ => Ok(None),
        }
    }

    /// The server of a kind: the API server itself or another one.
    pub fn served_by(&self, resource: &Resource) -> Known<ServedBy> {
        let registered = match self.look_up(Sought::list(&api_services(), None, Form::Whole))? {
            Fact::Listed(registered) => Some(&registered[..]),
            _ => None,
        };
        Ok(resource.id.served_by(registered))
    }

    /// Why no dry run was sent.
    fn untried(&self, want: &Want) -> Unknown {
        let group_version = want.resource.api_version();
        let list = self.survey.find(Sought::list(&api_services(), None, Form::Whole));
        let why = match list {
            Some(Fact::Unread(why)) => format!("the APIServices cannot be read: {why}"),
            _ => "it has no APIService".to_owned(),
        };
        let message = format!("not sent: an aggregated API server may serve {group_version}: {why}");
        Unknown::Unread { what: subject(want), why: Unread { reason: Reason::Rejected, message } }
    }

    fn is_in_going_namespace(&self, object: &Object) -> Known<bool> {
        let Some(name) = object.metadata.namespace.as_deref() else { return Ok(false) };
        let namespaces = ResourceId::new("", "v1", "namespaces");
        Ok(self.metadata(&namespaces, None, name)?.is_some_and(Object::is_deleting))
    }
}

/// The resource of `APIService` objects, which register groups and versions.
fn api_services() -> ResourceId {
    ResourceId::new("apiregistration.k8s.io", "v1", "apiservices")
}
