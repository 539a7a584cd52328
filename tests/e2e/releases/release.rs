//! A release with an operator and an object of its kind, and the script that creates it.

use super::installers::{Installer, Marks};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The state of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Healthy,
    AtZero,
    Gone,
    /// A tenant's object has its marks.
    Foreign,
    /// The installer's own object is gone, and a tenant's object has the marks of the release.
    Orphaned,
    /// Its installer deletes it at once.
    ByItself,
    /// It has a webhook that answers.
    Webhook,
    /// It has a webhook that cannot be called.
    Silent,
    /// It has an aggregated API.
    Api,
    /// Its operator has registered a webhook and an API, which have no marks.
    Unmarked,
}

/// The states in which requests are sent to the operator.
pub const SERVING: [State; 4] = [State::Webhook, State::Silent, State::Api, State::Unmarked];

/// One release with an operator and an object of its kind.
#[derive(Debug)]
pub struct Release {
    pub number: usize,
    pub installer: Installer,
    pub state: State,
}

/// An object created by the installer.
pub struct Part {
    pub group: &'static str,
    pub kind: &'static str,
    /// Empty for cluster-scoped objects.
    pub namespace: String,
    pub name: String,
}

impl Part {
    /// The object as `kubectl` accepts it.
    pub fn words(&self) -> String {
        let place = if self.namespace.is_empty() { String::new() } else { format!(" -n {}", self.namespace) };
        format!("{}/{}{place}", self.kind.to_lowercase(), self.name)
    }
}

const RBAC: &str = "rbac.authorization.k8s.io";
const WEBHOOK: (&str, &str) = ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration");
const API: (&str, &str) = ("apiregistration.k8s.io", "APIService");

impl Release {
    pub fn name(&self) -> String {
        format!("op{}", self.number)
    }

    /// The namespace of the operator.
    pub fn home(&self) -> String {
        format!("ops{}", self.number)
    }

    /// The namespace in which a tenant has an object of its kind.
    pub fn users(&self) -> String {
        format!("users{}", self.number)
    }

    fn group(&self) -> String {
        format!("kind{}.example", self.number)
    }

    pub fn crd(&self) -> String {
        format!("gears.{}", self.group())
    }

    pub fn is_avoidable(&self) -> bool {
        !matches!(self.state, State::AtZero | State::Gone)
    }

    pub fn has_foreign(&self) -> bool {
        matches!(self.state, State::Foreign | State::Orphaned)
    }

    /// Whether it uses the second variant, if its installer has two.
    pub fn is_other(&self) -> bool {
        (self.number + self.number / 6) % 2 == 1
    }

    /// The existing own objects of the installer that a person deletes.
    pub fn own(&self) -> Vec<String> {
        if self.state == State::Orphaned { Vec::new() } else { self.installer.way().own(self) }
    }

    /// The words that name it for the program.
    pub fn words(&self) -> Vec<String> {
        let (word, name, namespace) = self.installer.way().asked(self);
        let place = namespace.map(|namespace| vec!["-n".to_owned(), namespace]).unwrap_or_default();
        std::iter::once(format!("{word}/{name}")).chain(place).collect()
    }

    /// The webhooks and APIs that are registered for it.
    pub fn registrations(&self) -> Vec<Part> {
        let part = |(group, kind): (&'static str, &'static str), name: String| Part {
            group,
            kind,
            namespace: String::new(),
            name,
        };
        let webhook = part(WEBHOOK, format!("hook{}", self.number));
        let api = part(API, format!("v1.things{}.example", self.number));
        match self.state {
            State::Webhook | State::Silent => vec![webhook],
            State::Api => vec![api],
            State::Unmarked => vec![webhook, api],
            _ => Vec::new(),
        }
    }

    /// The objects created by the installer.
    pub fn parts(&self) -> Vec<Part> {
        let (ops, op, both) = (self.home(), self.name(), format!("{}-{}", self.home(), self.name()));
        let part = |group: &'static str, kind: &'static str, namespace: &str, name: &str| Part {
            group,
            kind,
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        };
        let mut all = vec![
            part("", "ServiceAccount", &ops, &op),
            part(RBAC, "ClusterRole", "", &both),
            part(RBAC, "ClusterRoleBinding", "", &both),
            part("apiextensions.k8s.io", "CustomResourceDefinition", "", &self.crd()),
        ];
        if self.state != State::Gone {
            all.push(part("apps", "Deployment", &ops, &op));
        }
        if SERVING.contains(&self.state) {
            all.push(part("", "Service", &ops, &format!("hook{}", self.number)));
        }
        if self.state != State::Unmarked {
            all.extend(self.registrations());
        }
        all
    }

    /// The same objects, as `kubectl` accepts them.
    pub fn members(&self) -> Vec<String> {
        self.parts().iter().map(Part::words).collect()
    }

    pub fn script(&self) -> String {
        let (ops, op, users, crd) = (self.home(), self.name(), self.users(), self.crd());
        let replicas = u8::from(self.state != State::AtZero);
        let group = self.group();
        let mut text = format!("crd gears {group} Gear\noperator {ops} {op} {replicas} {crd}\n");
        if replicas == 1 {
            let _ = writeln!(text, "pods_ready {ops} {op}");
        }
        let _ = write!(
            text,
            "namespace {users}\nobject {users} Gear.v1.{group} one\n\
             finalizer {users} {crd} one {group}/cleanup {op}\n\
             kubectl -n {ops} create configmap neighbour\n"
        );
        if self.state == State::Gone {
            let _ = writeln!(text, "kubectl -n {ops} delete deployment {op}");
        }
        text.push_str(&self.served());
        text.push_str(&self.installed());
        let _ = writeln!(text, "every 3 serve {} {crd} <&3 >/dev/null 2>&1 &", self.number);
        text
    }

    /// The script of the registrations that call its Service.
    fn served(&self) -> String {
        let (number, ops, group) = (self.number, self.home(), self.group());
        let webhook = format!("guarded {ops} hook{number} {group} gears\n");
        let api = format!(
            "api_service v1 things{number}.example {ops} hook{number} $BACKEND_PORT\n\
             available True v1.things{number}.example\n"
        );
        let (certificate, registered) = match self.state {
            State::Webhook => (true, webhook),
            // Its certificate has another name.
            State::Silent => (false, webhook),
            State::Api => (false, api),
            State::Unmarked => (true, webhook + &api),
            _ => return String::new(),
        };
        let certificate = if certificate { format!("certified {ops} hook{number}\n") } else { "CERTS=\n".to_owned() };
        format!("{certificate}answering_service {ops} hook{number} worker\n{registered}")
    }

    /// The marks of the installer on everything, its own objects, and the actions of its controller.
    fn installed(&self) -> String {
        let way = self.installer.way();
        let mut text = way.own_objects(self);
        for part in self.parts() {
            let _ = writeln!(text, "{}", stamped(&part.words(), &way.marks(self, &part)));
        }
        if self.has_foreign() {
            let _ = writeln!(text, "kubectl -n {} create configmap foreign\n{}", self.users(), self.forged());
        }
        if self.state == State::Orphaned {
            text.push_str("seen\n");
            // The garbage collector does not know new kinds at once, so objects owned by such a
            // kind are deleted first.
            for own in way.along(self).into_iter().chain(way.own(self)) {
                let _ = writeln!(text, "lost {own}");
            }
        }
        if let Some(controller) = way.controller(self) {
            let _ = writeln!(text, "every 3 {controller} <&3 >/dev/null 2>&1 &");
        }
        text
    }

    /// A foreign object with the marks of the release.
    fn forged(&self) -> String {
        let Marks { labels, annotations, .. } = self.installer.way().forged(self);
        let how = [("label", labels), ("annotate", annotations)].into_iter().filter(|(_, marks)| !marks.is_empty());
        let lines = how.map(|(how, marks)| {
            let marks: Vec<String> = marks.iter().map(|(key, value)| format!("{key}={value}")).collect();
            format!("kubectl -n {} {how} configmap foreign {}", self.users(), marks.join(" "))
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The marks of Helm that the script's own words leave on everything.
const OF_HELM: [&str; 3] =
    ["app.kubernetes.io/instance", "meta.helm.sh/release-name", "meta.helm.sh/release-namespace"];

/// A value between single quotes of the script. A variable is put between two such texts.
fn in_quotes(value: &str) -> String {
    if value.starts_with('$') { format!("'\"{value}\"'") } else { value.to_owned() }
}

/// The script that writes the installer's marks on one object. Existing marks are removed first, so
/// that the installer is the one who wrote them.
fn stamped(member: &str, marks: &Marks) -> String {
    let fields = |off: &[&str], on: &[(String, String)]| {
        let mut all: BTreeMap<&str, String> = off.iter().map(|key| (*key, "null".to_owned())).collect();
        all.extend(on.iter().map(|(key, value)| (key.as_str(), format!("\"{}\"", in_quotes(value)))));
        all.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect::<Vec<_>>().join(", ")
    };
    let line = |marks: &Marks| {
        let labels = fields(&OF_HELM[..1], &marks.labels);
        let annotations = fields(&OF_HELM[1..], &marks.annotations);
        format!("stamped '{member}' '{labels}' '{annotations}' \"{}\"", marks.owners)
    };
    let mut all = marks.labels.iter().chain(&marks.annotations);
    let first = all.any(|(key, _)| OF_HELM.contains(&key.as_str())).then(|| line(&Marks::default()) + "\n");
    first.unwrap_or_default() + &line(marks)
}
