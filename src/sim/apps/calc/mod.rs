//! Sums: expressions with a history, and bills with a tip that are shared.
//!
//! Modelled on the forms of "Testing the Limits" that take numbers, where the unusual ones are negative,
//! decimal, huge, or written in another way.

use ledger::{Share, Sum};

use super::form::passed;
use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp,
};

#[cfg(test)]
pub(super) mod cases;
mod expression;
mod ledger;
mod pages;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.calc",
    label: "Sums",
    version_name: "1.6.2",
    version_code: 162,
    activities: &[CALCULATOR, RESULT, BILL, SHARE, HISTORY, SETTINGS, ABOUT],
    permissions: &[],
};

const CALCULATOR: &str = "CalculatorActivity";
const RESULT: &str = "ResultActivity";
const BILL: &str = "tip.BillActivity";
const SHARE: &str = "tip.ShareActivity";
const HISTORY: &str = "HistoryActivity";
const SETTINGS: &str = "SettingsActivity";
const ABOUT: &str = "AboutActivity";

const BRACKETS: Defect = Defect {
    id: "calc.brackets",
    kind: DefectKind::Crash,
    what: "more than 100 brackets in each other overflow the stack",
    seed: "Testing the Limits: constraints within a widget, length; StackOverflowError of a recursive reader",
};
const POWER: Defect = Defect {
    id: "calc.power",
    kind: DefectKind::Hang,
    what: "a power with an exponent above a million is multiplied out",
    seed: "Testing the Limits: constraints within a widget, a range; BigDecimal.pow of a huge number",
};
const SMALL_NEGATIVE: Defect = Defect {
    id: "calc.small-negative",
    kind: DefectKind::WrongBehaviour,
    what: "results between -1 and 0 lose their sign",
    seed: "Testing the Limits: numbers, negative and decimal; known of results put together from whole part and fraction",
};
const EXPONENT: Defect = Defect {
    id: "calc.exponent",
    kind: DefectKind::WrongBehaviour,
    what: "1e3 is read as 1, and what follows is not looked at",
    seed: "Testing the Limits: numbers, another notation; known of readers that stop where a number ends",
};
const LABEL_MARKS: Defect = Defect {
    id: "calc.label-marks",
    kind: DefectKind::DataLoss,
    what: "combining marks are missing from the name of a sum",
    seed: "Testing the Limits: special characters inserted into a text; a filter of letters that forgets marks",
};
const NO_PEOPLE: Defect = Defect {
    id: "calc.no-people",
    kind: DefectKind::Crash,
    what: "a bill of 0 people is divided by zero",
    seed: "Testing the Limits: constraints within a widget, a range; ArithmeticException",
};
const DECIMALS: Defect = Defect {
    id: "calc.decimals",
    kind: DefectKind::Crash,
    what: "an amount of more than 15 decimals cannot be scaled",
    seed: "Testing the Limits: numbers, decimal and long; ArithmeticException: Rounding necessary",
};
const DEFECTS: &[Defect] = &[BRACKETS, POWER, SMALL_NEGATIVE, EXPONENT, LABEL_MARKS, NO_PEOPLE, DECIMALS];

/// The calculator, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Calc::new)
}

#[derive(Clone)]
struct Calc {
    /// Newest first.
    history: Vec<Sum>,
    share: Option<Share>,
    keeps_history: bool,
    /// What was cleared last, while it can be brought back.
    undo: Vec<Sum>,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Calculate,
    Split,
    Clear,
    Undo,
    ToggleHistory,
    GoTo(&'static str),
    Stay,
}

impl Calc {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            history: Vec::new(),
            share: None,
            keeps_history: true,
            undo: Vec::new(),
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
            Action::Calculate => {
                if let Some(sum) = passed(ledger::read(self, ctx.page()), ctx) {
                    if !self.keeps_history {
                        self.history.clear();
                    }
                    self.history.insert(0, sum);
                    ctx.start(RESULT, "");
                }
            }
            Action::Split => {
                if let Some(share) = passed(ledger::read_bill(self, ctx.page()), ctx) {
                    self.share = Some(share);
                    ctx.start(SHARE, "");
                }
            }
            Action::Clear => self.undo = std::mem::take(&mut self.history),
            Action::Undo => self.history = undo,
            Action::ToggleHistory => self.keeps_history = !self.keeps_history,
            Action::GoTo(activity) => ctx.start(activity, ""),
            Action::Stay => {}
        }
    }
}

impl App for Calc {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            RESULT => pages::result(self),
            BILL => pages::bill(page),
            SHARE => pages::share(self),
            HISTORY => pages::history(self),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::calculator(page),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        if let Input::Act(action) = input {
            self.act(action, ctx);
        }
    }

    fn process_died(&mut self) {
        self.undo.clear();
    }
}
