//! A simulated app with one of everything a device client has to deal with.

use droidmux::sim::SimApp;
use droidmux::sim::toolkit::{ActivityState, App, Ctx, Env, Input, Manifest, Screen, Throwable, View};

pub const PACKAGE: &str = "com.example.trial";

const MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Trial",
    version_name: "3.1-rc",
    version_code: 31,
    activities: &["MainActivity", "ListActivity"],
    permissions: &["android.permission.CAMERA"],
};

#[derive(Clone, Default)]
struct Trial {
    restless: bool,
}

#[derive(Clone)]
enum Action {
    Crash,
    Hang,
    Ask,
    Hold,
    Rows,
    Load,
    Restless,
}

impl App for Trial {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        if page.activity() == "ListActivity" {
            let rows = (1..=60).map(|n| View::label(format!("row{n}"), format!("Row {n}")).high(60));
            return Screen::new("Rows", View::recycler("rows").children(rows)).up();
        }
        if !page.variable("loads").is_empty() {
            return Screen::new("Trial", View::loading("Loading for ever"));
        }
        let body = View::column()
            .child(View::field("name", "Name"))
            .child(View::label("echo", format!("[{}]", page.field("name"))))
            .child(
                View::button("held", format!("Held {}", page.number("held")), Action::Hold)
                    .on_long_click(Action::Hold),
            )
            .child(View::button("rows", "Rows", Action::Rows))
            .child(View::button("ask", page.variable("answer"), Action::Ask))
            .child(View::button("crash", "Crash", Action::Crash))
            .child(View::button("hang", "Hang", Action::Hang))
            .child(View::button("load", "Load", Action::Load))
            .child(View::button("restless", "Restless", Action::Restless));
        let screen = Screen::new("Trial", body);
        if self.restless { screen.restless() } else { screen }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Opened { .. } => ctx.set("answer", "Ask"),
            Input::Answered { granted, .. } => ctx.set("answer", if granted { "Granted" } else { "Denied" }),
            Input::Act(Action::Hold) => {
                let held = ctx.page().number("held") + 1;
                ctx.save("held", held);
                ctx.toast(format!("Held {held}"));
            }
            Input::Act(Action::Rows) => ctx.start("ListActivity", ""),
            Input::Act(Action::Ask) => ctx.ask("android.permission.CAMERA"),
            Input::Act(Action::Hang) => ctx.hang("Input dispatching timed out"),
            Input::Act(Action::Load) => ctx.set("loads", "yes"),
            Input::Act(Action::Restless) => self.restless = true,
            Input::Act(Action::Crash) => ctx.crash(Throwable {
                class: "java.lang.IllegalStateException",
                message: "pressed".into(),
                frames: vec!["com.example.trial.MainActivity.onClick(MainActivity.java:7)"],
            }),
            _ => {}
        }
    }
}

pub fn app() -> SimApp {
    SimApp::new(MANIFEST, &[], |_| Trial::default())
}
