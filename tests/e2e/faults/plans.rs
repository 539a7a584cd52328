//! The plans that meet the faults: together they write every kind of step, and everything that undo
//! restores.

use std::path::{Path, PathBuf};

/// A state, the run on it, and the expected result.
#[derive(Debug)]
pub struct Plan {
    pub name: &'static str,
    /// The script in `plans` that brings the state about.
    pub state: &'static str,
    /// The words of an earlier run, with whose journal each case begins.
    pub earlier: Option<&'static str>,
    /// The words after `kubectl unstick`.
    pub ask: &'static str,
    /// The kinds of first steps whose remedies are approved by digest.
    pub by_digest: &'static [&'static str],
    /// How many seconds it waits for effects.
    pub timeout: u32,
    /// The objects that it writes to; no others may be touched.
    pub writes: &'static [&'static str],
    /// The conditions that must hold in the end.
    pub goals: &'static [Goal],
    /// Its kinds of steps.
    pub kinds: &'static [&'static str],
}

/// A condition that must hold in the end.
#[derive(Debug, Clone, Copy)]
pub enum Goal {
    /// There is no object at this path.
    Gone(&'static str),
    /// The object at this path has this value there.
    Is(&'static str, &'static str, &'static str),
    /// The object at this path does not contain this name there.
    Lacks(&'static str, &'static str, &'static str),
}

impl Plan {
    /// The script that creates its state.
    pub fn script(&self) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/e2e/faults/plans");
        folder.join(format!("{}.sh", self.state))
    }
}

const ORDERS: &str = "/apis/acme.io/v1/namespaces/shop/databases/orders";
const OPERATOR: &str = "/apis/apps/v1/namespaces/ops/deployments/acme-operator";
const WEB: &str = "/api/v1/namespaces/shop/pods/web";
const SILENT: &str = "/api/v1/nodes/silent";
const HELD: &str = "/api/v1/namespaces/shop/configmaps/held";
const STORE: &str = "/api/v1/namespaces/shop/configmaps/store";
const READER: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles/store-reader";
const GUARD: &str = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/guard";
const BINDING: &str = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/noupd";
const GADGET: &str = "/apis/acme.io/v1/namespaces/shop/gadgets/one";
const ITEM: &str = "/apis/acme.io/v1/namespaces/shop/items/locked";
const METRICS: &str = "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io";
const SHOP: &str = "/api/v1/namespaces/shop";
const LEGACY: &str = "/api/v1/namespaces/legacy";
const PAPERS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/papers.conv.example";
const GONE: &str = "/api/v1/namespaces/gone";

/// The common fields of the plans that undo an earlier run.
const UNDO: Plan = Plan {
    name: "",
    state: "",
    earlier: None,
    ask: "undo --approve disruptive",
    by_digest: &[],
    timeout: 2,
    writes: &[],
    goals: &[],
    kinds: &["Restore"],
};

/// All plans.
pub const PLANS: &[Plan] = &[
    Plan {
        name: "workers",
        state: "workers",
        earlier: None,
        ask: "databases.acme.io/orders pod/web cm/held -n shop --approve leaks",
        by_digest: &[],
        timeout: 2,
        writes: &[ORDERS, OPERATOR, WEB, HELD],
        goals: &[Goal::Gone(ORDERS), Goal::Gone(WEB), Goal::Gone(HELD)],
        kinds: &["ScaleWorkload", "ForceDeletePod", "RemoveFinalizer"],
    },
    Plan {
        name: "refusals",
        state: "refusals",
        earlier: None,
        ask: "gadgets.acme.io/one items.acme.io/locked cm/store -n shop --approve leaks",
        by_digest: &[],
        timeout: 2,
        writes: &[GADGET, ITEM, GUARD, BINDING, READER, STORE],
        goals: &[Goal::Gone(GADGET), Goal::Gone(ITEM), Goal::Gone(STORE)],
        kinds: &["IgnoreWebhook", "RelaxPolicyBinding", "DropOwnerReference", "RemoveFinalizer"],
    },
    Plan {
        name: "harder",
        state: "harder",
        earlier: None,
        ask: "gadgets.acme.io/one cm/store pod/db-0 -n shop",
        by_digest: &["DeleteWebhookConfiguration", "DropGarbageCollectorFinalizer", "TaintOutOfService"],
        timeout: 1,
        writes: &[GUARD, STORE, SILENT],
        goals: &[Goal::Gone(GUARD), Goal::Gone(STORE)],
        kinds: &["DeleteWebhookConfiguration", "DropGarbageCollectorFinalizer", "TaintOutOfService"],
    },
    Plan {
        name: "namespace",
        state: "namespace",
        earlier: None,
        ask: "ns shop legacy --approve leaks",
        by_digest: &[],
        timeout: 8,
        writes: &[METRICS, SHOP, LEGACY],
        goals: &[Goal::Gone(METRICS), Goal::Gone(SHOP), Goal::Gone(LEGACY)],
        kinds: &["DeleteApiService", "FinalizeNamespace"],
    },
    Plan {
        name: "conversion",
        state: "conversion",
        earlier: None,
        ask: "ns shop --approve disruptive",
        by_digest: &[],
        timeout: 8,
        writes: &[PAPERS, SHOP],
        goals: &[Goal::Gone(SHOP)],
        kinds: &["ConversionNone"],
    },
    Plan {
        name: "orphans",
        state: "orphans",
        earlier: None,
        ask: "orphans --approve loses-data --confirm gone",
        by_digest: &[],
        timeout: 2,
        writes: &[
            GONE,
            "/api/v1/namespaces/gone/configmaps/kube-root-ca.crt",
            "/api/v1/namespaces/gone/configmaps/settings",
            "/api/v1/namespaces/gone/configmaps/prices",
            "/api/v1/namespaces/gone/serviceaccounts/default",
        ],
        goals: &[
            Goal::Gone(GONE),
            Goal::Gone("/api/v1/namespaces/gone/configmaps/settings"),
            Goal::Gone("/api/v1/namespaces/gone/configmaps/prices"),
        ],
        kinds: &["DeleteObject", "RecreateNamespace", "RemoveFinalizer"],
    },
    Plan {
        name: "deletion",
        state: "deletion",
        earlier: None,
        ask: "cm/first cm/second --delete --approve loses-data --confirm first,second",
        by_digest: &[],
        timeout: 2,
        writes: &["/api/v1/namespaces/default/configmaps/first", "/api/v1/namespaces/default/configmaps/second"],
        goals: &[
            Goal::Gone("/api/v1/namespaces/default/configmaps/first"),
            Goal::Gone("/api/v1/namespaces/default/configmaps/second"),
        ],
        kinds: &["DeleteOnRequest"],
    },
    Plan {
        name: "sleeping",
        state: "sleeping",
        earlier: None,
        ask: "ns shop --approve harmless",
        by_digest: &[],
        timeout: 1,
        writes: &[SHOP],
        goals: &[],
        kinds: &["NudgeNamespace"],
    },
    Plan {
        name: "settings",
        state: "settings",
        earlier: Some("ns shop --approve disruptive"),
        writes: &[OPERATOR, GUARD, METRICS],
        goals: &[
            Goal::Is(OPERATOR, "/spec/replicas", "0"),
            Goal::Is(GUARD, "/webhooks/0/failurePolicy", "\"Fail\""),
            Goal::Is(METRICS, "/spec/group", "\"metrics.k8s.io\""),
        ],
        ..UNDO
    },
    Plan {
        name: "undo-refusals",
        state: "refusals",
        earlier: Some("gadgets.acme.io/one items.acme.io/locked cm/store -n shop --approve leaks"),
        writes: &[GUARD, BINDING],
        goals: &[
            Goal::Is(GUARD, "/webhooks/0/failurePolicy", "\"Fail\""),
            Goal::Is(BINDING, "/spec/validationActions", "[\"Deny\"]"),
        ],
        ..UNDO
    },
    Plan {
        name: "undo-harder",
        state: "harder",
        earlier: Some("gadgets.acme.io/one cm/store pod/db-0 -n shop"),
        by_digest: &["DeleteWebhookConfiguration", "DropGarbageCollectorFinalizer", "TaintOutOfService"],
        writes: &[GUARD, SILENT],
        goals: &[
            Goal::Is(GUARD, "/webhooks/0/failurePolicy", "\"Fail\""),
            Goal::Lacks(SILENT, "/spec/taints", "out-of-service"),
        ],
        ..UNDO
    },
    Plan {
        name: "undo-conversion",
        state: "conversion",
        earlier: Some("ns shop --approve disruptive"),
        writes: &[PAPERS],
        goals: &[Goal::Is(PAPERS, "/spec/conversion/strategy", "\"Webhook\"")],
        ..UNDO
    },
    Plan {
        name: "batch",
        state: "batch",
        earlier: None,
        ask: "configmap -l batch=all --approve leaks",
        by_digest: &[],
        timeout: 2,
        writes: &[
            "/api/v1/namespaces/default/configmaps/held-0",
            "/api/v1/namespaces/default/configmaps/held-1",
            "/api/v1/namespaces/default/configmaps/held-2",
            "/api/v1/namespaces/default/configmaps/held-3",
            "/api/v1/namespaces/default/configmaps/held-4",
            "/api/v1/namespaces/default/configmaps/held-5",
            "/api/v1/namespaces/default/configmaps/held-6",
            "/api/v1/namespaces/default/configmaps/held-7",
            "/api/v1/namespaces/default/configmaps/held-8",
            "/api/v1/namespaces/default/configmaps/held-9",
        ],
        goals: &[
            Goal::Gone("/api/v1/namespaces/default/configmaps/held-0"),
            Goal::Gone("/api/v1/namespaces/default/configmaps/held-1"),
            Goal::Gone("/api/v1/namespaces/default/configmaps/held-2"),
            Goal::Gone("/api/v1/namespaces/default/configmaps/held-3"),
            Goal::Gone("/api/v1/namespaces/default/configmaps/held-4"),
            Goal::Gone("/api/v1/namespaces/default/configmaps/held-5"),
            Goal::Gone("/api/v1/namespaces/default/configmaps/held-6"),
            Goal::Gone("/api/v1/namespaces/default/configmaps/held-7"),
            Goal::Gone("/api/v1/namespaces/default/configmaps/held-8"),
            Goal::Gone("/api/v1/namespaces/default/configmaps/held-9"),
        ],
        kinds: &["RemoveFinalizer"],
    },
];
