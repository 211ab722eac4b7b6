//! What a phone does with an installed app, whatever the app's own types are.

use std::collections::BTreeMap;
use std::fmt;

use image::RgbaImage;

use super::fields::Edit;
use super::scene::Scene;
use super::untyped::Hosted;
use super::{Env, Throwable};
use droidmux_gui::Point;

/// How a phone goes through a time in which nobody touches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meanwhile {
    /// As it is.
    Awake,
    /// It falls asleep, and wakes for alarms and jobs alone.
    Asleep,
}

/// An installed app: its data, and while it runs its back stack.
pub trait Program: Send {
    /// Full class name of the activity on top.
    fn activity(&self) -> Option<String>;

    /// Starts an activity by its short name, or, if that activity is the first of the back stack,
    /// brings the stack to the front as it is; the stack of a killed process is restored from the
    /// saved state.
    fn launch(&mut self, activity: &str, env: &Env) -> Vec<Effect>;

    /// Its windows, the active one last. Empty when it does not run.
    fn scenes(&self, env: &Env) -> Vec<Scene>;

    /// The active window.
    fn active(&self, env: &Env) -> Option<Scene>;

    /// Windows of the system's over the active one that take no keys, such as a heads-up notification.
    fn floating(&self) -> Vec<Scene> {
        Vec::new()
    }

    /// What it draws itself; `None` where its windows are drawn from their widgets.
    fn picture(&self) -> Option<RgbaImage> {
        None
    }

    /// Whether it has the whole screen, without the bars of the system.
    fn fills_screen(&self) -> bool {
        false
    }

    /// The package that owns what it shows, if that is not its own.
    fn stranger(&self) -> Option<&str> {
        None
    }

    /// Whether it draws the phone's shade, with its notifications in it.
    fn draws_shade(&self) -> bool {
        false
    }

    /// Opens or closes the shade that it draws.
    fn shade(&mut self, _open: bool) -> Vec<Effect> {
        Vec::new()
    }

    /// Its notifications, in the lines of `dumpsys notification`.
    fn notifications(&self) -> Vec<String> {
        Vec::new()
    }

    /// Does what the shell's `am` asks of it, if it reads intents itself: the command comes first.
    fn activity_command(&mut self, _words: &[String], _env: &Env) -> Option<(Answered, Vec<Effect>)> {
        None
    }

    /// Hears what happened to the phone.
    fn hear(&mut self, _news: News, _env: &Env) -> Vec<Effect> {
        Vec::new()
    }

    /// Goes through this time, in milliseconds, with what is due in it; `None` when its clock does not move by itself.
    fn pass_time(&mut self, _millis: u64, _meanwhile: Meanwhile, _env: &Env) -> Option<Vec<Effect>> {
        None
    }

    /// True when the activity on top never comes to rest.
    fn is_restless(&self, env: &Env) -> bool;

    /// A finger on its active window.
    fn touch(&mut self, at: Point, touch: Touch, env: &Env) -> Vec<Effect>;

    /// A key.
    fn press(&mut self, key: AppKey, env: &Env) -> Vec<Effect>;

    /// Changes the focused field.
    fn edit(&mut self, edit: Edit<'_>, env: &Env) -> Vec<Effect>;

    /// Changes the focused field several times in the same way, without a look in between; `None` where it takes one
    /// change at a time.
    fn edit_at_once(&mut self, _edit: Edit<'_>, _times: usize, _env: &Env) -> Option<Vec<Effect>> {
        None
    }

    /// The user answered a permission request.
    fn answer(&mut self, permission: &str, granted: bool, env: &Env) -> Vec<Effect>;

    /// It is on the screen: its activities are created again if the configuration changed, and it is told
    /// when it was hidden before.
    fn show(&mut self, env: &Env) -> Vec<Effect>;

    /// It left the screen.
    fn hide(&mut self, env: &Env);

    /// The network came or went.
    fn network(&mut self, env: &Env) -> Vec<Effect>;

    /// Whether it shows the keyboard.
    fn keyboard(&self) -> bool;

    /// Whether what is typed goes to a field of it.
    fn has_focused_field(&self) -> bool;

    /// Something came in front of it.
    fn cover(&mut self);

    /// Ends the process and its back stack.
    fn kill(&mut self);

    /// Ends the process in the background: the back stack stays as its activities saved it.
    fn reclaim(&mut self);

    /// Whether a service in the foreground keeps the process from being [reclaimed](Program::reclaim).
    fn keeps_running(&self) -> bool;

    /// Ends the process and clears the data.
    fn wipe(&mut self);

    /// Its data as it is on the disk; `None` for a program that keeps it elsewhere.
    fn data(&self) -> Option<AppData> {
        None
    }

    /// Ends the process and puts other data, of the same app, in place of its own.
    fn put_data(&mut self, _data: &AppData) {}

    /// How many inputs set a defect off since it was installed, by the defect's id.
    fn set_off(&self) -> BTreeMap<String, u64>;
}

/// The data of an app.
pub struct AppData(Box<dyn Hosted>);

impl AppData {
    pub(super) fn of(app: &dyn Hosted) -> Self {
        let mut copy = app.copied();
        copy.died();
        Self(copy)
    }

    pub(super) fn app(&self) -> Box<dyn Hosted> {
        self.0.copied()
    }
}

impl Clone for AppData {
    fn clone(&self) -> Self {
        Self(self.0.copied())
    }
}

impl fmt::Debug for AppData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AppData")
    }
}

/// What a command of the shell printed, and its exit code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answered {
    /// The output.
    pub output: String,
    /// The error output.
    pub errors: String,
    /// The exit code.
    pub code: i32,
}

/// What happened to the phone around an app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The battery has so many percent, and is charged or not.
    Battery {
        /// Percent, 0 to 100.
        level: u8,
        /// A charger feeds it.
        charging: bool,
    },
    /// The screen went on or off.
    Screen(bool),
    /// The clock was set forward by this many milliseconds, or back.
    ClockSet(i64),
    /// The clock was set to this, in milliseconds since 1970.
    ClockAt(u64),
}

/// What a finger does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// A short touch.
    Tap,
    /// A touch that is held.
    Long,
    /// A drag to this point.
    Drag(Point),
}

/// A key an app gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppKey {
    /// The back key.
    Back,
    /// The menu key.
    Menu,
    /// The enter key.
    Enter,
    /// The tabulator.
    Tab,
}

/// What an app's reaction means to the phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It shows this toast.
    Toast(String),
    /// It asks the user for this permission.
    Ask(String),
    /// It threw an exception that no one caught.
    Crash(Throwable),
    /// An exception that no one caught, in the words of the log.
    Died(Vec<String>),
    /// A line of the app's for the log.
    Log {
        /// The level's letter: `D`, `I`, `W` or `E`.
        level: char,
        /// Who says it.
        tag: String,
        /// What is said.
        message: String,
    },
    /// Not responding, with the reason the system gives.
    Hang(String),
    /// Another app is to come to the front.
    Open(String),
    /// Its last activity ended.
    Left,
    /// It came to the front by itself: a notification of its was touched, or an intent led to it.
    Came,
    /// The shade that it draws was opened or closed.
    Shade(bool),
}
