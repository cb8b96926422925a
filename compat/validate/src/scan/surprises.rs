//! What loads and still surprises.

use super::Scan;

impl Scan<'_, '_> {
    pub(super) fn surprises(&mut self) {}
}
