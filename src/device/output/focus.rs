//! Which window has the focus: `dumpsys window displays` (API 29 and up) or `windows`, and
//! `dumpsys activity activities`; whether the keyboard is up: `dumpsys input_method`.

use super::Component;
use crate::Foreground;

/// What the window manager and the activity manager say about the focus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Focus {
    window: Option<Window>,
    app: Option<Component>,
}

/// A focused window: `Window{hash u0 title}`, on some phones `Window{owner:hash u0 title type=1 }`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Window {
    title: String,
    owner: Option<String>,
}

/// Titles of windows that belong to the system, whatever app lies below. A dialog may carry a title of the app's
/// choice, so any other title counts as the focused app's.
const SYSTEM_WINDOWS: [&str; 14] = [
    "NotificationShade",
    "StatusBar",
    "StatusBarExpanded",
    "NavigationBar",
    "Keyguard",
    "KeyguardScrim",
    "RecentsPanel",
    "VolumeDialog",
    "GlobalActions",
    "ShutdownDialog",
    "AssistPreviewPanel",
    "BiometricPrompt",
    "SearchPanel",
    "StatusBarKeyguard",
];

/// The most focuses that are read.
const MOST_FOCUSES: usize = 32;

impl Focus {
    /// The focused page, when anything has the focus.
    pub fn page(&self) -> Option<(String, String)> {
        let app = || self.app.as_ref().map(|app| (app.package.clone(), app.class.clone()));
        let Some(window) = &self.window else { return app() };
        if let Some(activity) = Component::read(&window.title) {
            return Some((activity.package, activity.class));
        }
        match window.system_package() {
            Some(package) => Some((package, window.title.clone())),
            None => app().or_else(|| Some((window.owner.clone().unwrap_or_default(), window.title.clone()))),
        }
    }

    /// Whether an activity of this package has the focus, below a window of the system or not.
    pub fn is_of(&self, package: &str) -> bool {
        let window = self.window.as_ref().and_then(|window| Component::read(&window.title));
        [&self.app, &window].into_iter().flatten().any(|component| component.package == package)
    }

    /// The foreground according to these answers.
    pub fn foreground(&self, keyboard: bool, rotation: u8) -> Foreground {
        let (package, activity) = self.page().unwrap_or_default();
        Foreground { package, activity, keyboard, rotation }
    }
}

impl Window {
    /// The package of a window that belongs to the system itself.
    fn system_package(&self) -> Option<String> {
        let title = self.title.as_str();
        if title.starts_with("Application Error:") || title.starts_with("Application Not Responding:") {
            return Some("android".to_owned());
        }
        let name = title.trim_end_matches(|c: char| c.is_ascii_digit());
        let system = SYSTEM_WINDOWS.contains(&name);
        system.then(|| self.owner.clone().unwrap_or_else(|| "com.android.systemui".to_owned()))
    }

    /// Reads from after `Window{`.
    fn read(rest: &str) -> Option<Self> {
        let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
        let mut words = inside.split_whitespace();
        let hash = words.next()?;
        let owner = hash.rsplit_once(':').map(|(owner, _)| owner.to_owned());
        let noise =
            |word: &&str| !word.starts_with("type=") && !word.starts_with("paused=") && *word != "EXITING";
        let mut title: Vec<&str> = words.filter(noise).collect();
        if title.first().is_some_and(|word| is_user(word)) {
            title.remove(0);
        }
        (!title.is_empty()).then(|| Self { title: super::capped(&title.join(" "), 200), owner })
    }
}

/// Reads any of the three dumps, or the lines of them that matter.
///
/// With several displays only the one in use has a `mCurrentFocus` that is not null, and the
/// `mFocusedApp` that counts is that display's. Before Android 10 there is one pair at the end.
pub(crate) fn read_focus(text: &str) -> Focus {
    let mut window = None;
    let mut app = None;
    let mut app_is_of_window = false;
    let mut resumed = None;
    let mut line_after_window = false;
    for line in text.lines().map(str::trim) {
        if let Some(value) = line.strip_prefix("mCurrentFocus=") {
            line_after_window = false;
            if window.is_none() {
                window = value.find("Window{").and_then(|at| Window::read(&value[at + "Window{".len()..]));
                line_after_window = window.is_some();
            }
        } else if let Some(value) = line.strip_prefix("mFocusedApp=") {
            let named = record(value);
            if named.is_some() && (app.is_none() || (line_after_window && !app_is_of_window)) {
                app = named;
                app_is_of_window = line_after_window;
            }
        } else if ["topResumedActivity", "mResumedActivity", "ResumedActivity", "mFocusedActivity"]
            .iter()
            .any(|key| line.strip_prefix(key).is_some_and(|rest| rest.starts_with([':', '='])))
        {
            resumed = resumed.or_else(|| record(line));
        }
    }
    Focus { window, app: app.or(resumed) }
}

/// Every focus of a dump that does not say which display is which, in its order; none where there is only one.
pub(crate) fn read_focuses(text: &str) -> Vec<Focus> {
    let mut parts: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("mCurrentFocus=") && parts.len() < MOST_FOCUSES {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    if parts.len() < 2 { Vec::new() } else { parts.iter().map(|part| read_focus(part)).collect() }
}

/// True when the keyboard is on the screen.
pub(crate) fn read_keyboard(text: &str) -> bool {
    text.contains("mInputShown=true") || text.contains("mIsInputViewShown=true")
}

/// True when the keyguard covers the screen.
pub(crate) fn read_locked(text: &str) -> bool {
    ["isKeyguardShowing=true", "isStatusBarKeyguard=true", "mShowingLockscreen=true"]
        .iter()
        .any(|sign| text.contains(sign))
}

/// Quarter turns of the first display, by the forms `mCurrentRotation=ROTATION_90`,
/// `mRotation=1` and `SurfaceOrientation: 1`.
pub(crate) fn read_rotation(text: &str) -> Option<u8> {
    let words = || text.split_whitespace();
    let named = |value: &str| match value {
        "0" | "ROTATION_0" => Some(0),
        "1" | "ROTATION_90" => Some(1),
        "2" | "ROTATION_180" => Some(2),
        "3" | "ROTATION_270" => Some(3),
        _ => None,
    };
    words().find_map(|word| named(word.strip_prefix("mRotation=")?))
}

/// The component of the last `ActivityRecord{hash u0 pkg/.Act t82}` of a line, in any of its forms: nested in tokens,
/// followed by a comma, followed by `} t12}`.
fn record(line: &str) -> Option<Component> {
    let (_, inside) = line.rsplit_once("ActivityRecord{")?;
    inside.split_whitespace().find_map(Component::read)
}

/// `u0`, `u10`.
fn is_user(word: &str) -> bool {
    word.strip_prefix('u').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> String {
        read_focus(text)
            .page()
            .map_or_else(|| "-".into(), |(package, activity)| format!("{package} {activity}"))
    }

    #[test]
    fn every_form_of_focus() {
        let cases = [
            // Android 11 and up.
            (
                "mCurrentFocus=Window{5c4591 u0 com.hq.demo/com.hq.demo.MainActivity}\nmFocusedApp=ActivityRecord{b3a1ec9 u0 com.hq.demo/.MainActivity t82}",
                "com.hq.demo com.hq.demo.MainActivity",
            ),
            // Android 8 and 9: the app in tokens.
            (
                "mCurrentFocus=null\n mFocusedApp=AppWindowToken{20ba847 token=Token{bd93786 ActivityRecord{2f89061 u0 com.android.vending/com.google.MainActivity t19}}}",
                "com.android.vending com.google.MainActivity",
            ),
            (
                "mFocusedApp=Token{b9a89ee ActivityRecord{b9b0b05 u0 com.ss.news/com.ss.detail.* t42567}}",
                "com.ss.news com.ss.detail.*",
            ),
            // Android 4: no user in the window.
            ("mCurrentFocus=Window{40b8c0f8 com.a/com.a.Main paused=false}", "com.a com.a.Main"),
            // Huawei, a comma behind the name.
            ("mFocusedApp=ActivityRecord{16425300 u0 com.h/.Act, isShadow:false t10}", "com.h com.h.Act"),
            // vivo: the owner before the hash, the type behind the title.
            (
                "mCurrentFocus=Window{com.android.systemui:b3ce339 u0 NotificationShade type=2040 }",
                "com.android.systemui NotificationShade",
            ),
            (
                "mCurrentFocus=Window{dc9225c u0 com.k/com.example.MainActivity type=1 }",
                "com.k com.example.MainActivity",
            ),
            // Android 13: a brace before the task.
            (
                "topResumedActivity=ActivityRecord{1a70f4a u0 com.smile/com.y.HomeActivity} t6294}",
                "com.smile com.y.HomeActivity",
            ),
            ("  mResumedActivity: ActivityRecord{1 u0 com.a/.B t3}", "com.a com.a.B"),
            ("  ResumedActivity: ActivityRecord{1 u0 com.a/.B} t3}", "com.a com.a.B"),
            // Windows without an activity's name.
            (
                "mCurrentFocus=Window{1 u0 NotificationShade}\nmFocusedApp=ActivityRecord{2 u0 com.a/.B t1}",
                "com.android.systemui NotificationShade",
            ),
            (
                "mCurrentFocus=Window{1 u0 Application Not Responding: com.a}\nmFocusedApp=ActivityRecord{2 u0 com.a/.B t1}",
                "android Application Not Responding: com.a",
            ),
            ("mCurrentFocus=Window{1 u0 Application Error: com.a}", "android Application Error: com.a"),
            (
                "mCurrentFocus=Window{1 u0 PopupWindow:8f1c}\nmFocusedApp=ActivityRecord{2 u0 com.a/.B t1}",
                "com.a com.a.B",
            ),
            (
                "mCurrentFocus=Window{1 u0 Rename file}\nmFocusedApp=ActivityRecord{2 u0 com.a/.B t1}",
                "com.a com.a.B",
            ),
            // Two displays: the one in use is the one whose focus is not null.
            (
                "mCurrentFocus=null\nmFocusedApp=ActivityRecord{1 u0 com.android.systemui/.subscreen.SubHomeActivity t9}\nmCurrentFocus=Window{2 u0 com.a/com.a.B}\nmFocusedApp=ActivityRecord{2 u0 com.a/.B t1}",
                "com.a com.a.B",
            ),
            (
                "mCurrentFocus=null\nmFocusedApp=ActivityRecord{1 u0 com.s/.Sub t9}\nmCurrentFocus=Window{2 u0 PopupWindow:1}\nmFocusedApp=ActivityRecord{2 u0 com.a/.B t1}",
                "com.a com.a.B",
            ),
            (
                "mCurrentFocus=Window{2 u0 com.a/com.a.B}\nmFocusedApp=ActivityRecord{2 u0 com.a/.B t1}\nmCurrentFocus=null\nmFocusedApp=ActivityRecord{1 u0 com.s/.Sub t9}",
                "com.a com.a.B",
            ),
            // Nothing at all.
            ("mCurrentFocus=null\nmFocusedApp=null", "-"),
            ("mCurrentFocus=Window{\nmFocusedApp=ActivityRecord{", "-"),
            ("", "-"),
        ];
        for (text, expected) in cases {
            assert_eq!(page(text), expected, "{text}");
        }
    }

    #[test]
    fn the_keyboard_and_the_rotation() {
        let keyboard = [
            ("  mShowRequested=true mInputShown=true", true),
            ("mIsInputViewShown=true", true),
            ("mInputShown=false", false),
        ];
        for (text, expected) in keyboard {
            assert_eq!(read_keyboard(text), expected, "{text}");
        }
        let rotation = [
            ("    mRotation=3 mDeferredRotationPauseCount=0\n  mCurrentRotation=ROTATION_90", Some(3)),
            ("mRotation=ROTATION_90", Some(1)),
            ("  mRotation=0\n  mLastOrientation=-1\n mRotation=1", Some(0)),
            ("mRotation=7", None),
            ("", None),
        ];
        for (text, expected) in rotation {
            assert_eq!(read_rotation(text), expected, "{text}");
        }
    }
}
