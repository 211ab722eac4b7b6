//! A flow for Maestro. It passes when the app is correct and fails when the bug shows.
//!
//! Every value is written as JSON, which is valid YAML, and `${` in it is escaped, since Maestro runs what follows as
//! JavaScript: so no text from an app becomes syntax.

use super::quote::{comment, double};
use super::{Check, Locator, Plan, PlanStep};
use droidmux_gui::{DeviceSetting, Direction, EventKind};

pub(super) fn script(plan: &Plan) -> String {
    let mut text = format!(
        "# {}\n#\n# Shows {} of {} {} without droidmux: `maestro test FILE` fails where the bug shows.\n",
        comment(&plan.title),
        plan.finding,
        comment(&plan.app),
        comment(&plan.build.version_name)
    );
    text += &plan.by_hand("#");
    text += &format!("appId: {}\nname: {}\n---\n", literal(&plan.app), literal(&plan.title));
    text += "- launchApp: {\"clearState\": true, \"permissions\": {\"all\": \"allow\"}}\n";
    let mut turned = false;
    for step in &plan.steps {
        if step.inserted {
            text += "# Without this step it is right.\n";
        }
        for line in lines(step, &mut turned) {
            text += &format!("- {line}\n");
        }
        text += "- waitForAnimationToEnd\n";
    }
    text + &check(&plan.check)
}

fn lines(step: &PlanStep, turned: &mut bool) -> Vec<String> {
    let event = &step.event;
    let by = step.locator.as_ref().map(|locator| selector(locator, locator.index));
    let on = |command: &str| match &by {
        Some(by) => vec![wait(by), format!("{command}: {by}")],
        None => untold(&event.words()),
    };
    let key = |key: &str| vec![format!("pressKey: {}", double(key))];
    match event.kind {
        EventKind::Click => on("tapOn"),
        EventKind::LongClick => on("longPressOn"),
        EventKind::Edit => {
            let mut lines = on("tapOn");
            lines.push("eraseText: 100".into());
            let text = event.data.as_deref().unwrap_or_default();
            if !text.is_empty() {
                lines.push(format!("inputText: {}", literal(text)));
            }
            lines
        }
        EventKind::Scroll(direction) => match &by {
            // The finger moves the other way.
            Some(by) => vec![
                wait(by),
                format!("swipe: {{\"from\": {by}, \"direction\": {}}}", double(finger(direction))),
            ],
            None => untold(&event.words()),
        },
        EventKind::Back => vec!["back".into()],
        EventKind::Home => key("home"),
        EventKind::Enter => key("enter"),
        EventKind::Sleep | EventKind::Lock => key("lock"),
        EventKind::Wake | EventKind::Unlock => key("power"),
        EventKind::Rotate => {
            *turned = !*turned;
            vec![format!("setOrientation: {}", if *turned { "LANDSCAPE_LEFT" } else { "PORTRAIT" })]
        }
        EventKind::Launch => vec!["launchApp: {\"stopApp\": false}".into()],
        EventKind::Relaunch => vec!["stopApp".into(), "launchApp: {\"stopApp\": false}".into()],
        EventKind::Kill => vec!["killApp".into()],
        EventKind::Wait => vec![format!(
            "extendedWaitUntil: {{\"notVisible\": {{\"text\": \".*\"}}, \"timeout\": {}, \"optional\": true}}",
            event.seconds() * 1_000
        )],
        EventKind::Set(DeviceSetting::Dark) => {
            let value = if event.data.as_deref() == Some("on") { "enabled" } else { "disabled" };
            vec![format!("setDarkMode: {value}")]
        }
        EventKind::Menu | EventKind::Set(_) => untold(&event.words()),
    }
}

/// Actions for which Maestro has no command.
fn untold(words: &str) -> Vec<String> {
    vec![format!(
        "assertTrue: {{\"condition\": \"false\", \"label\": {}}}",
        literal(&format!("no command for: {words}"))
    )]
}

/// A text in which nothing is evaluated.
fn literal(text: &str) -> String {
    double(&text.replace("${", "\\${"))
}

fn wait(by: &str) -> String {
    format!("extendedWaitUntil: {{\"visible\": {by}, \"timeout\": 10000}}")
}

fn finger(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "DOWN",
        Direction::Down => "UP",
        Direction::Left => "RIGHT",
        Direction::Right => "LEFT",
    }
}

/// Ids and texts are regular expressions there; a widget with neither is a point on the screen.
fn selector(locator: &Locator, index: usize) -> String {
    let mut parts = Vec::new();
    if !locator.resource_id.is_empty() {
        parts.push(format!("\"id\": {}", double(&regex::escape(&locator.resource_id))));
    }
    // A description counts as a text.
    let text = if locator.text.is_empty() { &locator.description } else { &locator.text };
    if !text.is_empty() {
        parts.push(format!("\"text\": {}", double(&regex::escape(text))));
    }
    if parts.is_empty() {
        let at = locator.bounds.center();
        return format!("{{\"point\": \"{},{}\"}}", at.x, at.y);
    }
    if index > 0 {
        parts.push(format!("\"index\": {index}"));
    }
    format!("{{{}}}", parts.join(", "))
}

fn check(check: &Check) -> String {
    match check {
        Check::Count { locator, expected, .. } => {
            let mut text = String::new();
            if let Some(last) = expected.checked_sub(1) {
                text += &format!("- assertVisible: {}\n", selector(locator, last));
            }
            text + &format!("- assertNotVisible: {}\n", selector(locator, *expected))
        }
        Check::Ended { headline, .. } => {
            format!(
                "# With the bug the app ends here: {}\n- assertVisible: {{\"text\": \".*\"}}\n",
                comment(headline)
            )
        }
        Check::Look { expected, found } => {
            let mut text = String::new();
            for line in Check::lines(expected, found) {
                text += &format!("# {}\n", comment(&line));
            }
            text + "- takeScreenshot: \"in-the-end\"\n"
        }
    }
}
