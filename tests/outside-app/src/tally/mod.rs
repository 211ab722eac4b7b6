//! Tally: counts what a person likes. Its one defect crashes the overview when nothing was
//! counted and the counts were cleared before.

use droidmux::sim::toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, Env, Input, Manifest, Screen, Throwable, View,
};
use droidmux::sim::{DefectSwitches, SimApp};

pub const PACKAGE: &str = "com.example.tally";
pub const CRASH: &str = "tally.empty-overview";

const MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Tally",
    version_name: "1.0",
    version_code: 1,
    activities: &["MainActivity", "OverviewActivity"],
    permissions: &[],
};

const EMPTY_OVERVIEW: Defect = Defect {
    id: CRASH,
    kind: DefectKind::Crash,
    seed: "made up for this crate",
    what: "the overview divides by the sum of counts that were cleared",
};

const DEFECTS: [Defect; 1] = [EMPTY_OVERVIEW];

#[derive(Clone)]
struct Tally {
    counts: [u32; 2],
    cleared: bool,
    defects: DefectSwitches,
}

#[derive(Clone)]
enum Action {
    Add(usize),
    Clear,
    Overview,
}

const NAMES: [&str; 2] = ["Apples", "Pears"];

impl App for Tally {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        if page.activity() == "OverviewActivity" {
            let sum: u32 = self.counts.iter().sum();
            let body = View::column().child(View::label("sum", format!("{sum} counted")));
            return Screen::new("Overview", body).up();
        }
        let counters = NAMES.iter().enumerate().map(|(n, name)| {
            View::button(format!("add{n}"), format!("{name}: {}", self.counts[n]), Action::Add(n))
        });
        let body = View::column()
            .children(counters)
            .child(View::button("clear", "Clear", Action::Clear))
            .child(View::button("overview", "Overview", Action::Overview));
        Screen::new("Tally", body)
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(Action::Add(n)) => {
                self.counts[n] += 1;
                self.cleared = false;
            }
            Input::Act(Action::Clear) => {
                self.counts = [0; 2];
                self.cleared = true;
            }
            Input::Act(Action::Overview) if self.defects.strikes(&EMPTY_OVERVIEW, self.cleared) => {
                ctx.crash(Throwable {
                    class: "java.lang.ArithmeticException",
                    message: "divide by zero".into(),
                    frames: vec!["com.example.tally.OverviewActivity.onCreate(OverviewActivity.java:12)"],
                });
            }
            Input::Act(Action::Overview) => ctx.start("OverviewActivity", ""),
            _ => {}
        }
    }
}

pub fn app() -> SimApp {
    SimApp::new(MANIFEST, &DEFECTS, |defects: &DefectSwitches| Tally {
        counts: [0; 2],
        cleared: false,
        defects: defects.clone(),
    })
}
