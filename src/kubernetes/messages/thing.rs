//! Picks out of a message the field, the right, the address or the outside thing that it is about.

/// The maximum length of what is taken from a message.
const LONGEST: usize = 120;

/// Verbs and articles before the name of something that is missing.
const FILLERS: [&str; 14] =
    ["the", "a", "an", "to", "no", "of", "for", "delete", "deleting", "get", "error", "was", "failed", "resource"];

/// Words after which a message names a right.
const BEFORE_RIGHTS: [&str; 8] =
    ["perform", "permission", "permissions", "permission:", "permissions:", "privilege", "privileges", "action"];

/// Words that call what stands before them missing or used.
const AFTER_THINGS: [&str; 14] = [
    " not found", " was not found", " does not exist", " doesn't exist", " could not be found", " is busy",
    " is in use", " is still in use", " has dependen", " still has ", " is not empty", " must be empty", " is locked",
    " has expired",
];

/// The field that a message refuses: `spec.size` in "spec.size: Invalid value: 0".
pub(crate) fn field(message: &str) -> Option<&str> {
    let is_path = |word: &&str| {
        let begins = ["spec.", "metadata.", "data."].iter().any(|begin| word.starts_with(begin));
        begins && word.chars().all(|c| c.is_ascii_alphanumeric() || ".[]-_".contains(c))
    };
    words(message).find(is_path).filter(is_short)
}

/// The right that a message calls missing: `s3:DeleteBucket` in "not authorized to perform: s3:DeleteBucket on b".
pub(crate) fn right(message: &str) -> Option<&str> {
    let all: Vec<&str> = message.split_whitespace().collect();
    let follows = |pair: &[&'_ str]| BEFORE_RIGHTS.contains(&pair[0].trim_end_matches(':').to_lowercase().as_str());
    let named = all.windows(2).filter(|pair| follows(pair)).map(|pair| bare(pair[1]));
    let is_right = |word: &&str| {
        let joined = word.contains([':', '.', '/', '_']) && !word.contains("://");
        joined && word.chars().all(|c| c.is_ascii_alphanumeric() || ":._-/*".contains(c))
    };
    named.into_iter().find(is_right).filter(is_short)
}

/// The host that a message calls: with its port, or within a URL.
pub(crate) fn address(message: &str) -> Option<&str> {
    let urls =
        message.match_indices("://").filter_map(|(at, _)| message[at + 3..].split(['/', '"', '\'', ' ', '?']).next());
    let hosts = words(message).filter(|word| is_host_with_port(word));
    let looked_up =
        message.split("lookup ").nth(1).and_then(|rest| words(rest).next()).filter(|host| host.contains('.'));
    // The host that could not be resolved says more than the address of the resolver.
    let host = looked_up.or_else(|| urls.into_iter().next()).or_else(|| hosts.into_iter().next())?;
    let host = host.rsplit('@').next().unwrap_or(host).trim_end_matches([':', '.', ',']);
    Some(host).filter(|host| host.contains(['.', ':']) && is_plain(host)).filter(is_short)
}

/// The outside thing that a message is about: what it quotes, or the words before "not found" and the like.
pub(crate) fn outside(message: &str) -> Option<&str> {
    quoted(message).or_else(|| before_its_state(message).filter(may_be_name)).filter(is_short)
}

/// The first words between quotation marks that may be a name.
fn quoted(message: &str) -> Option<&str> {
    ['"', '\'', '`'].iter().find_map(|mark| {
        let (begin, rest) = message.split_once(*mark)?;
        // An apostrophe within a word opens nothing.
        let opens = begin.is_empty() || begin.ends_with(|c: char| !c.is_alphanumeric());
        let (name, _) = rest.split_once(*mark)?;
        let is_name = !name.is_empty() && !name.contains("://") && name.split_whitespace().count() <= 3;
        (opens && is_name).then_some(name)
    })
}

/// `user group 8a1c2d7e` in "[404] user group 8a1c2d7e does not exist".
fn before_its_state(message: &str) -> Option<&str> {
    let lower = message.to_ascii_lowercase();
    let at = AFTER_THINGS.iter().filter_map(|state| lower.find(state)).min()?;
    let clause = message[..at].rsplit([':', ']', ';', ',', '(']).next()?.trim();
    let words: Vec<&str> = clause.split_whitespace().collect();
    let first = words.iter().rposition(|word| FILLERS.contains(&word.to_lowercase().as_str())).map_or(0, |at| at + 1);
    let first = *words.get(first.max(words.len().saturating_sub(3)))?;
    Some(&clause[clause.rfind(first)?..])
}

/// Whether unquoted words may be a name: several, or one that is no ordinary word.
fn may_be_name(words: &&str) -> bool {
    words.contains(|c: char| c.is_ascii_digit() || " -./_".contains(c))
}

fn is_host_with_port(word: &str) -> bool {
    let port = word.rsplit_once(':').map(|(host, port)| (host, port.trim_end_matches(':')));
    port.is_some_and(|(host, port)| {
        host.contains('.') && is_plain(host) && !port.is_empty() && port.chars().all(|c| c.is_ascii_digit())
    })
}

fn is_plain(host: &str) -> bool {
    host.chars().all(|c| c.is_ascii_alphanumeric() || ".-:[]".contains(c))
}

fn is_short(text: &&str) -> bool {
    !text.is_empty() && text.len() <= LONGEST
}

fn words(message: &str) -> impl Iterator<Item = &str> {
    message.split(|c: char| c.is_whitespace() || "\"'`,;()".contains(c)).map(|word| word.trim_end_matches([':', '.']))
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_rights_and_addresses_are_found() {
        assert_eq!(field("Ship \"a\" is invalid: spec.size[0].x: Invalid value: 0"), Some("spec.size[0].x"));
        assert_eq!(field("the size is invalid"), None);
        assert_eq!(
            right("AccessDenied: user x is not authorized to perform: s3:DeleteBucket on b"),
            Some("s3:DeleteBucket")
        );
        assert_eq!(right("the API key lacks the permission alerts:UpdateConfig"), Some("alerts:UpdateConfig"));
        assert_eq!(right("Required 'compute.x' permission for 'projects/p'"), None);
        assert_eq!(right("permission denied"), None);
        assert_eq!(address("dial tcp 10.0.0.1:443: connect: connection refused"), Some("10.0.0.1:443"));
        assert_eq!(address("Get \"https://u:p@api.x.example/v1?y\": timeout"), Some("api.x.example"));
        assert_eq!(address("dial tcp: lookup db.x.example on 10.0.0.10:53: no such host"), Some("db.x.example"));
        assert_eq!(address("context deadline exceeded"), None);
    }

    #[test]
    fn outside_things_are_what_is_quoted_or_said_to_be_missing() {
        assert_eq!(outside("[DELETE /g/{id}][404] user group 8a1c does not exist"), Some("user group 8a1c"));
        assert_eq!(outside("The vpc 'vpc-1' has dependencies"), Some("vpc-1"));
        assert_eq!(outside("the service doesn't know it"), None);
        assert_eq!(outside("cannot destroy 'tank/d': dataset is busy"), Some("tank/d"));
        assert_eq!(outside("failed to delete the zone x.example: not found"), None);
        assert_eq!(outside("Bucket logs-1 is not empty"), Some("Bucket logs-1"));
        assert_eq!(outside("Pool is still in use by 2 replicas"), None);
    }
}
