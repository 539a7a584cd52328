//! Decides which credentials are sent to which server, as in client-go (kubernetes/kubernetes:
//! `staging/src/k8s.io/client-go/tools/clientcmd/client_config.go`, `validation.go`,
//! `transport/round_trippers.go`; and Go's `net/http/client.go`).

use crate::failure::Failure;
use crate::server::Login;
use http::Uri;
use http::uri::Scheme;
use kube::config::AuthInfo;
use secrecy::{ExposeSecret, SecretString};

/// Keeps only the credentials that may be sent to `server`. `login` holds those in its address.
///
/// Plain http can be read on the way, so no credentials are sent over it and no plugin is run; only
/// the impersonated user is named. The credentials in the address were written for this very server
/// and precede all others.
///
/// # Errors
/// When there are both a password and a token.
pub(crate) fn fit(auth: &mut AuthInfo, server: &Uri, login: Option<Login>) -> Result<(), Failure> {
    let is_secret = server.scheme() == Some(&Scheme::HTTPS);
    one_alone(auth, is_secret)?;
    if !is_secret {
        *auth = AuthInfo {
            impersonate: auth.impersonate.take(),
            impersonate_uid: auth.impersonate_uid.take(),
            impersonate_groups: auth.impersonate_groups.take(),
            impersonate_user_extra: auth.impersonate_user_extra.take(),
            ..AuthInfo::default()
        };
    }
    let login = login.map(|Login { user, password }| (user, password));
    let named = |user: String| (user, auth.password.take().unwrap_or_default());
    let basic = login.or_else(|| auth.username.take().filter(|user| !user.is_empty()).map(named));
    if basic.is_some() {
        auth.auth_provider = None;
    }
    // A password without a name is not sent.
    (auth.username, auth.password) = basic.unzip();
    Ok(())
}

/// Refuses two kinds of credentials at once: one of them would silently be ignored.
fn one_alone(auth: &AuthInfo, is_secret: bool) -> Result<(), Failure> {
    let is_there = |secret: &Option<SecretString>| secret.as_ref().is_some_and(|text| !text.expose_secret().is_empty());
    let is_named = auth.username.as_ref().is_some_and(|user| !user.is_empty());
    let with_token = is_there(&auth.token) && (is_named || is_there(&auth.password));
    // A token file is read only if the token may be sent.
    let with_file = is_secret && is_named && auth.token_file.is_some();
    if with_token || with_file {
        let what = "both a username with a password and a bearer token are given: only one of them can be used";
        return Err(Failure::unknown(what).hint(
            "they come from --username, --password, --token and the kubeconfig; --user selects another user of the \
            kubeconfig",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const SAFE: &str = "https://a:6443";
    const PLAIN: &str = "http://a:6443";

    fn auth(user: &Value) -> AuthInfo {
        serde_json::from_value(user.clone()).unwrap()
    }

    /// The parts of `user` that may be sent to `server`.
    fn left(user: &Value, server: &str, login: Option<(&str, &str)>) -> Result<Value, String> {
        let mut auth = auth(user);
        let login = login.map(|(user, password)| Login { user: user.into(), password: password.to_owned().into() });
        fit(&mut auth, &server.parse().unwrap(), login).map_err(|failure| failure.to_string())?;
        let all = serde_json::to_value(&auth).unwrap();
        let said = all.as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
        Ok(said.map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    #[test]
    fn over_plain_http_only_the_impersonated_user_is_sent() {
        let exec = json!({"command": "login", "apiVersion": "client.authentication.k8s.io/v1"});
        for user in [
            json!({"token": "t"}),
            json!({"tokenFile": "/t"}),
            json!({"username": "u", "password": "p"}),
            json!({"exec": exec}),
            json!({"auth-provider": {"name": "oidc", "config": {}}}),
            json!({"client-certificate": "/c", "client-key": "/k"}),
        ] {
            assert_eq!(left(&user, PLAIN, None).unwrap(), json!({}), "{user}");
            let kept = left(&user, SAFE, None).unwrap();
            assert_eq!(kept.as_object().unwrap().len(), user.as_object().unwrap().len(), "{kept}");
        }
        let who = json!({"as": "bob", "as-uid": "1", "as-groups": ["g"], "as-user-extra": {"k": ["v"]}});
        assert_eq!(left(&who, PLAIN, None).unwrap(), who);
    }

    #[test]
    fn credentials_in_the_address_come_before_all_others() {
        let basic = json!({"username": "joe", "password": "pw"});
        for server in [PLAIN, SAFE] {
            for user in [json!({}), json!({"username": "u", "password": "p"}), json!({"auth-provider": {"name": "x"}})]
            {
                assert_eq!(left(&user, server, Some(("joe", "pw"))).unwrap(), basic, "{server} {user}");
            }
        }
        // kube prefers a name and a password to a token and a plugin.
        let both = left(&json!({"token": "t"}), SAFE, Some(("joe", ""))).unwrap();
        assert_eq!((&both["username"], &both["password"]), (&json!("joe"), &json!("")));
    }

    #[test]
    fn a_user_name_needs_no_password_but_a_password_needs_a_user_name() {
        let named = left(&json!({"username": "u"}), SAFE, None).unwrap();
        assert_eq!(named, json!({"username": "u", "password": ""}));
        assert_eq!(left(&json!({"password": "p"}), SAFE, None).unwrap(), json!({}));
        assert_eq!(left(&json!({"username": "", "password": "p"}), SAFE, None).unwrap(), json!({}));
    }

    #[test]
    fn a_password_and_a_token_are_refused() {
        for user in [
            json!({"token": "t", "username": "u", "password": "p"}),
            json!({"token": "t", "username": "u"}),
            json!({"token": "t", "password": "p"}),
        ] {
            for server in [PLAIN, SAFE] {
                assert!(left(&user, server, None).unwrap_err().contains("only one of them can be used"), "{user}");
            }
        }
        let file = json!({"tokenFile": "/t", "username": "u"});
        assert!(left(&file, SAFE, None).is_err() && left(&file, PLAIN, None).is_ok());
    }
}
