//! The attributes of one element.

use std::borrow::Cow;

use quick_xml::events::BytesStart;
use quick_xml::events::attributes::AttrError;

use super::references;
use crate::{Bounds, Flags, NewWidget};

/// The element of a widget; Appium writes the class instead.
const NODE: &str = "node";

/// What could not be understood so far.
#[derive(Debug, Default)]
pub(super) struct Oddities {
    pub references: u32,
    pub bounds: u32,
    /// Widgets without a class whose element's name says nothing, either.
    pub classes: u32,
}

/// The attributes of a widget, references replaced.
#[derive(Debug, Default)]
pub(super) struct Attributes<'a> {
    class: Cow<'a, str>,
    resource_id: Cow<'a, str>,
    text: Cow<'a, str>,
    description: Cow<'a, str>,
    hint: Cow<'a, str>,
    package: Cow<'a, str>,
    bounds: Bounds,
    flags: Flags,
    index: u16,
}

impl<'a> Attributes<'a> {
    /// Reads the known attributes; the others are skipped. If an attribute is given twice, the last value counts.
    /// `enabled` is true unless the dump says otherwise.
    pub(super) fn read(element: &'a BytesStart<'_>, odd: &mut Oddities) -> Result<Self, AttrError> {
        let mut read = Self { flags: Flags::ENABLED, ..Self::default() };
        let mut bounds = None;
        for attribute in element.attributes().with_checks(false) {
            let attribute = attribute?;
            let value = attribute.value;
            let mut text = |value| references::resolve(value, &mut odd.references);
            match attribute.key.0 {
                "class" => read.class = text(value),
                "resource-id" => read.resource_id = text(value),
                "text" => read.text = text(value),
                "content-desc" => read.description = text(value),
                "hint" => read.hint = text(value),
                "package" => read.package = text(value),
                "bounds" => bounds = Some(Bounds::parse(&value)),
                "index" => read.index = value.parse().unwrap_or(0),
                // An invisible widget is the exception, so its flag is set by "false".
                "visible-to-user" => read.flags = read.flags.with(Flags::INVISIBLE, value == "false"),
                key => {
                    if let Some(flag) = Flags::named(key) {
                        read.flags = read.flags.with(flag, value == "true");
                    }
                }
            }
        }
        match bounds {
            Some(Some(bounds)) => read.bounds = bounds,
            _ => odd.bounds = odd.bounds.saturating_add(1),
        }
        if read.class.is_empty() {
            read.class = Cow::Owned(element.name().0.to_owned());
            odd.classes = odd.classes.saturating_add(u32::from(read.class == NODE));
        }
        Ok(read)
    }

    pub(super) fn widget(&self) -> NewWidget<'_> {
        NewWidget {
            class: &self.class,
            resource_id: &self.resource_id,
            text: &self.text,
            description: &self.description,
            hint: &self.hint,
            package: &self.package,
            bounds: self.bounds,
            flags: self.flags,
            index: self.index,
        }
    }
}
