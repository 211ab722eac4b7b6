//! A POSIX shell script that needs `adb` alone.

use super::plan::towards;
use super::quote::{attribute, comment, shell as quoted};
use super::{Check, Locator, Plan, PlanStep, shell};
use droidmux_gui::EventKind;

/// Everything that does not depend on the finding. A dump has one tag per line once it is split at `<`.
const HELPERS: &str = r#"
ADB=${ADB:-adb}
WORK=$(mktemp -d) || exit 2
trap 'rm -rf "$WORK"' EXIT

shell() { $ADB shell "$1" </dev/null; }

end() { echo "$2"; exit "$1"; }

# The screen as a line for each widget, once two dumps in a row are equal.
dump() {
    : > "$WORK/nodes"
    for _ in 1 2 3 4 5 6; do
        mv "$WORK/nodes" "$WORK/before"
        shell 'rm -f /data/local/tmp/steps.xml; uiautomator dump /data/local/tmp/steps.xml >/dev/null 2>&1; cat /data/local/tmp/steps.xml 2>/dev/null' \
            | tr -d '\r' | tr '<' '\n' | grep '^node ' > "$WORK/nodes"
        if [ -s "$WORK/nodes" ] && cmp -s "$WORK/nodes" "$WORK/before"; then return; fi
    done
}

# The widgets with all these attributes.
hits() {
    cp "$WORK/nodes" "$WORK/hits"
    for attribute in "$@"; do
        grep -F -e " $attribute" "$WORK/hits" > "$WORK/fewer"
        mv "$WORK/fewer" "$WORK/hits"
    done
}

count() { dump; hits "$@"; grep -c '^node ' "$WORK/hits"; }

# Waits for a widget: its number among those that fit, then its attributes. Sets its edges and its middle.
find_widget() {
    number=$1
    shift
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        dump
        hits "$@"
        edges=$(sed -n "${number}p" "$WORK/hits" | sed -n 's/.* bounds="\[\(-*[0-9]*\),\(-*[0-9]*\)\]\[\(-*[0-9]*\),\(-*[0-9]*\)\]".*/\1 \2 \3 \4/p')
        if [ -n "$edges" ]; then
            # shellcheck disable=SC2086
            set -- $edges
            L=$1 T=$2 R=$3 B=$4
            X=$(((L + R) / 2)) Y=$(((T + B) / 2))
            return
        fi
        sleep 1
    done
    end 2 "could not be followed: no widget with $*, number $number"
}

click() { find_widget "$@"; shell "input tap $X $Y"; }

long_click() { find_widget "$@"; shell "input swipe $X $Y $X $Y 1200"; }

# Empties a field and types; the command that types comes first.
edit() {
    typing=$1
    shift
    find_widget "$@"
    length=$(sed -n "${1}p" "$WORK/hits" | sed -n 's/.* text="\([^"]*\)".*/\1/p' | wc -c)
    shell "input tap $X $Y"
    deletes=
    while [ "$length" -gt 0 ]; do deletes="$deletes 67"; length=$((length - 1)); done
    shell "input keyevent 123$deletes"
    if [ -n "$typing" ]; then shell "$typing"; fi
}

# Where the content is to come from: -1, 0 or 1 across and down.
scroll() {
    across=$1 down=$2
    shift 2
    find_widget "$@"
    W=$(((R - L) * 3 / 10)) H=$(((B - T) * 3 / 10))
    shell "input swipe $((X + across * W)) $((Y + down * H)) $((X - across * W)) $((Y - down * H)) 700"
}

rotate() {
    case $(shell 'settings get system user_rotation' | tr -d '\r') in
        1) shell 'settings put system user_rotation 0' ;;
        *) shell 'settings put system user_rotation 1' ;;
    esac
}

$ADB get-state >/dev/null || end 2 'could not be followed: no device'
"#;

pub(super) fn script(plan: &Plan) -> String {
    let mut text = format!(
        "#!/bin/sh\n# {}\n#\n# Shows {} of {} {} without droidmux{}. Needs adb and one device; recorded on\n# {}, Android {}. \
         ADB='adb -s SERIAL' chooses among several devices.\n\
         # Exit code: 1 shows the bug, 0 does not show it, 2 could not be followed, 3 shows something else.\n",
        comment(&plan.title),
        plan.finding,
        comment(&plan.app),
        comment(&plan.build.version_name),
        if plan.shrunk { ", in as few steps as were found" } else { "" },
        comment(&plan.device.model),
        comment(&plan.device.android),
    );
    text += HELPERS;
    for command in shell::reset(plan) {
        text += &format!("shell {} >/dev/null\n", quoted(&command));
    }
    if matches!(plan.check, Check::Ended { .. }) {
        text += "$ADB logcat -c\n";
    }
    text += &format!("shell {} >/dev/null\n", quoted(&shell::start(&plan.app)));
    text += &plan.by_hand("#");
    text.push('\n');
    for step in &plan.steps {
        let inserted = if step.inserted { "  # without this step it is right" } else { "" };
        text += &format!("{}{inserted}\n", line(step, plan));
    }
    text.push('\n');
    text + &check(plan)
}

fn line(step: &PlanStep, plan: &Plan) -> String {
    let event = &step.event;
    if let Some(command) = shell::command(event, &plan.app) {
        return format!("dump; shell {} >/dev/null", quoted(&command));
    }
    if event.kind == EventKind::Rotate {
        return "dump; rotate".into();
    }
    let lost = |why: &str| format!("end 2 {}", quoted(&format!("could not be followed: {why}")));
    let Some(locator) = &step.locator else { return lost(&format!("the widget of {}", event.words())) };
    let number = locator.index + 1;
    let by = attributes(locator);
    match event.kind {
        EventKind::LongClick => format!("long_click {number} {by}"),
        EventKind::Edit => match shell::type_text(event.data.as_deref().unwrap_or_default()) {
            Some(typing) => format!("edit {} {number} {by}", quoted(&typing)),
            None => lost("adb has no keys for the text that is typed here; export it for uiautomator2"),
        },
        EventKind::Scroll(direction) => {
            let (x, y) = towards(direction);
            format!("scroll {x} {y} {number} {by}")
        }
        _ => format!("click {number} {by}"),
    }
}

fn attributes(locator: &Locator) -> String {
    let named = [
        ("resource-id", &locator.resource_id),
        ("text", &locator.text),
        ("content-desc", &locator.description),
        ("class", &locator.class),
        ("package", &locator.package),
    ];
    let said = named.iter().filter(|(_, value)| !value.is_empty());
    said.map(|(name, value)| quoted(&format!("{name}=\"{}\"", attribute(value))))
        .collect::<Vec<_>>()
        .join(" ")
}

fn check(plan: &Plan) -> String {
    match &plan.check {
        Check::Count { locator, expected, found } => {
            let what = format!("widgets with {}", locator.words());
            format!(
                "there=$(count {})\ncase $there in\n    {found}) end 1 \"shows the bug: $there of \"{what}\", {expected} expected\" ;;\n    \
                 {expected}) end 0 \"does not show the bug: $there of \"{what} ;;\n    \
                 *) end 3 \"shows something else: $there of \"{what}\", {expected} expected\" ;;\nesac\n",
                attributes(locator),
                what = quoted(&what),
            )
        }
        Check::Ended { headline, sought } => {
            format!(
                "sleep 1\nif $ADB logcat -d | grep -F -e {} >/dev/null; then end 1 \"shows the bug: \"{}; fi\n\
                 end 0 'does not show the bug: the app goes on'\n",
                quoted(sought),
                quoted(headline)
            )
        }
        Check::Look { expected, found } => {
            let mut text = String::new();
            for line in Check::lines(expected, found) {
                text += &format!("echo {}\n", quoted(&comment(&line)));
            }
            text + "end 3 'look at the screen: no widget tells it'\n"
        }
    }
}
