//! A form: a name and an amount, and a list of what was entered.
//!
//! The amount is a number from 1 to 99. With its defects a name is kept up to its first emoji, an
//! amount with a leading zero is read as an octal number, and a percent sign in a name keeps the
//! list loading.

use super::{AWAY, Sheet, Toy};
use droidmux_gui::{Event, EventKind, Layout, Widget};

pub struct Form {
    defect: bool,
    place: Place,
    name: String,
    amount: String,
    message: Option<&'static str>,
    entries: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Form,
    List,
    Away,
}

impl Form {
    pub fn new(defect: bool) -> Self {
        Self {
            defect,
            place: Place::Form,
            name: String::new(),
            amount: String::new(),
            message: None,
            entries: Vec::new(),
        }
    }

    fn submit(&mut self) {
        let octal = self.defect && self.amount.starts_with('0');
        let amount = u32::from_str_radix(self.amount.trim(), if octal { 8 } else { 10 });
        self.message = match amount {
            _ if self.name.trim().is_empty() => Some("who?"),
            Ok(1..=99) => None,
            _ => Some("1 to 99"),
        };
        let (None, Ok(amount)) = (self.message, amount) else { return };
        let cut = |c: char| u32::from(c) > 0xffff;
        let name = if self.defect { self.name.split(cut).next().unwrap_or_default() } else { &self.name };
        self.entries.push((name.to_owned(), format!("{amount} pieces")));
        self.place = Place::List;
    }

    fn loads(&self) -> bool {
        self.defect && self.entries.iter().any(|(name, _)| name.contains('%'))
    }
}

impl Toy for Form {
    fn layout(&self) -> Layout {
        let mut page = Sheet::default();
        match self.place {
            Place::Form => {
                page.leaf("EditText", "name", &self.name, true);
                page.leaf("EditText", "amount", &self.amount, true);
                self.message.iter().for_each(|message| page.leaf("TextView", "message", message, false));
                page.leaf("Button", "enter", "Enter", true);
            }
            Place::List if self.loads() => page.leaf("ProgressBar", "progress", "", false),
            Place::List => {
                for (name, amount) in &self.entries {
                    page.leaf("TextView", "entry", name, false);
                    page.leaf("TextView", "pieces", amount, false);
                }
                page.leaf("Button", "more", "More", true);
            }
            Place::Away => page.leaf("TextView", "launcher", "Home", true),
        }
        page.finish()
    }

    fn activity(&self) -> &'static str {
        match self.place {
            Place::Form => "toy.form.Enter",
            Place::List => "toy.form.List",
            Place::Away => AWAY,
        }
    }

    fn touch(&mut self, event: &Event, widget: Widget<'_>) {
        let text = || event.data.clone().unwrap_or_default();
        match (event.kind, widget.resource_id()) {
            (EventKind::Edit, "name") => self.name = text(),
            (EventKind::Edit, "amount") => self.amount = text(),
            (EventKind::Click, "enter") => self.submit(),
            (EventKind::Click, "more") => self.place = Place::Form,
            _ => {}
        }
    }

    fn press(&mut self, kind: EventKind) {
        self.place = match (kind, self.place) {
            (EventKind::Back, Place::Form | Place::Away) | (EventKind::Home, _) => Place::Away,
            (EventKind::Back, _) | (EventKind::Launch, Place::Away) => Place::Form,
            (_, place) => place,
        };
    }
}
