//! modgate-compat
