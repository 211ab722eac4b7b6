//! `am`: starting, stopping and broadcasting.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{Call, Command, light};
use crate::phone::{ADB_KEYBOARD, ATX_KEYBOARD, DROIDBOT_KEYBOARD, KeyboardOrder, Launched};

pub(super) const COMMANDS: &[Command] = &[light("am", am)];

/// `am COMMAND …`, also as `cmd activity COMMAND …`.
pub(super) fn am(call: &mut Call) -> i32 {
    match call.arg(1) {
        "start" | "start-activity" => start(call),
        "kill" => {
            let package = call.words.last().cloned().unwrap_or_default();
            if call.has_app(&package, call.user_or_all()) {
                call.device.phone().kill_in_background(&package);
            }
            0
        }
        "kill-all" => {
            call.device.phone().kill_all_in_background();
            0
        }
        "force-stop" | "stop-app" => {
            let package = call.words.last().cloned().unwrap_or_default();
            if call.has_app(&package, call.user_or_all()) {
                call.device.phone().force_stop(&package);
            }
            0
        }
        "set-debug-app" | "clear-debug-app" | "compat" | "wait-for-broadcast-idle" => 0,
        "broadcast" => broadcast(call),
        "crash" => crash(call),
        "startservice"
        | "start-service"
        | "startforegroundservice"
        | "start-foreground-service"
        | "stopservice"
        | "stop-service" => service(call),
        "get-current-user" => {
            let user = call.device.phone().current_user();
            call.line(&user.to_string());
            0
        }
        "stack" | "task" if call.arg(2) == "list" => {
            let focus = call.device.phone().focus();
            call.line(&format!(
                "RootTask id={0} bounds=[0,0][1080,1920] displayId=0 userId=0\n  taskId={0}: {1} bounds=[0,0][1080,1920] userId=0 visible=true topActivity=ComponentInfo{{{1}}}",
                focus.task,
                format_args!("{}/{}", focus.package, focus.activity)
            ));
            0
        }
        other => {
            let text = format!("Unknown command: {other}");
            call.unknown();
            call.complain(&text);
            255
        }
    }
}

/// What `am start` was asked to do.
#[derive(Default)]
struct Intent {
    component: Option<String>,
    action: Option<String>,
    categories: Vec<String>,
    package: Option<String>,
    data: Option<String>,
    wait: bool,
    stop_first: bool,
    display: Option<u32>,
    /// Whether it says more than which app or page is to be opened.
    says_more: bool,
}

impl Intent {
    fn read(words: &[String]) -> Intent {
        let mut intent = Intent::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-n" => intent.component = words.next().cloned(),
                "-a" => intent.action = words.next().cloned(),
                "-c" => intent.categories.extend(words.next().cloned()),
                "-p" => intent.package = words.next().cloned(),
                "-d" => intent.data = words.next().cloned(),
                "--display" => intent.display = words.next().and_then(|number| number.parse().ok()),
                "-W" => intent.wait = true,
                "-S" => intent.stop_first = true,
                "-f"
                | "-t"
                | "--user"
                | "--windowingMode"
                | "--activity-task-on-home"
                | "-R"
                | "--es"
                | "--ez"
                | "--ei"
                | "--el"
                | "--ef"
                | "-e"
                | "--esn"
                | "--eu" => {
                    // Extras have a name and a value, the others only a value.
                    let has_name = word.starts_with("--e") && word != "--esn" || word == "-e";
                    words.nth(usize::from(has_name));
                    intent.says_more |=
                        word.starts_with("--e") || matches!(word.as_str(), "-e" | "-f" | "-t");
                }
                option if option.starts_with('-') => intent.says_more = true,
                bare if bare.contains('/') && !bare.contains(':') => intent.component = Some(bare.to_owned()),
                bare if bare.contains(':') => intent.data = Some(bare.to_owned()),
                bare => intent.package = Some(bare.to_owned()),
            }
        }
        let opens = |action: &String| action == "android.intent.action.MAIN";
        intent.says_more |= intent.data.is_some() || !intent.action.as_ref().is_none_or(opens);
        intent
    }

    /// As the tool prints it: short component, in the order of the framework.
    fn text(&self) -> String {
        let mut text = String::from("Intent {");
        if let Some(action) = &self.action {
            text += &format!(" act={action}");
        }
        if !self.categories.is_empty() {
            text += &format!(" cat=[{}]", self.categories.join(","));
        }
        if let Some(data) = &self.data {
            text += &format!(" dat={data}");
        }
        if let Some(package) = &self.package {
            text += &format!(" pkg={package}");
        }
        if let Some(component) = &self.component {
            text += &format!(" cmp={}", short(component));
        }
        text + " }"
    }
}

/// `a.b/a.b.C` as `a.b/.C`.
pub(super) fn short(component: &str) -> String {
    let Some((package, class)) = component.split_once('/') else { return component.to_owned() };
    match class.strip_prefix(package).filter(|rest| rest.starts_with('.')) {
        Some(rest) => format!("{package}/{rest}"),
        None => component.to_owned(),
    }
}

/// `a.b/.C` as `a.b/a.b.C`.
pub(super) fn full(component: &str) -> String {
    match component.split_once('/') {
        Some((package, class)) if class.starts_with('.') => format!("{package}/{package}{class}"),
        _ => component.to_owned(),
    }
}

/// Lets an app that reads intents itself answer: what names it, and what names nobody and says more than to open it.
fn by_app(call: &mut Call, intent: &Intent) -> Option<i32> {
    let named = intent.component.as_deref().and_then(|component| component.split('/').next());
    let package = named.or(intent.package.as_deref()).map(str::to_owned);
    let words = call.args(1);
    let answered = call.device.phone().activity_command(package.as_deref(), &words)?;
    call.print(&answered.output);
    for line in answered.errors.lines() {
        call.complain(line);
    }
    Some(answered.code)
}

fn start(call: &mut Call) -> i32 {
    let intent = Intent::read(&call.args(2));
    if intent.says_more
        && let Some(code) = by_app(call, &intent)
    {
        return code;
    }
    call.line(&format!("Starting: {}", intent.text()));
    if intent.categories.iter().any(|category| category == "android.intent.category.HOME") {
        call.device.phone().home();
        return 0;
    }
    let launcher = intent.categories.iter().any(|category| category == "android.intent.category.LAUNCHER");
    let component = match (&intent.component, &intent.package) {
        (Some(component), _) => Some(component.clone()),
        (None, Some(package)) if launcher || intent.action.is_none() => {
            call.device.phone().launchers_of(package).into_iter().next()
        }
        _ => None,
    };
    let Some(component) = component else {
        call.complain(&format!("Error: Activity not started, unable to resolve {}", intent.text()));
        return 1;
    };
    let package = component.split('/').next().unwrap_or_default().to_owned();
    if intent.stop_first {
        call.device.phone().force_stop(&package);
    }
    let usual = call.device.phone().current_user();
    let here = call.has_app(&package, call.user(usual));
    let (before, outcome) = {
        let mut phone = call.device.phone();
        let before = phone.focus();
        let outcome = if here { phone.launch(&component).ok() } else { None };
        if outcome.is_some() {
            // Where it is already, unless it is told where to go.
            let stage = intent.display.unwrap_or(phone.stage());
            phone.move_to(stage);
        }
        (before, outcome)
    };
    let Some(launched) = outcome else {
        call.complain(&format!(
            "Error type 3\nError: Activity class {{{}}} does not exist.",
            full(&component)
        ));
        return 1;
    };
    let was_in_front = format!("{}/{}", before.package, before.activity) == full(&component);
    report(call, &intent, &launched, was_in_front);
    if launched.cold {
        call.device.began_app();
    }
    0
}

fn report(call: &mut Call, intent: &Intent, launched: &Launched, was_in_front: bool) {
    const DELIVERED: &str =
        "Warning: Activity not started, intent has been delivered to currently running top-most instance.";
    const BROUGHT: &str = "Warning: Activity not started, its current task has been brought to the front";
    let warning = if launched.cold {
        None
    } else if was_in_front {
        Some(DELIVERED)
    } else {
        Some(BROUGHT)
    };
    // With -W warnings go to the output, without it to the error output.
    match warning {
        Some(text) if intent.wait => call.line(text),
        Some(text) => call.complain(text),
        None => {}
    }
    if intent.wait {
        let state = if launched.cold { "COLD" } else { "HOT" };
        let took = call.device.latency.launch.as_millis();
        call.line(&format!(
            "Status: ok\nLaunchState: {state}\nActivity: {}\nTotalTime: {took}\nWaitTime: {}\nComplete",
            short(&launched.component),
            took + 3
        ));
    }
}

/// `am crash [--user U] PACKAGE|PID`: the app is made to crash; one that does not run is left alone.
fn crash(call: &mut Call) -> i32 {
    let wanted = call.words.last().cloned().unwrap_or_default();
    if call.words.len() < 3 {
        return call
            .exception("crash", "java.lang.IllegalArgumentException: Argument expected after \"crash\"");
    }
    let mut phone = call.device.phone();
    let running = phone.focus().processes;
    let process = running.into_iter().find(|(name, pid)| *name == wanted || pid.to_string() == wanted);
    if let Some((package, _)) = process {
        phone.crash_by_shell(&package);
    }
    0
}

/// `am startservice` and its kin: no simulated app has a service.
fn service(call: &mut Call) -> i32 {
    let intent = Intent::read(&call.args(2));
    if let Some(code) = by_app(call, &intent) {
        return code;
    }
    let verb = if call.arg(1).starts_with("stop") { "Stopping" } else { "Starting" };
    call.line(&format!("{verb} service: {}", intent.text()));
    if verb == "Stopping" {
        call.complain("Service not stopped: was not running.");
    } else {
        call.complain("Error: Not found; no service started.");
    }
    255
}

fn broadcast(call: &mut Call) -> i32 {
    let intent = Intent::read(&call.args(2));
    let to_keyboard = ["ADB_", "DROIDBOT_"];
    let action = intent.action.as_deref().unwrap_or_default();
    if !to_keyboard.iter().any(|prefix| action.starts_with(prefix))
        && let Some(code) = by_app(call, &intent)
    {
        return code;
    }
    let mut text = intent.text();
    text.insert_str(text.len() - 2, " flg=0x400000");
    call.line(&format!("Broadcasting: {text}"));
    let action = intent.action.as_deref().unwrap_or_default();
    let result = match action.strip_prefix("ADB_KEYBOARD_") {
        Some(order) => tell_atx(call, order),
        None => {
            tell_keyboards(call, action);
            "result=0"
        }
    };
    call.line(&format!("Broadcast completed: {result}"));
    0
}

/// What ADBKeyBoard and the keyboard of DroidBot's helper app hear; they give no result.
fn tell_keyboards(call: &Call, action: &str) {
    let message = call.option("msg").unwrap_or_default();
    let decoded = STANDARD.decode(message).unwrap_or_default();
    let decoded = String::from_utf8_lossy(&decoded);
    let order = match action {
        "DROIDBOT_INPUT_TEXT" => {
            let text = call.option("text").unwrap_or_default();
            let appends = call.option("mode") == Some("1");
            let order = if appends { KeyboardOrder::Type(text) } else { KeyboardOrder::Replace(text) };
            call.device.phone().tell_keyboard(DROIDBOT_KEYBOARD, order);
            return;
        }
        "ADB_CLEAR_TEXT" => KeyboardOrder::Clear,
        "ADB_INPUT_TEXT" => KeyboardOrder::Type(message),
        "ADB_INPUT_B64" => KeyboardOrder::Type(&decoded),
        _ => return,
    };
    call.device.phone().tell_keyboard(ADB_KEYBOARD, order);
}

/// What the keyboard of uiautomator2's helper app hears, below `ADB_KEYBOARD_`, and its result: its texts
/// are in base64.
fn tell_atx(call: &Call, order: &str) -> &'static str {
    const NOBODY: &str = "result=0";
    let text = STANDARD.decode(call.option("text").unwrap_or_default()).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let order = match order {
        "INPUT_TEXT" => KeyboardOrder::Type(&text),
        "SET_TEXT" => KeyboardOrder::Replace(&text),
        "CLEAR_TEXT" => KeyboardOrder::Clear,
        "SMART_ENTER" | "EDITOR_CODE" => KeyboardOrder::Enter,
        "HIDE" => KeyboardOrder::Hide,
        _ => return NOBODY,
    };
    match call.device.phone().tell_keyboard(ATX_KEYBOARD, order) {
        None => NOBODY,
        Some(true) => "result=-1, data=\"success\"",
        Some(false) => "result=0, data=\"no field has the focus\"",
    }
}
