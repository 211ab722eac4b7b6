//! The home screen: the launcher, itself an app made with the toolkit.

use droidmux_sim_toolkit::platform::Program;
use droidmux_sim_toolkit::{
    ActivityState, App, Arrange, Color, Ctx, DefectSwitches, Env, Extent, Gravity, Input, Manifest, Screen,
    SimApp, View,
};

pub(super) const MANIFEST: Manifest = Manifest {
    package: "com.android.launcher3",
    label: "Launcher3",
    version_name: "13",
    version_code: 33,
    activities: &["uioverrides.QuickstepLauncher", "RecentsActivity"],
    permissions: &[],
};

/// An app as the home screen shows it.
#[derive(Clone, Debug)]
pub(super) struct Shortcut {
    pub package: String,
    pub label: String,
}

/// Apps on the first page, the only one that is shown: what is installed later goes to further pages
/// and changes no screen that was recorded before.
const FIRST_PAGE: usize = 14;

#[derive(Clone)]
struct Home {
    apps: Vec<Shortcut>,
    /// Packages with a task, most recent first.
    recent: Vec<String>,
}

#[derive(Clone)]
enum Action {
    Open(String),
}

/// The launcher for these apps.
pub(super) fn launcher(apps: Vec<Shortcut>, recent: Vec<String>) -> Box<dyn Program> {
    let make = move |_: &DefectSwitches| Home { apps: apps.clone(), recent: recent.clone() };
    SimApp::new(MANIFEST, &[], make).install(&DefectSwitches::none())
}

impl App for Home {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        if page.activity() == "RecentsActivity" { self.recents() } else { self.workspace() }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        if let Input::Act(Action::Open(package)) = input {
            ctx.open_app(&package);
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        // The home screen has nothing behind it.
        ctx.page().activity() != "RecentsActivity"
    }
}

impl Home {
    fn workspace(&self) -> Screen<Action> {
        let icon = |(n, app): (usize, &Shortcut)| {
            View::shortcut(&app.label, Color::nth(n))
                .size(Extent::Dp(84), Extent::Dp(100))
                .on_click(Action::Open(app.package.clone()))
        };
        let icons = View::new("android.view.ViewGroup", Arrange::Flow)
            .id("workspace")
            .fill()
            .pad(12)
            .children(self.apps.iter().take(FIRST_PAGE).enumerate().map(icon));
        Screen::bare(View::frame().id("launcher").fill().background(Color(38, 50, 56)).child(icons))
    }

    fn recents(&self) -> Screen<Action> {
        let task = |package: &String| {
            let label =
                self.apps.iter().find(|app| app.package == *package).map_or(package, |app| &app.label);
            View::frame()
                .id("task")
                .describe(label)
                .high(120)
                .margin(24, 12, 24, 0)
                .background(Color::WHITE)
                .rounded(8)
                .on_click(Action::Open(package.clone()))
                .child(View::label("task_name", label).at(Gravity::Center))
        };
        let mut list = View::recycler("overview_panel").background(Color(38, 50, 56));
        if self.recent.is_empty() {
            list = list.child(View::text("No recent items").ink(Color::WHITE).margin(24, 24, 24, 0));
        }
        Screen::bare(list.children(self.recent.iter().map(task)))
    }
}
