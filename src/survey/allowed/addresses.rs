//! The Services of the cluster that a program calls, according to its variables.

use super::references::is_name;
use serde_json::Value;

/// A Service that a variable names by its DNS name
/// (<https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/>).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalledService {
    /// The variable that names it.
    pub variable: String,
    /// The address without its path.
    pub address: String,
    /// The namespace; `None` for the namespace of the program.
    pub namespace: Option<String>,
    /// The name of the Service.
    pub name: String,
}

/// Words in variables whose addresses a program can work without.
const DISPENSABLE: [&str; 7] = ["JAEGER", "METRICS", "OTEL", "TELEMETRY", "TRACE", "TRACING", "ZIPKIN"];

/// The Services that the variables of a container name.
pub(crate) fn called_services(container: &Value) -> Vec<CalledService> {
    let all = container.get("env").and_then(Value::as_array).into_iter().flatten();
    all.filter_map(called_service).collect()
}

/// The Service that one variable names.
pub(super) fn called_service(variable: &Value) -> Option<CalledService> {
    let name = variable.get("name")?.as_str()?;
    let value = variable.get("value")?.as_str()?;
    if name.split('_').any(|word| DISPENSABLE.contains(&word)) {
        return None;
    }
    let (scheme, rest) = value.split_once("://").map_or((None, value), |(scheme, rest)| (Some(scheme), rest));
    let authority = rest.split('/').next()?;
    let (host, port) = authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port)));
    let is_plain = port.is_none_or(|port| port.parse::<u16>().is_ok()) && scheme.is_none_or(is_name);
    let labels: Vec<&str> = host.trim_end_matches('.').split('.').collect();
    if !is_plain || !labels.iter().all(|label| is_name(label)) {
        return None;
    }
    let (namespace, service) = match labels[..] {
        // A single word counts as an address only if it has a scheme and a port.
        [one] if scheme.is_some() && port.is_some() && one != "localhost" => (None, one),
        _ => service_of_host(host).map(|(namespace, service)| (Some(namespace.to_owned()), service))?,
    };
    let address = value[..value.len() - rest.len() + authority.len()].to_owned();
    Some(CalledService { variable: name.to_owned(), address, namespace, name: service.to_owned() })
}

/// The namespace and the name in `name.namespace.svc.cluster.local`. The host of a pod behind a
/// Service has the pod's name before that of the Service.
pub(crate) fn service_of_host(host: &str) -> Option<(&str, &str)> {
    let labels: Vec<&str> = host.split('.').collect();
    let end = labels.iter().position(|label| *label == "svc").filter(|end| *end >= 2)?;
    let (namespace, service) = (labels[end - 1], labels[end - 2]);
    (is_name(namespace) && is_name(service)).then_some((namespace, service))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn called(name: &str, value: &str) -> Option<(Option<String>, String)> {
        called_service(&json!({"name": name, "value": value})).map(|it| (it.namespace, it.name))
    }

    #[test]
    fn a_variable_names_the_service_that_is_called() {
        let shop = |name: &str| Some((Some("shop".to_owned()), name.to_owned()));
        assert_eq!(called("DB_URL", "https://db.shop.svc.cluster.local:5432/orders"), shop("db"));
        assert_eq!(called("DB_HOST", "db.shop.svc"), shop("db"));
        assert_eq!(called("STORE_URL", "http://store:8080"), Some((None, "store".to_owned())));
    }

    #[test]
    fn other_values_name_no_service() {
        for value in ["store", "http://store.example.com:80", "http://u:secret@db.shop.svc", "http://10.0.0.1:80", ""] {
            assert_eq!(called("STORE_URL", value), None, "{value}");
        }
        assert_eq!(called("STORE_URL", "http://localhost:80"), None);
        assert_eq!(called("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector.otel.svc:4317"), None);
    }

    #[test]
    fn the_path_is_not_kept() {
        let url = json!({"name": "A", "value": "http://a.shop.svc:80/token/PLANTED?x=PLANTED"});
        assert_eq!(called_service(&url).unwrap().address, "http://a.shop.svc:80");
    }
}
