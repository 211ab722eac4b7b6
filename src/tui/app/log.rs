//! The Log screen's state: what the lab reported, and what its doctor found.
//!
//! In: pages of the log through a lens (level, source), the doctor's outcome. Out: the rows on screen, and the ways
//! from a line to what it is about.

use std::sync::Arc;

use super::{App, Effect, Screen};
use crate::abilities;
use crate::list::List;
use crate::pages::Pages;
use crate::paint::Words;
use crate::pane::Pane;
use crate::text;
use crate::theme::Role;
use droidmux_proto::{CheckVerdict, CheckView, DoctorView, LogLens, LogLevel, LogRow, Request, Subject};
use droidmux_record::{FindingId, SessionId, Slot, TurnPlace};

pub struct LogScreen {
    pub list: List,
    pub rows: Pages<LogRow>,
    /// Which rows are shown.
    pub lens: LogLens,
    /// The list shows its end as it grows.
    pub follows: bool,
    /// How many warnings and errors have been seen: any beyond these make a badge.
    pub seen: u64,
    pub search: String,
    /// How many lines had been written when the rows that still change were last asked for, and how many rows there
    /// were.
    renewed: (u64, u64),
    pub doctor: DoctorPane,
}

/// What the doctor found, laid out.
#[derive(Default)]
pub struct DoctorPane {
    /// What the lab reported; `None` before that.
    pub view: Option<Arc<DoctorView>>,
    /// The same, with what the cockpit knows of its terminal: this is what is shown.
    pub whole: DoctorView,
    /// The version of it that was asked for.
    pub(super) version: Option<u64>,
    pub list: List,
    pub lines: Vec<Words>,
    /// The first line of each check, for going to its device.
    checks: Vec<(usize, usize)>,
    /// How wide it was laid out, and for which size of the terminal, which is also reported.
    laid_out: Option<(u16, (u16, u16))>,
}

impl Default for LogScreen {
    fn default() -> Self {
        Self {
            list: List::default(),
            rows: Pages::default(),
            lens: LogLens::default(),
            follows: true,
            seen: 0,
            search: String::new(),
            renewed: (0, 0),
            doctor: DoctorPane::default(),
        }
    }
}

impl LogScreen {
    /// The row under the cursor, once it is here.
    pub fn selected(&self) -> Option<&LogRow> {
        self.rows.get(self.list.cursor)
    }

    /// What of the log is shown, in words; empty when it is all of it.
    pub fn narrowed(&self) -> String {
        let level = match self.lens.least {
            LogLevel::Info => "",
            LogLevel::Warn => "warnings",
            LogLevel::Error => "errors",
        };
        let source = match self.lens.source.as_deref() {
            None => String::new(),
            Some("") => "the lab's own".into(),
            Some(source) => format!("of {source}"),
        };
        [level.to_owned(), source].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

impl App {
    /// Shows all lines, then warnings and errors, then errors alone.
    pub fn next_level(&mut self) {
        let least = match self.log.lens.least {
            LogLevel::Info => LogLevel::Warn,
            LogLevel::Warn => LogLevel::Error,
            LogLevel::Error => LogLevel::Info,
        };
        self.look_at_log(LogLens { least, ..self.log.lens.clone() });
    }

    /// Shows only lines from the source of this line, or all again.
    pub fn toggle_source(&mut self) {
        let source = match (&self.log.lens.source, self.log.selected()) {
            (Some(_), _) => None,
            (None, Some(row)) => Some(row.line.source.clone()),
            (None, None) => return self.say("no line is selected", Role::Warn),
        };
        self.look_at_log(LogLens { source, ..self.log.lens.clone() });
    }

    /// Shows only the lines of this source; `lab` is the lab itself.
    pub fn show_source(&mut self, source: &str) {
        let source = if source == LAB { "" } else { source };
        self.go_to(Screen::Log);
        self.look_at_log(LogLens { source: Some(source.to_owned()), ..self.log.lens.clone() });
    }

    /// Sources that the log may have lines of.
    pub fn log_sources(&self) -> Vec<String> {
        let devices = self.view.devices.iter().map(|device| device.serial.clone());
        let sessions = self.view.sessions.iter().map(|session| session.id.to_string());
        [LAB.to_owned(), "adb".into(), "doctor".into()].into_iter().chain(devices).chain(sessions).collect()
    }

    /// Changes what of the log is shown; its end is shown at first.
    pub(super) fn look_at_log(&mut self, lens: LogLens) {
        let (seen, search) = (self.log.seen, std::mem::take(&mut self.log.search));
        let doctor = std::mem::take(&mut self.log.doctor);
        self.log = LogScreen { lens, seen, search, doctor, ..LogScreen::default() };
        if self.log.lens == LogLens::default() {
            self.log.rows.grow(self.view.log_rows);
        }
    }

    /// Goes to the nearest line that has the text searched for.
    pub fn search_log(&mut self, forwards: bool) {
        let (cursor, text) = (self.log.list.cursor, self.log.search.clone());
        if text.is_empty() {
            return self.say("nothing was searched for yet", Role::Dim);
        }
        let from = if forwards { cursor.saturating_add(1) } else { cursor.saturating_sub(1) };
        if !forwards && cursor == 0 {
            return self.say(format!("no earlier line has `{text}`"), Role::Warn);
        }
        self.ask_once(Request::SeekLog { lens: self.log.lens.clone(), from, backwards: !forwards, text });
    }

    pub(super) fn take_sought_line(&mut self, lens: &LogLens, text: &str, row: Option<u64>) {
        match row {
            _ if *lens != self.log.lens => {}
            Some(row) => {
                self.log.follows = false;
                self.log.list.cursor = row;
            }
            None => self.say(format!("no further line has `{text}`"), Role::Warn),
        }
    }

    pub(super) fn take_log(
        &mut self,
        lens: &LogLens,
        (from, len, written): (u64, u64, u64),
        rows: Vec<(u64, LogRow)>,
    ) {
        if *lens != self.log.lens {
            return;
        }
        self.log.rows.grow(len);
        self.log.rows.renew(&rows);
        self.log.rows.insert(from, rows);
        self.log.rows.trim(self.log.list.cursor);
        // Rows that arrive for the first time are new and need not be renewed.
        let (known, before) = self.log.renewed;
        if known == 0 || from <= before.saturating_sub(LogRow::STILL_FOLDED) {
            self.log.renewed = (written.max(known), len);
        }
    }

    /// Asks for the rows on screen, for those that may have been folded since, and for the doctor's outcome.
    pub(super) fn fetch_log(&mut self, height: u16) {
        let lens = self.log.lens.clone();
        let visible = self.log.list.visible(self.log.rows.len(), height);
        if let Some((from, limit)) = self.log.rows.missing(visible) {
            self.ask_once(Request::Log { lens, from, limit });
        } else if self.log.renewed.0 < self.view.log_lines
            && !self.asked.is_waiting_for(|request| matches!(request, Request::Log { .. }))
        {
            let from = self.log.renewed.1.saturating_sub(LogRow::STILL_FOLDED);
            let limit = self.log.rows.len().saturating_sub(from).clamp(LogRow::STILL_FOLDED, MOST_RENEWED);
            self.ask_once(Request::Log { lens, from, limit: u32::try_from(limit).unwrap_or(u32::MAX) });
        }
        let version = self.view.doctor_version;
        if self.log.doctor.version != Some(version) && self.asked.may_send(&Request::Doctor) {
            self.log.doctor.version = Some(version);
            self.effect(Effect::Send(Request::Doctor));
        }
    }

    /// Enter on a line: goes to the finding, the step, the session or the device that it is about.
    pub fn go_to_line(&mut self) {
        let Some(line) = self.log.selected().map(|row| row.line.clone()) else {
            return self.say("no line is selected", Role::Warn);
        };
        let about = About::of(&line.source, &line.text);
        match about {
            About { finding: Some(id), .. } if self.findings.rows.iter().any(|row| row.id == id) => {
                self.open_finding(&id);
            }
            About { session: Some(session), slot: Some(slot), .. } => {
                self.go_to_job_of(session, TurnPlace { slot, turn: 0 });
            }
            About { session: Some(session), .. } => self.open_stored(session),
            _ => self.go_to_device(&line.source),
        }
    }

    /// Shows a device on the Lab screen; says so if there is none of this serial.
    fn go_to_device(&mut self, serial: &str) {
        if !self.view.devices.iter().any(|device| device.serial == serial) {
            return self.say("this line is about the lab itself", Role::Dim);
        }
        self.remember_place();
        self.lab.filter.clear();
        self.show(Screen::Lab);
        self.settle_sessions();
        let row = (0..).map_while(|row| self.device_at(row)).position(|device| device.serial == serial);
        self.devices.cursor = row.map_or(0, |row| row as u64);
        self.set_focus(Pane::Devices);
        self.choose_session(Pane::Devices);
    }

    /// Has the doctor look at everything again.
    pub fn examine(&mut self) {
        if self.log.doctor.view.as_ref().is_some_and(|view| view.running) {
            return self.say("the doctor is at work already", Role::Dim);
        }
        self.effect(Effect::Send(Request::Examine));
        self.say("the doctor looks; devices at work are left to their sessions", Role::Dim);
        self.set_focus(Pane::Doctor);
    }

    pub(super) fn take_doctor(&mut self, view: DoctorView) {
        self.log.doctor.view = (view.at_ms > 0).then(|| Arc::new(view));
        self.log.doctor.laid_out = None;
    }

    /// Enter on a check: goes to the device that it is about.
    pub fn go_to_check(&mut self) {
        let at = usize::try_from(self.log.doctor.list.cursor).unwrap_or(0);
        let pane = &self.log.doctor;
        let check = pane.checks.iter().rev().find(|(line, _)| *line <= at).map(|(_, check)| *check);
        let subject = check.and_then(|check| Some(pane.whole.checks.get(check)?.subject.clone()));
        match subject {
            Some(Subject::Device(serial)) => self.go_to_device(&serial),
            _ => self.set_focus(Pane::Log),
        }
    }

    /// Lays the doctor's outcome out for this width; the terminal's part is the cockpit's own to say.
    pub(super) fn settle_doctor(&mut self, width: u16) {
        let size = (self.area.width, self.area.height);
        if self.log.doctor.laid_out == Some((width, size)) {
            return;
        }
        self.log.doctor.laid_out = Some((width, size));
        let Some(view) = self.log.doctor.view.clone() else {
            self.log.doctor.lines.clear();
            return;
        };
        let mut whole = (*view).clone();
        whole.checks.extend(abilities::seen(&self.options, Some(size)));
        let (lines, checks) = lay_out(&whole, width);
        (self.log.doctor.lines, self.log.doctor.checks, self.log.doctor.whole) = (lines, checks, whole);
    }
}

/// Rows asked for again at once.
const MOST_RENEWED: u64 = 200;
/// What the palette calls the lab among the sources.
const LAB: &str = "lab";

/// What a line of the log is about.
#[derive(Debug, Default, PartialEq, Eq)]
struct About {
    finding: Option<FindingId>,
    session: Option<SessionId>,
    slot: Option<Slot>,
}

impl About {
    /// Reads names as they are written everywhere: `s3-1a2b3c4d`, `s3`, `j12`. What is in the text takes precedence
    /// over the source.
    fn of(source: &str, text: &str) -> Self {
        let words =
            || text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).filter(|word| !word.is_empty());
        // Figures alone are not names here, though they are where a name is asked for.
        let named = || words().filter(|word| word.starts_with('s'));
        let finding = named().find_map(|word| word.parse::<FindingId>().ok());
        let slot = words().find_map(|word| word.strip_prefix('j')?.parse().ok().map(Slot));
        let sources = Some(source).filter(|source| source.starts_with('s'));
        let session = sources.into_iter().chain(named()).find_map(|word| word.parse().ok());
        Self { session: session.or_else(|| finding.as_ref().map(|id| id.session)), finding, slot }
    }
}

/// What is to be done, then subject by subject each check with its verdict; and where each check begins.
fn lay_out(view: &DoctorView, width: u16) -> (Vec<Words>, Vec<(usize, usize)>) {
    let width = usize::from(width).max(20);
    let (mut lines, mut checks) = to_do(view, width);
    let mut subject = None;
    for (number, check) in view.checks.iter().enumerate() {
        if subject != Some(&check.subject) {
            if subject.is_some() {
                lines.push(Vec::new());
            }
            lines.push(vec![(text::safe(&check.subject.heading()).into_owned(), Role::Title)]);
            subject = Some(&check.subject);
        }
        checks.push((lines.len(), number));
        let took = check.ms.filter(|_| !check.said.contains(" ms")).map(|ms| format!(" ({ms} ms)"));
        let head = format!("  {:<8}  {}", check.verdict.name(), check.name);
        let said = format!("{}{}", text::safe(&check.said), took.unwrap_or_default());
        lines.push(vec![
            (format!("  {:<8}  ", check.verdict.name()), role(check.verdict)),
            (check.name.clone(), Role::Text),
        ]);
        // What was seen stands beside its name if there is room.
        let room = width.saturating_sub(text::width(&head) + 2);
        if text::width(&said) <= room {
            if let Some(line) = lines.last_mut() {
                line.push((format!("  {said}"), Role::Dim));
            }
        } else {
            lines.extend(indented(&said, width, Role::Dim));
        }
    }
    (lines, checks)
}

/// What is bad or doubtful, worst first, with what to do; devices with the same problem are listed together.
fn to_do(view: &DoctorView, width: usize) -> (Vec<Words>, Vec<(usize, usize)>) {
    let wanting = view.checks.iter().enumerate().filter(|(_, check)| !check.remedy.is_empty());
    let mut groups: Vec<Vec<(usize, &CheckView)>> = Vec::new();
    for (number, check) in wanting {
        let same = |group: &&mut Vec<(usize, &CheckView)>| {
            let first = group.first().map(|(_, first)| (first.verdict, &first.name, &first.remedy));
            first == Some((check.verdict, &check.name, &check.remedy))
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push((number, check)),
            None => groups.push(vec![(number, check)]),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.first().map(|(_, check)| check.verdict)));
    let (mut lines, mut checks): (Vec<Words>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    if !groups.is_empty() {
        lines.push(vec![("What to do".to_owned(), Role::Title)]);
    }
    for group in &groups {
        let Some((number, check)) = group.first() else { continue };
        checks.push((lines.len(), *number));
        let whose: Vec<String> = group.iter().map(|(_, check)| check.subject.heading()).collect();
        lines.push(vec![
            (format!("  {:<8}  ", check.verdict.name()), role(check.verdict)),
            (check.name.clone(), Role::Text),
        ]);
        lines.extend(indented(&text::safe(&whose.join(", ")), width, Role::Dim));
        lines.extend(indented(&text::safe(&check.remedy), width, Role::Key));
    }
    if !groups.is_empty() {
        lines.push(Vec::new());
    }
    (lines, checks)
}

fn indented(words: &str, width: usize, role: Role) -> Vec<Words> {
    const INDENT: &str = "            ";
    let wrapped = text::wrap(words, width.saturating_sub(INDENT.len()).max(10));
    wrapped.into_iter().map(|line| vec![(INDENT.to_owned(), Role::Dim), (line, role)]).collect()
}

/// The colour of a verdict; its word stands beside it.
pub fn role(verdict: CheckVerdict) -> Role {
    match verdict {
        CheckVerdict::Good => Role::Good,
        CheckVerdict::Skipped => Role::Dim,
        CheckVerdict::Doubtful => Role::Warn,
        CheckVerdict::Bad => Role::Bad,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_tell_what_they_are_about() {
        let finding = |session, key| Some(FindingId { session: SessionId(session), key });
        let about = |finding, session: u32, slot: Option<u64>| About {
            finding,
            session: (session > 0).then_some(SessionId(session)),
            slot: slot.map(Slot),
        };
        let cases = [
            ("sim-1", "battery 7 %, charging to 20 %", about(None, 0, None)),
            ("s3", "phase mutants", about(None, 3, None)),
            ("s3", "batch of j12: the app is gone", about(None, 3, Some(12))),
            ("sim-1", "leased by s4", about(None, 4, None)),
            ("", "example of s2-0000002a (crash)", about(finding(2, 42), 2, None)),
            ("s1", "finding s1-00000001 confirmed by 2 of 3 replays", about(finding(1, 1), 1, None)),
            ("adb", "the ADB server answers again", About::default()),
            ("sim-1", "jj s jx sims", About::default()),
        ];
        for (source, text, expected) in cases {
            assert_eq!(About::of(source, text), expected, "{source}: {text}");
        }
    }
}
