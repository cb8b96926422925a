//! What `modgate run` prints: the transcript, and what the session came to.

pub(crate) mod summary;
pub(crate) mod transcript;
