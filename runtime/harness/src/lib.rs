//! modgate-harness
