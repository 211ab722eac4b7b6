//! A unit converter with flash cards to practise: no defect, but two things that look like some.
//!
//! Modelled on the false alarms of "Fully Automated Functional Fuzzing" (RQ3). The refresh button (of
//! UnitConverter) stands in another group than the unit buttons, but changes what they set. The buttons for
//! random order and repetition (of AnyMemo) are members of one group, but change each other's effect.

use super::super::toolkit::{App, Ctx, Env, Input, Manifest, Page, Screen, SimApp, Trap};

mod measure;
mod pages;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.units",
    label: "Units",
    version_name: "1.9",
    version_code: 19,
    activities: &[CONVERT, PRACTISE, ABOUT],
    permissions: &[],
};

const CONVERT: &str = "ConverterActivity";
const PRACTISE: &str = "PractiseActivity";
const ABOUT: &str = "AboutActivity";

const TRAPS: &[Trap] = &[
    Trap { id: "units.refresh", what: "the refresh button swaps what the unit buttons set" },
    Trap {
        id: "units.random-repeat",
        what: "the buttons for random order and repetition change each other's effect",
    },
];

/// The converter, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, &[], |_| Units::default()).with_traps(TRAPS)
}

/// What is set on the pages; kept like preferences.
#[derive(Clone, Debug, Default)]
struct Units {
    from: usize,
    to: usize,
    result: String,
    random: bool,
    repeat: bool,
    /// Cards gone through.
    card: usize,
    answer_shown: bool,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    From(usize),
    To(usize),
    Convert,
    /// The refresh button: takes the other direction.
    Refresh,
    Practise,
    About,
    Random,
    Repeat,
    Show,
    Next,
}

impl App for Units {
    type Action = Action;

    fn view(&self, page: &Page, env: &Env) -> Screen<Action> {
        match page.activity() {
            PRACTISE => pages::practise(self),
            ABOUT => pages::about(),
            _ => pages::convert(self, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        let Input::Act(action) = input else { return };
        match action {
            Action::From(unit) => self.from = unit,
            Action::To(unit) => self.to = unit,
            Action::Refresh => std::mem::swap(&mut self.from, &mut self.to),
            Action::Convert => {
                let value = ctx.field("value");
                match measure::convert(&value, self.from, self.to) {
                    Some(text) => self.result = text,
                    None => ctx.toast("Enter a number"),
                }
                ctx.hide_keyboard();
            }
            Action::Practise => ctx.start(PRACTISE, ""),
            Action::About => ctx.start(ABOUT, ""),
            Action::Random => self.random = !self.random,
            Action::Repeat => self.repeat = !self.repeat,
            Action::Show => self.answer_shown = true,
            Action::Next => {
                self.card = measure::next_card(self.card, self.random, self.repeat);
                self.answer_shown = false;
            }
        }
    }
}
