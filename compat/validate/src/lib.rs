//! modgate-validate
