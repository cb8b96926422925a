//! modgate-measure
