//! The characters that the locale can show.

/// Whether the locale clearly states an encoding other than UTF-8, so that the terminal would
/// garble marks and lines. If it states none, the terminal shows UTF-8. The first variable that is
/// set decides (POSIX, "Environment Variables", 8.2).
pub fn is_not_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let Some(locale) = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set) else { return false };
    match locale.split_once('.') {
        Some((_, charset)) => {
            let charset = charset.split('@').next().unwrap_or_default().to_lowercase();
            !matches!(charset.as_str(), "utf-8" | "utf8")
        }
        None => matches!(locale.as_str(), "C" | "POSIX"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(variables: &[(&str, &str)]) -> bool {
        is_not_utf8(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn the_first_variable_that_is_set_decides() {
        assert!(!says(&[]));
        assert!(!says(&[("LANG", "C.UTF-8")]) && !says(&[("LANG", "de_DE.utf8@euro")]) && !says(&[("LANG", "de_DE")]));
        assert!(says(&[("LANG", "C")]) && says(&[("LC_CTYPE", "POSIX")]) && says(&[("LANG", "ru_RU.KOI8-R")]));
        assert!(says(&[("LC_ALL", "C"), ("LANG", "C.UTF-8")]));
        assert!(!says(&[("LC_ALL", ""), ("LC_CTYPE", "en_US.UTF-8"), ("LANG", "C")]));
    }
}
