//! The table of commands with the keys that a person has chosen, for people and programs.

use super::argument::argument;
use crate::TuiOptions;
use crate::keymap::Keymap;

/// A command with its keys.
#[derive(Clone, Debug)]
pub struct KeyRow {
    /// What the palette and the configuration call it.
    pub name: &'static str,
    /// What the palette takes after the name.
    pub argument: Option<&'static str>,
    /// What it does, in a sentence without a full stop.
    pub what: &'static str,
    /// Where it applies.
    pub place: String,
    /// Its keys, as the configuration writes them.
    pub keys: Vec<String>,
    /// The configuration chooses the command's keys.
    pub rebound: bool,
}

/// All commands with their keys.
#[derive(Clone, Debug)]
pub struct KeyTable {
    /// In the order of the help.
    pub rows: Vec<KeyRow>,
    /// What is wrong with the keys of the configuration.
    pub problems: Vec<String>,
}

impl KeyTable {
    /// The commands as these options leave them.
    pub fn new(options: &TuiOptions) -> Self {
        let (keymap, problems) = Keymap::new(&options.keys, &options.places);
        let rows = super::all().map(|command| KeyRow {
            name: command.name,
            argument: argument(command).map(|argument| argument.name),
            what: command.what,
            place: command.scope.words(),
            keys: keymap.keys(command).iter().map(ToString::to_string).collect(),
            rebound: options.keys.contains_key(command.name),
        });
        Self { rows: rows.collect(), problems }
    }
}
