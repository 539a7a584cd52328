//! Objects outside of the state that a plan has touched, according to the audit log and to the rows
//! that are missing in the store.

use crate::api::Api;
use crate::object::Id;
use crate::recipe::Plan;
use crate::support::control_plane::ControlPlane;
use crate::truth::Truth;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// The store and the audit log before a plan.
pub struct Before {
    keys: BTreeMap<String, String>,
    /// The end of the audit log.
    end: u64,
}

impl Before {
    /// Reads both.
    pub fn look(api: &Api, plane: &ControlPlane) -> Result<Self, String> {
        let end = plane.audit_log().metadata().map_err(|error| error.to_string())?.len();
        Ok(Self { keys: api.keys()?, end })
    }

    /// Objects that the program wrote to, or that have disappeared, without an explanation in the
    /// state.
    pub fn touched(&self, api: &Api, plane: &ControlPlane, plan: &Plan) -> Result<Vec<String>, String> {
        let allowed: Vec<&Id> = plan
            .truths()
            .iter()
            .flat_map(Truth::objects)
            .chain(&plan.draft.allowed)
            .chain(&plan.objects)
            .chain([&plan.target])
            .collect();
        let mut touched = Vec::new();
        for request in self.requests(plane)? {
            let uri = request["requestURI"].as_str().unwrap_or_default();
            let is_expected = allowed.iter().any(|id| is_about(id, uri)) || is_instance(plan, uri);
            if is_write(&request) && !is_expected && !is_temporary(plan, uri) {
                touched.push(format!("{} {uri}", request["verb"].as_str().unwrap_or_default()));
            }
        }
        let now = api.keys()?;
        for key in self.keys.keys().filter(|key| !now.contains_key(*key)) {
            if !is_explained(plan, key, &allowed) {
                touched.push(format!("{key} has vanished"));
            }
        }
        Ok(touched)
    }

    fn requests(&self, plane: &ControlPlane) -> Result<Vec<Value>, String> {
        let mut log = File::open(plane.audit_log()).map_err(|error| error.to_string())?;
        log.seek(SeekFrom::Start(self.end)).map_err(|error| error.to_string())?;
        let mut text = String::new();
        log.read_to_string(&mut text).map_err(|error| error.to_string())?;
        let ours = text.lines().filter(|line| line.contains("\"userAgent\":\"kubectl-unstick/"));
        Ok(ours.filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}

fn is_write(request: &Value) -> bool {
    let (verb, uri) =
        (request["verb"].as_str().unwrap_or_default(), request["requestURI"].as_str().unwrap_or_default());
    let asks = ["subjectaccessreviews", "selfsubjectreviews", "selfsubjectrulesreviews", "dryRun=All"];
    !matches!(verb, "get" | "list" | "watch") && !asks.iter().any(|asks| uri.contains(asks))
        // The API may use another version than this test.
        && request["responseStatus"]["code"].as_i64().unwrap_or_default() < 400
}

/// Whether a path is that of an object, in any version, or of one of its subresources.
fn is_about(id: &Id, uri: &str) -> bool {
    let namespace = id.namespace.as_ref().map_or(String::new(), |name| format!("namespaces/{name}/"));
    let tail = format!("/{namespace}{}/{}", id.plural, id.name);
    let path = uri.split('?').next().unwrap_or_default();
    let Some(at) = path.find(&tail) else { return false };
    let rest = &path[at + tail.len()..];
    path[..at].contains(id.group()) && (rest.is_empty() || rest.starts_with('/'))
}

/// Whether a path is that of an object whose definition is deleted, which deletes all its objects.
fn is_instance(plan: &Plan, uri: &str) -> bool {
    let kind = plan.target.name.split_once('.').filter(|_| plan.target.kind == "CustomResourceDefinition");
    kind.is_some_and(|(plural, group)| {
        uri.starts_with(&format!("/apis/{group}/")) && uri.contains(&format!("/{plural}/"))
    })
}

/// Whether a path is that of rights granted for a while, if rights are missing.
fn is_temporary(plan: &Plan, uri: &str) -> bool {
    plan.draft.lacks_rights && uri.contains("/rbac.authorization.k8s.io/v1/clusterrole")
}

/// Whether the end of the state explains that a row has disappeared.
fn is_explained(plan: &Plan, key: &str, allowed: &[&Id]) -> bool {
    let own = format!("/{}/", plan.draft.namespace);
    let group = plan.target.name.split_once('.').map_or("", |(_, group)| group);
    let kind_goes = plan.target.kind == "CustomResourceDefinition"
        && (key.contains(&format!("/{group}/")) || key.ends_with(&format!(".{group}")));
    let passing = ["events", "leases", "masterleases", "ipaddresses", "ranges"];
    passing.iter().any(|folder| key.starts_with(&format!("/registry/{folder}/")))
        || (plan.draft.goes && key.contains(&own))
        || kind_goes
        // Objects that a workload has created appear and disappear with it.
        || allowed.iter().any(|id| key == id.key() || key.starts_with(&pods_of(id)))
}

fn pods_of(id: &Id) -> String {
    match &id.namespace {
        Some(namespace) if id.kind == "Deployment" => format!("/registry/pods/{namespace}/{}-", id.name),
        _ => "none".into(),
    }
}
