//! Bodies that a server compresses: worth its time and ours where the link is slow.

use super::refusal::Refusal;
use flate2::write::GzDecoder;
use http::HeaderMap;
use http::header::CONTENT_ENCODING;
use std::io::Write;

/// No answer is longer: a few bytes may unpack to any number.
const LONGEST: u64 = 1 << 30;

/// Takes a body as it comes and gives it as it was meant.
#[derive(Default)]
pub(super) struct Unpacked {
    gzip: Option<GzDecoder<Vec<u8>>>,
    given: u64,
}

impl std::fmt::Debug for Unpacked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unpacked").field("gzip", &self.gzip.is_some()).field("given", &self.given).finish()
    }
}

impl Unpacked {
    /// By what the head of the answer says of its body.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let is_gzip = headers.get(CONTENT_ENCODING).is_some_and(|value| value.as_bytes() == b"gzip");
        Self { gzip: is_gzip.then(|| GzDecoder::new(Vec::new())), given: 0 }
    }

    /// The next piece, unpacked; it may be empty while more must come.
    ///
    /// # Errors
    /// When it is not what the head promised, or more than anybody should send.
    pub(super) fn piece(&mut self, piece: Vec<u8>) -> Result<Vec<u8>, Refusal> {
        let unpacked = match &mut self.gzip {
            None => piece,
            Some(gzip) => {
                gzip.write_all(&piece).map_err(|error| Refusal::garbled(&format!("no gzip: {error}")))?;
                std::mem::take(gzip.get_mut())
            }
        };
        self.given += unpacked.len() as u64;
        if self.given > LONGEST {
            return Err(Refusal::garbled("an answer of more than 1 GiB"));
        }
        Ok(unpacked)
    }

    /// What is left when nothing more comes.
    ///
    /// # Errors
    /// When the body was cut off.
    pub(super) fn rest(&mut self) -> Result<Vec<u8>, Refusal> {
        let Some(gzip) = self.gzip.take() else { return Ok(Vec::new()) };
        gzip.finish().map_err(|error| Refusal::garbled(&format!("no whole gzip: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn headers(encoding: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(CONTENT_ENCODING, http::HeaderValue::from_static(encoding))])
    }

    #[test]
    fn a_body_in_pieces_of_every_size_is_unpacked() {
        let text = b"{\"items\":[1,2,3,1,2,3,1,2,3]}";
        let packed = gzip(text);
        for size in 1..=packed.len() {
            let mut unpacked = Unpacked::of(&headers("gzip"));
            let mut whole = Vec::new();
            for piece in packed.chunks(size) {
                whole.extend(unpacked.piece(piece.to_vec()).unwrap());
            }
            whole.extend(unpacked.rest().unwrap());
            assert_eq!(whole, text);
        }
    }

    #[test]
    fn what_is_not_packed_stays_as_it_is() {
        let mut unpacked = Unpacked::of(&HeaderMap::new());
        assert_eq!(unpacked.piece(b"{}".to_vec()).unwrap(), b"{}");
        assert!(unpacked.rest().unwrap().is_empty());
    }

    #[test]
    fn a_cut_or_wrong_body_is_garbled() {
        let packed = gzip(b"some text that is long enough to be packed");
        let mut unpacked = Unpacked::of(&headers("gzip"));
        unpacked.piece(packed[..packed.len() - 9].to_vec()).unwrap();
        assert!(unpacked.rest().unwrap_err().message.contains("no whole gzip"));
        let mut unpacked = Unpacked::of(&headers("gzip"));
        assert!(unpacked.piece(b"{\"items\": []}".to_vec()).unwrap_err().message.contains("no gzip"));
    }

    #[test]
    fn a_body_that_unpacks_without_end_is_given_up() {
        let packed = gzip(&vec![0; 64 << 20]);
        let mut unpacked = Unpacked { gzip: None, given: LONGEST - (32 << 20) };
        unpacked.gzip = Some(GzDecoder::new(Vec::new()));
        assert!(unpacked.piece(packed).unwrap_err().message.contains("1 GiB"));
    }
}
