//! What the phone is set to, as its host is told.
//!
//! In: the phone's surroundings, whenever they may have changed. Out: requests for what has changed since, in an order
//! that is always the same. What was told lasts as long as the host's process, whichever copy of the app is installed
//! meanwhile.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use droidmux_sim_toolkit::Env;

/// What the phone is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SetUp {
    sideways: bool,
    night: bool,
    language: String,
    font: u32,
    online: bool,
    granted: BTreeSet<String>,
}

impl Default for SetUp {
    /// As a host begins.
    fn default() -> Self {
        let language = "en-US".to_owned();
        SetUp { sideways: false, night: false, language, font: 100, online: true, granted: BTreeSet::new() }
    }
}

impl SetUp {
    pub(super) fn of(env: &Env) -> Self {
        SetUp {
            sideways: env.frame.width > env.frame.height,
            night: env.is_night(),
            language: env.language().to_owned(),
            font: env.frame.font,
            online: env.online,
            granted: env.granted.clone(),
        }
    }

    /// The permissions go with the app's data.
    pub(super) fn wiped(&mut self) {
        self.granted.clear();
    }

    /// Becomes `wanted`; what a host has to be told of it.
    pub(super) fn change(&mut self, wanted: SetUp) -> Vec<(&'static str, Value)> {
        let changes = self.changes(&wanted);
        *self = wanted;
        changes
    }

    /// What a host has to be told to come from here to there.
    fn changes(&self, wanted: &SetUp) -> Vec<(&'static str, Value)> {
        let mut changes = Vec::new();
        if self.sideways != wanted.sideways {
            changes.push(("rotate", json!({ "to": u8::from(wanted.sideways) })));
        }
        if self.night != wanted.night {
            changes.push(("set", json!({ "night": wanted.night })));
        }
        if self.language != wanted.language {
            changes.push(("set", json!({ "locale": locale(&wanted.language) })));
        }
        if self.font != wanted.font {
            let scale = f64::from(wanted.font) / 100.0;
            changes.push(("set", json!({ "font": scale.clamp(0.5, 3.0) })));
        }
        if self.online != wanted.online {
            changes.push(("device", json!({ "online": wanted.online })));
        }
        for permission in wanted.granted.difference(&self.granted) {
            changes.push(("grant", json!({ "permission": permission })));
        }
        for permission in self.granted.difference(&wanted.granted) {
            changes.push(("revoke", json!({ "permission": permission })));
        }
        changes
    }
}

/// `de-DE` as the host takes it.
fn locale(tag: &str) -> String {
    match tag.split_once('-') {
        Some((language, region)) if region.len() == 2 => {
            format!("{language}-r{}", region.to_ascii_uppercase())
        }
        Some((language, _)) => language.to_owned(),
        None => tag.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_changed_is_told() {
        let before = SetUp { granted: ["a".to_owned(), "b".to_owned()].into(), ..SetUp::default() };
        assert!(before.changes(&before).is_empty());
        let granted = ["b".to_owned(), "c".to_owned()].into();
        let after =
            SetUp { sideways: true, language: "de-de".into(), font: 900, granted, ..SetUp::default() };
        let expected = [
            ("rotate", json!({ "to": 1 })),
            ("set", json!({ "locale": "de-rDE" })),
            ("set", json!({ "font": 3.0 })),
            ("grant", json!({ "permission": "c" })),
            ("revoke", json!({ "permission": "a" })),
        ];
        assert_eq!(before.changes(&after), expected);
    }

    #[test]
    fn languages_are_named_as_resources_name_them() {
        let names = ["de-DE", "de", "zh-Hans"].map(locale);
        assert_eq!(names, ["de-rDE", "de", "zh"]);
    }
}
