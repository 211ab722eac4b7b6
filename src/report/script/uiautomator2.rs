//! A Python program for uiautomator2.

use super::plan::towards;
use super::quote::{comment, double};
use super::{Check, Locator, Plan, PlanStep, shell};
use droidmux_gui::EventKind;

/// Everything that does not depend on the finding.
const HELPERS: &str = r#"
WAIT = 10.0


class Lost(Exception):
    """A widget that the next step needs is not there."""


def settle():
    """Waits until two dumps in a row are equal."""
    end = time.time() + WAIT
    last = None
    while time.time() < end:
        now = d.dump_hierarchy()
        if now == last:
            return
        last = now
        time.sleep(0.1)


def find(number=0, **by):
    """The widget with these attributes, waited for."""
    end = time.time() + WAIT
    while True:
        found = d(**by)
        if found.count > number:
            return found[number]
        if time.time() > end:
            raise Lost(f"no widget with {by}, number {number + 1}")
        time.sleep(0.2)


def middle(widget):
    bounds = widget.info["bounds"]
    return (bounds["left"] + bounds["right"]) // 2, (bounds["top"] + bounds["bottom"]) // 2


def click(**by):
    d.click(*middle(find(**by)))
    settle()


def long_click(**by):
    d.long_click(*middle(find(**by)), 1.2)
    settle()


def edit(text, **by):
    find(**by).set_text(text)
    settle()


def scroll(x, y, **by):
    """Swipes inside the widget; x and y say where its content is to come from."""
    bounds = find(**by).info["bounds"]
    (cx, cy) = (bounds["left"] + bounds["right"]) // 2, (bounds["top"] + bounds["bottom"]) // 2
    (w, h) = (bounds["right"] - bounds["left"]) * 3 // 10, (bounds["bottom"] - bounds["top"]) * 3 // 10
    d.swipe(cx + x * w, cy + y * h, cx - x * w, cy - y * h, duration=0.7)
    settle()


def rotate():
    turned = d.shell("settings get system user_rotation").output.strip() == "1"
    d.shell(f"settings put system user_rotation {0 if turned else 1}")
    settle()


def shell(command):
    d.shell(command)
    settle()


def end(code, words):
    print(words)
    sys.exit(code)

"#;

pub(super) fn script(plan: &Plan) -> String {
    let mut text = format!(
        "#!/usr/bin/env python3\n# {}\n#\n# Shows {} of {} {} without droidmux{}. Needs `pip install uiautomator2` and a \
         device that adb lists;\n# recorded on {}, Android {}. Give a serial as argument or in ANDROID_SERIAL.\n\
         # Exit code: 1 shows the bug, 0 does not show it, 2 could not be followed, 3 shows something else.\n",
        comment(&plan.title),
        plan.finding,
        comment(&plan.app),
        comment(&plan.build.version_name),
        if plan.shrunk { ", in as few steps as were found" } else { "" },
        comment(&plan.device.model),
        comment(&plan.device.android),
    );
    text += "\nimport sys\nimport time\n\nimport uiautomator2\n\n";
    text += &format!("PACKAGE = {}\n", double(&plan.app));
    text += "d = uiautomator2.connect(*sys.argv[1:2])\n";
    text += HELPERS;
    text += "\ndef steps():\n";
    for command in shell::reset(plan) {
        text += &format!("    d.shell({})\n", double(&command));
    }
    text += &format!("    shell({})\n", double(&shell::start(&plan.app)));
    text += &plan.by_hand("    #");
    for step in &plan.steps {
        let inserted = if step.inserted { "  # without this step it is right" } else { "" };
        text += &format!("    {}{inserted}\n", line(step, plan));
    }
    text += "\n\ntry:\n    steps()\nexcept Lost as lost:\n    end(2, f\"could not be followed: {lost}\")\n";
    text + &check(plan)
}

fn line(step: &PlanStep, plan: &Plan) -> String {
    let event = &step.event;
    if let Some(command) = shell::command(event, &plan.app) {
        return format!("shell({})", double(&command));
    }
    if event.kind == EventKind::Rotate {
        return "rotate()".into();
    }
    let Some(locator) = &step.locator else {
        return format!("raise Lost({})", double(&format!("the widget of {}", event.words())));
    };
    let by = arguments(locator);
    match event.kind {
        EventKind::LongClick => format!("long_click({by})"),
        EventKind::Edit => format!("edit({}, {by})", double(event.data.as_deref().unwrap_or_default())),
        EventKind::Scroll(direction) => {
            let (x, y) = towards(direction);
            format!("scroll({x}, {y}, {by})")
        }
        _ => format!("click({by})"),
    }
}

/// Keyword arguments; the number only if it is not the first.
fn arguments(locator: &Locator) -> String {
    let named = [
        ("resourceId", &locator.resource_id),
        ("text", &locator.text),
        ("description", &locator.description),
        ("className", &locator.class),
        ("packageName", &locator.package),
    ];
    let mut arguments: Vec<String> = named
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}={}", double(value)))
        .collect();
    if locator.index > 0 {
        arguments.push(format!("number={}", locator.index));
    }
    arguments.join(", ")
}

fn check(plan: &Plan) -> String {
    match &plan.check {
        Check::Count { locator, expected, found } => format!(
            "\nfor _ in range(10):\n    there = d({}).count\n    if there == {found}:\n        break\n    time.sleep(0.2)\n\
             what = {}\nif there == {found}:\n    end(1, f\"shows the bug: {{there}} of {{what}}, {expected} expected\")\n\
             if there == {expected}:\n    end(0, f\"does not show the bug: {{there}} of {{what}}\")\n\
             end(3, f\"shows something else: {{there}} of {{what}}, {expected} expected\")\n",
            arguments(locator),
            double(&format!("widgets with {}", locator.words())),
        ),
        Check::Ended { headline, sought } => {
            format!(
                "\ntime.sleep(1)\nsaid = d.shell(\"logcat -d -t 2000\").output\nif {} in said and PACKAGE in said:\n    \
                 end(1, \"shows the bug: \" + {})\nend(0, \"does not show the bug: the app goes on\")\n",
                double(sought),
                double(headline)
            )
        }
        Check::Look { expected, found } => {
            let mut text = String::from("\n");
            for line in Check::lines(expected, found) {
                text += &format!("print({})\n", double(&line));
            }
            text + "end(3, \"look at the screen: no widget tells it\")\n"
        }
    }
}
