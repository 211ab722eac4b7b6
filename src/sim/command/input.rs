//! `input`: fingers and keys.

use super::{Call, Command, light};
use droidmux_gui::Point;
use droidmux_words::number::pixel;

pub(super) const COMMANDS: &[Command] = &[light("input", input)];

const SOURCES: [&str; 11] = [
    "dpad",
    "gamepad",
    "joystick",
    "keyboard",
    "mouse",
    "navigation",
    "rotaryencoder",
    "stylus",
    "touchnavigation",
    "touchpad",
    "touchscreen",
];
/// Longest drag taken, in milliseconds.
const MAX_DRAG: u32 = 600_000;

/// `input [SOURCE] [-d DISPLAY] COMMAND …`.
pub(super) fn input(call: &mut Call) -> i32 {
    let mut words = call.args(1);
    if words.first().is_some_and(|word| SOURCES.contains(&word.as_str())) {
        words.remove(0);
    }
    let mut display = None;
    if words.first().is_some_and(|word| word == "-d") {
        display = words.get(1).and_then(|number| number.parse::<u32>().ok());
        words.drain(..words.len().min(2));
    }
    let Some((command, args)) = words.split_first() else { return usage(call) };
    // A touch goes to display 0 if none is named, a key to the one that has the focus.
    let stage = call.device.phone().stage();
    let touches = ["tap", "swipe", "draganddrop", "motionevent"].contains(&command.as_str());
    if display.unwrap_or(if touches { 0 } else { stage }) != stage {
        return 0;
    }
    let outcome = match command.as_str() {
        "tap" => tap(call, args),
        "swipe" | "draganddrop" => swipe(call, args),
        "keyevent" => return keys(call, args),
        "keycombination" => Ok(()),
        "text" => return text(call, args),
        "press" | "roll" | "motionevent" => motion(call, command, args),
        _ => {
            call.unknown();
            call.complain(&format!("Error: Unknown command: {command}"));
            return usage(call);
        }
    };
    match outcome {
        Ok(()) => 0,
        Err(why) => {
            let text = format!("java.lang.IllegalArgumentException: {why}");
            call.exception(command, &text)
        }
    }
}

fn usage(call: &mut Call) -> i32 {
    call.complain("Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]");
    255
}

/// Coordinates may have decimals; beyond the screen they touch nothing.
fn coordinate(word: Option<&String>) -> Result<i32, String> {
    let word = word.ok_or("Argument expected after \"tap\"")?;
    let value: f32 = word.parse().map_err(|_| format!("For input string: \"{word}\""))?;
    if value.abs() > 100_000.0 || value.is_nan() {
        return Err(format!("For input string: \"{word}\""));
    }
    // Within the range just checked the conversion only drops the decimals.
    Ok(pixel(f64::from(value.trunc())))
}

fn point(args: &[String], from: usize) -> Result<Point, String> {
    Ok(Point { x: coordinate(args.get(from))?, y: coordinate(args.get(from + 1))? })
}

fn tap(call: &Call, args: &[String]) -> Result<(), String> {
    let at = point(args, 0)?;
    call.device.phone().tap(at);
    Ok(())
}

fn swipe(call: &Call, args: &[String]) -> Result<(), String> {
    let (from, to) = (point(args, 0)?, point(args, 2)?);
    let ms = match args.get(4) {
        None => 300,
        Some(word) => word.parse::<u32>().map_err(|_| format!("For input string: \"{word}\""))?,
    };
    call.device.phone().swipe(from, to, ms.min(MAX_DRAG));
    Ok(())
}

fn motion(call: &Call, command: &str, args: &[String]) -> Result<(), String> {
    // A whole touch is made of DOWN and UP; a simulated finger touches when it goes up.
    if command == "motionevent" && args.first().is_some_and(|action| action == "UP") {
        let at = point(args, 1)?;
        call.device.phone().tap(at);
    }
    Ok(())
}

fn keys(call: &mut Call, args: &[String]) -> i32 {
    let mut names = Vec::new();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--longpress" | "--doubletap" | "--async" => {}
            "--delay" | "--duration" => drop(words.next()),
            name => names.push(name),
        }
    }
    if names.is_empty() {
        return call.exception(
            "keyevent",
            "java.lang.IllegalArgumentException: Argument expected after \"keyevent\"",
        );
    }
    for same in names.chunk_by(|a, b| a == b) {
        let [name, ..] = same else { continue };
        let pressed = call.device.phone().keys(name, same.len());
        if pressed.is_err() {
            let text = format!("java.lang.IllegalArgumentException: Unknown keycode: {name}");
            return call.exception("keyevent", &text);
        }
    }
    0
}

/// `%s` stands for a space; if one character has no key, nothing is typed.
fn text(call: &mut Call, args: &[String]) -> i32 {
    let Some(first) = args.first() else {
        return call
            .exception("text", "java.lang.IllegalArgumentException: Argument expected after \"text\"");
    };
    let typed = first.replace("%s", " ");
    let outcome = call.device.phone().text(&typed);
    if outcome.is_err() {
        return call.exception("text", "java.lang.NullPointerException: Attempt to get length of null array");
    }
    0
}
