//! modgate-catalog
