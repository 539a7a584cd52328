//! Numbers and names that depend only on a seed.

/// A small generator of numbers (splitmix64): the same seed gives the same state on every
/// machine and with every version of a library.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The numbers of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit.max(1)).expect("a length");
        usize::try_from(self.next() % limit).expect("it is below a length")
    }

    /// True with this probability in percent.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A new word: two or three syllables and a number.
    pub fn word(&mut self) -> String {
        const SYLLABLES: [&str; 24] = [
            "ba", "cor", "del", "fen", "gim", "hol", "jas", "kel", "lum", "mor", "nar", "pol", "quil", "ran", "sel",
            "tor", "ulm", "vas", "wen", "xil", "yor", "zan", "bri", "tek",
        ];
        let length = 2 + self.below(2);
        let mut word: String = (0..length).map(|_| *self.pick(&SYLLABLES)).collect();
        word.push(char::from(b'a' + u8::try_from(self.below(26)).expect("a letter")));
        word
    }

    /// Random letters, like the end of a generated name.
    pub fn suffix(&mut self) -> String {
        const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
        (0..5).map(|_| char::from(*self.pick(LETTERS))).collect()
    }
}
