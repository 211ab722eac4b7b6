//! An app as it is installed on phones.

use super::Defect;

/// An app that can be installed on any number of phones.
#[derive(Clone)]
pub struct SimApp {}

impl SimApp {
    pub fn package(&self) -> &str {
        todo!()
    }

    /// Its name under the launcher icon.
    pub fn label(&self) -> &str {
        todo!()
    }

    /// The defects built into it.
    pub fn defects(&self) -> &'static [Defect] {
        todo!()
    }
}
