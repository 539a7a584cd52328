//! Decompresses answers. Compression is worth the CPU time on slow links.

use crate::transport::refusal::Refusal;
use flate2::write::GzDecoder;
use http::HeaderMap;
use http::header::CONTENT_ENCODING;
use std::io::Write;

/// The maximum length of an answer after unpacking: a few bytes may unpack to any length.
const MAX_UNPACKED: u64 = 1 << 30;

/// An answer that unpacks to more than this is given up if it also grew by more than [`MAX_RATIO`].
/// A list of a thousand identical objects is compressed to a fiftieth.
const MIN_TO_JUDGE_RATIO: u64 = 64 << 20;
const MAX_RATIO: u64 = 200;

/// How many packed bytes are unpacked at a time. They become at most 4 MiB.
const PIECE: usize = 4096;

/// Receives a body in pieces and returns it unpacked.
#[derive(Default)]
pub(crate) struct Unpacked {
    gzip: Option<GzDecoder<Vec<u8>>>,
    /// The bytes that have arrived, from the first one that was not returned yet.
    come: Vec<u8>,
    begin: usize,
    packed: u64,
    given: u64,
}

/// Leaves out the bytes of the answer: they may be anything.
impl std::fmt::Debug for Unpacked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unpacked")
            .field("gzip", &self.gzip.is_some())
            .field("given", &self.given)
            .finish_non_exhaustive()
    }
}

impl Unpacked {
    /// Decides by the answer's headers whether its body is compressed.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let is_gzip = headers.get(CONTENT_ENCODING).is_some_and(|value| value.as_bytes() == b"gzip");
        Self { gzip: is_gzip.then(|| GzDecoder::new(Vec::new())), ..Self::default() }
    }

    /// Takes the next piece. All earlier pieces must have been returned.
    pub(crate) fn take(&mut self, piece: Vec<u8>) {
        self.packed += piece.len() as u64;
        (self.come, self.begin) = (piece, 0);
    }

    /// Returns the next piece, unpacked, or `None` if more must arrive first.
    ///
    /// # Errors
    /// When the body is not what the headers promised, or is too long.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, Refusal> {
        while self.begin < self.come.len() {
            let unpacked = self.unpack().map_err(|error| Refusal::garbled(&format!("invalid gzip: {error}")))?;
            self.given += unpacked.len() as u64;
            if self.given > MAX_UNPACKED {
                return Err(Refusal::garbled("an answer larger than 1 GiB"));
            }
            if self.given > MIN_TO_JUDGE_RATIO && self.given / MAX_RATIO > self.packed {
                return Err(Refusal::garbled("an answer that unpacks to more than 200 times its length"));
            }
            if !unpacked.is_empty() {
                return Ok(Some(unpacked));
            }
        }
        Ok(None)
    }

    fn unpack(&mut self) -> std::io::Result<Vec<u8>> {
        let Some(gzip) = &mut self.gzip else {
            self.begin = 0;
            return Ok(std::mem::take(&mut self.come));
        };
        let end = self.come.len().min(self.begin + PIECE);
        gzip.write_all(&self.come[self.begin..end])?;
        self.begin = end;
        Ok(std::mem::take(gzip.get_mut()))
    }

    /// Returns the rest after the last piece.
    ///
    /// # Errors
    /// When the body was cut off.
    pub(crate) fn rest(&mut self) -> Result<Vec<u8>, Refusal> {
        let Some(gzip) = self.gzip.take() else { return Ok(Vec::new()) };
        gzip.finish().map_err(|error| Refusal::garbled(&format!("incomplete gzip: {error}")))
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

    /// Unpacks one piece completely.
    fn unpacked_of(unpacked: &mut Unpacked, piece: &[u8]) -> Result<Vec<u8>, Refusal> {
        unpacked.take(piece.to_vec());
        let mut whole = Vec::new();
        while let Some(piece) = unpacked.next()? {
            whole.extend(piece);
        }
        Ok(whole)
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
                whole.extend(unpacked_of(&mut unpacked, piece).unwrap());
            }
            whole.extend(unpacked.rest().unwrap());
            assert_eq!(whole, text);
        }
    }

    #[test]
    fn uncompressed_bodies_are_unchanged() {
        let mut unpacked = Unpacked::of(&HeaderMap::new());
        assert_eq!(unpacked_of(&mut unpacked, b"{}").unwrap(), b"{}");
        assert!(unpacked.rest().unwrap().is_empty());
    }

    #[test]
    fn a_cut_or_wrong_body_is_garbled() {
        let packed = gzip(b"some text that is long enough to be packed");
        let mut unpacked = Unpacked::of(&headers("gzip"));
        unpacked_of(&mut unpacked, &packed[..packed.len() - 9]).unwrap();
        assert!(unpacked.rest().unwrap_err().message.contains("incomplete gzip"));
        let mut unpacked = Unpacked::of(&headers("gzip"));
        assert!(unpacked_of(&mut unpacked, b"{\"items\": []}").unwrap_err().message.contains("invalid gzip"));
    }

    #[test]
    fn a_body_that_unpacks_without_end_is_given_up() {
        let packed = gzip(&vec![0; 64 << 20]);
        let long = MAX_UNPACKED - (32 << 20);
        let mut unpacked = Unpacked { given: long, packed: long, ..Unpacked::of(&headers("gzip")) };
        unpacked.take(packed);
        let mut longest = 0;
        let refusal = loop {
            match unpacked.next() {
                Ok(piece) => longest = longest.max(piece.unwrap().len()),
                Err(refusal) => break refusal,
            }
        };
        assert!(refusal.message.contains("1 GiB") && longest <= 5 << 20, "{longest}");
        let mut unpacked = Unpacked::of(&headers("gzip"));
        let refusal = unpacked_of(&mut unpacked, &gzip(&vec![b' '; 65 << 20])).unwrap_err();
        assert!(refusal.message.contains("200 times"), "{}", refusal.message);
    }
}
