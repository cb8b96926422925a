//! UTF-8 that arrives in pieces.

/// Turns bytes into text piece by piece; a character split between two pieces comes out with the second.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    held: Vec<u8>,
}

impl Decoder {
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        self.held.extend_from_slice(bytes);
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.held) {
                Ok(rest) => {
                    text.push_str(rest);
                    self.held.clear();
                    return text;
                }
                Err(error) => {
                    let (good, bad) = self.held.split_at(error.valid_up_to());
                    text.push_str(&String::from_utf8_lossy(good));
                    let Some(length) = error.error_len() else {
                        self.held = bad.to_vec();
                        return text;
                    };
                    text.push(char::REPLACEMENT_CHARACTER);
                    self.held = bad[length..].to_vec();
                }
            }
        }
    }

    /// What is left when nothing more comes.
    pub(super) fn finish(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.held).into_owned();
        self.held.clear();
        text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Decoder;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn pieces_read_like_the_whole(bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..40),
            "\\PC{0,12}".prop_map(String::into_bytes),
        ], size in 1usize..6) {
            let mut decoder = Decoder::default();
            let mut text: String = bytes.chunks(size).map(|piece| decoder.push(piece)).collect();
            text.push_str(&decoder.finish());
            prop_assert_eq!(text, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}
