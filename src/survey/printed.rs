//! Values that the errors of client libraries contain as Rust prints them.

use std::borrow::Cow;

/// A text without printed values in parentheses that only repeat what stands before them: `a is gone: NotFound
/// (ErrorResponse { message: "a is gone", code: 404 })`.
#[must_use]
pub fn without_printed(text: &str) -> Cow<'_, str> {
    let Some((start, end)) = places(text).find(|(start, end)| repeats(&text[..*start], &text[*start..*end])) else {
        return Cow::Borrowed(text);
    };
    let left = format!("{}{}", text[..start].trim_end(), &text[end..]);
    Cow::Owned(without_printed(&left).into_owned())
}

/// Where printed values in parentheses begin and end: `(Name { … })`.
fn places(text: &str) -> impl Iterator<Item = (usize, usize)> {
    text.match_indices(" (").filter_map(|(start, _)| {
        let inside = &text[start + 2..];
        let name = inside.split_once(" { ")?.0;
        let is_name =
            name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric());
        let length = is_name.then(|| closing(inside).unwrap_or(inside.len()))?;
        Some((start, start + 2 + length))
    })
}

/// The length of a text up to the parenthesis that closes it, outside of its quotations.
fn closing(text: &str) -> Option<usize> {
    let (mut open, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' if !is_escaped => is_quoted = !is_quoted,
            '(' if !is_quoted => open += 1,
            ')' if !is_quoted && open == 0 => return Some(at + 1),
            ')' if !is_quoted => open -= 1,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

/// Whether the message of a printed value, if it has one, stands in the text before it.
fn repeats(before: &str, printed: &str) -> bool {
    let message = texts(printed).into_iter().find(|(field, _)| *field == "message");
    !before.is_empty() && message.is_none_or(|(_, message)| before.contains(message.as_str()))
}

/// The fields of a printed value that contain text: `message: "a \"b\" is gone"`.
pub(super) fn texts(printed: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut rest = printed;
    while let Some((before, after)) = rest.split_once('"') {
        let (mut value, mut is_escaped, mut end) = (String::new(), false, after.len());
        for (at, c) in after.char_indices() {
            if c == '"' && !is_escaped {
                end = at;
                break;
            }
            is_escaped = c == '\\' && !is_escaped;
            if !is_escaped {
                value.push(c);
            }
        }
        let field = before.strip_suffix(": ").and_then(|before| before.rsplit([' ', '{', '(', ',']).next());
        found.extend(field.filter(|field| !field.is_empty()).map(|field| (field, value)));
        rest = after.get(end + 1..).unwrap_or_default();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_library_prints_again_is_left_out() {
        let said = "ApiError: jobs \"a\" is forbidden: no (yet): Forbidden (ErrorResponse { status: \"Failure\", message: \
            \"jobs \\\"a\\\" is forbidden: no (yet)\", reason: \"Forbidden\", code: 403 }) in shop";
        assert_eq!(without_printed(said), "ApiError: jobs \"a\" is forbidden: no (yet): Forbidden in shop");
        assert_eq!(without_printed("gone: NotFound (Status { code: 404 })"), "gone: NotFound");
        assert_eq!(without_printed("gone: NotFound (Status { code: 4"), "gone: NotFound", "it was cut off");
        for other in ["it failed (Busy { message: \"disk 7\" })", "it failed (see below)", "f (x) { y }", ""] {
            assert_eq!(without_printed(other), other, "it says more");
        }
    }

    #[test]
    fn texts_of_a_printed_value_may_contain_quotes() {
        let printed = "Api(ErrorResponse { status: \"Failure\", message: \"webhook \\\"a\\\" denied it\", code: 403 })";
        let texts = texts(printed);
        assert_eq!(texts[1], ("message", "webhook \"a\" denied it".to_owned()));
    }
}
