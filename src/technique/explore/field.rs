//! What needs to be known about a text field before something is typed into it.
//!
//! In: a widget, or the receiver of a recorded event. Out: whether it is filled in, searches, takes a number or an
//! address.

use droidmux_account::look::hint_of;
use droidmux_account::words::{Meaning, says};
use droidmux_gui::{Selector, Widget, short_id};

/// What is known of a field before something is typed into it.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Hint, description and id.
    names: [&'a str; 3],
    /// What it shows.
    shown: &'a str,
}

/// Words in the name of a field that takes a number.
const NUMBERS: [&str; 30] = [
    "amount", "number", "num", "price", "cost", "quantity", "qty", "count", "age", "year", "weight",
    "height", "length", "width", "total", "rate", "percent", "phone", "zip", "minutes", "hours", "days",
    "seconds", "budget", "sum", "limit", "port", "distance", "salary", "value",
];

/// Words in the name of a field that takes an email address.
const MAIL: [&str; 3] = ["email", "mail", "e-mail"];

impl<'a> Field<'a> {
    /// Of a widget.
    pub fn of(widget: Widget<'a>) -> Self {
        let hint = hint_of(widget);
        let shown = if widget.text() == hint { "" } else { widget.text() };
        Self { names: [hint, widget.description(), widget.short_id()], shown }
    }

    /// Of a recorded receiver.
    pub fn recorded(receiver: &'a Selector) -> Self {
        Self {
            names: [&receiver.text, &receiver.description, short_id(&receiver.resource_id)],
            shown: &receiver.text,
        }
    }

    /// The name that it goes by: its id, or else what it asks for.
    pub fn name(self) -> &'a str {
        let [hint, description, id] = self.names;
        [id, hint, description].into_iter().find(|name| !name.is_empty()).unwrap_or_default()
    }

    /// What it shows; empty where that is its hint.
    pub fn shown(self) -> &'a str {
        self.shown
    }

    /// True when it shows a number, or its names say that it takes one.
    pub fn is_numeric(self) -> bool {
        let shows_number = !self.shown.is_empty()
            && self.shown.chars().any(|c| c.is_ascii_digit())
            && self.shown.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-'));
        shows_number || self.is_named(&NUMBERS)
    }

    /// True when it is filled in.
    pub fn is_filled(self) -> bool {
        !self.shown.trim().is_empty()
    }

    /// True when its names say that it searches.
    pub fn searches(self) -> bool {
        self.names.iter().any(|name| says(&parts(name).join(" "), Meaning::Search))
    }

    /// True when its names say that it takes an email address.
    pub fn takes_mail(self) -> bool {
        self.is_named(&MAIL)
    }

    fn is_named(self, words: &[&str]) -> bool {
        let is_word = |part: &str| words.iter().any(|word| part.eq_ignore_ascii_case(word));
        self.names.iter().any(|name| parts(name).iter().any(|part| is_word(part)))
    }
}

/// The words of a name, also of `priceEach` and `price_each`.
fn parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in name.chars().take(200) {
        let begins = !before.is_alphabetic() || (before.is_lowercase() && c.is_uppercase());
        match parts.last_mut().filter(|_| !begins) {
            _ if !c.is_alphabetic() => {}
            Some(part) => part.push(c),
            None => parts.push(c.to_string()),
        }
        before = c;
    }
    parts
}

#[cfg(test)]
impl<'a> Field<'a> {
    /// One with this id that shows this.
    pub fn named(id: &'a str, shown: &'a str) -> Self {
        Self { names: ["", "", id], shown }
    }
}
