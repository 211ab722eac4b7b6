//! Genie's own verdict on a mutant: `checking_result.json`.

use serde::Deserialize;

use super::ImportError;
use super::folder::Folder;
use droidmux_record::{EffectKind, UnmatchedEffect, WidgetNote};

/// Genie's own statement about a mutant.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// The app crashed while the mutant ran.
    pub crash: bool,
    /// What we call a violation.
    pub semantic: bool,
    /// Events of the seed before the insertion.
    pub insert_position: u64,
    /// What Genie gives as its reason; empty unless `semantic`.
    pub effects: Vec<PublishedEffect>,
}

/// An effect of the seed that Genie found no match for.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedEffect {
    /// The pair of the seed's layouts, numbered from 1.
    pub seed: (u64, u64),
    /// What happened to the widget between the two layouts.
    pub kind: EffectKind,
    /// Class, resource-id and text of the widget on the earlier layout.
    pub before: Option<[String; 3]>,
    /// The same on the later layout.
    pub after: Option<[String; 3]>,
}

impl Published {
    /// How many of these effects are among the effects found.
    pub fn in_common(&self, found: &[UnmatchedEffect]) -> usize {
        self.effects.len() - self.missing(found).len()
    }

    /// These effects without those among the effects found, each of which matches one.
    pub fn missing(&self, found: &[UnmatchedEffect]) -> Vec<&PublishedEffect> {
        let mut left: Vec<&UnmatchedEffect> = found.iter().collect();
        let missing = self.effects.iter().filter(|effect| {
            let at = left.iter().position(|other| effect.is_same(other));
            at.map(|at| left.swap_remove(at)).is_none()
        });
        missing.collect()
    }
}

impl PublishedEffect {
    fn is_same(&self, effect: &UnmatchedEffect) -> bool {
        let same = |a: &Option<[String; 3]>, b: &Option<WidgetNote>| match (a, b) {
            (Some([class, id, text]), Some(b)) => (class, id, text) == (&b.class, &b.resource_id, &b.text),
            (None, None) => true,
            _ => false,
        };
        self.kind == effect.kind
            && self.seed == (effect.seed.0.into(), effect.seed.1.into())
            && same(&self.before, &effect.before)
            && same(&self.after, &effect.after)
    }
}

#[derive(Debug, Deserialize)]
struct CheckingResult {
    #[serde(default)]
    crash_error: bool,
    #[serde(default)]
    semantic_error: bool,
    #[serde(default)]
    insert_position: u64,
    #[serde(default)]
    unmatched_views_of_seed_test: Vec<Unmatched>,
}

#[derive(Debug, Deserialize)]
struct Unmatched {
    from_state_id: u64,
    to_state_id: u64,
    operation: String,
    from_view: Option<UnmatchedView>,
    to_view: Option<UnmatchedView>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct UnmatchedView {
    class: Option<String>,
    resource_id: Option<String>,
    text: Option<String>,
}

/// Genie's verdict, if it left one.
pub(super) fn published(folder: &Folder, base: &str) -> Result<Option<Published>, ImportError> {
    let file = format!("{base}/checking_result.json");
    if !folder.has(&file) {
        return Ok(None);
    }
    let result: CheckingResult = folder.json(&file)?;
    let effects = result.unmatched_views_of_seed_test.into_iter().map(|view| {
        let kind = match view.operation.as_str() {
            "INSERT" => EffectKind::Added,
            "DELETE" => EffectKind::Deleted,
            "CHANGE" => EffectKind::Changed,
            other => {
                let message = format!("`{other}` is none of INSERT, DELETE and CHANGE");
                return Err(ImportError::field(&file, "operation", message));
            }
        };
        Ok(PublishedEffect {
            seed: (view.from_state_id.saturating_add(1), view.to_state_id.saturating_add(1)),
            kind,
            before: widget(view.from_view).filter(|_| kind != EffectKind::Added),
            after: widget(view.to_view).filter(|_| kind != EffectKind::Deleted),
        })
    });
    Ok(Some(Published {
        crash: result.crash_error,
        semantic: result.semantic_error,
        insert_position: result.insert_position,
        effects: effects.collect::<Result<_, _>>()?,
    }))
}

fn widget(view: Option<UnmatchedView>) -> Option<[String; 3]> {
    let view = view?;
    Some([view.class, view.resource_id, view.text].map(Option::unwrap_or_default))
}
