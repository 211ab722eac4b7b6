//! A unit converter with flash cards to practise: one defect, and two things that only look like defects.
//!
//! Modelled on the false alarms of "Fully Automated Functional Fuzzing" (RQ3). The refresh button (of
//! UnitConverter) stands in another group than the unit buttons, but changes what they set. The buttons for
//! random order and repetition (of AnyMemo) are members of one group, but change each other's effect.

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp, Trap,
};

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

const DARK_UNITS: Defect = Defect {
    id: "units.dark-units",
    kind: DefectKind::WrongBehaviour,
    what: "switching between dark and light sets both units back",
    seed: "Understanding and Finding System Setting-Related Defects in Android Apps: the dark theme resets what was chosen",
};
const DEFECTS: &[Defect] = &[DARK_UNITS];

const TRAPS: &[Trap] = &[
    Trap { id: "units.refresh", what: "the refresh button swaps what the unit buttons set" },
    Trap {
        id: "units.random-repeat",
        what: "the buttons for random order and repetition change each other's effect",
    },
    Trap { id: "units.menu-turn", what: "the overflow menu closes when the screen is turned, as popups do" },
];

/// The converter, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Units::new).with_traps(TRAPS)
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
    /// Whether the page was dark when it was made last.
    night: bool,
    defects: DefectSwitches,
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

impl Units {
    fn new(defects: &DefectSwitches) -> Self {
        Self { defects: defects.clone(), ..Self::default() }
    }

    fn opened(&mut self, night: bool) {
        let changed = std::mem::replace(&mut self.night, night) != night;
        if changed && self.defects.strikes(&DARK_UNITS, (self.from, self.to) != (0, 0)) {
            // The theme's own preferences are written over those of the page.
            (self.from, self.to) = (0, 0);
        }
    }
}

impl App for Units {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            PRACTISE => pages::practise(self),
            ABOUT => pages::about(),
            _ => pages::convert(self, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        let action = match input {
            Input::Act(action) => action,
            Input::Opened { .. } => return self.opened(ctx.env().is_night()),
            _ => return,
        };
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
