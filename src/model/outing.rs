//! Outings: pages of other apps that an app sends people to for something, such as a camera or a picker of files,
//! pictures or people.
//!
//! What comes back from there is part of what the app does, and often the only way to its data. So these pages are
//! states of the model like the app's own, while oracles leave them out: nobody tests the camera.
//!
//! In: a screen outside the app with its layout, and the app's package. Out: whether it is such a page, and the events
//! that may be done on it. Invariants: nothing is typed, turned or held there; what has a field to type into, or
//! something to switch, is no outing, and neither is what belongs to the system.

use super::key::{Offer, offers};
use droidmux_gui::{EventKind, Layout};
use droidmux_record::Screen;

/// Packages with one of these in their names are the phone's own business: what is confirmed there changes the phone,
/// not the app.
const SYSTEM: [&str; 12] = [
    "launcher",
    "systemui",
    "settings",
    "installer",
    "permissioncontroller",
    "vending",
    "gms",
    "dialer",
    "incallui",
    "telecom",
    "inputmethod",
    "securitycenter",
];

/// Last parts of packages of home screens that do not say launcher.
const HOME: [&str; 2] = [".home", ".homescreen"];

/// Which of two apps should do it is asked by the system itself, under this package and one of these names.
const CHOICE: (&str, [&str; 2]) = ("android", ["ResolverActivity", "ChooserActivity"]);

/// The most widgets that a page of an outing has; beyond that it is an app of its own to explore.
const MOST: usize = 400;

/// Whether a screen outside of the app with this package is an outing's.
pub(super) fn is_outing(screen: &Screen, layout: &Layout, own: &str) -> bool {
    let package = screen.package.as_str();
    let asks = package == CHOICE.0 && CHOICE.1.iter().any(|name| screen.activity.ends_with(name));
    let system =
        SYSTEM.iter().any(|part| package.contains(part)) || HOME.iter().any(|end| package.ends_with(end));
    let elsewhere =
        !screen.in_app && !package.is_empty() && package != own && (asks || package.contains('.'));
    elsewhere && !system && layout.widgets().count() <= MOST && only_gives(layout)
}

/// Nothing on it can be typed into or switched on and off for good.
fn only_gives(layout: &Layout) -> bool {
    let takes = |widget: droidmux_gui::Widget<'_>| widget.is_editable() || widget.class().ends_with("Switch");
    layout.widgets().all(|widget| !takes(widget)) && !clicks(layout).is_empty()
}

/// The events that may be done on the page of an outing: clicks, and back.
pub fn outing_offers(layout: &Layout) -> Vec<Offer> {
    let mut all = clicks(layout);
    all.extend(offers(layout).into_iter().filter(|offer| offer.kind == EventKind::Back));
    all
}

fn clicks(layout: &Layout) -> Vec<Offer> {
    let on_widget = |offer: &Offer| offer.kind == EventKind::Click && offer.widget.is_some();
    offers(layout).into_iter().filter(on_widget).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, Flags, LayoutBuilder, NewWidget};

    /// A page of widgets, each `Class text`.
    fn page(widgets: &[&str]) -> Layout {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "android.widget.FrameLayout", ..NewWidget::default() });
        for (widget, n) in widgets.iter().zip(0..) {
            let (class, text) = widget.split_once(' ').unwrap_or((widget, ""));
            let clickable = class != "android.widget.TextView";
            let flags = Flags::ENABLED.with(Flags::CLICKABLE, clickable).with(Flags::LONG_CLICKABLE, true);
            let bounds = Bounds::new(0, n * 10, 90, n * 10 + 9);
            builder.open(NewWidget { class, text, flags, bounds, ..NewWidget::default() });
            builder.close();
        }
        builder.finish()
    }

    #[test]
    fn what_only_gives_something_back_is_an_outing() {
        let camera = ["android.widget.TextView Camera", "android.widget.ImageButton Shutter"];
        let people = ["android.widget.TextView Ada", "android.widget.LinearLayout Grace"];
        let composer = ["android.widget.EditText To", "android.widget.Button Send"];
        let wifi = ["android.widget.Switch Wi-Fi", "android.widget.LinearLayout Network"];
        let nothing = ["android.widget.TextView Loading"];
        for (package, activity, widgets, expected) in [
            ("org.vendor.camera", "org.vendor.camera.Shoot", &camera[..], true),
            ("com.android.documentsui", "com.android.documentsui.picker.PickActivity", &people, true),
            ("android", "com.android.internal.app.ResolverActivity", &people, true),
            ("android", "", &people, false),
            ("org.notes", "org.notes.Hidden", &camera, false),
            ("org.mail", "org.mail.Compose", &composer, false),
            ("org.vendor.wifi", "org.vendor.wifi.Main", &wifi, false),
            ("org.vendor.camera", "org.vendor.camera.Shoot", &nothing, false),
            ("com.vendor.launcher", "com.vendor.launcher.Launcher", &people, false),
            ("com.vendor.home", "com.vendor.home.Launcher", &people, false),
            ("com.android.settings", "com.android.settings.Settings", &people, false),
            ("com.google.android.packageinstaller", "x.UninstallerActivity", &camera, false),
            ("", "", &people, false),
        ] {
            let layout = page(widgets);
            let screen = Screen {
                layout: layout.hash(),
                package: package.into(),
                activity: activity.into(),
                in_app: false,
                rotation: 0,
                keyboard: false,
            };
            assert_eq!(is_outing(&screen, &layout, "org.notes"), expected, "{package} {activity}");
            assert!(!is_outing(&Screen { in_app: true, ..screen }, &layout, "org.notes"), "{package}");
        }
    }

    #[test]
    fn nothing_is_held_or_turned_there() {
        let offers = outing_offers(&page(&["android.widget.Button Done", "android.widget.Button Again"]));
        let kinds: Vec<EventKind> = offers.iter().map(|offer| offer.kind).collect();
        assert_eq!(kinds, [EventKind::Click, EventKind::Click, EventKind::Back]);
    }
}
