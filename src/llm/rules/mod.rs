//! Fixed rules in place of a model: they answer from the rendered prompt alone.

use super::Rules;
use crate::record::Question;

/// Answers all agents by rules.
pub struct Fixed;

impl Rules for Fixed {
    fn answer(&self, _question: &Question) -> String {
        String::new()
    }
}
