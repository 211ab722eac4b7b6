//! What makes a phone unlike the usual one: users, displays, launchers, words in front of pictures, and what moves in them.
//!
//! In: the kinds that a phone was built with. Out: which users there are and whose an app is, which displays there are and
//! what has their focus, which activities of an app have an icon.
//!
//! Invariant: a phone without oddities has user 0 and display 0, and one icon for each app.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::Ordering;

use droidmux_gui::Bounds;
use droidmux_paint::{Canvas, Color};
use droidmux_sim_toolkit::platform::{Frame, Node, Scene};
use image::RgbaImage;

use super::{Focus, Phone};

/// A kind of phone that people have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oddity {
    /// A work profile: user 10 beside user 0, who goes on being the current one. The apps are the profile's alone.
    WorkProfile,
    /// A car's: nobody works as user 0. The current user is 10, and the apps are its alone.
    Driver,
    /// A second display, 2, with an activity and a focus of its own, which comes first in all lists.
    Cluster,
    /// Each app has several icons, one of an activity that cannot be started, and no default among them.
    Launchers,
    /// Pictures of the screen come with the linker's warnings before them.
    Warnings,
    /// The focused field shows its cursor in every second picture.
    Cursor,
    /// The status bar shows that something is sent in every second picture.
    Arrows,
}

/// A display of a phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Display {
    /// As the window manager counts them.
    pub(crate) id: u32,
    /// As the compositor knows it: `screencap -d` takes this one.
    pub(crate) physical: u64,
}

/// The width of a cursor in pixels.
const CURSOR: i32 = 6;

const MAIN: Display = Display { id: 0, physical: 4_619_827_259_835_644_672 };
const CLUSTER: Display = Display { id: 2, physical: 4_619_827_551_948_147_201 };

impl Oddity {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::WorkProfile,
        Self::Driver,
        Self::Cluster,
        Self::Launchers,
        Self::Warnings,
        Self::Cursor,
        Self::Arrows,
    ];

    /// As it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::WorkProfile => "work-profile",
            Self::Driver => "driver",
            Self::Cluster => "cluster",
            Self::Launchers => "launchers",
            Self::Warnings => "warnings",
            Self::Cursor => "cursor",
            Self::Arrows => "arrows",
        }
    }
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Oddity {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            format!("there is no odd phone `{name}`; there are {known}")
        })
    }
}

impl Phone {
    pub(crate) fn is(&self, oddity: Oddity) -> bool {
        self.options.oddities.contains(&oddity)
    }

    /// With the cursor of a field that has the focus, and the arrows of the network, every second time.
    pub(super) fn blinking(&self, picture: RgbaImage, frame: Frame, scenes: &[Scene]) -> RgbaImage {
        let focused = |node: &&Node| node.flags.focused && !node.bounds.is_empty();
        let mut nodes = scenes.iter().flat_map(|scene| &scene.nodes);
        let field = nodes.find(focused).filter(|_| self.is(Oddity::Cursor));
        let arrows = self.is(Oddity::Arrows);
        let is_seen = field.is_some() || arrows;
        if !is_seen || self.blinks.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
            return picture;
        }
        let mut canvas = Canvas::on(picture);
        if let Some(field) = field {
            let Bounds { left, top, bottom, .. } = field.bounds.intersection(field.inner);
            canvas.fill(Bounds::new(left, top, left + CURSOR, bottom), Color::INK);
        }
        if arrows {
            let bar = frame.status_bar();
            canvas.fill(Bounds::new(bar / 4, bar / 4, bar, bar * 3 / 4), Color::INK);
        }
        canvas.finish()
    }

    /// Users with their names, the first one first.
    pub(crate) fn users(&self) -> Vec<(u32, &'static str)> {
        match (self.is(Oddity::WorkProfile), self.is(Oddity::Driver)) {
            (_, true) => vec![(0, "Driver"), (10, "Owner")],
            (true, false) => vec![(0, "Owner"), (10, "Work profile")],
            (false, false) => vec![(0, "Owner")],
        }
    }

    /// Who uses the phone at the moment.
    pub(crate) fn current_user(&self) -> u32 {
        if self.is(Oddity::Driver) { 10 } else { 0 }
    }

    /// The only user that has the apps.
    pub(crate) fn app_user(&self) -> u32 {
        if self.is(Oddity::WorkProfile) { 10 } else { self.current_user() }
    }

    /// Whether a package is installed for a user. Where there is one user, any number means that one.
    pub(crate) fn is_for(&self, package: &str, user: u32) -> bool {
        let users = self.users();
        let everybody = !self.installed.contains_key(package);
        users.len() == 1
            || users.iter().any(|(known, _)| *known == user) && (everybody || user == self.app_user())
    }

    /// In the order in which the system lists them.
    pub(crate) fn displays(&self) -> Vec<Display> {
        if self.is(Oddity::Cluster) { vec![CLUSTER, MAIN] } else { vec![MAIN] }
    }

    /// The display that shows what the phone shows; on the others something else is to be seen.
    pub(crate) fn stage(&self) -> u32 {
        self.stage
    }

    /// Moves what the phone shows to another display; false if there is no such display.
    pub(crate) fn move_to(&mut self, display: u32) -> bool {
        let known = self.displays().iter().any(|known| known.id == display);
        if known {
            self.stage = display;
        }
        known
    }

    /// What has the focus of a display.
    pub(crate) fn focus_of(&self, display: u32) -> Focus {
        if display == self.stage {
            return self.focus();
        }
        let (package, activity, task) = match display {
            0 => ("com.android.launcher3", "com.android.launcher3.Launcher", 1),
            _ => ("com.android.car.cluster", "com.android.car.cluster.ClusterActivity", 4),
        };
        let (package, activity) = (package.to_owned(), activity.to_owned());
        let window = format!("{package}/{activity}");
        Focus { package, activity, window, task, ..Focus::default() }
    }

    /// `package/full.Activity` of the activities with an icon, in the order of the package manager.
    pub(crate) fn launchers_of(&self, package: &str) -> Vec<String> {
        let Some(declared) = self.installed.get(package).map(|installed| installed.app.declaration()) else {
            return Vec::new();
        };
        let mut launchers: Vec<String> = declared.launcher().into_iter().collect();
        if self.is(Oddity::Launchers) {
            let others = declared.activities.iter().map(|activity| format!("{package}/{}", activity.full));
            launchers.extend(others.filter(|other| Some(other) != declared.launcher().as_ref()).take(1));
            launchers.insert(0, format!("{package}/{package}.IconOfLastSeason"));
        }
        launchers
    }
}
