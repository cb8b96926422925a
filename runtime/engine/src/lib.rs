//! modgate-engine
