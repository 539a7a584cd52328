//! Whether a name is that of a credential, by its words: `clientSecret`, `DB_PASSWORD_2`,
//! `x-api-key`.

/// A name that ends with one of these has a secret as its value.
const SECRET: [&str; 29] = [
    "access key", "access token", "account key", "api key", "api token", "auth token", "bearer token",
    "client key data", "client secret", "consumer secret", "deploy token", "encryption key", "id token", "job token",
    "master key", "passcode", "passphrase", "passwd", "password", "private key", "private token", "pwd",
    "refresh token", "secret key", "security token", "session token", "shared key", "shared secret", "signing key",
];
/// The same as single words: `dbpassword`, `clientsecret`, but not `invalidtoken`.
const IN_ONE_WORD: [&str; 14] = [
    "accesskey", "accesstoken", "accountkey", "apikey", "clientsecret", "passphrase", "passwd", "password",
    "privatekey", "pwd", "refreshtoken", "secretkey", "sessiontoken", "sharedsecret",
];
/// Last words that also occur in sentences.
const VAGUE: [&str; 8] = ["auth", "credential", "credentials", "pass", "secret", "sig", "signature", "token"];
/// Last words that count before `=`, which does not occur in sentences: `oauth=`, `mytoken=`.
const ASSIGNED: [&str; 6] = ["auth", "credential", "secret", "sig", "signature", "token"];
/// Words before a vague word that make it a reference to a secret or token instead of its content:
/// `imagePullSecret`, `nextToken`.
const OTHER: [&str; 20] = [
    "bad", "ca", "cert", "certificate", "config", "continue", "csrf", "existing", "expired", "image", "invalid",
    "missing", "next", "no", "page", "pagination", "pull", "resume", "tls", "valid",
];

/// A name as it occurs in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameInText<'a> {
    pub(super) name: &'a str,
    /// Whether `=` follows the name, rather than `:`.
    pub(super) is_assigned: bool,
    /// Whether the name is in quotes, before a value in quotes.
    pub(super) is_quoted: bool,
}

impl NameInText<'_> {
    /// Whether the value of the name is a credential.
    pub(super) fn is_secret(self) -> bool {
        let words = words(self.name);
        let Some(last) = words.last() else { return false };
        if IN_ONE_WORD.iter().any(|end| last.ends_with(end)) || SECRET.iter().any(|end| ends_with(&words, end)) {
            return true;
        }
        let is_vague = VAGUE.contains(&last.as_str());
        if self.is_assigned {
            return is_vague || ASSIGNED.iter().any(|end| last.ends_with(end));
        }
        let before = words.len().checked_sub(2).and_then(|place| words.get(place));
        let is_other = before.is_some_and(|word| OTHER.contains(&word.as_str()));
        is_vague && !is_other && (self.is_quoted || (before.is_some() && self.is_of_a_field()))
    }

    /// Whether the name is written like a field, variable or header, unlike the object name
    /// `db-token` or the error `ExpiredToken`.
    fn is_of_a_field(self) -> bool {
        let is_variable = self.name.contains('_');
        let is_header = self.name.get(..2).is_some_and(|begin| begin.eq_ignore_ascii_case("x-"));
        let is_camel = !self.name.contains('-') && self.name.starts_with(|c: char| c.is_ascii_lowercase());
        is_variable || is_header || is_camel
    }

    /// Whether the name is that of the Authorization header, as in HTTP or as programs print it.
    pub(super) fn is_authorization(self) -> bool {
        words(self.name).last().is_some_and(|last| last == "authorization")
    }
}

/// The words of a name in lower case; digits only separate them.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut before, mut is_open) = (' ', false);
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        if c.is_ascii_alphabetic() {
            // Splits `apiKey`, and `APIKey`, whose last capital begins the next word.
            let is_lower_next = rest.peek().is_some_and(char::is_ascii_lowercase);
            let is_after = before.is_ascii_lowercase() || (before.is_ascii_uppercase() && is_lower_next);
            if !is_open || (c.is_ascii_uppercase() && is_after) {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push(c.to_ascii_lowercase());
            }
        }
        is_open = c.is_ascii_alphabetic();
        before = c;
    }
    words
}

/// Whether the name ends with these words.
fn ends_with(words: &[String], end: &str) -> bool {
    let mut rest = words.iter().rev();
    end.split(' ').rev().all(|word| rest.next().is_some_and(|last| last == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        for (name, expected) in [
            ("clientSecret", "client secret"),
            ("DB_PASSWORD_2", "db password"),
            ("x-api-key", "x api key"),
            ("APIKey", "api key"),
            ("oauth2Token", "oauth token"),
            ("ID", "id"),
            ("--", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }
}
