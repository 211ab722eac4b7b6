//! GUI effects: what differs between two layouts.

use serde::{Deserialize, Serialize};

use super::WidgetId;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EffectForm {
    #[default]
    Tree,
    Sets,
}

/// One difference between an earlier and a later layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    Deleted(WidgetId),
    Added(WidgetId),
    Changed(WidgetId, WidgetId),
}
