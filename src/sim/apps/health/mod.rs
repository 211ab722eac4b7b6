//! Health: readings of blood pressure, and weights.
//!
//! Modelled on the forms of "Testing the Limits" with ranges and an order: the diastolic pressure is below
//! the systolic one.

use diary::{Reading, Weight};

use super::form::{Undo, passed};
use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp,
};

#[cfg(test)]
pub(super) mod cases;
mod diary;
mod pages;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.health",
    label: "Health",
    version_name: "2.8",
    version_code: 28,
    activities: &[MAIN, NEW_READING, READING, NEW_WEIGHT, SETTINGS, ABOUT],
    permissions: &[],
};

const MAIN: &str = "MainActivity";
const NEW_READING: &str = "pressure.AddReadingActivity";
const READING: &str = "pressure.ReadingActivity";
const NEW_WEIGHT: &str = "weight.AddWeightActivity";
const SETTINGS: &str = "SettingsActivity";
const ABOUT: &str = "AboutActivity";

const LEADING_ZERO: Defect = Defect {
    id: "health.leading-zero",
    kind: DefectKind::WrongBehaviour,
    what: "a systolic pressure with a leading zero is read as an octal number",
    seed: "Testing the Limits: constraints within a widget, digits; Integer.decode takes 0150 for 104",
};
const PULSE: Defect = Defect {
    id: "health.pulse",
    kind: DefectKind::Crash,
    what: "a pulse above 2147483647 is no int",
    seed: "Testing the Limits: constraints within a widget, a range; NumberFormatException of Integer.parseInt",
};
const NOTE_FORMAT: Defect = Defect {
    id: "health.note-format",
    kind: DefectKind::Crash,
    what: "a note with a percent sign is taken for a format",
    seed: "Testing the Limits: special characters inserted into a text; UnknownFormatConversionException",
};
const NOTE_LINES: Defect = Defect {
    id: "health.note-lines",
    kind: DefectKind::DataLoss,
    what: "of a note of several lines only the first is kept",
    seed: "Testing the Limits: special characters inserted into a text; known of diaries kept in files of lines",
};
const FOREIGN_DIGITS: Defect = Defect {
    id: "health.foreign-digits",
    kind: DefectKind::WrongBehaviour,
    what: "a weight in full-width digits passes the check and is kept as 0",
    seed: "Testing the Limits: constraints within a widget, digits; Character.isDigit knows more digits than a pattern",
};
const COMMENT_MARKS: Defect = Defect {
    id: "health.comment-marks",
    kind: DefectKind::Hang,
    what: "a comment with nine combining marks on a letter is laid out for ever",
    seed: "Testing the Limits: special characters inserted into a text; known of text that stacks marks",
};
const DEFECTS: &[Defect] = &[LEADING_ZERO, PULSE, NOTE_FORMAT, NOTE_LINES, FOREIGN_DIGITS, COMMENT_MARKS];

/// The health diary, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Health::new)
}

#[derive(Clone)]
struct Health {
    readings: Vec<Reading>,
    weights: Vec<Weight>,
    next_id: u64,
    /// Whether the list of weights is shown.
    weighs: bool,
    shows_pulse: bool,
    /// Undoes the last deletion.
    undo: Undo<Reading>,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Pressures,
    Weights,
    New,
    SaveReading,
    SaveWeight,
    Open(u64),
    Delete(u64),
    Undo,
    TogglePulse,
    DeleteAll,
    Settings,
    About,
}

impl Health {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            readings: Vec::new(),
            weights: Vec::new(),
            next_id: 1,
            weighs: false,
            shows_pulse: true,
            undo: Undo::default(),
            defects: defects.clone(),
        }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = std::mem::take(&mut self.undo);
        match action {
            Action::Pressures => self.weighs = false,
            Action::Weights => self.weighs = true,
            Action::New => ctx.start(if self.weighs { NEW_WEIGHT } else { NEW_READING }, ""),
            Action::SaveReading => {
                if let Some(reading) = passed(diary::read(self, ctx.page(), self.next_id), ctx) {
                    self.next_id += 1;
                    ctx.finish();
                    ctx.start(READING, reading.id);
                    self.readings.insert(0, reading);
                }
            }
            Action::SaveWeight => {
                if let Some(weight) = passed(diary::read_weight(self, ctx.page()), ctx) {
                    self.weights.insert(0, weight);
                    ctx.finish();
                }
            }
            Action::Open(reading) => ctx.start(READING, reading),
            Action::Delete(id) => {
                self.undo = Undo::delete(&mut self.readings, |reading| reading.id == id);
                if ctx.page().activity() == READING {
                    ctx.finish();
                }
            }
            Action::Undo => undo.bring_back(&mut self.readings),
            Action::TogglePulse => self.shows_pulse = !self.shows_pulse,
            Action::DeleteAll => {
                self.readings.clear();
                self.weights.clear();
            }
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
        }
    }
}

impl App for Health {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            NEW_READING => pages::new_reading(page),
            READING => pages::reading(self, page),
            NEW_WEIGHT => pages::new_weight(page),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::main(self),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        if let Input::Act(action) = input {
            self.act(action, ctx);
        }
    }

    fn process_died(&mut self) {
        self.undo = Undo::default();
    }
}
