//! `echo`, `printf`, `test` and the commands that only have an exit code.

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[
    light("echo", echo),
    light("printf", printf),
    light("test", test),
    light("[", test),
    light("true", |_| 0),
    light(":", |_| 0),
    light("false", |_| 1),
];

fn echo(call: &mut Call) -> i32 {
    let words = call.args(1);
    let options =
        words.iter().take_while(|word| matches!(word.as_str(), "-n" | "-e" | "-ne" | "-en" | "-E")).count();
    let (options, words) = words.split_at(options);
    let text = words.join(" ");
    let text = if options.iter().any(|option| option.contains('e')) { escapes(&text) } else { text };
    call.print(&text);
    if !options.iter().any(|option| option.contains('n')) {
        call.print("\n");
    }
    0
}

/// `%s`, `%d`, `%%` and escapes; the format is used once.
fn printf(call: &mut Call) -> i32 {
    let words = call.args(2);
    let mut values = words.iter();
    let mut out = String::new();
    let format = escapes(call.arg(1));
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('%') => out.push('%'),
            Some('s' | 'd' | 'b') => out.push_str(values.next().map_or("", String::as_str)),
            Some(other) => out.extend(['%', other]),
            None => out.push('%'),
        }
    }
    call.print(&out);
    0
}

fn escapes(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('\\') => out.push('\\'),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}

/// `test`, or `[` with its closing bracket: one or two operands, `!`.
fn test(call: &mut Call) -> i32 {
    let mut words = call.args(1);
    if call.arg(0) == "[" && words.pop().as_deref() != Some("]") {
        call.complain("/system/bin/sh: [: missing ]");
        return 2;
    }
    let negated = words.first().is_some_and(|word| word == "!");
    if negated {
        words.remove(0);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let holds = match words.as_slice() {
        [] => false,
        [one] => !one.is_empty(),
        ["-n", text] => !text.is_empty(),
        ["-z", text] => text.is_empty(),
        [option @ ("-e" | "-f" | "-d" | "-s" | "-r" | "-w" | "-x"), path] => {
            let path = call.path(path);
            let files = call.device.files();
            let directory = files.list(&path).is_ok();
            match files.get(&path) {
                Err(_) => false,
                Ok(_) if *option == "-d" => directory,
                Ok(_) if *option == "-f" => !directory,
                Ok(node) if *option == "-s" => node.size() > 0,
                Ok(_) => true,
            }
        }
        [a, "=" | "==", b] => a == b,
        [a, "!=", b] => a != b,
        [a, comparison, b] => {
            let (Ok(a), Ok(b)) = (a.parse::<i64>(), b.parse::<i64>()) else {
                call.complain("/system/bin/sh: test: bad number");
                return 2;
            };
            match *comparison {
                "-eq" => a == b,
                "-ne" => a != b,
                "-lt" => a < b,
                "-le" => a <= b,
                "-gt" => a > b,
                "-ge" => a >= b,
                _ => {
                    call.unknown();
                    return 2;
                }
            }
        }
        _ => {
            call.unknown();
            return 2;
        }
    };
    i32::from(holds == negated)
}
