//! Which masks are to be changed, and how, as given on the command line.

use std::collections::HashSet;

use thiserror::Error;

use super::catalogue::{Catalogue, Entry, State};
use crate::Usage;
use crate::fields::{FieldError, read_fields};
use droidmux_gui::{Flags, Widget};
use droidmux_record::{Layouts, Mask, MaskEdit};
use droidmux_store::Store;
use droidmux_technique::Masks;

/// What `--add` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Addition {
    /// A path or an id.
    Named(String),
    /// Fields; empty ones fit anything.
    Fields(Box<Mask>),
}

/// Why `--add` cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum AdditionError {
    #[error("it names nothing")]
    Empty,
    #[error("it would mask everything")]
    Everything,
    #[error(transparent)]
    Fields(#[from] FieldError),
}

/// What is to be done to the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Edit(MaskEdit),
    /// A person's edit is taken back.
    TakeBack(Mask),
}

/// Reads `field=value,field=value`, or a name.
pub(super) fn addition(text: &str) -> Result<Addition, AdditionError> {
    if text.is_empty() {
        return Err(AdditionError::Empty);
    }
    if !text.contains('=') {
        return Ok(Addition::Named(text.to_owned()));
    }
    let mut mask = empty();
    let fields = &mut [
        ("activity", &mut mask.activity),
        ("class", &mut mask.class),
        ("resource-id", &mut mask.resource_id),
        ("description", &mut mask.description),
        ("path", &mut mask.path),
    ];
    read_fields(text, fields)?;
    if mask == empty() { Err(AdditionError::Everything) } else { Ok(Addition::Fields(Box::new(mask))) }
}

/// The change that adds a mask, or puts back the one that was taken away.
pub(super) fn added(store: &Store, catalogue: &Catalogue, addition: &Addition) -> color_eyre::Result<Change> {
    let mask = match addition {
        Addition::Fields(mask) => (**mask).clone(),
        Addition::Named(name) => match catalogue.named(name).as_slice() {
            [entry] if entry.state == State::Removed && entry.jobs > 0 => {
                return Ok(Change::TakeBack(entry.mask.clone()));
            }
            [entry] if entry.id == *name => entry.mask.clone(),
            _ => Mask { path: name.clone(), ..empty() },
        },
    };
    let Some(example) = shown_by(store, catalogue, &mask)? else {
        return Err(no_widget(catalogue, addition).into());
    };
    let mask = Mask { example: (example, String::new()), ..mask };
    Ok(Change::Edit(MaskEdit { mask, masked: true }))
}

/// The changes that take masks away: a person's own are forgotten, found ones lifted.
pub(super) fn removed(catalogue: &Catalogue, name: &str) -> Result<Vec<Change>, Usage> {
    let known = catalogue.named(name);
    if known.is_empty() {
        let session = catalogue.session;
        return Err(Usage::new(format!("no mask of {session} has the id or path `{name}`"))
            .hint(format!("`droidmux masks {session}` lists them")));
    }
    let holds = known.into_iter().filter(|entry| entry.state != State::Removed);
    Ok(holds.map(lifted).collect())
}

fn lifted(entry: &Entry) -> Change {
    match entry.state {
        State::Added if entry.jobs == 0 => Change::TakeBack(entry.mask.clone()),
        _ => Change::Edit(MaskEdit { mask: entry.mask.clone(), masked: false }),
    }
}

/// What the first widget that the mask fits shows, on any screen of the session's finished jobs; `None` when it fits
/// none.
fn shown_by(store: &Store, catalogue: &Catalogue, mask: &Mask) -> color_eyre::Result<Option<String>> {
    let masks = Masks::edited(&[MaskEdit { mask: mask.clone(), masked: true }]);
    let mut looked_at = HashSet::new();
    for run in store.runs(catalogue.session) {
        for seen in run?.turns.iter().filter_map(|turn| turn.observation.seen()) {
            let screen = &seen.screen;
            if !looked_at.insert((screen.layout, screen.activity.clone())) {
                continue;
            }
            let Some(layout) = store.layout(screen.layout) else { continue };
            if let Some(widget) = layout.widgets().find(|widget| masks.masks(&screen.activity, *widget)) {
                return Ok(Some(value(widget).to_owned()));
            }
        }
    }
    Ok(None)
}

fn value(widget: Widget<'_>) -> &str {
    match widget.text() {
        _ if widget.has(Flags::PASSWORD) => "",
        "" => widget.description(),
        text => text,
    }
}

fn no_widget(catalogue: &Catalogue, addition: &Addition) -> Usage {
    let session = catalogue.session;
    let what = match addition {
        Addition::Named(name) => format!("the path `{name}`, and no mask has it for an id"),
        Addition::Fields(_) => "all these fields".to_owned(),
    };
    Usage::new(format!("no widget on the screens of {session} has {what}")).hint(format!(
        "paths are written `FrameLayout/TextView#id`, the masks' own are listed by `droidmux masks {session}`"
    ))
}

fn empty() -> Mask {
    Mask {
        activity: String::new(),
        class: String::new(),
        resource_id: String::new(),
        description: String::new(),
        path: String::new(),
        example: Default::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_are_read() {
        let named = |name: &str| Ok(Addition::Named(name.to_owned()));
        let fields = |resource_id: &str, activity: &str| {
            let (resource_id, activity) = (resource_id.to_owned(), activity.to_owned());
            Ok(Addition::Fields(Box::new(Mask { resource_id, activity, ..empty() })))
        };
        let cases = [
            ("m1a2b3c4d", named("m1a2b3c4d")),
            ("FrameLayout/TextView#date[1]", named("FrameLayout/TextView#date[1]")),
            ("resource-id=org.diary:id/date", fields("org.diary:id/date", "")),
            ("resource-id=date, activity=org.Main", fields("date", "org.Main")),
            ("id=x", Err("`id` is no field; there are activity, class, resource-id, description and path")),
            ("class=a,date", Err("`date` is not of the form field=value")),
            ("class=", Err("it would mask everything")),
            ("", Err("it names nothing")),
        ];
        for (text, expected) in cases {
            assert_eq!(
                addition(text).map_err(|error| error.to_string()),
                expected.map_err(str::to_owned),
                "{text}"
            );
        }
    }
}
