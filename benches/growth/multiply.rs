//! Multiplies a recorded survey: its first target exists `count` times.

use kubectl_unstick::survey::{Fact, Object, Survey, TargetName, Want};
use serde_json::Value;
use std::collections::BTreeSet;

/// `survey` with `count` copies of its first target and of everything that belongs to it.
pub fn multiply(survey: &Survey, count: usize) -> Survey {
    let original = survey.targets[0].clone();
    let family = Family::of(survey, &original);
    let mut large = survey.clone();
    large.targets.truncate(1);
    for number in 1..count {
        large.targets.push(TargetName { name: format!("{}-{number}", original.name), ..original.clone() });
    }
    for (want, fact) in survey.facts() {
        if family.is_about(want) {
            for number in 1..count {
                large.record(family.want(want, number), family.fact(fact, number));
            }
        } else if let Fact::Listed(objects) = fact {
            let own: Vec<&Object> = objects.iter().filter(|object| family.has(object)).collect();
            let copies = (1..count).flat_map(|number| own.iter().map(move |object| (number, *object)));
            let copies = copies.map(|(number, object)| family.object(object, number));
            let all: Vec<Object> = objects.iter().cloned().chain(copies).collect();
            large.record(want.clone(), Fact::Listed(all));
        }
    }
    large
}

/// The target, and what belongs to it.
struct Family {
    target: TargetName,
    is_namespace: bool,
    uids: BTreeSet<String>,
}

impl Family {
    fn of(survey: &Survey, target: &TargetName) -> Self {
        let is_namespace = target.resource.group.is_empty() && target.resource.plural == "namespaces";
        let mut family = Self { target: target.clone(), is_namespace, uids: BTreeSet::new() };
        for (want, fact) in survey.facts() {
            let objects: &[Object] = match fact {
                Fact::Listed(objects) => objects,
                Fact::Found(object) => std::slice::from_ref(object),
                _ => continue,
            };
            let own = objects.iter().filter(|object| family.names(want, object));
            let uids: Vec<String> = own.map(|object| object.uid().to_owned()).filter(|uid| uid.len() > 8).collect();
            family.uids.extend(uids);
        }
        family
    }

    fn names(&self, want: &Want, object: &Object) -> bool {
        let Self { target, is_namespace, .. } = self;
        let itself = want.resource == target.resource
            && object.name() == target.name
            && object.metadata.namespace.as_deref() == target.namespace.as_deref();
        itself || (*is_namespace && object.metadata.namespace.as_deref() == Some(target.name.as_str()))
    }

    fn has(&self, object: &Object) -> bool {
        let owned = || object.metadata.owner_references.iter().any(|owner| self.uids.contains(&owner.uid));
        self.uids.contains(object.uid()) || owned()
    }

    fn is_about(&self, want: &Want) -> bool {
        let Self { target, is_namespace, .. } = self;
        let itself = want.resource == target.resource
            && want.name.as_ref() == Some(&target.name)
            && want.namespace == target.namespace;
        itself || (*is_namespace && want.namespace.as_ref() == Some(&target.name))
    }

    fn want(&self, want: &Want, number: usize) -> Want {
        let mut copy = want.clone();
        let name = if self.is_namespace && want.namespace.is_some() { &mut copy.namespace } else { &mut copy.name };
        *name = Some(format!("{}-{number}", self.target.name));
        if let Some(probe) = &mut copy.probe {
            probe.uid = format!("{}-{number}", probe.uid);
        }
        copy
    }

    fn fact(&self, fact: &Fact, number: usize) -> Fact {
        match fact {
            Fact::Listed(objects) => Fact::Listed(objects.iter().map(|object| self.object(object, number)).collect()),
            Fact::Found(object) => Fact::Found(Box::new(self.object(object, number))),
            other => other.clone(),
        }
    }

    fn object(&self, object: &Object, number: usize) -> Object {
        let mut text = serde_json::to_string(object).expect("an object is JSON");
        for uid in &self.uids {
            text = text.replace(uid.as_str(), &format!("{uid}-{number}"));
        }
        let value: Value = serde_json::from_str(&text).expect("it was JSON");
        let mut copy = Object::single(value).expect("it was an object");
        if self.is_namespace && copy.metadata.namespace.is_some() {
            copy.metadata.namespace = Some(format!("{}-{number}", self.target.name).into());
        } else {
            copy.metadata.name = format!("{}-{number}", copy.metadata.name).into();
        }
        if !self.uids.contains(object.uid()) {
            copy.metadata.uid = format!("{}-{number}", copy.metadata.uid).as_str().into();
        }
        copy
    }
}
