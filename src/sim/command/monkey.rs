//! `monkey`: starting an app from its launcher icon, and random events after that.

use super::{Call, Command, heavy};
use crate::phone::Phone;
use droidmux_gui::Point;
use droidmux_sim_toolkit::platform::scramble;

pub(super) const COMMANDS: &[Command] = &[heavy("monkey", monkey)];

/// Most events of one run: it cannot be interrupted.
const MOST: u64 = 10_000;
const NOTHING_TO_START: i32 = 252;
const WRONG_ARGUMENTS: i32 = 251;
/// Options that take a value.
const WITH_VALUE: [&str; 8] =
    ["-p", "-c", "-s", "-f", "--port", "--setup", "--throttle", "--pkg-whitelist-file"];

/// What a run is asked for.
#[derive(Debug, Default)]
struct MonkeyPlan {
    packages: Vec<String>,
    count: u64,
    seed: Option<u64>,
    verbose: bool,
    ignore_crashes: bool,
    ignore_hangs: bool,
}

impl MonkeyPlan {
    /// `Err` with what is wrong.
    fn read(words: &[String]) -> Result<MonkeyPlan, String> {
        let mut plan = MonkeyPlan::default();
        let mut count = None;
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let is_share = word.starts_with("--pct-");
            let value = if is_share || WITH_VALUE.contains(&word.as_str()) { words.next() } else { None };
            match (word.as_str(), value) {
                ("-p", Some(package)) => plan.packages.push(package.clone()),
                ("-s", Some(seed)) => {
                    plan.seed = Some(seed.parse().map_err(|_| format!("** Error: bad seed {seed}"))?)
                }
                ("-v", _) => plan.verbose = true,
                ("--ignore-crashes", _) => plan.ignore_crashes = true,
                ("--ignore-timeouts", _) => plan.ignore_hangs = true,
                (_, Some(_)) | ("--ignore-security-exceptions" | "--monitor-native-crashes", _) => {}
                ("--ignore-native-crashes" | "--kill-process-after-error" | "--hprof", _) => {}
                (option, None) if option.starts_with('-') => {
                    return Err(format!("** Error: Unknown option: {option}"));
                }
                (number, None) => count = number.parse().ok(),
            }
        }
        plan.count = count.ok_or("** Error: Count not specified")?;
        if plan.count > MOST {
            return Err(format!("** Error: a simulated phone takes {MOST} events at once"));
        }
        Ok(plan)
    }
}

/// `monkey -p PACKAGE… [OPTIONS] COUNT`. The first event is the launch.
fn monkey(call: &mut Call) -> i32 {
    let plan = match MonkeyPlan::read(&call.args(1)) {
        Ok(plan) => plan,
        Err(why) => {
            call.complain(&why);
            return WRONG_ARGUMENTS;
        }
    };
    let launchers: Vec<String> = {
        let phone = call.device.phone();
        let seen = plan.packages.iter().filter(|package| !call.device.is_hidden(package));
        seen.filter_map(|package| phone.launcher_of(package)).collect()
    };
    let Some(first) = launchers.first() else {
        call.line("** No activities found to run, monkey aborted.");
        return NOTHING_TO_START;
    };
    let seed = plan.seed.unwrap_or_else(|| {
        let phone = call.device.phone();
        phone.options().seed ^ phone.now_ms()
    });
    if plan.verbose {
        call.line(&format!(":Monkey: seed={seed} count={}", plan.count));
        for package in &plan.packages {
            call.line(&format!(":AllowPackage: {package}"));
        }
    }
    let (done, crashed) = run(call, &plan, seed, first, &launchers);
    if crashed.is_some() {
        call.line("** Monkey aborted due to error.");
    }
    call.line(&format!("Events injected: {done}"));
    let took = done.saturating_mul(20);
    call.line(&format!(
        "## Network stats: elapsed time={took}ms (0ms mobile, 0ms wifi, {took}ms not connected)"
    ));
    match crashed {
        Some(at) if at + 1 < plan.count => {
            let count = plan.count;
            call.complain(&format!(
                "** System appears to have crashed at event {at} of {count} using seed {seed}"
            ));
            i32::try_from(at & 0xff).unwrap_or(1)
        }
        _ => {
            if plan.verbose {
                call.line("// Monkey finished");
            }
            0
        }
    }
}

/// Returns how many events were sent, and at which one an app crashed or hung.
fn run(
    call: &mut Call,
    plan: &MonkeyPlan,
    seed: u64,
    first: &str,
    launchers: &[String],
) -> (u64, Option<u64>) {
    for number in 0..plan.count {
        let draw = scramble(seed ^ scramble(number));
        let trouble = {
            let mut phone = call.device.phone();
            let before = phone.focus();
            let allowed = plan.packages.contains(&before.package);
            if number == 0 || !allowed {
                let at = usize::try_from(draw % launchers.len().max(1) as u64).unwrap_or(0);
                let component =
                    if number == 0 { first } else { launchers.get(at).map_or(first, String::as_str) };
                // It is installed, else it would not be among the launchers.
                let _ = phone.launch(component);
            } else {
                random_event(&mut phone, draw);
            }
            trouble(&phone, &before.package, before.processes.iter().any(|(name, _)| *name == before.package))
        };
        let ignored = match &trouble {
            None => continue,
            Some(AppEnd::Crash(package)) => {
                call.complain(&format!("// CRASH: {package}"));
                plan.ignore_crashes
            }
            Some(AppEnd::Hang(package)) => {
                call.complain(&format!("// NOT RESPONDING: {package}"));
                plan.ignore_hangs
            }
        };
        if !ignored {
            return (number + 1, Some(number));
        }
        // The process that hangs is in the way until it ends.
        if let Some(AppEnd::Hang(package)) = trouble {
            call.device.phone().force_stop(&package);
        }
        if call.device.session().is_none() {
            return (number + 1, None);
        }
    }
    (plan.count, None)
}

enum AppEnd {
    Crash(String),
    Hang(String),
}

/// What an event did to the app that was in front.
fn trouble(phone: &Phone, package: &str, ran: bool) -> Option<AppEnd> {
    if phone.focus().window.starts_with("Application Not Responding: ") {
        return Some(AppEnd::Hang(package.to_owned()));
    }
    (ran && phone.pid_of(package).is_none()).then(|| AppEnd::Crash(package.to_owned()))
}

/// Mostly touches and drags, sometimes a key.
fn random_event(phone: &mut Phone, draw: u64) {
    const KEYS: [&str; 6] = ["BACK", "MENU", "DPAD_DOWN", "ENTER", "VOLUME_UP", "HOME"];
    let (width, height) = phone.size();
    let side = |number: u64, length: u32| i32::try_from(number % u64::from(length.max(1))).unwrap_or(0);
    let point = |salt: u64| {
        let drawn = scramble(draw ^ salt);
        Point { x: side(drawn & 0xffff_ffff, width), y: side(drawn >> 32, height) }
    };
    match draw % 100 {
        0..=64 => phone.tap(point(1)),
        65..=79 => phone.swipe(point(1), point(2), 200),
        other => {
            let key = KEYS.get(usize::try_from(other - 80).unwrap_or(0) / 4).copied().unwrap_or("BACK");
            // The names above are known.
            let _ = phone.key(key);
        }
    }
}
