//! The fields of a message (protobuf.dev/programming-guides/encoding).

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'m> {
    /// A number or a boolean.
    Number(u64),
    /// A text, or a nested message.
    Bytes(&'m [u8]),
    /// A number of four or eight bytes. No field that is read here has this type.
    Fixed,
}

/// Parses a varint: seven bits per byte, the lowest first; the highest bit marks that more follow.
/// Returns the number and its length in bytes, or `None` if it is cut off.
///
/// # Errors
/// When it is too long.
pub(super) fn number(bytes: &[u8]) -> Result<Option<(u64, usize)>, String> {
    let mut number = 0;
    for (place, byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Ok(Some((number, place + 1)));
        }
    }
    if bytes.len() < 10 { Ok(None) } else { Err("a number without an end".into()) }
}

/// Parses the next field of a message: its number, its value, and the length of both in bytes.
/// `None` if it is cut off.
///
/// # Errors
/// When it is not a protobuf field.
pub(super) fn field(bytes: &[u8]) -> Result<Option<(u64, Value<'_>, usize)>, String> {
    let Some((tag, start)) = number(bytes)? else { return Ok(None) };
    let rest = &bytes[start..];
    let (value, length) = match tag & 7 {
        0 => {
            let Some((value, length)) = number(rest)? else { return Ok(None) };
            (Value::Number(value), length)
        }
        1 => (Value::Fixed, 8),
        2 => {
            let Some((length, before)) = number(rest)? else { return Ok(None) };
            let end = usize::try_from(length).ok().and_then(|length| length.checked_add(before));
            let end = end.ok_or("a field without an end")?;
            match rest.get(before..end) {
                Some(bytes) => (Value::Bytes(bytes), end),
                None => return Ok(None),
            }
        }
        5 => (Value::Fixed, 4),
        kind => return Err(format!("a field of the unknown kind {kind}")),
    };
    Ok((length <= rest.len()).then_some((tag >> 3, value, start + length)))
}

/// The first field of a complete message with this number, if there is one.
///
/// # Errors
/// When a field before it is not a protobuf field.
pub(super) fn find(message: &[u8], number: u64) -> Result<Option<Value<'_>>, String> {
    let mut fields = MessageFields(message);
    let found = fields.find(|field| !matches!(field, Ok((other, _)) if *other != number)).transpose()?;
    Ok(found.map(|(_, value)| value))
}

/// The fields of a complete message.
#[derive(Debug, Clone)]
pub(super) struct MessageFields<'m>(pub &'m [u8]);

impl<'m> Iterator for MessageFields<'m> {
    type Item = Result<(u64, Value<'m>), String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let found = field(self.0).and_then(|found| found.ok_or_else(|| "a field that is cut off".to_owned()));
        Some(match found {
            Ok((number, value, length)) => {
                self.0 = &self.0[length..];
                Ok((number, value))
            }
            Err(error) => {
                self.0 = &[];
                Err(error)
            }
        })
    }
}

impl<'m> Value<'m> {
    /// The value as a text.
    ///
    /// # Errors
    /// When it is not a text.
    pub(super) fn text(self) -> Result<&'m str, String> {
        std::str::from_utf8(self.bytes()?).map_err(|error| error.to_string())
    }

    /// The value as a nested message.
    ///
    /// # Errors
    /// When it is not a message.
    pub(super) fn bytes(self) -> Result<&'m [u8], String> {
        if let Self::Bytes(bytes) = self { Ok(bytes) } else { Err("a number instead of a string".into()) }
    }

    /// The value as a number. Negative numbers are written as their complement.
    ///
    /// # Errors
    /// When it is not a number.
    pub(super) fn number(self) -> Result<i64, String> {
        if let Self::Number(number) = self {
            Ok(number.cast_signed())
        } else {
            Err("a string instead of a number".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_in_their_order() {
        let message = b"\x08\x96\x01\x12\x02ab\x19\0\0\0\0\0\0\0\0\x25\0\0\0\0";
        let fields: Vec<_> = MessageFields(message).collect::<Result<_, _>>().unwrap();
        assert_eq!(fields, [(1, Value::Number(150)), (2, Value::Bytes(b"ab")), (3, Value::Fixed), (4, Value::Fixed)]);
        assert_eq!(Value::Number(u64::MAX).number(), Ok(-1));
    }

    #[test]
    fn cut_fields_wait_for_more_and_invalid_ones_are_refused() {
        for cut in [&b"\x08"[..], b"\x08\x96", b"\x12", b"\x12\x02a", b"\x19\0", b"\x12\xff\xff"] {
            assert_eq!(field(cut), Ok(None), "{cut:?}");
            assert!(MessageFields(cut).any(|field| field.is_err()), "{cut:?}");
        }
        for wrong in [&b"\x0b"[..], &[0xff; 11], b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"] {
            assert!(field(wrong).is_err(), "{wrong:?}");
            assert_eq!(MessageFields(wrong).count(), 1, "{wrong:?}");
        }
        assert!(Value::Number(1).text().is_err() && Value::Bytes(b"a").number().is_err());
        assert!(Value::Bytes(b"\xff").text().is_err() && Value::Fixed.bytes().is_err());
    }
}
