//! A survey, played by a server: each request gets the recorded answer.

use crate::discovery::{self, document};
use crate::server::{Request, Server, answer};
use kubectl_unstick::survey::{Fact, Form, LogLine, Object, Probe, Probed, Reason, ResourceId, Survey, Unread, Want};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read;
use std::net::TcpStream;

/// A server whose cluster is in the state of a survey.
pub fn play(survey: Survey, form: discovery::Form) -> Server {
    let played = Played::of(survey, form);
    Server::start(move |request, client| played.answer(request, client))
}

struct Played {
    survey: Survey,
    form: discovery::Form,
    /// The facts about each path.
    facts: HashMap<String, Vec<(Want, Fact)>>,
    /// Everything that is known about each object, by resource and path.
    objects: HashMap<ResourceId, BTreeMap<String, Object>>,
}

/// The answer to a request.
enum Said {
    Json(u16, Value),
    /// Not a Status object.
    Text(u16, String),
    /// Nothing is sent, and the connection stays open.
    Nothing,
    /// The connection ends.
    Cut,
}

impl Played {
    fn of(survey: Survey, form: discovery::Form) -> Self {
        let mut played = Self { form, facts: HashMap::new(), objects: HashMap::new(), survey };
        let facts: Vec<(Want, Fact)> = played.survey.facts().map(|(want, fact)| (want.clone(), fact.clone())).collect();
        for (want, fact) in facts {
            match &fact {
                Fact::Listed(objects) => objects.iter().for_each(|object| played.know(&want.resource, object)),
                Fact::Found(object) => played.know(&want.resource, object),
                _ => {}
            }
            played.facts.entry(want.path()).or_default().push((want, fact));
        }
        played
    }

    /// Keeps the most complete of several reads of an object, with the managedFields of any.
    fn know(&mut self, resource: &ResourceId, object: &Object) {
        let path = resource.path(object.metadata.namespace.as_deref(), Some(object.name()));
        let known = self.objects.entry(resource.clone()).or_default().entry(path).or_default();
        let mut less = object.clone();
        if known.body.len() <= less.body.len() {
            std::mem::swap(known, &mut less);
        }
        if known.metadata.managed_fields.is_null() && !less.metadata.managed_fields.is_null() {
            known.metadata.managed_fields = less.metadata.managed_fields.take();
        }
    }

    fn answer(&self, request: &Request, client: &mut TcpStream) -> bool {
        if let Some(document) = document(&self.survey.discovery, self.form, &request.path) {
            return match document.body {
                Some(body) => self.send(client, 200, &document.content_type, &body.to_string()),
                None => self.say(client, status(503, "service unavailable", None)),
            };
        }
        let said = match request.method.as_str() {
            "GET" if request.path == "/version" => {
                Said::Json(200, json!({"gitVersion": self.survey.server.clone().unwrap_or_default()}))
            }
            "GET" if request.path.ends_with("/log") => self.log(request),
            "GET" => self.read(request),
            "PATCH" | "DELETE" => self.try_out(request),
            _ => not_served(),
        };
        self.say(client, said)
    }

    fn say(&self, client: &mut TcpStream, said: Said) -> bool {
        match said {
            Said::Json(code, body) => self.send(client, code, "application/json", &body.to_string()),
            Said::Text(code, text) => self.send(client, code, "text/plain", &text),
            Said::Nothing => {
                // Until the other side ends it.
                client.read_to_end(&mut Vec::new()).ok();
                true
            }
            Said::Cut => true,
        }
    }

    /// Sends the survey's time, from which ages are calculated.
    fn send(&self, client: &mut TcpStream, code: u16, content_type: &str, body: &str) -> bool {
        let date = self.survey.taken_at.strftime("%a, %d %b %Y %H:%M:%S GMT");
        answer(client, code, &format!("{content_type}\r\nDate: {date}"), body)
    }

    /// A list or an object.
    fn read(&self, request: &Request) -> Said {
        let asked = Asked::of(request);
        let facts = self.facts.get(&request.path).map(Vec::as_slice).unwrap_or_default();
        let of_form = |form: &Form| {
            facts.iter().find(|(want, _)| is_plain(want) && want.form == *form && want.node == asked.node)
        };
        match asked.forms().iter().find_map(of_form) {
            Some((want, Fact::Listed(objects))) => return self.list(&want.resource, objects.iter(), &asked),
            Some((want, Fact::Missing)) => return missing(want),
            Some((_, Fact::Unread(unread))) => return refused(unread),
            _ => {}
        }
        let mut resources = self.survey.discovery.resources.iter().map(|resource| &resource.id);
        match resources.find_map(|id| Some((id, place(id, &request.path)?))) {
            Some((id, Place::List(prefix))) => self.list_below(id, &prefix, &asked),
            Some((id, Place::Object)) => match self.objects.get(id).and_then(|known| known.get(&request.path)) {
                Some(object) => Said::Json(200, self.written(id, object, asked.is_whole)),
                None => status(404, "not found", request.path.rsplit('/').next()),
            },
            None => not_served(),
        }
    }

    /// A list that the survey does not contain, assembled from what it contains. It is unreadable
    /// if it would include something unreadable.
    fn list_below(&self, resource: &ResourceId, prefix: &str, asked: &Asked) -> Said {
        let of_resource =
            self.facts.values().flatten().filter(|(want, _)| want.resource == *resource && is_plain(want));
        let unread = of_resource.filter(|(want, _)| want.path().starts_with(prefix)).find_map(|(_, fact)| match fact {
            Fact::Unread(unread) => Some(unread),
            _ => None,
        });
        if let Some(unread) = unread {
            return refused(unread);
        }
        let known = self.objects.get(resource).into_iter().flatten();
        self.list(resource, known.filter(|(path, _)| path.starts_with(prefix)).map(|(_, object)| object), asked)
    }

    fn list<'a>(&self, resource: &ResourceId, objects: impl Iterator<Item = &'a Object>, asked: &Asked) -> Said {
        let items: Vec<Value> = objects.map(|object| self.written(resource, object, asked.is_whole)).collect();
        let kind =
            if asked.is_whole { format!("{}List", self.kind(resource)) } else { "PartialObjectMetadataList".into() };
        let body = json!({"kind": kind, "apiVersion": "v1", "metadata": {"resourceVersion": "7"}, "items": items});
        Said::Json(200, body)
    }

    fn written(&self, resource: &ResourceId, object: &Object, is_whole: bool) -> Value {
        let mut written = serde_json::to_value(object).expect("JSON");
        if !is_whole {
            return json!({"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1",
                "metadata": written["metadata"]});
        }
        written["kind"] = self.kind(resource).into();
        written["apiVersion"] = resource.api_version().into();
        written
    }

    fn kind(&self, resource: &ResourceId) -> &str {
        let mut served = self.survey.discovery.resources.iter();
        served.find(|served| served.id == *resource).map_or("", |served| &served.kind)
    }

    /// A dry run, whose verdict counts for the user that it acts for.
    fn try_out(&self, request: &Request) -> Said {
        let (path, body) = (request.path.as_str(), String::from_utf8_lossy(&request.body));
        let mut headers = request.head.lines().filter_map(|line| line.split_once(": "));
        let user = headers.find(|(name, _)| name.eq_ignore_ascii_case("impersonate-user")).map(|(_, user)| user);
        let facts = self.facts.get(path).map(Vec::as_slice).unwrap_or_default();
        let probed = facts.iter().find_map(|(want, fact)| {
            let of = want.probe.as_deref()?;
            let what = &of.what;
            let is_it = of.user.as_deref() == user
                && match what {
                    Probe::Delete => request.method == "DELETE",
                    Probe::RemoveFinalizer(finalizer) => {
                        request.method == "PATCH" && body.contains(&json!(finalizer).to_string())
                    }
                };
            is_it.then_some((want, what, fact))
        });
        let Some((want, what, fact)) = probed else { return status(503, "no such dry run is on record", None) };
        match fact {
            Fact::Probed(Probed::Refused(refused)) => {
                let body = json!({"kind": "Status", "message": refused.message, "reason": refused.reason});
                Said::Json(refused.code, body)
            }
            Fact::Probed(verdict) => {
                let object = self.objects.get(&want.resource).and_then(|known| known.get(path));
                let Some(object) = object else { return Said::Json(200, json!({"kind": "Status"})) };
                let mut object = object.clone();
                if let (Probed::Passed, Probe::RemoveFinalizer(finalizer)) = (verdict, what) {
                    object.metadata.finalizers.retain(|other| other != finalizer);
                }
                Said::Json(200, self.written(&want.resource, &object, false))
            }
            Fact::Missing => missing(want),
            Fact::Unread(unread) => refused(unread),
            _ => not_served(),
        }
    }

    /// The recorded lines of a container's log, in their order.
    fn log(&self, request: &Request) -> Said {
        let path = request.path.trim_end_matches("/log");
        let of = |want: &Want| {
            let of = want.log.as_deref()?;
            let is_it = parameter(request, "container") == Some(of.container.clone());
            (is_it && parameter(request, "previous").is_some() == of.previous).then_some(())
        };
        let facts = self.facts.get(path).into_iter().flatten();
        let mut lines: BTreeSet<String> = BTreeSet::new();
        for (want, fact) in facts.filter(|(want, _)| of(want).is_some()) {
            match fact {
                Fact::Logged(logged) => lines.extend(logged.lines.iter().map(line)),
                Fact::Unread(unread) => return refused(unread),
                _ => return missing(want),
            }
        }
        Said::Text(200, lines.into_iter().collect())
    }
}

/// A line as a kubelet writes it.
fn line(line: &LogLine) -> String {
    format!("{} {}\n", line.at.unwrap_or_default(), line.text)
}

/// A request for objects, parsed.
struct Asked {
    is_whole: bool,
    is_from_cache: bool,
    /// Only the pods on this node.
    node: Option<String>,
}

impl Asked {
    fn of(request: &Request) -> Self {
        let head = request.head.to_ascii_lowercase();
        let selector = parameter(request, "fieldSelector").unwrap_or_default();
        Self {
            is_whole: !head.contains("as=partialobjectmetadata"),
            is_from_cache: parameter(request, "resourceVersion").as_deref() == Some("0"),
            node: selector.strip_prefix("spec.nodeName=").map(Into::into),
        }
    }

    /// The forms of the facts that answer it, the closest first.
    fn forms(&self) -> &'static [Form] {
        match (self.is_whole, self.is_from_cache) {
            (true, _) => &[Form::Whole],
            (false, true) => &[Form::Cached, Form::Metadata, Form::Owned, Form::Deleting],
            (false, false) => &[Form::Stored, Form::Metadata, Form::Owned, Form::Deleting],
        }
    }
}

/// A parameter of the query.
fn parameter(request: &Request, name: &str) -> Option<String> {
    let query = request.head.split(' ').nth(1)?.split_once('?')?.1;
    let mut parameters = query.split('&').filter_map(|parameter| parameter.split_once('='));
    parameters.find(|(of, _)| *of == name).map(|(_, value)| value.replace("%3D", "="))
}

enum Place {
    /// The items of the list have paths with this prefix.
    List(String),
    Object,
}

/// What a path means for a resource.
fn place(resource: &ResourceId, path: &str) -> Option<Place> {
    let list = resource.path(None, None);
    let (root, plural) = list.rsplit_once('/')?;
    if path == list {
        return Some(Place::List(format!("{root}/")));
    }
    let rest = path.strip_prefix(root)?;
    let parts: Vec<&str> = rest.split('/').skip(1).collect();
    match parts[..] {
        [of, _] if of == plural => Some(Place::Object),
        ["namespaces", _, of, _] if of == plural => Some(Place::Object),
        ["namespaces", _, of] if of == plural => Some(Place::List(format!("{path}/"))),
        _ => None,
    }
}

/// Whether it reads stored objects, and not a log or the answer to a dry run.
fn is_plain(want: &Want) -> bool {
    want.log.is_none() && want.probe.is_none()
}

fn missing(want: &Want) -> Said {
    status(404, "not found", want.name.as_deref())
}

fn not_served() -> Said {
    status(404, "the server could not find the requested resource", None)
}

fn status(code: u16, message: &str, name: Option<&str>) -> Said {
    let mut status =
        json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "code": code});
    if let Some(name) = name {
        status["details"] = json!({"name": name});
    }
    Said::Json(code, status)
}

/// The answer that could not be read. Its message ends with the status.
fn refused(unread: &Unread) -> Said {
    let said = unread.message.strip_suffix(')').and_then(|message| message.rsplit_once(" (HTTP "));
    let said = said.and_then(|(message, code)| Some((message, code.parse().ok()?)));
    match (unread.reason, said) {
        (Reason::Garbled, _) => Said::Text(200, "no list".into()),
        (Reason::TimedOut, _) => Said::Nothing,
        (Reason::Unreachable, _) => Said::Cut,
        (Reason::Forbidden, Some((message, code))) if !message.contains(" cannot ") => Said::Text(code, message.into()),
        (_, Some((message, code))) => status(code, message, None),
        (_, None) => status(500, &unread.message, None),
    }
}
