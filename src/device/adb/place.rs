//! Where the app is run: as which user, on which display.
//!
//! In: what a session chose, and what the device says about its users, its displays and their focus. Out: the words for
//! commands about the app, and the display whose focus counts.
//!
//! Invariants: a phone with one user and one display gets the commands that it would get anyway; what a session chose is
//! never replaced by anything else; once the app was seen on a display, no other display's focus is taken for its own.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::device::AdbDevice;
use crate::DeviceErrorKind;
use crate::output::{DisplayFocus, Focus, Package, read_displays, read_physical};
use droidmux_record::AppPlace;

/// Android 10: `input -d`, and pictures of single displays.
const FIRST_WITH_DISPLAYS: u32 = 29;

/// Prints whose screen it is; nothing before Android 4.2, where there is one user.
pub(super) const CURRENT_USER: &str = "am get-current-user 2>/dev/null";

/// What is known about where the app is run.
#[derive(Debug, Default)]
pub(super) struct Place {
    app: String,
    wanted: AppPlace,
    /// The displays that were listed last.
    displays: Vec<u32>,
    /// The one that the app was seen on last.
    seen: Option<u32>,
    /// The compositor's numbers, as far as they were asked for.
    physical: BTreeMap<u32, Option<u64>>,
    /// By package: the user to name, where there are several.
    users: BTreeMap<String, u32>,
    /// Whose screen it is.
    current: u32,
    /// Which focus was the app's last, in dumps that do not say which display is which.
    part: Option<usize>,
}

/// The word for `input`, with the display it goes to where there are several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Input(pub Option<u32>);

impl std::fmt::Display for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            None => f.write_str("input"),
            Some(display) => write!(f, "input -d {display}"),
        }
    }
}

impl Place {
    /// The app is run so from now on.
    pub(super) fn choose(&mut self, app: &str, wanted: &AppPlace) {
        let (physical, current) = (std::mem::take(&mut self.physical), self.current);
        *self = Self { app: app.to_owned(), wanted: wanted.clone(), physical, current, ..Self::default() };
    }

    /// Takes in whose screen it is, as [`CURRENT_USER`] printed it.
    pub(super) fn is_of_user(&mut self, printed: &str) -> u32 {
        self.current = printed.trim().parse().unwrap_or_default();
        self.current
    }

    /// Which of these displays counts: the chosen one; else the one that the app is on, or was on last; else the main
    /// one; else any that has a focus.
    pub(super) fn pick(&mut self, displays: Vec<DisplayFocus>) -> Option<DisplayFocus> {
        self.displays = displays.iter().map(|display| display.id).collect();
        let with = |id: u32| displays.iter().find(|display| display.id == id).cloned();
        if let Some(chosen) = self.wanted.display {
            return with(chosen);
        }
        let mut on = displays.iter().filter(|display| !self.app.is_empty() && display.focus.is_of(&self.app));
        let seen = self.seen;
        if let Some(display) = on.clone().find(|display| Some(display.id) == seen).or_else(|| on.next()) {
            self.seen = Some(display.id);
            return Some(display.clone());
        }
        if let Some(last) = self.seen.and_then(with) {
            return Some(last);
        }
        let focused = |display: &&DisplayFocus| display.focus.page().is_some();
        let main = with(0).filter(|main| focused(&main));
        main.or_else(|| displays.iter().find(focused).cloned()).or_else(|| displays.first().cloned())
    }

    /// The same for the focuses of a dump that does not name the displays.
    pub(super) fn pick_part(&mut self, mut focuses: Vec<Focus>) -> Option<Focus> {
        let own = focuses.iter().position(|focus| !self.app.is_empty() && focus.is_of(&self.app));
        self.part = own.or(self.part);
        let at = self.part.filter(|at| *at < focuses.len())?;
        Some(focuses.swap_remove(at))
    }

    /// The display that the app is on, as far as that is known: 0 is the main one.
    pub(super) fn display(&self) -> u32 {
        self.wanted.display.or(self.seen).unwrap_or_default()
    }

    /// Whether commands must say which display they mean.
    fn names_display(&self) -> bool {
        self.displays.len() > 1 || self.display() != 0
    }

    /// Where nobody chose an app, the one that is started is looked for.
    pub(super) fn starts(&mut self, app: &str) {
        if self.app.is_empty() {
            app.clone_into(&mut self.app);
        }
    }

    /// The activity that the session starts the app by.
    pub(super) fn activity(&self, app: &str) -> Option<String> {
        self.wanted.activity.clone().filter(|_| app == self.app)
    }

    /// The user that the app is run as.
    pub(super) fn user_of(&self, app: &str) -> u32 {
        self.users.get(app).copied().unwrap_or(self.current)
    }

    /// The user that was chosen for this app.
    fn chosen_user(&self, app: &str) -> Option<u32> {
        self.wanted.user.filter(|_| app == self.app)
    }
}

impl AdbDevice {
    /// ` --user 10` for commands about this app; empty where there is nobody else.
    pub(super) fn as_user(&self, app: &str) -> String {
        self.place().users.get(app).map_or_else(String::new, |user| format!(" --user {user}"))
    }

    /// A line in which `settings` means the user whose screen it is: by itself the tool means user 0.
    pub(super) fn for_current_user<'a>(&self, line: &'a str) -> Cow<'a, str> {
        match self.place().current {
            0 => Cow::Borrowed(line),
            _ if !line.contains("settings ") => Cow::Borrowed(line),
            user => Cow::Owned(format!("settings() {{ command settings --user {user} \"$@\"; }}; {line}")),
        }
    }

    /// ` --display 2` for starts of this app; empty where none was chosen.
    pub(super) fn on_display(&self, app: &str) -> String {
        let place = self.place();
        let chosen = place.wanted.display.filter(|_| app == place.app);
        chosen.map_or_else(String::new, |display| format!(" --display {display}"))
    }

    /// The word for `input`.
    pub(super) async fn input(&self) -> Result<Input, DeviceErrorKind> {
        let display = {
            let place = self.place();
            place.names_display().then(|| place.display())
        };
        let knows = display.is_some() && self.profile().await?.api >= FIRST_WITH_DISPLAYS;
        Ok(Input(display.filter(|_| knows)))
    }

    /// ` -d NUMBER` for `screencap`; empty where there is one display.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Unsupported`] when the app's display is no panel that pictures can be taken of.
    pub(super) async fn of_display(&self) -> Result<String, DeviceErrorKind> {
        let (names, display) = {
            let place = self.place();
            (place.names_display(), place.display())
        };
        if !names || self.profile().await?.api < FIRST_WITH_DISPLAYS {
            return Ok(String::new());
        }
        let known = self.place().physical.get(&display).copied();
        let physical = match known {
            Some(physical) => physical,
            None => {
                let output = self.run("dumpsys display | grep -E 'uniqueId'").await?;
                let physical = read_physical(&output.text(), display);
                self.place().physical.insert(display, physical);
                physical
            }
        };
        match (physical, display) {
            (Some(physical), _) => Ok(format!(" -d {physical}")),
            // The tool's own choice is mostly the main one.
            (None, 0) => Ok(String::new()),
            (None, display) => Err(DeviceErrorKind::Unsupported(format!(
                "display {display} is no panel of its own, so there are no pictures of it; set `[run] screens = \"never\"`"
            ))),
        }
    }

    /// Which user the app is run as, told once: the chosen one; else the current one if it has the app; else the only one
    /// that has.
    ///
    /// # Errors
    /// When the chosen user does not have the app, or several have it and the current one does not.
    pub(super) async fn find_user(
        &self,
        name: &str,
        package: &Package,
        current: &str,
    ) -> Result<(), DeviceErrorKind> {
        let current = self.place().is_of_user(current);
        let chosen = self.place().chosen_user(name);
        let wanted = chosen.unwrap_or(current);
        let mut has = package.users.clone();
        // Some systems tell only of the users that run.
        if !has.contains(&wanted)
            && !package.strangers.contains(&wanted)
            && (chosen.is_some() || current != 0)
        {
            let listed = self.run(&format!("pm list packages --user {wanted} {name} 2>/dev/null")).await?;
            if listed.text().lines().any(|line| line.trim() == format!("package:{name}")) {
                has.push(wanted);
            }
        }
        let several = has.len() + package.strangers.len() > 1 || current != 0 || chosen.is_some();
        let user = match (chosen, has.as_slice()) {
            (Some(chosen), has) if has.contains(&chosen) => chosen,
            (Some(chosen), has) => {
                return Err(DeviceErrorKind::Misplaced(format!(
                    "{name} is not installed for user {chosen}, {}; see `[app] user`",
                    having(has)
                )));
            }
            // Systems before Android 4.2 have one user, and do not say so.
            (None, []) if package.strangers.is_empty() => return Ok(()),
            (None, []) => return Err(DeviceErrorKind::NotInstalled(name.to_owned())),
            (None, has) if has.contains(&current) => current,
            (None, [only]) => *only,
            (None, has) => {
                return Err(DeviceErrorKind::Misplaced(format!(
                    "{name} is not installed for the current user {current}, {}; choose one with `[app] user`",
                    having(has)
                )));
            }
        };
        if several && self.place().users.insert(name.to_owned(), user) != Some(user) && user != 0 {
            self.remark(&format!("{name} is run as user {user}"));
        }
        Ok(())
    }

    /// Takes the session's choice for its app: it holds until the device is put back.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Misplaced`] when there is no such display.
    pub(super) async fn choose_place_now(&self, app: &str, wanted: &AppPlace) -> Result<(), DeviceErrorKind> {
        self.place().choose(app, wanted);
        self.forget_apps();
        let Some(chosen) = wanted.display else { return Ok(()) };
        let displays = read_displays(&self.run(&self.focus_command().await?).await?.text());
        let ids: Vec<String> = displays.iter().map(|display| display.id.to_string()).collect();
        if ids.contains(&chosen.to_string()) || displays.is_empty() && chosen == 0 {
            return Ok(());
        }
        let there = if ids.is_empty() { "0 alone".to_owned() } else { ids.join(", ") };
        Err(DeviceErrorKind::Misplaced(format!(
            "it has no display {chosen}, but {there}; see `[app] display`"
        )))
    }
}

/// Who has the app, in words.
fn having(users: &[u32]) -> String {
    match users {
        [] => "nor for any other that is known".to_owned(),
        users => {
            let users: Vec<String> = users.iter().map(ToString::to_string).collect();
            format!("but for {}", users.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{read_displays, read_focuses};

    fn listed(displays: &[(u32, &str)]) -> Vec<DisplayFocus> {
        let text: String = displays
            .iter()
            .map(|(id, package)| match *package {
                "" => format!("Display: mDisplayId={id}\n mCurrentFocus=null\n mFocusedApp=null\n"),
                package => format!(
                    "Display: mDisplayId={id}\n mCurrentFocus=Window{{1 u0 {package}/{package}.Main}}\n mFocusedApp=ActivityRecord{{2 u0 {package}/.Main t1}}\n"
                ),
            })
            .collect();
        read_displays(&text)
    }

    #[test]
    fn displays_without_names_are_told_by_the_app() {
        let focus = |package: &str| {
            format!("mCurrentFocus=Window{{1 u0 {package}/{package}.Main}}\nmFocusedApp=null\n")
        };
        let rounds = [
            (vec!["a.dash", "a.home"], None),
            (vec!["a.dash", "a.app"], Some("a.app")),
            (vec!["a.dash", "a.home"], Some("a.home")),
            (vec!["a.app"], None),
        ];
        let mut place = Place::default();
        place.choose("a.app", &AppPlace::default());
        for (packages, expected) in rounds {
            let text: String = packages.iter().map(|package| focus(package)).collect();
            let picked = place.pick_part(read_focuses(&text)).and_then(|focus| focus.page());
            assert_eq!(picked.map(|(package, _)| package).as_deref(), expected, "{packages:?}");
        }
    }

    #[test]
    fn the_display_that_the_app_is_on_counts() {
        type Round<'a> = (&'a [(u32, &'a str)], Option<u32>);
        let cases: [(&str, Option<u32>, &[Round<'_>]); 8] = [
            ("its own, wherever it is listed", None, &[(&[(2, "a.dash"), (0, "a.app")], Some(0))]),
            ("on the other one", None, &[(&[(0, "a.home"), (7, "a.app")], Some(7))]),
            ("before it was started, the main one", None, &[(&[(2, "a.dash"), (0, "a.home")], Some(0))]),
            ("a folded phone's other one", None, &[(&[(0, ""), (1, "a.home")], Some(1))]),
            (
                "left for another app, it stays",
                None,
                &[(&[(0, "a.home"), (7, "a.app")], Some(7)), (&[(0, "a.home"), (7, "a.other")], Some(7))],
            ),
            (
                "between two windows, too",
                None,
                &[(&[(2, "a.dash"), (0, "a.app")], Some(0)), (&[(2, "a.dash"), (0, "")], Some(0))],
            ),
            (
                "unfolded, it follows the app",
                None,
                &[(&[(0, ""), (1, "a.app")], Some(1)), (&[(0, "a.app"), (1, "")], Some(0))],
            ),
            (
                "a chosen one, whatever is on it",
                Some(2),
                &[(&[(0, "a.app"), (2, "a.dash")], Some(2)), (&[(0, "a.app")], None)],
            ),
        ];
        for (what, display, rounds) in cases {
            let mut place = Place::default();
            place.choose("a.app", &AppPlace { display, ..AppPlace::default() });
            for (displays, expected) in rounds {
                let picked = place.pick(listed(displays)).map(|display| display.id);
                assert_eq!(picked, *expected, "{what}: {displays:?}");
            }
        }
    }
}
