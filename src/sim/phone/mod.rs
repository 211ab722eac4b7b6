//! One simulated phone.
//!
//! In: taps, keys, text and the requests of a shell (start this, clear that). Out: the dump of the
//! active window, a screenshot, what has the focus, logcat lines.
//!
//! Invariants: synchronous and deterministic; the clock moves only with input, launches and clears;
//! only the active window is in a dump; an app that crashes or hangs is reported in logcat in the
//! words a real phone uses.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicU32;

use image::RgbaImage;

use super::render;
use clock::Clock;
use condition::Freeze;
use droidmux_gui::Point;
use droidmux_sim_toolkit::platform::{Frame, Program, Scene};
use droidmux_sim_toolkit::{DefectSwitches, Env, SimApp};
use drop_box::DropBox;
use logcat::Log;
use settings::Settings;
use system::SystemWindow;

mod accessibility;
mod agent;
mod answer;
mod clock;
mod condition;
mod drop_box;
mod dump;
mod end;
mod home;
mod ime;
mod install;
mod keycode;
mod logcat;
mod night;
mod oddity;
mod options;
mod settings;
mod shade;
mod shell;
mod surroundings;
mod system;
mod task;
mod touch;

#[cfg(test)]
mod compound_tests;
#[cfg(test)]
mod tests;

pub use accessibility::{DROIDBOT_PORT, DROIDBOT_SERVICE};
pub use answer::{DumpFault, Focus, GrantFault, LaunchFault, Launched, Package, UnknownKey, Untypable};
pub use condition::{Condition, Health};
pub use end::End;
pub use ime::{ADB_KEYBOARD, ATX_KEYBOARD, DROIDBOT_KEYBOARD, KeyboardOrder};
pub use logcat::{Buffer, LogLine};
pub use night::Night;
pub(crate) use oddity::Display;
pub use oddity::Oddity;
pub use options::{PhoneOptions, SimBuild};

pub(crate) use install::InstallOptions;

/// A phone with apps installed. See the module's description.
pub struct Phone {
    options: PhoneOptions,
    clock: Clock,
    installed: BTreeMap<String, Installed>,
    /// The apps that it came with, on it or not, and the defects that they came with.
    own: Vec<SimApp>,
    own_defects: DefectSwitches,
    /// Packages in the order of their icons.
    order: Vec<String>,
    /// Packages with a task, most recent first.
    recent: Vec<String>,
    /// Packages with a process, in order of start.
    processes: Vec<String>,
    front: Front,
    /// The display that shows it.
    stage: u32,
    /// The app on the screen, if there is one and the screen is on and unlocked.
    seen: Option<String>,
    launcher: Box<dyn Program>,
    system: Option<SystemWindow>,
    toast: Option<String>,
    /// Pictures taken of what blinks.
    blinks: AtomicU32,
    /// What the last toast said, for those who listen.
    last_toast: Option<String>,
    /// How many toasts there have been.
    toasts: u64,
    /// Where a finger touched the screen last, unless a key or a text came since.
    touched: Option<Point>,
    /// The windows that are drawn in place of the present ones while the screen moves, the active one first.
    drawn: Option<Vec<Scene>>,
    rotation: u8,
    screen_on: bool,
    /// False while it boots: nothing is drawn yet.
    booted: bool,
    boots: u32,
    night: Night,
    health: Health,
    /// The lock screen, while it shows: above all else.
    keyguard: Option<SystemWindow>,
    /// Whether the keyboard is up though no field wants it.
    keyboard_up: bool,
    /// It is said to be up, whether it is or not.
    says_keyboard_up: bool,
    /// Whether the user wants no lock screen.
    lock_disabled: bool,
    /// Whether apps believe that there is a network.
    online_told: bool,
    settings: Settings,
    properties: BTreeMap<String, String>,
    log: Log,
    drop_box: DropBox,
    next_pid: u32,
    /// Number of the app installed next.
    next_number: u32,
}

/// What fills the screen below windows of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Front {
    Home,
    App(String),
}

impl Front {
    fn package(&self) -> &str {
        match self {
            Front::Home => home::MANIFEST.package,
            Front::App(package) => package,
        }
    }
}

struct Installed {
    app: SimApp,
    program: Box<dyn Program>,
    granted: BTreeSet<String>,
    /// How often the user refused a permission.
    denied: u32,
    pid: Option<u32>,
    uid: u32,
    task: u32,
    /// Why it does not respond, when it does not.
    hang: Option<String>,
    frozen: Option<Freeze>,
    /// Languages it is to speak, as tags with commas between; empty for the system's.
    locales: String,
    /// Whether a client installed it.
    from_outside: bool,
}

/// User id of the first app, as on Android.
const FIRST_UID: u32 = 10_100;

impl Installed {
    /// The app that is installed as this number.
    fn new(app: SimApp, program: Box<dyn Program>, number: u32) -> Self {
        Installed {
            app,
            program,
            granted: BTreeSet::new(),
            denied: 0,
            pid: None,
            uid: FIRST_UID.saturating_add(number),
            task: 10_u32.saturating_add(number),
            hang: None,
            frozen: None,
            locales: String::new(),
            from_outside: false,
        }
    }

    /// Whether it takes what happens to it.
    fn reacts(&self) -> bool {
        self.pid.is_some() && self.hang.is_none() && self.frozen.is_none()
    }

    /// The manifest's name of an activity given by its full class name.
    fn activity(&self, full: &str) -> Option<&str> {
        let known = self.app.declaration().activities.iter().find(|activity| activity.full == full);
        known.map(|activity| &*activity.short)
    }
}

impl Phone {
    /// A phone that has just booted and shows its home screen.
    pub fn new(options: PhoneOptions, apps: &[SimApp], defects: &DefectSwitches) -> Self {
        let installed = (0..).zip(apps);
        let installed = installed
            .map(|(n, app)| (app.package().to_owned(), Installed::new(app.clone(), app.install(defects), n)));
        let mut phone = Self {
            clock: Clock::new(options.seed, options.steady),
            installed: installed.collect(),
            own: apps.to_vec(),
            own_defects: defects.clone(),
            order: apps.iter().map(|app| app.package().to_owned()).collect(),
            recent: Vec::new(),
            processes: Vec::new(),
            front: Front::Home,
            stage: 0,
            seen: None,
            launcher: home::launcher(Vec::new(), Vec::new()),
            system: None,
            toast: None,
            blinks: AtomicU32::new(0),
            last_toast: None,
            toasts: 0,
            touched: None,
            drawn: None,
            rotation: 0,
            screen_on: true,
            booted: true,
            boots: 1,
            night: Night::No,
            health: Health::default(),
            keyguard: None,
            keyboard_up: false,
            says_keyboard_up: false,
            lock_disabled: false,
            online_told: true,
            settings: Settings::new(),
            properties: settings::properties(&options),
            log: Log::default(),
            drop_box: DropBox::default(),
            next_pid: 4213,
            next_number: u32::try_from(apps.len()).unwrap_or(u32::MAX >> 1),
            options,
        };
        phone.launcher = phone.new_launcher();
        phone
    }

    /// What the phone was built with.
    pub fn options(&self) -> &PhoneOptions {
        &self.options
    }

    /// Grants or revokes a requested permission.
    ///
    /// # Errors
    /// When the package is unknown or does not request it.
    pub fn grant(&mut self, package: &str, permission: &str, granted: bool) -> Result<(), GrantFault> {
        let Some(installed) = self.installed.get_mut(package) else {
            return Err(GrantFault::NoPackage(package.to_owned()));
        };
        if !installed.app.declaration().permissions.iter().any(|known| known == permission) {
            let (package, permission) = (package.to_owned(), permission.to_owned());
            return Err(GrantFault::NotRequested { package, permission });
        }
        if granted {
            installed.granted.insert(permission.to_owned());
        } else {
            installed.granted.remove(permission);
        }
        Ok(())
    }

    /// Turns the screen: quarter turns, 0 to 3; others are taken modulo 4. Activities are recreated
    /// when this changes between portrait and landscape.
    pub fn set_rotation(&mut self, quarter_turns: u8) {
        let (old, new) = (self.rotation, quarter_turns % 4);
        self.rotation = new;
        self.settings.set("system", "user_rotation", Some(&new.to_string()));
        if old % 2 != new % 2 {
            self.configure();
        }
    }

    /// Quarter turns, 0 to 3.
    pub fn rotation(&self) -> u8 {
        self.rotation
    }

    /// Width and height in pixels in the current rotation.
    pub fn size(&self) -> (u32, u32) {
        let (width, height) = self.options.size;
        if self.rotation.is_multiple_of(2) { (width, height) } else { (height, width) }
    }

    /// The active window as XML, byte for byte as `uiautomator dump` writes it.
    ///
    /// # Errors
    /// When the screen never rests or is off.
    pub fn dump(&self) -> Result<String, DumpFault> {
        if self.is_restless() {
            return Err(DumpFault::NotIdle);
        }
        let scene = self.active_scene()?;
        Ok(dump::xml(&[scene], self.rotation, self.options.sdk, dump::Form::Uiautomator))
    }

    /// The screen as it looks, status bar, keyboard and toasts included.
    pub fn screenshot(&self) -> RgbaImage {
        let env = self.front_env();
        let lit = self.screen_on && self.booted;
        let painter = match self.above() {
            Some(_) => self.keeper_program(),
            None if self.front_hangs() => None,
            None => self.front_program(),
        };
        if lit
            && self.drawn.is_none()
            && let Some(picture) = painter.and_then(|program| program.picture())
        {
            return picture;
        }
        let mut scenes: Vec<Scene> = Vec::new();
        if let Some(program) = self.front_program() {
            scenes = program.scenes(&env);
        }
        scenes.extend(self.system.iter().chain(&self.keyguard).map(|window| window.scene(&env)));
        if let Some(drawn) = &self.drawn {
            // They are drawn from below.
            scenes = drawn.iter().rev().cloned().collect();
        }
        if env.is_night() {
            for node in scenes.iter_mut().flat_map(|scene| &mut scene.nodes) {
                node.style = node.style.at_night();
            }
        }
        let screen = render::Screen {
            frame: env.frame,
            scenes: &scenes,
            keyboard: self.keyboard().then(|| self.keyboard_kind()),
            toast: self.shown_toast(),
            clock: &env.now().clock_text(),
            on: self.screen_on && self.booted,
        };
        self.blinking(render::draw(&screen), env.frame, &scenes)
    }

    /// What has the focus: a window of the system, where one is above the app.
    pub fn focus(&self) -> Focus {
        let package = self.front_package().to_owned();
        let activity = self.front_program().and_then(|program| program.activity()).unwrap_or_default();
        let (mut package, mut activity) = (package, activity);
        let task = self.installed.get(&package).map_or(1, |installed| installed.task);
        if let Some(stranger) = self.front_program().and_then(|program| program.stranger()) {
            package = stranger.to_owned();
        }
        let mut window = format!("{package}/{activity}");
        if let Some(system) = self.above() {
            window = system.title();
            if matches!(system, SystemWindow::Permission { .. }) {
                package = system::PERMISSION_CONTROLLER.into();
                activity = system::GRANT_ACTIVITY.into();
            }
        }
        let process = |package: &String| Some((package.clone(), self.pid_of(package)?));
        let processes = self.processes.iter().filter_map(process).collect();
        Focus { package, activity, window, keyboard: self.keyboard(), task, processes }
    }

    /// Installed packages in alphabetic order.
    pub fn packages(&self) -> Vec<Package> {
        let mut packages: Vec<Package> = self.installed.values().map(described).collect();
        packages.push(Package {
            name: home::MANIFEST.package.into(),
            label: home::MANIFEST.label.into(),
            version_name: home::MANIFEST.version_name.into(),
            version_code: home::MANIFEST.version_code,
            activities: home::MANIFEST
                .activities
                .iter()
                .map(|a| format!("{}.{a}", home::MANIFEST.package))
                .collect(),
            uid: FIRST_UID - 1,
            system: true,
            ..Package::default()
        });
        packages.extend(self.keyboard_package());
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        packages
    }

    /// An installed package by its name, `None` when there is none; parts of the system included.
    pub fn package(&self, name: &str) -> Option<Package> {
        self.packages().into_iter().find(|package| package.name == name)
    }

    /// The process id of a running app.
    pub fn pid_of(&self, package: &str) -> Option<u32> {
        self.installed.get(package)?.pid
    }

    /// How many inputs set off each defect of an app since the app was installed, by the defect's id; defects that
    /// no input set off are left out. An input sets a defect off when the app's data, or what the app shows until
    /// the next input, comes out differently because of it. Nothing that talks to the phone as to a device sees
    /// this.
    pub fn set_off(&self, package: &str) -> BTreeMap<String, u64> {
        self.installed.get(package).map(|installed| installed.program.set_off()).unwrap_or_default()
    }

    /// The phone's clock: milliseconds since 1970.
    pub fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// False while the phone sleeps: nothing is drawn then, and there are no dumps.
    pub fn is_screen_on(&self) -> bool {
        self.screen_on
    }

    fn keyboard(&self) -> bool {
        let raised = self.keyboard_up || self.front_program().is_some_and(|program| program.keyboard());
        self.above().is_none() && raised
    }

    fn frame(&self) -> Frame {
        let (width, height) = self.size();
        let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
        Frame {
            width: side(width),
            height: side(height),
            density: self.options.density,
            font: self.font_percent(),
        }
    }

    fn front_package(&self) -> &str {
        self.front.package()
    }

    fn front_program(&self) -> Option<&dyn Program> {
        match &self.front {
            Front::Home => Some(&*self.launcher),
            Front::App(package) => self.installed.get(package).map(|installed| &*installed.program),
        }
    }

    fn front_program_mut(&mut self) -> Option<&mut Box<dyn Program>> {
        match &self.front {
            Front::Home => Some(&mut self.launcher),
            Front::App(package) => self.installed.get_mut(package).map(|installed| &mut installed.program),
        }
    }

    fn front_hangs(&self) -> bool {
        self.installed.get(self.front_package()).is_some_and(|installed| installed.hang.is_some())
    }

    fn front_env(&self) -> Env {
        self.env_of(Some(self.front_package()))
    }

    /// The phone as this app sees it.
    fn env_of(&self, package: Option<&str>) -> Env {
        let installed = package.and_then(|package| self.installed.get(package));
        Env {
            now_ms: match installed.and_then(|installed| installed.frozen) {
                _ if self.options.steady => clock::START,
                Some(freeze) => freeze.since_ms,
                None => self.clock.now_ms(),
            },
            seed: self.options.seed,
            launches: self.clock.launches,
            steady: self.options.steady,
            granted: installed.map(|installed| installed.granted.clone()).unwrap_or_default(),
            night: self.night == Night::Yes,
            language: self.language_of(package),
            online: self.is_online(),
            frame: self.frame(),
        }
    }
}

fn described(installed: &Installed) -> Package {
    let declared = installed.app.declaration();
    let permission = |name: &String| (name.clone(), installed.granted.contains(name));
    Package {
        name: declared.package.clone(),
        label: declared.label.clone(),
        version_name: declared.version_name.clone(),
        version_code: declared.version_code,
        min_sdk: declared.min_sdk,
        target_sdk: declared.target_sdk,
        launcher: declared.launcher(),
        activities: declared.activities.iter().map(|activity| activity.full.clone()).collect(),
        permissions: declared.permissions.iter().map(permission).collect(),
        install_permissions: declared.install_permissions.clone(),
        uid: installed.uid,
        system: false,
    }
}
