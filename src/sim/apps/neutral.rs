//! Events that Android promises are neutral leave every correct app as it was: random walks, and after
//! every few steps all pairs of events.

use droidmux_gui::{Flags, Widget};
use droidmux_sim::PhoneOptions;
use droidmux_sim::phone::Night;
use droidmux_sim_toolkit::DefectSwitches;
use droidmux_testutils::app::{Probe, take_step};

const STEPS: u64 = 80;
/// Steps between two looks.
const EVERY: u64 = 4;

/// A pair of events, by name.
type Pair = (&'static str, fn(&mut Probe, &str));

const PAIRS: [Pair; 9] = [
    ("turned", |probe, _| {
        probe.turn().turn();
    }),
    ("left and returned", |probe, package| {
        probe.key("HOME").launch(package);
    }),
    ("killed in the background", |probe, package| {
        probe.key("HOME").kill(package).launch(package);
    }),
    ("screen off and on", |probe, _| {
        probe.phone.disable_lock(true);
        probe.key("SLEEP").key("WAKEUP");
        probe.phone.disable_lock(false);
    }),
    ("locked and unlocked", |probe, _| {
        probe.key("SLEEP").key("WAKEUP");
        probe.phone.dismiss_keyguard();
    }),
    ("dark and light", |probe, _| {
        probe.phone.set_night(Night::Yes);
        probe.phone.set_night(Night::No);
    }),
    ("German and back", |probe, package| {
        probe.phone.set_app_locales(package, "de-DE");
        probe.phone.set_app_locales(package, "");
    }),
    ("large text and back", |probe, _| {
        probe.phone.set_setting("system", "font_scale", Some("1.3"));
        probe.phone.set_setting("system", "font_scale", Some("1.0"));
    }),
    ("offline and online", |probe, _| {
        probe.phone.set_airplane_mode(true);
        probe.phone.set_airplane_mode(false);
    }),
];

/// What an app shows: of each widget its class, id, text, description and marks.
fn shown(probe: &Probe) -> Vec<String> {
    let layout = probe.layout();
    let line = |widget: Widget<'_>| {
        let marks = [Flags::CHECKED, Flags::SELECTED, Flags::FOCUSED, Flags::ENABLED];
        let marks = marks.map(|flag| u8::from(widget.has(flag)));
        let (text, description) = (widget.text(), widget.description());
        format!("{} {} {text:?} {description:?} {marks:?}", widget.short_class(), widget.short_id())
    };
    layout.widgets().map(line).collect()
}

/// Whether something is there that goes away by itself: a popup, or a snackbar.
fn is_passing(probe: &Probe) -> bool {
    let layout = probe.layout();
    let has = |id: &str| layout.widgets().any(|widget| widget.short_id() == id);
    has("snackbar") || !(has("parentPanel") || has("action_bar_root"))
}

#[test]
fn correct_apps_survive_what_is_neutral() {
    let mut wrong = Vec::new();
    let apps = super::all();
    for package in apps.iter().map(|app| app.package()) {
        for seed in 11..=13 {
            let options = PhoneOptions { seed, ..PhoneOptions::default() };
            let mut probe = Probe::start(package, &apps, &DefectSwitches::none(), options);
            for step in 0..STEPS {
                take_step(&mut probe, package, seed, step);
                if step % EVERY != 0 || is_passing(&probe) {
                    continue;
                }
                if probe.phone.focus().keyboard {
                    probe.key("BACK");
                }
                for (name, perform) in PAIRS {
                    let before = shown(&probe);
                    perform(&mut probe, package);
                    let after = shown(&probe);
                    if probe.crashed() || after != before {
                        let lost: Vec<_> = before.iter().filter(|line| !after.contains(line)).collect();
                        let new: Vec<_> = after.iter().filter(|line| !before.contains(line)).collect();
                        wrong.push(format!("{package}, {seed}/{step}, {name}: {lost:?} became {new:?}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} times: {:#?}", wrong.len(), wrong.iter().take(30).collect::<Vec<_>>());
}
