//! The app that a simulated phone runs in place of an APK's code.

use std::borrow::Cow;
use std::sync::Arc;

use droidmux_apk::{Apk, is_dangerous};
use droidmux_sim_toolkit::platform::{Declaration, DeclaredActivity};
use droidmux_sim_toolkit::{ActivityState, App, Ctx, Env, Input, Screen, SimApp, View};

/// An app that declares what the package does.
pub(crate) fn app_of(apk: &Apk) -> SimApp {
    let activity =
        |class: &String| DeclaredActivity { short: Cow::Owned(class.clone()), full: class.clone() };
    let asked = |permission: &String| is_dangerous(permission);
    let (permissions, install_permissions) = apk.permissions.iter().cloned().partition(asked);
    let declaration = Declaration {
        package: apk.package.clone(),
        label: apk.label.clone(),
        version_name: apk.version_name.clone(),
        version_code: apk.version_code,
        min_sdk: apk.min_sdk,
        target_sdk: apk.target_sdk,
        activities: apk.activities.iter().map(activity).collect(),
        launcher: apk.launcher.clone(),
        permissions,
        install_permissions,
        input_methods: apk.input_methods.clone(),
        accessibility: apk.accessibility.clone(),
    };
    let stand_in = StandIn { apk: Arc::new(apk.clone()) };
    SimApp::declared(declaration, move |_| stand_in.clone())
}

/// Shows what is known of an app whose code does not run.
#[derive(Clone)]
struct StandIn {
    apk: Arc<Apk>,
}

impl App for StandIn {
    type Action = ();

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<()> {
        let line = |id, text: String| View::label(id, text).margin(16, 8, 16, 0);
        let body = View::column()
            .fill()
            .child(line("app_name", self.apk.label.clone()))
            .child(line("app_package", self.apk.package.clone()))
            .child(line("app_version", format!("Version {}", self.apk.version_name)))
            .child(line("app_activity", page.activity().to_owned()))
            .child(line("app_note", "A simulated phone does not run the code of this app.".to_owned()));
        Screen::new(&self.apk.label, body)
    }

    fn on(&mut self, _input: Input<()>, _ctx: &mut Ctx<'_, ()>) {}
}
