//! kubectl's connection flags, with kubectl's names and meanings.

use crate::transport::duration::duration;
use clap::{Args, ValueHint};
use secrecy::SecretString;
use std::path::PathBuf;
use std::time::Duration;

/// kubectl's connection flags.
#[derive(Debug, Default, Clone, Args)]
pub struct Connection {
    /// The namespace of the objects.
    #[arg(short, long, global = true)]
    pub namespace: Option<String>,
    /// The kubeconfig file.
    #[arg(long, global = true, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// The kubeconfig context.
    #[arg(long, global = true)]
    pub context: Option<String>,
    /// The kubeconfig cluster.
    #[arg(long, global = true)]
    pub cluster: Option<String>,
    /// The kubeconfig user.
    #[arg(long, global = true)]
    pub user: Option<String>,
    /// The API server's address.
    #[arg(short, long, global = true)]
    pub server: Option<SecretString>,
    /// A bearer token; only sent over https.
    #[arg(long, global = true)]
    pub token: Option<SecretString>,
    /// A name for basic authentication; only sent over https.
    #[arg(long, global = true)]
    pub username: Option<String>,
    /// The password of --username.
    #[arg(long, global = true)]
    pub password: Option<SecretString>,
    /// A user to impersonate.
    #[arg(long = "as", global = true, value_name = "USER")]
    pub impersonate: Option<String>,
    /// A UID to impersonate.
    #[arg(long = "as-uid", global = true, value_name = "UID")]
    pub impersonate_uid: Option<String>,
    /// A group to impersonate; may be repeated.
    #[arg(long = "as-group", global = true, value_name = "GROUP")]
    pub impersonate_groups: Vec<String>,
    /// User extras to impersonate; may be repeated.
    #[arg(long = "as-user-extra", global = true, value_name = "KEY=VALUE")]
    pub impersonate_extra: Vec<String>,
    /// A certificate authority's file.
    #[arg(long, global = true, value_name = "FILE")]
    pub certificate_authority: Option<PathBuf>,
    /// A client certificate's file.
    #[arg(long, global = true, value_name = "FILE")]
    pub client_certificate: Option<PathBuf>,
    /// A client key's file.
    #[arg(long, global = true, value_name = "FILE")]
    pub client_key: Option<PathBuf>,
    /// Accept any server certificate: insecure.
    #[arg(long, global = true, num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    pub insecure_skip_tls_verify: bool,
    /// The name to expect in the server's certificate.
    #[arg(long, global = true, value_name = "NAME")]
    pub tls_server_name: Option<String>,
    /// The proxy to reach the server through.
    #[arg(long, global = true, value_name = "URL", value_hint = ValueHint::Url)]
    pub proxy_url: Option<SecretString>,
    /// How long a single request may take, such as 5s; 0 for no limit.
    #[arg(long, global = true, value_name = "DURATION", value_parser = limit)]
    pub request_timeout: Option<Duration>,
    /// Where to cache the API discovery of servers; by default $KUBECACHEDIR or ~/.kube/cache.
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub cache_dir: Option<PathBuf>,
    /// Do not ask for compressed answers on a slow link.
    #[arg(long, global = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub disable_compression: Option<bool>,
    /// Log requests to stderr: 6 shows status and duration, 7 also headers, 8 also the beginning of
    /// bodies; never credentials.
    #[arg(short, long, global = true, value_name = "LEVEL", default_value_t = 0)]
    pub v: u8,
    /// Whether stdin is in use, so that a credential plugin must not read it.
    #[arg(skip)]
    pub keeps_stdin: bool,
}

/// Parses the time limit of a request. `0` means no limit; a year stands for that.
fn limit(text: &str) -> Result<Duration, String> {
    let limit = duration(text)?;
    Ok(if limit.is_zero() { Duration::from_hours(24 * 365) } else { limit })
}

impl Connection {
    /// The same flags, with `context` if one is named.
    pub(crate) fn in_context(&self, context: Option<String>) -> Self {
        Self { context: context.or_else(|| self.context.clone()), ..self.clone() }
    }
}
