//! What an app is: a manifest, a view of each of its activities, and what it does on input.

use super::{ActivityState, Ctx, Env, Screen};

/// A simulated app.
///
/// The struct that implements it is the app's process and disk in one: it is made when the app is
/// installed and again when its data is cleared, and it stays while activities come and go.
/// [`App::process_died`] drops what only the process held. A copy of it is a copy of its data.
pub trait App: Clone + Send + 'static {
    /// What touching its widgets can mean.
    type Action: Clone + Send + 'static;

    /// What an activity shows now. Called for every frame: it must be quick and depend on nothing
    /// but its arguments.
    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Self::Action>;

    /// Something happened to the activity on top.
    fn on(&mut self, input: Input<Self::Action>, ctx: &mut Ctx<'_, Self::Action>);

    /// BACK, when neither keyboard, dialog nor drawer took it. True keeps the activity.
    fn on_back(&mut self, _ctx: &mut Ctx<'_, Self::Action>) -> bool {
        false
    }

    /// The process ended (force-stop, crash, or killed in the background): forget what was only in memory.
    fn process_died(&mut self) {}

    /// Whether a service in the foreground, such as one that plays music, keeps the process from being
    /// killed while the app is in the background.
    fn keeps_running(&self) -> bool {
        false
    }
}

/// What happens to an activity.
#[derive(Clone, Debug)]
pub enum Input<A> {
    /// It was created.
    Opened {
        /// True when the system created it again from its saved state: the configuration changed (the screen
        /// was turned or became dark or light, another language, another size of the font), or its process
        /// was killed in the background. An activity below the top learns of it when it comes to the top.
        again: bool,
    },
    /// It came back to the top because the one above it ended.
    Returned,
    /// It left the screen: another app or the home screen is in front, the screen went off, or the lock
    /// screen came. What it shows or starts now is not seen.
    Hidden,
    /// It is on the screen again, its process alive all the while.
    Shown,
    /// The network came or went; see [`Env::is_online`](super::Env::is_online).
    Network,
    /// The user touched something.
    Act(A),
    /// The text of a field changed. The field's id, as given to the view.
    Typed(String),
    /// The user answered a permission request.
    Answered {
        /// The permission that was asked for, by its full name.
        permission: String,
        /// False when the user refused it.
        granted: bool,
    },
}

/// What the system knows of an app without running it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The application id, e.g. `com.example.counter`; no other app on the phone may have it.
    pub package: &'static str,
    /// The name under its icon.
    pub label: &'static str,
    /// The version as people write it, e.g. `1.0`.
    pub version_name: &'static str,
    /// The version as the system compares it.
    pub version_code: u32,
    /// Activities by their names below the package, e.g. `MainActivity`; the first has the
    /// launcher icon.
    pub activities: &'static [&'static str],
    /// Runtime permissions it requests.
    pub permissions: &'static [&'static str],
}

/// An exception that no one catches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Throwable {
    /// E.g. `java.lang.IllegalStateException`.
    pub class: &'static str,
    /// What the log says after the class.
    pub message: String,
    /// The app's own frames, topmost first, e.g.
    /// `org.droidmux.notes.EditActivity.onCreate(EditActivity.java:87)`.
    pub frames: Vec<&'static str>,
}
