use super::*;
use crate::survey::{Discovery, Form, Resource, Survey, file};
use serde_json::{Value, json};

fn survey() -> Survey {
    let resource = |kind: &str, group: &str, plural: &str| {
        let value = json!({"resource": format!("{group}{}v1/{plural}", if group.is_empty() { "" } else { "/" }),
            "kind": kind, "namespaced": true, "singular": "", "shortNames": [], "verbs": ["get"]});
        serde_json::from_value::<Resource>(value).unwrap()
    };
    let resources = vec![resource("Secret", "", "secrets"), resource("Cluster", "acme.io", "clusters")];
    Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), Discovery { resources, ..Discovery::default() })
}

/// The part of an object that the file contains.
fn written(group: &str, plural: &str, object: Value) -> Value {
    let mut survey = survey();
    let want = Want::get(&ResourceId::new(group, "v1", plural), Some("shop"), "x", Form::Whole);
    survey.record(want.clone(), Fact::Found(Box::new(Object::single(object).unwrap())));
    let back = file::read(&file::write(&survey).unwrap()).unwrap();
    let Some(Fact::Found(object)) = back.fact(&want) else { panic!("it is gone") };
    serde_json::to_value(object).unwrap()
}

#[test]
fn custom_resources_keep_only_references_and_messages() {
    let found = written(
        "acme.io",
        "databases",
        json!({"metadata": {"name": "x", "annotations": {"olm.owner": "a", "acme.io/p": "PLANTED"}},
            "spec": {"password": "PLANTED", "clientSecret": "planted-too", "clusterName": "east", "userName": "root",
                "list": ["PLANTED", {"secretRef": {"name": "creds", "key": "PLANTED", "value": "PLANTED"}}],
                "projectRef": {"name": "PLANTED here"}},
            "status": {"phase": "Failed", "token": "PLANTED",
                "conditions": [{"type": "Ready", "status": "False", "message": "no password=PLANTED", "x": "PLANTED"}],
                "made": [{"kind": "Pod", "name": "p", "data": "PLANTED"}]},
            "secret": "PLANTED"}),
    );
    assert_eq!(
        found,
        json!({"metadata": {"name": "x", "annotations": {"olm.owner": "a"}},
            "spec": {"clusterName": "east", "list": [null, {"secretRef": {"name": "creds"}}]},
            "status": {"phase": "Failed",
                "conditions": [{"type": "Ready", "status": "False", "message": "no password=(masked)"}],
                "made": [{"kind": "Pod", "name": "p"}]}})
    );
}

#[test]
fn the_status_decides_whether_a_possible_secret_is_a_name() {
    let of = |message: &str| {
        let object = json!({"metadata": {"name": "x"}, "spec": {"clientSecret": "creds"},
            "status": {"conditions": [{"message": message}]}});
        written("acme.io", "databases", object)["spec"].clone()
    };
    assert_eq!(of("no credentials"), json!({}));
    assert_eq!(of("Secret creds not found"), json!({"clientSecret": "creds"}));
}

#[test]
fn containers_keep_their_program_and_namespaces() {
    let container = json!({"name": "c", "image": "i", "command": ["/bin/operator", "--key=PLANTED"],
        "args": ["--token=PLANTED", "--watch-namespace=a,b", "--watch-namespaces=PLANTED"],
        "env": [{"name": "PASSWORD", "value": "PLANTED"}, {"name": "WATCH_NAMESPACE", "value": "shop"},
            {"name": "WATCH_NAMESPACE_KEY", "value": "PLANTED"}],
        "livenessProbe": {"httpGet": {"httpHeaders": [{"name": "Authorization", "value": "PLANTED"}]}},
        "lifecycle": {"preStop": {"exec": {"command": ["PLANTED"]}}}});
    let spec = json!({"containers": [container], "initContainers": [{"args": ["PLANTED"]}],
        "volumes": [{"name": "v", "csi": {"driver": "d", "volumeAttributes": {"key": "PLANTED"}}},
            {"name": "w", "iscsi": {"targetPortal": "PLANTED"}}, {"name": "x", "cephfs": {"user": "PLANTED"}}]});
    let kept = json!({"containers": [{"name": "c", "image": "i", "command": ["/bin/operator"],
            "args": ["--watch-namespace=a,b"],
            "env": [{"name": "WATCH_NAMESPACE", "value": "shop"}, {"name": "WATCH_NAMESPACE_KEY"}],
            "lifecycle": {"preStop": {}}}],
        "volumes": [{"name": "v", "csi": {"driver": "d"}}, {"name": "w"}, {"name": "x"}]});
    let pod = written("", "pods", json!({"metadata": {"name": "x"}, "spec": spec}));
    assert_eq!(pod["spec"], kept);
    let workload =
        written("apps", "deployments", json!({"metadata": {"name": "x"}, "spec": {"template": {"spec": spec}}}));
    assert_eq!(workload["spec"]["template"]["spec"], kept);
}

#[test]
fn a_driver_that_an_argument_names_is_noted_without_the_argument() {
    let mut survey = survey();
    let volumes = ResourceId::new("", "v1", "persistentvolumes");
    let deployments = ResourceId::new("apps", "v1", "deployments");
    let found = |value: Value| Fact::Found(Box::new(Object::single(value).unwrap()));
    let volume = json!({"metadata": {"name": "v"}, "spec": {"csi": {"driver": "disk.north.example",
        "volumeHandle": "vol-1", "volumeAttributes": {"secret": "PLANTED"}}}});
    survey.record(Want::get(&volumes, None, "v", Form::Whole), found(volume));
    let workload = json!({"metadata": {"name": "x"}, "spec": {"template": {"spec": {"containers": [
        {"name": "c", "args": ["--driver=disk.north.example --key=PLANTED"]}]}}}});
    let want = Want::get(&deployments, Some("ops"), "x", Form::Whole);
    survey.record(want.clone(), found(workload));
    let text = file::write(&survey).unwrap();
    assert!(!text.contains("PLANTED"), "{text}");
    let back = file::read(&text).unwrap();
    let Some(Fact::Found(workload)) = back.fact(&want) else { panic!("it is gone") };
    let named = workload.at("/spec/template/spec/driversNamed").unwrap();
    assert_eq!(*named, json!(["disk", "disk.north.example", "example", "north"]));
    assert_eq!(workload.array("/spec/template/spec/containers"), [json!({"name": "c"})]);
}

#[test]
fn expressions_are_reduced_to_conditions_on_the_user() {
    let policy = json!({"metadata": {"name": "x"}, "spec": {"failurePolicy": "Fail",
        "matchConditions": [{"name": "a", "expression": "true"}, {"name": "b", "expression": "'PLANTED' == ''"}],
        "validations": [{"expression": "request.userInfo.username == 'PLANTED'", "message": "PLANTED"}]}});
    let kept = written("admissionregistration.k8s.io", "validatingadmissionpolicies", policy);
    assert_eq!(
        kept["spec"],
        json!({"failurePolicy": "Fail", "looksAt": ["userInfo"],
            "matchConditions": [{"name": "a", "expression": "true"}, {"name": "b", "expression": "(not kept)"}],
            "validations": [{"expression": "request.userInfo.username in [\"(not kept)\"]"}]})
    );
    let webhooks = json!({"metadata": {"name": "x"}, "webhooks": [{"name": "w", "failurePolicy": "Fail",
        "clientConfig": {"url": "https://u:PLANTED@h.io/x", "caBundle": "PLANTED"},
        "matchConditions": [{"name": "c", "expression": "PLANTED"}]}]});
    let kept = written("admissionregistration.k8s.io", "validatingwebhookconfigurations", webhooks);
    assert_eq!(
        kept["webhooks"],
        json!([{"name": "w", "failurePolicy": "Fail", "clientConfig": {"url": "https://(masked)@h.io/x"},
            "matchConditions": [{"name": "c", "expression": "(not kept)"}]}])
    );
}

#[test]
fn managed_fields_keep_writers_times_and_finalizers() {
    let fields = json!([{"manager": "m", "operation": "Update", "time": "2026-01-01T00:00:00Z", "apiVersion": "v1",
        "fieldsType": "FieldsV1", "fieldsV1": {
            "f:metadata": {"f:finalizers": {"v:\"a.io/x\"": {}}, "f:annotations": {"f:PLANTED": {}}},
            "f:spec": {"f:list": {"k:{\"name\":\"PLANTED\"}": {}}, "f:conversion": {"f:x": {}}},
            "f:status": {"f:conditions": {"k:{\"type\":\"PLANTED\"}": {}}}}}]);
    let kept = written("acme.io", "databases", json!({"metadata": {"name": "x", "managedFields": fields}}));
    assert_eq!(
        kept["metadata"]["managedFields"],
        json!([{"manager": "m", "operation": "Update", "time": "2026-01-01T00:00:00Z", "apiVersion": "v1",
            "fieldsV1": {"f:metadata": {"f:finalizers": {"v:\"a.io/x\"": {}}}, "f:spec": {"f:conversion": {}},
                "f:status": {"f:conditions": {}}}}])
    );
}

#[test]
fn left_out_parts_are_counted() {
    let mut survey = survey();
    let object = json!({"metadata": {"name": "x", "annotations": {"a": "b"}},
        "spec": {"a": 1, "b": ["x", {}]}, "status": {"message": "token=x"}});
    let want = Want::get(&ResourceId::new("acme.io", "v1", "databases"), Some("shop"), "x", Form::Whole);
    survey.record(want, Fact::Found(Box::new(Object::single(object).unwrap())));
    let (_, left_out) = file::write_telling(&survey).unwrap();
    assert_eq!(left_out, LeftOut { fields: 2, annotations: 1, masked: 1 });
}
