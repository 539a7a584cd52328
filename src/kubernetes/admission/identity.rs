//! Judges a webhook or policy as the account that would write: a gate may refuse people and let
//! the controller pass.

use crate::kubernetes::admission::{Gate, Operation};
use crate::survey::{Asker, Expression};
use serde_json::Value;

impl Gate<'_> {
    /// Whether its expressions depend on who sends the request.
    pub(crate) fn tells_of_who_asks(&self) -> bool {
        self.conditions().iter().chain(&self.validations()).any(Expression::tells)
    }

    /// Whether its expressions look at the deletion of the object: then its answer about an object
    /// that is not being deleted says nothing about later.
    pub(crate) fn names_the_deletion(&self) -> bool {
        let whole = match self {
            Self::Webhook { entry, .. } => entry.get("matchConditions"),
            Self::Policy { policy, .. } => policy.object.at("/spec"),
        };
        whole.is_some_and(|whole| whole.to_string().contains("deletionTimestamp"))
    }

    /// Whether a request of `asker` passes the expressions: the conditions do not match the
    /// request, or the validations accept it for every object. `None` if that depends on something
    /// unread.
    pub(crate) fn lets(&self, asker: &Asker, operation: Operation) -> Option<bool> {
        let operation = operation.word();
        let variables = self.variables();
        let value = |one: &Expression| one.of(asker, operation, &variables);
        let conditions = Expression::All(self.conditions());
        if value(&conditions) == Some(false) {
            return Some(true);
        }
        let validations = self.validations();
        if validations.is_empty() {
            return None;
        }
        match value(&Expression::All(validations)) {
            Some(true) => Some(true),
            Some(false) if value(&conditions) == Some(true) => Some(false),
            _ => None,
        }
    }

    /// Whether its conditions match a request of `asker`. `None` if that depends on something unread.
    pub(crate) fn is_asked_about(&self, asker: &Asker, operation: Operation) -> Option<bool> {
        Expression::All(self.conditions()).of(asker, operation.word(), &self.variables())
    }

    /// The conditions under which it is called; all of them must hold.
    fn conditions(&self) -> Vec<Expression> {
        expressions(self.spec().and_then(|spec| spec.get("matchConditions")))
    }

    /// The validations of a policy; all of them must hold.
    fn validations(&self) -> Vec<Expression> {
        match self {
            Self::Webhook { .. } => Vec::new(),
            Self::Policy { policy, .. } => expressions(policy.object.at("/spec/validations")),
        }
    }

    fn variables(&self) -> Vec<(&str, Expression)> {
        let Self::Policy { policy, .. } = self else { return Vec::new() };
        let read = |variable| {
            let text = |field: &str| Value::get(variable, field).and_then(Value::as_str);
            Some((text("name")?, Expression::read(text("expression")?)))
        };
        policy.object.array("/spec/variables").iter().filter_map(read).collect()
    }
}

fn expressions(list: Option<&Value>) -> Vec<Expression> {
    let all = list.and_then(Value::as_array).into_iter().flatten();
    all.map(|one| one.get("expression").and_then(Value::as_str).map_or(Expression::NotRead, Expression::read)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{Object, Resource, Seen};
    use serde_json::json;

    fn lets(spec: &Value) -> Option<bool> {
        let object: Object = serde_json::from_value(json!({"metadata": {"name": "p"}, "spec": spec})).unwrap();
        let resource = Resource::tested(
            "admissionregistration.k8s.io", "validatingadmissionpolicies", "ValidatingAdmissionPolicy", false,
        );
        let seen = Seen { resource: &resource, object: &object };
        let gate = Gate::Policy { policy: seen, binding: seen };
        gate.lets(&Asker::service_account("ops", "acme"), Operation::Update)
    }

    #[test]
    fn policies_are_evaluated_for_the_controllers_account() {
        let own = json!([{"name": "n", "expression": "request.userInfo.username != 'system:serviceaccount:ops:acme'"}]);
        let people = json!([{"expression": "'system:serviceaccounts' in request.userInfo.groups"}]);
        let locked = json!([{"expression": "object.metadata.name != 'locked'"}]);
        assert_eq!(lets(&json!({"matchConditions": own, "validations": locked})), Some(true), "it is not asked");
        assert_eq!(lets(&json!({"validations": people})), Some(true));
        assert_eq!(lets(&json!({"validations": locked})), None);
        assert_eq!(lets(&json!({"validations": [{"expression": "false"}]})), Some(false));
        let by_variable = json!({"variables": [{"name": "own", "expression": "request.userInfo.username.endsWith(':acme')"}],
            "validations": [{"expression": "variables.own || object.metadata.name != 'locked'"}]});
        assert_eq!(lets(&by_variable), Some(true));
        let unread = json!({"matchConditions": [{"name": "n", "expression": "object.x"}], "validations": [{"expression": "false"}]});
        assert_eq!(lets(&unread), None, "whether it is asked is not known");
    }
}
