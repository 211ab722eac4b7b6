//! Starting a session, and going on with one: the form, and what follows the name of the command in the palette.
//!
//! In: what a person types and picks, and the lab's list of session files. Out: a request. The form stays open until
//! the lab says that the session began, so that errors are shown beside what was typed.

use std::collections::BTreeSet;

use thiserror::Error;

use super::{App, Dialog, Effect, Prompt};
use crate::filter;
use crate::list::List;
use crate::theme::Role;
use droidmux_proto::{Request, SessionFileView, Start, StartFault};
use droidmux_record::SessionId;

/// The fields of the form, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartField {
    #[default]
    File,
    Devices,
    Events,
    Time,
}

/// What a person fills in to start a session.
#[derive(Clone, Debug, Default)]
pub struct StartForm {
    pub field: StartField,
    /// A part of a file's name, or a path.
    pub file: Prompt,
    /// The cursor among the files that match.
    pub files: List,
    /// The cursor among the lab's devices.
    pub devices: List,
    /// Serials of the devices to run on; empty for any.
    pub picked: BTreeSet<String>,
    pub events: Prompt,
    pub time: Prompt,
    /// Why it was not started.
    pub fault: Option<StartFault>,
    /// What the lab was asked for last, and has not answered.
    pub asked: Option<Start>,
}

impl StartField {
    const ALL: [Self; 4] = [Self::File, Self::Devices, Self::Events, Self::Time];

    fn beside(self, forwards: bool) -> Self {
        let step = if forwards { 1 } else { Self::ALL.len() - 1 };
        Self::ALL[(self as usize + step) % Self::ALL.len()]
    }
}

impl StartForm {
    /// The line that is being typed, if one is.
    pub fn input(&self) -> Option<&Prompt> {
        match self.field {
            StartField::File => Some(&self.file),
            StartField::Devices => None,
            StartField::Events => Some(&self.events),
            StartField::Time => Some(&self.time),
        }
    }

    pub(super) fn input_mut(&mut self) -> Option<&mut Prompt> {
        match self.field {
            StartField::File => Some(&mut self.file),
            StartField::Devices => None,
            StartField::Events => Some(&mut self.events),
            StartField::Time => Some(&mut self.time),
        }
    }

    /// The files that match what is typed.
    pub fn matching<'a>(&self, files: &'a [SessionFileView]) -> Vec<&'a SessionFileView> {
        let found =
            filter::matching(self.file.value(), files, |file| format!("{} {}", file.path, file.words));
        found.into_iter().filter_map(|n| files.get(n)).collect()
    }

    /// The path of the file that is meant: what was typed if that is a path of its own, else the one under the cursor.
    pub fn path(&self, files: &[SessionFileView]) -> String {
        let typed = self.file.value().trim();
        let under_cursor = || {
            let row = usize::try_from(self.files.cursor).ok()?;
            self.matching(files).get(row).map(|file| file.path.clone())
        };
        match typed.ends_with(".toml") {
            true => typed.to_owned(),
            false => under_cursor().unwrap_or_else(|| typed.to_owned()),
        }
    }

    /// What is to be started, or what is wrong with what was typed.
    fn start(&self, files: &[SessionFileView], folder: &str) -> Result<Start, NotStarted> {
        let file = self.path(files);
        if file.is_empty() {
            return Err(NotStarted::NoFile);
        }
        Ok(Start {
            file,
            folder: folder.to_owned(),
            serials: self.picked.iter().cloned().collect(),
            max_events: events(self.events.value())?,
            for_s: seconds(self.time.value())?,
        })
    }

    fn of(start: &Start) -> Self {
        let number = |number: Option<u64>, unit: &str| number.map_or(String::new(), |n| format!("{n}{unit}"));
        Self {
            file: start.file.clone().into(),
            picked: start.serials.iter().cloned().collect(),
            events: number(start.max_events, "").into(),
            time: number(start.for_s, "s").into(),
            ..Self::default()
        }
    }
}

impl App {
    /// Opens the form.
    pub fn ask_start(&mut self) {
        self.ask_session_files();
        self.dialog = Some(Dialog::Start(Box::default()));
    }

    /// Asks for the session files anew: they may have changed since.
    pub(super) fn ask_session_files(&mut self) {
        let folder = self.options.folder.clone();
        self.effect(Effect::Send(Request::SessionFiles { folder }));
    }

    /// Starts what the palette was given: `FILE devices=A,B events=N for=30m`.
    pub fn start_named(&mut self, typed: &str) {
        match parse(typed, &self.options.folder) {
            Ok(start) => {
                self.say(format!("{} is being started", start.file), Role::Dim);
                self.effect(Effect::Send(Request::Start(start)));
            }
            Err(error) => self.say(error.to_string(), Role::Warn),
        }
    }

    /// Enter in the form.
    pub(super) fn accept_start(&mut self, mut form: Box<StartForm>) {
        match form.start(&self.session_files, &self.options.folder) {
            // Once is enough; what was changed since is another request.
            Ok(start) if form.asked.as_ref() == Some(&start) => {}
            Ok(start) => {
                (form.asked, form.fault) = (Some(start.clone()), None);
                self.effect(Effect::Send(Request::Start(start)));
            }
            Err(error) => form.fault = Some(error.to_string().into()),
        }
        self.dialog = Some(Dialog::Start(form));
    }

    /// The answer to [`Request::Start`]. Errors are shown in the form, which opens if the palette was used. A form that
    /// waits for another answer stays as it is.
    pub(super) fn take_started(&mut self, start: &Start, begun: Result<SessionId, StartFault>) {
        let form = match self.dialog.take() {
            Some(Dialog::Start(form)) if form.asked.as_ref().is_none_or(|asked| asked == start) => Some(form),
            other => {
                self.dialog = other;
                None
            }
        };
        match begun {
            Ok(session) => {
                self.await_session(session);
                self.say(format!("{session} has begun: {}", start.file), Role::Good);
            }
            Err(fault) => {
                let mut form = form.unwrap_or_else(|| Box::new(StartForm::of(start)));
                (form.asked, form.fault) = (None, Some(fault));
                if self.dialog.is_none() {
                    self.ask_session_files();
                    self.dialog = Some(Dialog::Start(form));
                } else if let Some(fault) = form.fault {
                    self.say(format!("{}: {}", start.file, fault.what), Role::Bad);
                }
            }
        }
    }

    /// The lab refused what the form asked for.
    pub(super) fn start_refused(&mut self, why: &str) {
        if let Some(Dialog::Start(form)) = &mut self.dialog {
            (form.asked, form.fault) = (None, Some(why.to_owned().into()));
        }
    }

    /// The answer may never come: the form can be sent again.
    pub(super) fn start_open_again(&mut self) {
        if let Some(Dialog::Start(form)) = &mut self.dialog {
            form.asked = None;
        }
    }

    /// The answer to [`Request::SessionFiles`].
    pub(super) fn take_session_files(&mut self, files: Vec<SessionFileView>) {
        self.session_files = files;
    }

    /// Goes to the next field of the form, or to the previous one; false if no form is open.
    pub(super) fn next_field(&mut self, forwards: bool) -> bool {
        let Some(Dialog::Start(form)) = &mut self.dialog else { return false };
        if form.field == StartField::File && forwards {
            // What was chosen stays visible and can be changed.
            let path = form.path(&self.session_files);
            form.file = path.into();
            form.files = List::default();
        }
        form.field = form.field.beside(forwards);
        true
    }

    /// Picks the device under the cursor, or lets it go; false if there is none to pick.
    pub(super) fn pick_device(&mut self) -> bool {
        let Some(Dialog::Start(form)) = &mut self.dialog else { return false };
        if form.field != StartField::Devices {
            return false;
        }
        let device = usize::try_from(form.devices.cursor).ok().and_then(|row| self.view.devices.get(row));
        if let Some(device) = device
            && !form.picked.remove(&device.serial)
        {
            form.picked.insert(device.serial.clone());
        }
        true
    }

    /// How many rows the list of the form's field has.
    pub(super) fn start_rows(&self, form: &StartForm) -> u64 {
        let rows = match form.field {
            StartField::File => form.matching(&self.session_files).len(),
            StartField::Devices => self.view.devices.len(),
            StartField::Events | StartField::Time => 0,
        };
        rows as u64
    }

    /// Goes on with the session that is meant, if it was interrupted before its end.
    pub fn resume_session(&mut self) {
        let session = self.meant_session();
        match session.map(|session| (session.id, session.state.is_over(), session.resumable)) {
            None => self.say("no session is selected", Role::Warn),
            Some((id, true, true)) => self.go_on(id, false),
            Some((id, true, false)) => {
                self.say(format!("{id} came to its end: nothing is left of it"), Role::Warn);
            }
            Some((id, false, _)) => self.say(format!("{id} has not ended"), Role::Warn),
        }
    }

    /// Goes on with what the palette was given: `s7`, `s7 accept-builds`.
    pub fn resume_named(&mut self, typed: &str) {
        let mut words = typed.split_whitespace();
        let session = words.next().and_then(|word| word.parse::<SessionId>().ok());
        match (session, words.next(), words.next()) {
            (Some(id), None, _) => self.go_on(id, false),
            (Some(id), Some("accept-builds"), None) => self.go_on(id, true),
            _ => self.say(format!("`{typed}` is no session: s12, or s12 accept-builds"), Role::Warn),
        }
    }

    fn go_on(&mut self, session: SessionId, accept_builds: bool) {
        self.say(format!("{session} goes on where it was"), Role::Dim);
        self.effect(Effect::Send(Request::GoOn { session, accept_builds }));
    }
}

/// What is wrong with what was typed.
#[derive(Debug, Error)]
enum NotStarted {
    #[error("name a session file")]
    NoFile,
    #[error("events: `{0}` is no number")]
    Events(String),
    #[error("time: `{0}` is no time: 10h, 30m, 90s")]
    Time(String),
    #[error("`{0}` is none of devices, events, for")]
    Unknown(String),
}

/// Splits a file from what follows it: its name may contain spaces.
fn parse(typed: &str, folder: &str) -> Result<Start, NotStarted> {
    let mut start = Start { folder: folder.to_owned(), ..Start::default() };
    let mut file = typed.trim();
    while let Some((before, word)) = file.rsplit_once(char::is_whitespace) {
        let Some((name, value)) = word.split_once('=') else { break };
        match name {
            "devices" => start.serials = value.split(',').map(str::to_owned).collect(),
            "events" => start.max_events = events(value)?,
            "for" => start.for_s = seconds(value)?,
            _ => return Err(NotStarted::Unknown(name.to_owned())),
        }
        file = before.trim_end();
    }
    start.serials.retain(|serial| !serial.is_empty());
    file.clone_into(&mut start.file);
    Ok(start)
}

/// A number of events; nothing for the file's own.
fn events(typed: &str) -> Result<Option<u64>, NotStarted> {
    let digits: String = typed.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
    match digits.parse() {
        _ if digits.is_empty() => Ok(None),
        Ok(events) => Ok(Some(events)),
        Err(_) => Err(NotStarted::Events(typed.trim().to_owned())),
    }
}

/// A time such as `10h` or `30m`; nothing for no limit.
fn seconds(typed: &str) -> Result<Option<u64>, NotStarted> {
    if typed.trim().is_empty() {
        return Ok(None);
    }
    let time = typed.trim().parse::<jiff::SignedDuration>().ok().map(|time| time.as_secs());
    let time = time.and_then(|seconds| u64::try_from(seconds).ok()).filter(|seconds| *seconds > 0);
    time.map(Some).ok_or_else(|| NotStarted::Time(typed.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_the_name_of_the_file_is_read_from_the_end() {
        let start = |file: &str, serials: &[&str], max_events, for_s| {
            let serials = serials.iter().map(|serial| (*serial).to_owned()).collect();
            Ok(Start { file: file.into(), folder: "/home/ann".into(), serials, max_events, for_s })
        };
        let cases = [
            ("a.toml", start("a.toml", &[], None, None)),
            ("my file.toml", start("my file.toml", &[], None, None)),
            ("a=b.toml", start("a=b.toml", &[], None, None)),
            ("a.toml events=1,000", start("a.toml", &[], Some(1_000), None)),
            ("a.toml  for=1h30m devices=x,y", start("a.toml", &["x", "y"], None, Some(5_400))),
            ("a.toml events=", start("a.toml", &[], None, None)),
            ("a.toml events=many", Err("events: `many` is no number".into())),
            ("a.toml for=-3m", Err("time: `-3m` is no time: 10h, 30m, 90s".into())),
            ("a.toml for=soon", Err("time: `soon` is no time: 10h, 30m, 90s".into())),
            ("a.toml speed=3", Err("`speed` is none of devices, events, for".into())),
        ];
        for (typed, expected) in cases {
            assert_eq!(parse(typed, "/home/ann").map_err(|error| error.to_string()), expected, "{typed}");
        }
    }
}
