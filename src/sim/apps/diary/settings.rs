//! Settings, and the page about the app.

use super::{Action, MANIFEST, Options, Switch};
use droidmux_sim_toolkit::{Color, Env, Screen, View};

const HINTS: [&str; 4] = [
    "Did you know? A long touch on an activity edits it.",
    "Did you know? Activities can run side by side.",
    "Did you know? A note can have many lines.",
    "Did you know? The diary shows the newest entry first.",
];

pub(super) fn view(options: Options) -> Screen<Action> {
    let row = |title, summary, on, switch| View::setting(title, summary, on, Action::Toggle(switch));
    let list = View::recycler("recycler_view")
        .child(View::label("android:id/title", "Behavior").ink(Color::ORANGE).margin(16, 16, 16, 0))
        .child(row(
            "Select new activities",
            "A freshly created one is chosen at once",
            options.select_new,
            Switch::SelectNew,
        ))
        .child(row("Notification", "Show the current activity", options.notification, Switch::Notification))
        .child(row("Silent notifications", "No alert on changes", options.silent, Switch::Silent));
    Screen::new("Settings", list).up()
}

/// The version, and below it a hint that is different after every launch.
pub(super) fn about(env: &Env) -> Screen<Action> {
    let drawn = env.volatile(1).and_then(|n| usize::try_from(n % 4).ok()).unwrap_or(0);
    let hint = HINTS.get(drawn).copied().unwrap_or_default();
    let body = View::column()
        .fill()
        .pad(16)
        .child(View::label("about_version", format!("Activity Diary {}", MANIFEST.version_name)))
        .child(View::label("about_hint", hint).wide().multiline().ink(Color::FAINT).margin(0, 16, 0, 0));
    Screen::new("About", body).up()
}

impl Options {
    pub(super) fn toggle(&mut self, switch: Switch) {
        let option = match switch {
            Switch::SelectNew => &mut self.select_new,
            Switch::Notification => &mut self.notification,
            Switch::Silent => &mut self.silent,
        };
        *option = !*option;
    }
}
