//! Selectors: how a widget of one layout is found again on another.

use serde::{Deserialize, Serialize};

use super::WidgetId;

/// A widget described by its own properties, its children and its surroundings.
///
/// Made by `Layout::selector`, resolved by `Layout::resolve` in the order of the Genie tool: an
/// exact match including children wins, then equal properties ranked by how alike the context is,
/// ties by the position among siblings.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Selector {
    pub class: String,
    pub resource_id: String,
    pub description: String,
    /// Empty for password fields.
    pub text: String,
    /// The subtree below in canonical form; empty for a leaf.
    pub children: String,
    /// The surroundings in canonical form: path of ancestors and the texts near by.
    pub context: String,
    /// Position among the siblings with equal class, resource-id and description, from 0.
    pub position: u16,
}

/// How a selector was found on a layout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    Exact(WidgetId),
    /// Equal properties, the context alike by this Levenshtein ratio, 0.0 to 1.0.
    Similar(WidgetId, f32),
    NotFound,
}

impl Resolution {
    pub fn widget(self) -> Option<WidgetId> {
        match self {
            Self::Exact(widget) | Self::Similar(widget, _) => Some(widget),
            Self::NotFound => None,
        }
    }

    /// 1.0 for exact, the ratio for similar, 0.0 for not found.
    pub fn ratio(self) -> f32 {
        match self {
            Self::Exact(_) => 1.0,
            Self::Similar(_, ratio) => ratio,
            Self::NotFound => 0.0,
        }
    }
}
