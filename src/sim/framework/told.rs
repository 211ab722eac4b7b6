//! What a host has been told of how its phone is set.
//!
//! In: the phone's settings, whenever they may have changed. Out: what the host is still to be told. It lasts as long as
//! the host's process, whichever copy of the app is installed meanwhile.

use std::collections::BTreeSet;

use droidmux_sim_toolkit::Env;
use serde_json::{Value, json};

/// The settings that a host knows; by default those with which it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    sideways: bool,
    night: bool,
    language: String,
    font: u32,
    online: bool,
    pub granted: BTreeSet<String>,
}

impl Default for Told {
    fn default() -> Self {
        let language = "en-US".to_owned();
        Told { sideways: false, night: false, language, font: 100, online: true, granted: BTreeSet::new() }
    }
}

impl Told {
    /// The settings of a phone now.
    pub(super) fn of(env: &Env) -> Self {
        Told {
            sideways: env.frame.width > env.frame.height,
            night: env.is_night(),
            language: env.language().to_owned(),
            font: env.frame.font,
            online: env.online,
            granted: env.granted.clone(),
        }
    }

    /// Becomes `wanted`; the requests that tell a host of it.
    pub(super) fn change(&mut self, wanted: Told) -> Vec<(&'static str, Value)> {
        let before = std::mem::replace(self, wanted);
        let wanted = &*self;
        let mut requests = Vec::new();
        if before.sideways != wanted.sideways {
            requests.push(("rotate", json!({ "to": u8::from(wanted.sideways) })));
        }
        if before.night != wanted.night {
            requests.push(("set", json!({ "night": wanted.night })));
        }
        if before.language != wanted.language {
            requests.push(("set", json!({ "locale": locale(&wanted.language) })));
        }
        if before.font != wanted.font {
            let scale = f64::from(wanted.font) / 100.0;
            requests.push(("set", json!({ "font": scale.clamp(0.5, 3.0) })));
        }
        if before.online != wanted.online {
            requests.push(("device", json!({ "online": wanted.online })));
        }
        for permission in wanted.granted.difference(&before.granted) {
            requests.push(("grant", json!({ "permission": permission })));
        }
        for permission in before.granted.difference(&wanted.granted) {
            requests.push(("revoke", json!({ "permission": permission })));
        }
        requests
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
