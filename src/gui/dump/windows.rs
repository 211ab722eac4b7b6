//! The windows of one dump, and which of them make the layout.
//!
//! `uiautomator dump --windows` (AOSP, `AccessibilityNodeInfoDumper.dumpWindowsToFile`) writes every window of every
//! display: `<displays><display id><window title bounds active focused layer type><hierarchy>`. In: all that was read.
//! Out: a layout of the app's window, followed by the windows above it from the lowest to the highest, which is what
//! a person has in front of them. The bars of the system, keyboards, windows below, and other displays are left out,
//! as a dump without `--windows` leaves them out, and are counted.

use std::cmp::Reverse;

use super::Note;
use crate::{Bounds, Layout, LayoutBuilder};
use droidmux_words::number;

/// The packages whose windows are the bars, the shade and the dialogs of the system: Android's, HarmonyOS'.
const SYSTEM: [&str; 3] = ["com.android.systemui", "com.ohos.systemui", "com.ohos.sceneboard"];

/// A window and what is in it.
#[derive(Debug, Default)]
pub(super) struct Window {
    pub display: i64,
    /// The `type` attribute as written.
    pub kind: String,
    /// Events go to it, or it was touched last.
    pub focused: bool,
    pub bounds: Bounds,
    pub layer: i64,
    /// Widgets outside any window: the whole of a plain dump.
    pub implicit: bool,
    pub builder: LayoutBuilder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    App,
    Keyboard,
    System,
    /// Overlays, dividers and what is not known.
    Other,
}

/// A window whose widgets are complete.
struct Closed {
    display: i64,
    kind: Kind,
    focused: bool,
    bounds: Bounds,
    layer: i64,
    /// The number in the dump, which lists the topmost first.
    place: usize,
    layout: Layout,
}

/// The layout of a dump's windows. `app` is the package whose window is wanted, empty when it is not known.
pub(super) fn choose(windows: Vec<Window>, app: &str, notes: &mut Vec<Note>) -> Layout {
    if windows.iter().all(|window| window.implicit) {
        let only = windows.into_iter().next();
        return only.map_or_else(|| LayoutBuilder::new().finish(), |window| window.builder.finish());
    }
    let windows: Vec<Closed> = windows.into_iter().enumerate().map(|(place, w)| w.close(place)).collect();
    let Some(main) = windows.iter().max_by_key(|window| window.claim(app)) else {
        return LayoutBuilder::new().finish();
    };
    let mut above: Vec<&Closed> = windows.iter().filter(|window| window.lies_over(main)).collect();
    above.sort_by_key(|window| (window.layer, Reverse(window.place)));
    note(&windows, main, above.len(), notes);
    let mut builder = LayoutBuilder::new();
    builder.rotation(main.layout.rotation());
    builder.append(&main.layout);
    above.into_iter().for_each(|window| builder.append(&window.layout));
    builder.finish()
}

fn note(windows: &[Closed], main: &Closed, above: usize, notes: &mut Vec<Note>) {
    let read = number::count(above).saturating_add(1);
    let left_out = number::count(windows.len()).saturating_sub(read);
    notes.push(Note::Windows { read, left_out });
    if main.kind != Kind::App || main.layout.is_empty() {
        notes.push(Note::NoAppWindow { windows: number::count(windows.len()) });
    }
    let elsewhere = windows.iter().filter(|w| w.display != main.display && w.kind == Kind::App).count();
    if elsewhere > 0 {
        notes.push(Note::OtherDisplays { windows: number::count(elsewhere) });
    }
}

impl Window {
    fn close(self, place: usize) -> Closed {
        let layout = self.builder.finish();
        let package = layout.roots().next().map_or("", |root| root.package());
        let kind = Kind::of(&self.kind, package);
        let Self { display, focused, bounds, layer, .. } = self;
        Closed { display, kind, focused, bounds, layer, place, layout }
    }
}

impl Closed {
    /// How much speaks for its being the app's window: the greatest is it. A window that says it has the focus is believed
    /// before a larger one; of equals the default display's, the largest and the topmost.
    fn claim(&self, app: &str) -> (bool, bool, bool, bool, i64, i64, Reverse<usize>) {
        let wanted = !app.is_empty() && self.layout.roots().any(|root| root.package() == app);
        let (place, area) = (Reverse(self.place), self.bounds.area());
        (wanted, self.kind == Kind::App, self.focused, self.display == 0, area, self.layer, place)
    }

    /// True for a window above `main` that a person has to do with: one of an app, or one of the system that has the
    /// focus (a shade that is down, a dialog).
    fn lies_over(&self, main: &Closed) -> bool {
        let above = (self.layer, Reverse(self.place)) > (main.layer, Reverse(main.place));
        above
            && self.display == main.display
            && !self.layout.is_empty()
            && match self.kind {
                Kind::App => true,
                Kind::System | Kind::Other => self.focused,
                Kind::Keyboard => false,
            }
    }
}

impl Kind {
    /// By the `type` attribute: its name in AOSP (`AccessibilityWindowInfo.typeToString`) or its number; without one by
    /// the package of what is in the window.
    fn of(name: &str, package: &str) -> Self {
        let name = name.trim().to_ascii_uppercase();
        match name.strip_prefix("TYPE_").unwrap_or(&name) {
            "APPLICATION" | "1" => Self::App,
            "INPUT_METHOD" | "2" => Self::Keyboard,
            "SYSTEM" | "3" => Self::System,
            "" if SYSTEM.contains(&package) => Self::System,
            "" if package.contains("inputmethod") => Self::Keyboard,
            "" => Self::App,
            _ => Self::Other,
        }
    }
}
