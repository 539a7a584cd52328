//! From kubectl's connection flags to a client.

use crate::failure::{Failure, Hint, chain};
use crate::plugin::COMMAND;
use crate::server::Server;
use crate::survey::Object;
use crate::transport::answer_cache::AnswerCache;
use crate::transport::connection::Connection;
use crate::transport::credentials;
use crate::transport::http::{Api, Limits, METADATA};
use crate::transport::one_first::OneFirst;
use crate::transport::request_log::RequestLog;
use crate::transport::tls::{self, client_config};
use crate::transport::two_connections::TwoConnections;
use http::Uri;
use http::uri::InvalidUri;
use hyper_rustls::{FixedServerNameResolver, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HttpClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use kube::client::{Body, ClientBuilder, ConfigExt};
use kube::config::{
    AuthInfo, Cluster, Context, ExecInteractiveMode, KubeConfigOptions, Kubeconfig, KubeconfigError, NamedCluster,
    NamedContext,
};
use kube::{Client, Config};
use secrecy::ExposeSecret;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tower::{BoxError, ServiceBuilder};

/// An open connection: the client, and other facts from the kubeconfig.
#[derive(Debug)]
pub struct Connected {
    /// The client.
    pub api: Api,
    /// The name of the context, if one was used.
    pub context: Option<String>,
    /// The user in the kubeconfig, if one was used.
    pub user: Option<String>,
    /// The context's namespace, or `default`.
    pub namespace: String,
    /// The server's name.
    pub server: Server,
}

impl Connected {
    /// The uid of kube-system, which identifies a cluster.
    pub(crate) async fn cluster_uid(&self) -> Option<String> {
        let answer = self.api.get("/api/v1/namespaces/kube-system", METADATA).await.ok()?;
        let object: Object = serde_json::from_slice(&answer.body).ok()?;
        Some(object.uid().to_owned())
    }
}

/// How long requests may take without `--request-timeout`.
const LIMITS: Limits =
    Limits { read: Duration::from_secs(10), probe: Duration::from_secs(5), write: Duration::from_mins(1) };

impl Connection {
    /// Makes a client. It sends nothing yet, but may run the kubeconfig's exec plugin.
    ///
    /// # Errors
    /// When the kubeconfig is missing or malformed or refers to something it does not contain, or
    /// when its credentials cannot be loaded.
    pub async fn connect(&self) -> Result<Connected, Failure> {
        tls::install();
        let (mut config, context) = self.config().await?;
        self.override_config(&mut config)?;
        let server = self.fit(&mut config)?;
        let client = client(&config).map_err(|error| self.cannot_connect(&error))?;
        let compress = !(self.disable_compression.unwrap_or_default() || config.disable_compression);
        let log = RequestLog::new(self.v, &server);
        let auth = &config.auth_info;
        let mut api = Api::new(client, self.limits(), log, compress, self.cache(&server));
        api.is_impersonating = auth.impersonate.is_some() || auth.impersonate_groups.is_some();
        Ok(Connected {
            api,
            user: self.user_of(context.as_deref()),
            context,
            namespace: config.default_namespace.clone(),
            server,
        })
    }

    /// Moves credentials from the address into the configuration, and drops those that must not be
    /// sent to this server. Afterwards no address contains a password.
    fn fit(&self, config: &mut Config) -> Result<Server, Failure> {
        let (address, server, login) = Server::split(&config.cluster_url).map_err(|error| match self.server {
            Some(_) => not_an_address("--server", &error),
            None => Failure::unknown(format!("{} contains no server address: {error}", self.place())),
        })?;
        config.cluster_url = address;
        credentials::fit(&mut config.auth_info, &config.cluster_url, login)?;
        Ok(server)
    }

    /// The name of a context's user in the kubeconfig.
    fn user_of(&self, context: Option<&str>) -> Option<String> {
        if self.user.is_some() {
            return self.user.clone();
        }
        let named = self.kubeconfig()?.contexts.into_iter().find(|named| Some(named.name.as_str()) == context)?;
        named.context?.user
    }

    /// The kubeconfig, or `None` if it cannot be read.
    #[must_use]
    pub fn kubeconfig(&self) -> Option<Kubeconfig> {
        self.read_kubeconfig().ok()
    }

    async fn config(&self) -> Result<(Config, Option<String>), Failure> {
        let mut kubeconfig = match self.read_kubeconfig() {
            Ok(kubeconfig) => kubeconfig,
            Err(error) if self.kubeconfig.is_none() && is_missing(&error) => match self.without_kubeconfig() {
                Some(found) => return Ok((found, None)),
                None if self.server.is_some() => Kubeconfig::default(),
                None => return Err(self.bad_kubeconfig(&error, &[])),
            },
            Err(error) => return Err(self.bad_kubeconfig(&error, &[])),
        };
        let named = self.context.clone().or_else(|| kubeconfig.current_context.clone());
        let context = match named.filter(|name| !name.is_empty()) {
            Some(name) => Some(name),
            None if self.server.is_some() => {
                add_bare_server(&mut kubeconfig);
                None
            }
            None => return Err(self.no_context(&kubeconfig)),
        };
        self.override_certificate_authority(&mut kubeconfig);
        let known: Vec<String> = kubeconfig.contexts.iter().map(|context| context.name.clone()).collect();
        let options = KubeConfigOptions {
            context: context.clone().or_else(|| Some(BARE.into())),
            cluster: self.cluster.clone(),
            user: self.user.clone(),
        };
        let config = Config::from_custom_kubeconfig(kubeconfig, &options).await;
        config.map(|config| (config, context)).map_err(|error| self.bad_kubeconfig(&error, &known))
    }

    /// The folder in which kubectl caches discovery.
    #[expect(clippy::disallowed_methods, reason = "these variables say where caches are")]
    fn cache(&self, server: &Server) -> AnswerCache {
        let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = || named("HOME").or_else(|| named("USERPROFILE")).map(|home| home.join(".kube/cache"));
        let folder = self.cache_dir.clone().or_else(|| named("KUBECACHEDIR")).or_else(home);
        AnswerCache::of(folder.as_deref(), server)
    }

    fn limits(&self) -> Limits {
        self.request_timeout.map_or(LIMITS, |limit| Limits { read: limit, probe: limit, write: limit })
    }

    fn read_kubeconfig(&self) -> Result<Kubeconfig, KubeconfigError> {
        match &self.kubeconfig {
            Some(path) => Kubeconfig::read_from(path),
            None => listed_kubeconfigs().unwrap_or_else(Kubeconfig::read),
        }
    }

    /// The service account of the pod that this program runs in, if any.
    fn without_kubeconfig(&self) -> Option<Config> {
        if self.server.is_some() { None } else { Config::incluster().ok() }
    }

    fn no_context(&self, kubeconfig: &Kubeconfig) -> Failure {
        let known: Vec<&str> = kubeconfig.contexts.iter().map(|context| context.name.as_str()).collect();
        let hint = if known.is_empty() {
            Hint::from("it contains no context: add one, or use another file with --kubeconfig")
                .command("kubectl config set-context NAME --cluster=… --user=…")
        } else {
            format!("choose one with --context: {}", known.join(", ")).into()
        };
        Failure::unknown(format!("{} sets no current context", self.place())).hint(hint)
    }

    fn override_certificate_authority(&self, kubeconfig: &mut Kubeconfig) {
        let Some(path) = &self.certificate_authority else { return };
        for cluster in kubeconfig.clusters.iter_mut().filter_map(|named| named.cluster.as_mut()) {
            cluster.certificate_authority = Some(path.to_string_lossy().into_owned());
            cluster.certificate_authority_data = None;
        }
    }

    fn override_config(&self, config: &mut Config) -> Result<(), Failure> {
        if let Some(server) = &self.server {
            config.cluster_url = parse_server(server.expose_secret())?;
        }
        if self.insecure_skip_tls_verify {
            config.accept_invalid_certs = true;
        }
        replace(&mut config.tls_server_name, self.tls_server_name.as_ref());
        if let Some(url) = self.proxy_url.as_ref().map(ExposeSecret::expose_secret).filter(|url| !url.is_empty()) {
            config.proxy_url = Some(parse_proxy(url)?);
        }
        self.override_credentials(&mut config.auth_info)
    }

    /// Replaces the credentials of the kubeconfig by those of the flags.
    fn override_credentials(&self, auth: &mut AuthInfo) -> Result<(), Failure> {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        if let Some(token) = &self.token {
            auth.token = Some(token.clone());
            (auth.token_file, auth.exec, auth.auth_provider) = (None, None, None);
        }
        replace(&mut auth.username, self.username.as_ref());
        replace(&mut auth.password, self.password.as_ref());
        if let Some(plugin) = auth.exec.as_mut().filter(|_| self.keeps_stdin) {
            plugin.interactive_mode = Some(ExecInteractiveMode::Never);
        }
        if let Some(certificate) = &self.client_certificate {
            (auth.client_certificate, auth.client_certificate_data) = (Some(path(certificate)), None);
        }
        if let Some(key) = &self.client_key {
            (auth.client_key, auth.client_key_data) = (Some(path(key)), None);
        }
        self.override_impersonation(auth)
    }

    fn override_impersonation(&self, auth: &mut AuthInfo) -> Result<(), Failure> {
        replace(&mut auth.impersonate, self.impersonate.as_ref());
        replace(&mut auth.impersonate_uid, self.impersonate_uid.as_ref());
        if !self.impersonate_groups.is_empty() {
            auth.impersonate_groups = Some(self.impersonate_groups.clone());
        }
        for pair in &self.impersonate_extra {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| Failure::unknown(format!("--as-user-extra {pair:?} is not of the form KEY=VALUE")))?;
            auth.impersonate_user_extra.get_or_insert_default().entry(key.into()).or_default().push(value.into());
        }
        Ok(())
    }

    /// The path of the kubeconfig, as a person writes it.
    fn place(&self) -> String {
        match &self.kubeconfig {
            Some(path) => format!("kubeconfig {}", path.display()),
            None => "the kubeconfig".into(),
        }
    }

    fn bad_kubeconfig(&self, error: &KubeconfigError, contexts: &[String]) -> Failure {
        let known = if contexts.is_empty() {
            "it contains none".to_owned()
        } else {
            format!("it contains: {}", contexts.join(", "))
        };
        match error {
            KubeconfigError::ReadConfig(io, path) => {
                Failure::unknown(format!("kubeconfig {} cannot be read: {io}", path.display()))
                    .hint("use --kubeconfig or KUBECONFIG for another file; this works without a cluster")
                    .command(format!("{COMMAND} demo"))
            }
            KubeconfigError::LoadContext(name) => {
                Failure::unknown(format!("context {name:?} does not exist in {}; {known}", self.place()))
                    .hint("choose one with --context")
            }
            KubeconfigError::LoadClusterOfContext(name) => {
                Failure::unknown(format!("{} names the cluster {name:?} but does not contain it", self.place()))
                    .hint("this lists its clusters")
                    .command("kubectl config get-clusters")
            }
            KubeconfigError::MissingClusterUrl => {
                Failure::unknown(format!("{} contains no server address for the chosen cluster", self.place()))
                    .hint("this sets one")
                    .command("kubectl config set-cluster NAME --server=…")
            }
            other => Failure::unknown(format!("{} cannot be used: {}", self.place(), chain(other)))
                .hint("use another file with --kubeconfig; this shows its content")
                .command("kubectl config view"),
        }
    }

    fn cannot_connect(&self, error: &kube::Error) -> Failure {
        let why = chain(error);
        let failure = Failure::unknown(format!("the credentials of {} cannot be used: {why}", self.place()));
        if why.contains("failed to parse private key") {
            return failure.hint(
                "a key must be RSA of 2048 to 4096 bits, Ed25519, or ECDSA on the curve P-256, P-384 or P-521; \
                 have another client certificate issued, or name a user with a token by --user",
            );
        }
        failure
            .hint("an exec plugin must be installed and logged in; check whether this works with the same flags")
            .command("kubectl version")
    }
}

/// The existing files of `KUBECONFIG`, merged; kubectl skips the others. `None` if the variable is
/// unset or all its files are missing.
#[expect(clippy::disallowed_methods, reason = "KUBECONFIG says where the connection is described")]
fn listed_kubeconfigs() -> Option<Result<Kubeconfig, KubeconfigError>> {
    let list = std::env::var_os("KUBECONFIG")?;
    let mut there = std::env::split_paths(&list).filter(|path| path.exists());
    let first = Kubeconfig::read_from(there.next()?);
    Some(there.fold(first, |merged, path| merged?.merge(Kubeconfig::read_from(path)?)))
}

/// The name of the artificial context for `--server` alone.
const BARE: &str = "";

/// Without any context, `--server` alone is a cluster of its own, as in kubectl.
fn add_bare_server(kubeconfig: &mut Kubeconfig) {
    let cluster = Cluster { server: Some("https://localhost".into()), ..Cluster::default() };
    let context = Context { cluster: BARE.into(), ..Context::default() };
    kubeconfig.clusters.push(NamedCluster { name: BARE.into(), cluster: Some(cluster), ..NamedCluster::default() });
    kubeconfig.contexts.push(NamedContext { name: BARE.into(), context: Some(context), ..NamedContext::default() });
}

/// Replaces a value of the kubeconfig by that of a flag, if the flag was given.
fn replace<T: Clone>(value: &mut Option<T>, flag: Option<&T>) {
    if let Some(flag) = flag {
        *value = Some(flag.clone());
    }
}

fn is_missing(error: &KubeconfigError) -> bool {
    match error {
        KubeconfigError::ReadConfig(io, _) => io.kind() == std::io::ErrorKind::NotFound,
        KubeconfigError::FindPath => true,
        _ => false,
    }
}

fn parse_server(server: &str) -> Result<Uri, Failure> {
    let with_scheme = if server.contains("://") { server.to_owned() } else { format!("https://{server}") };
    with_scheme.parse().map_err(|error: InvalidUri| not_an_address("--server", &error))
}

/// The schemes that kubectl accepts (kubernetes/kubernetes:
/// `staging/src/k8s.io/client-go/tools/clientcmd/client_config.go`, `parseProxyURL`).
fn parse_proxy(url: &str) -> Result<Uri, Failure> {
    let uri: Uri = url.parse().map_err(|error: InvalidUri| not_an_address("--proxy-url", &error))?;
    match uri.scheme_str() {
        Some("http" | "https" | "socks5") => Ok(uri),
        _ => Err(Failure::unknown("the value of --proxy-url does not begin with http://, https:// or socks5://")),
    }
}

/// The error does not repeat the value, which may contain a password.
fn not_an_address(flag: &str, why: &dyn std::error::Error) -> Failure {
    Failure::unknown(format!("the value of {flag} is not an address: {why}"))
}

/// kube's own stack, but with HTTP/2 and without its retries: a 503 of a dead aggregated API is an
/// answer.
fn client(config: &Config) -> kube::Result<Client> {
    if config.proxy_url.is_some() {
        // kube's own stack supports every kind of proxy and its credentials.
        let mut config = config.clone();
        config.default_retry = false;
        return Ok(ClientBuilder::try_from(config)?.build());
    }
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(Duration::from_secs(10)));
    let mut builder = HttpClient::builder(TokioExecutor::new());
    builder
        .timer(TokioTimer::new())
        .http2_adaptive_window(true)
        // As in client-go (kubernetes/kubernetes:
        // staging/src/k8s.io/apimachinery/pkg/util/net/http.go): otherwise an idle watch would not
        // notice a dead connection.
        .http2_keep_alive_interval(Duration::from_secs(30))
        .http2_keep_alive_timeout(Duration::from_secs(15));
    let connector = OneFirst::new(https(config, tcp)?);
    let lane = || builder.build::<_, Body>(connector.clone());
    let stack = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .option_layer(config.auth_layer()?)
        .layer(config.extra_headers_layer()?)
        .map_err(BoxError::from)
        .service(TwoConnections::new(lane(), lane()));
    Ok(Client::new(stack, config.default_namespace.clone()))
}

fn https(config: &Config, tcp: HttpConnector) -> kube::Result<HttpsConnector<HttpConnector>> {
    let builder = HttpsConnectorBuilder::new().with_tls_config(client_config(config)?).https_or_http();
    let builder = match config.tls_server_name.clone().map(TryInto::try_into) {
        Some(Ok(name)) => builder.with_server_name_resolver(FixedServerNameResolver::new(name)),
        Some(Err(error)) => return Err(kube::Error::Service(Box::new(error))),
        None => builder,
    };
    Ok(builder.enable_all_versions().wrap_connector(tcp))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::SecretString;

    #[test]
    fn flags_come_before_the_kubeconfig() {
        let user = serde_json::json!({"username": "u", "password": "p"});
        let mut known: AuthInfo = serde_json::from_value(user).unwrap();
        let flags = Connection { username: Some("v".into()), ..Connection::default() };
        flags.override_credentials(&mut known).unwrap();
        assert_eq!((known.username.as_deref(), known.password.unwrap().expose_secret()), (Some("v"), "p"));
    }

    #[test]
    fn debug_output_contains_no_secrets() {
        let secret = || Some(SecretString::from("s3cret"));
        let flags = Connection { server: secret(), token: secret(), password: secret(), ..Connection::default() };
        assert!(!format!("{flags:?}").contains("s3cret"));
    }
}
