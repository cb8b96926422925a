//! modgate-services
