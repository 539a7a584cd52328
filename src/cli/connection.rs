//! kubectl's connection flags, with kubectl's names and meanings.

use super::duration::duration;
use crate::transport::Connection;
use clap::{Args, ValueHint};
use secrecy::SecretString;
use std::path::PathBuf;
use std::time::Duration;

/// The heading of these flags.
pub(super) const CONNECTION: &str = "Connection, as for kubectl";

/// kubectl's connection flags.
#[derive(Debug, Clone, Args)]
pub struct ConnectionFlags {
    /// The namespace of the objects.
    #[arg(short, long, global = true)]
    pub namespace: Option<String>,
    /// The kubeconfig file.
    #[arg(long, global = true, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// The kubeconfig context.
    #[arg(long, global = true)]
    context: Option<String>,
    /// The kubeconfig cluster.
    #[arg(long, global = true)]
    cluster: Option<String>,
    /// The kubeconfig user.
    #[arg(long, global = true)]
    user: Option<String>,
    /// The API server's address.
    #[arg(short, long, global = true)]
    server: Option<SecretString>,
    /// A bearer token; only sent over https.
    #[arg(long, global = true)]
    token: Option<SecretString>,
    /// A name for basic authentication; only sent over https.
    #[arg(long, global = true)]
    username: Option<String>,
    /// The password of --username.
    #[arg(long, global = true)]
    password: Option<SecretString>,
    /// A user to impersonate.
    #[arg(long = "as", global = true, value_name = "USER")]
    impersonate: Option<String>,
    /// A UID to impersonate.
    #[arg(long = "as-uid", global = true, value_name = "UID")]
    impersonate_uid: Option<String>,
    /// A group to impersonate; may be repeated.
    #[arg(long = "as-group", global = true, value_name = "GROUP")]
    impersonate_groups: Vec<String>,
    /// User extras to impersonate; may be repeated.
    #[arg(long = "as-user-extra", global = true, value_name = "KEY=VALUE")]
    impersonate_extra: Vec<String>,
    /// A certificate authority's file.
    #[arg(long, global = true, value_name = "FILE")]
    certificate_authority: Option<PathBuf>,
    /// A client certificate's file.
    #[arg(long, global = true, value_name = "FILE")]
    client_certificate: Option<PathBuf>,
    /// A client key's file.
    #[arg(long, global = true, value_name = "FILE")]
    client_key: Option<PathBuf>,
    /// Accept any server certificate: insecure.
    #[arg(long, global = true, num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    insecure_skip_tls_verify: bool,
    /// The name to expect in the server's certificate.
    #[arg(long, global = true, value_name = "NAME")]
    tls_server_name: Option<String>,
    /// The proxy to reach the server through.
    #[arg(long, global = true, value_name = "URL", value_hint = ValueHint::Url)]
    proxy_url: Option<SecretString>,
    /// How long a single request may take, such as 5s; 0 for no limit.
    #[arg(long, global = true, value_name = "DURATION", value_parser = duration)]
    request_timeout: Option<Duration>,
    /// Where to cache the API discovery of servers; by default $KUBECACHEDIR or ~/.kube/cache.
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    cache_dir: Option<PathBuf>,
    /// Do not ask for compressed answers on a slow link.
    #[arg(long, global = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    disable_compression: Option<bool>,
    /// Log requests to stderr: 6 shows status and duration, 7 also headers, 8 also the beginning of
    /// bodies; never credentials.
    #[arg(short, long, global = true, value_name = "LEVEL", default_value_t = 0)]
    pub v: u8,
    /// Whether stdin is in use, so that a credential plugin must not read it.
    #[arg(skip)]
    pub keeps_stdin: bool,
}

/// The meaning of `0`: longer than anybody waits.
const NO_LIMIT: Duration = Duration::from_hours(24 * 365);

impl ConnectionFlags {
    /// The same flags, with `context` if one is named.
    #[must_use]
    pub fn in_context(&self, context: Option<String>) -> Self {
        Self { context: context.or_else(|| self.context.clone()), ..self.clone() }
    }

    /// The flags, independent of clap.
    #[must_use]
    pub fn connection(&self) -> Connection {
        Connection {
            kubeconfig: self.kubeconfig.clone(),
            context: self.context.clone(),
            cluster: self.cluster.clone(),
            user: self.user.clone(),
            server: self.server.clone(),
            token: self.token.clone(),
            username: self.username.clone(),
            password: self.password.clone(),
            impersonate: self.impersonate.clone(),
            impersonate_uid: self.impersonate_uid.clone(),
            impersonate_groups: self.impersonate_groups.clone(),
            impersonate_extra: self.impersonate_extra.clone(),
            certificate_authority: self.certificate_authority.clone(),
            client_certificate: self.client_certificate.clone(),
            client_key: self.client_key.clone(),
            insecure: self.insecure_skip_tls_verify,
            tls_server_name: self.tls_server_name.clone(),
            proxy_url: self.proxy_url.clone(),
            request_timeout: self.request_timeout.map(|limit| if limit.is_zero() { NO_LIMIT } else { limit }),
            disable_compression: self.disable_compression.unwrap_or_default(),
            cache_dir: self.cache_dir.clone(),
            keeps_stdin: self.keeps_stdin,
            verbosity: self.v,
        }
    }
}
