//! Durations on the command line.

use std::time::Duration;

/// Parses a duration as kubectl does: `30s`, `1m30s`, `500ms`, `0`, or whole seconds; also days, as
/// kubectl prints ages: `90d`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    if let Ok(seconds) = text.parse::<u64>() {
        return Ok(Duration::from_secs(seconds));
    }
    if text.is_empty() {
        return Err("the duration is missing: for example 30s or 1m30s".into());
    }
    let (mut rest, mut total) = (text, 0.0_f64);
    while !rest.is_empty() {
        let number = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .ok_or("the unit is missing: for example 30s, 1m30s or 500ms")?;
        let value: f64 =
            rest[..number].parse().map_err(|_| format!("{text:?} is not a duration such as 30s or 1m30s"))?;
        let after = &rest[number..];
        let unit = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let seconds = match &after[..unit] {
            "d" => 86400.0,
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 0.001,
            other => return Err(format!("{other:?} is not a unit of time (d, h, m, s, ms)")),
        };
        total += value * seconds;
        rest = &after[unit..];
    }
    Duration::try_from_secs_f64(total).map_err(|_| format!("{text:?} is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_kubectl_reads_them() {
        for (text, seconds) in
            [("30", 30.0), ("30s", 30.0), ("1m30s", 90.0), ("500ms", 0.5), ("0", 0.0), ("1.5h", 5400.0)]
        {
            assert_eq!(duration(text).unwrap(), Duration::from_secs_f64(seconds), "{text}");
        }
        assert_eq!(duration("18446744073709551615").unwrap(), Duration::from_secs(u64::MAX));
        let why = duration("99999999999999999999h").unwrap_err();
        assert!(why.contains("is too long"), "{why}");
        for text in ["", "x", "5y", "s", "1m30"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
