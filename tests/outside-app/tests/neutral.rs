//! With all defects off, turning the screen and back, changing to the dark and back, leaving and returning, and being
//! ended in the background change nothing in the benched apps but what their traps tell.

use droidmux::gui::{EventKind, Layout, Point};
use droidmux::sim::{DefectSwitches, Night, PhoneOptions};
use droidmux_testutils::app::Probe;
use outside_app::benched;

/// The walks; any others do as well.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=2;
/// Where a page of the simulated phone ends, at the lowest, while its keyboard is up.
const ABOVE_KEYBOARD: i32 = 1_500;
const TEXTS: [&str; 4] = ["a", "7", "Work", "2 Egg"];

/// A random number, the same for the same seed and step.
fn drawn(seed: u64, step: u64) -> usize {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ step.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 30)).wrapping_mul(0x94d0_49bb_1331_11eb);
    usize::try_from((z ^ (z >> 31)) >> 33).unwrap_or(0)
}

/// Does something that the screen takes; the keyboard is closed afterwards.
fn take_step(probe: &mut Probe, package: &str, chance: usize) {
    let layout = probe.layout();
    let events = layout.events();
    let event = events.get(chance % (events.len() + 1)).and_then(|(kind, widget)| {
        let widget = layout.get(*widget)?;
        let is_field = widget.class() == "android.widget.EditText";
        Some((*kind, widget.bounds().center(), widget.description(), is_field))
    });
    match event {
        Some((EventKind::Edit, at, ..)) => {
            probe.phone.tap(at);
            probe.phone.set_field_text(TEXTS[chance % TEXTS.len()]);
            probe.key("BACK");
        }
        Some((EventKind::LongClick, at, _, false)) => probe.phone.long_press(at),
        Some((EventKind::Scroll(_), at, ..)) => {
            probe.phone.swipe(at, Point { y: at.y - 300, ..at }, 200);
        }
        Some((_, at, description, is_field)) => {
            let opens_keyboard = is_field || description == "Search";
            probe.phone.tap(at);
            if opens_keyboard {
                probe.key("BACK");
            }
        }
        None => {
            probe.key("BACK");
        }
    }
    if probe.phone.focus().package != package {
        probe.launch(package);
    }
}

/// Whether the screen shows what goes with such an event by right: a popup, the keyboard, an offer to undo, a code that
/// was revealed, hidden albums.
fn is_passing(layout: &Layout) -> bool {
    let is_page = |id: &str| matches!(id, "action_bar_root" | "parentPanel");
    let is_popup = !layout.widgets().any(|widget| is_page(widget.short_id()));
    // The page ends above the keyboard, which an event opened by itself.
    let is_typing = layout
        .widgets()
        .any(|widget| widget.short_id() == "action_bar_root" && widget.bounds().bottom < ABOVE_KEYBOARD);
    let passes = |id: &str, text: &str| match id {
        "snackbar_action" => true,
        "code" | "entry_code" => !text.starts_with('•'),
        "album_about" => text.to_lowercase().ends_with("hidden"),
        // A photo that was found; it may be of a hidden album.
        "result_name" => true,
        _ => false,
    };
    is_popup || is_typing || layout.widgets().any(|widget| passes(widget.short_id(), widget.text()))
}

/// What is on the screen, but for the focus, which fields lose behind a lock.
fn dump(probe: &Probe) -> String {
    probe.phone.dump().expect("a dump").replace("focused=\"true\"", "focused=\"false\"")
}

/// The first widget that is another one, before and after.
fn difference(before: &str, after: &str) -> String {
    let mut pairs = before.split('<').zip(after.split('<'));
    pairs.find(|(before, after)| before != after).map_or_else(String::new, |(b, a)| format!("{b} became {a}"))
}

#[test]
fn what_android_promises_to_be_neutral_changes_nothing() {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for app in benched() {
        let package = app.package();
        for seed in SEEDS {
            let apps = std::slice::from_ref(&app);
            let mut probe = Probe::start(package, apps, &DefectSwitches::none(), PhoneOptions::default());
            // After some returns all has come that comes by itself.
            for _ in 0..4 {
                probe.key("HOME").launch(package);
            }
            for step in 0..120 {
                take_step(&mut probe, package, drawn(seed, step));
                if is_passing(&probe.layout()) {
                    continue;
                }
                let mut before = dump(&probe);
                for what in ["turn", "night", "leave", "kill"] {
                    match what {
                        "turn" => drop(probe.turn().turn()),
                        "night" => {
                            probe.phone.set_night(Night::Yes);
                            probe.phone.set_night(Night::No);
                        }
                        "leave" => drop(probe.key("HOME").launch(package)),
                        _ => drop(probe.key("HOME").kill(package).launch(package)),
                    }
                    if probe.shows("unlock") {
                        probe.tap("unlock");
                        if before.contains("parentPanel") {
                            break; // A lock closes dialogs.
                        }
                    }
                    compared += 1;
                    let after = dump(&probe);
                    if after != before {
                        let which = format!("{package} after {what} at step {step} of walk {seed}");
                        wrong.push(format!("{which}: {}", difference(&before, &after)));
                        before = after;
                    }
                }
                if wrong.len() > 5 {
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 1_000, "next to nothing was compared: {compared}");
}
