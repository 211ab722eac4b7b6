//! `test` and `[`, and the conditions of the shell's `[[ ]]`.

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[light("test", test), light("[", test)];

/// How deep parentheses may be nested.
const MAX_DEPTH: u32 = 40;

fn test(call: &mut Call) -> i32 {
    let mut words = call.args(1);
    if call.arg(0) == "[" && words.pop().as_deref() != Some("]") {
        call.complain("/system/bin/sh: [: missing ]");
        return 2;
    }
    match evaluate_test(call, &words) {
        Ok(holds) => i32::from(!holds),
        Err(what) => {
            let name = call.arg(0).to_owned();
            call.unknown();
            call.complain(&format!("/system/bin/sh: {name}: {what}"));
            2
        }
    }
}

/// Whether an expression of `test` holds.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn evaluate_test(call: &Call, words: &[String]) -> Result<bool, String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // With few words their number decides what they are, whatever they say.
    match words.as_slice() {
        [] => return Ok(false),
        [one] => return Ok(!one.is_empty()),
        ["!", one] => return Ok(one.is_empty()),
        [left, sign, right] if is_comparison(sign) => return compare(call, left, sign, right),
        ["!", left, sign, right] if is_comparison(sign) => {
            return compare(call, left, sign, right).map(|holds| !holds);
        }
        _ => {}
    }
    let mut reader = Reader { call, words: &words, depth: 0 };
    let holds = reader.either()?;
    match reader.words.first() {
        None => Ok(holds),
        Some(word) => Err(format!("{word}: unexpected operator/operand")),
    }
}

struct Reader<'a> {
    call: &'a Call,
    words: &'a [&'a str],
    depth: u32,
}

impl<'a> Reader<'a> {
    fn either(&mut self) -> Result<bool, String> {
        let mut holds = self.both()?;
        while self.accept("-o") {
            holds |= self.both()?;
        }
        Ok(holds)
    }

    fn both(&mut self) -> Result<bool, String> {
        let mut holds = self.one()?;
        while self.accept("-a") {
            holds &= self.one()?;
        }
        Ok(holds)
    }

    fn one(&mut self) -> Result<bool, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("nested too deeply".to_owned());
        }
        let holds = match self.words {
            [left, sign, right, rest @ ..] if is_comparison(sign) => {
                self.words = rest;
                compare(self.call, left, sign, right)
            }
            ["!", rest @ ..] if !rest.is_empty() => {
                self.words = rest;
                self.one().map(|holds| !holds)
            }
            ["(", rest @ ..] if rest.len() > 1 => {
                self.words = rest;
                let holds = self.either()?;
                if self.accept(")") { Ok(holds) } else { Err("missing )".to_owned()) }
            }
            [option, operand, rest @ ..] if is_option(option) => {
                self.words = rest;
                about(self.call, option, operand)
            }
            [word, rest @ ..] => {
                self.words = rest;
                Ok(!word.is_empty())
            }
            [] => Err("expression expected".to_owned()),
        };
        self.depth -= 1;
        holds
    }

    fn accept(&mut self, word: &str) -> bool {
        match self.words.split_first() {
            Some((first, rest)) if *first == word => {
                self.words = rest;
                true
            }
            _ => false,
        }
    }
}

fn is_option(word: &str) -> bool {
    word.len() == 2 && word.starts_with('-') && word.ends_with(|c: char| c.is_ascii_alphabetic())
}

fn is_comparison(sign: &str) -> bool {
    const SIGNS: [&str; 14] =
        ["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];
    SIGNS.contains(&sign)
}

fn compare(call: &Call, left: &str, sign: &str, right: &str) -> Result<bool, String> {
    match sign {
        "=" | "==" => return Ok(left == right),
        "!=" => return Ok(left != right),
        "<" => return Ok(left < right),
        ">" => return Ok(left > right),
        "-nt" | "-ot" | "-ef" => {
            // Everything has the same age: only what exists is newer than what does not.
            let files = call.device.files();
            let there = |path: &str| files.get(&call.path(path)).is_ok();
            return Ok(match sign {
                "-nt" => there(left) && !there(right),
                "-ot" => !there(left) && there(right),
                _ => there(left) && files.plain(&call.path(left)) == files.plain(&call.path(right)),
            });
        }
        _ => {}
    }
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| format!("{text}: bad number"));
    let (left, right) = (number(left)?, number(right)?);
    Ok(match sign {
        "-eq" => left == right,
        "-ne" => left != right,
        "-lt" => left < right,
        "-le" => left <= right,
        "-gt" => left > right,
        _ => left >= right,
    })
}

fn about(call: &Call, option: &str, operand: &str) -> Result<bool, String> {
    match option {
        "-n" => return Ok(!operand.is_empty()),
        "-z" => return Ok(operand.is_empty()),
        _ => {}
    }
    let path = call.path(operand);
    let files = call.device.files();
    let is_device = path == "/dev/null";
    let directory = files.list(&path).is_ok();
    let node = files.get(&path).ok();
    Ok(match option {
        "-e" | "-r" => node.is_some() || is_device,
        "-f" => node.is_some() && !directory,
        "-d" => directory,
        "-s" => node.is_some_and(|node| node.size() > 0),
        "-w" => is_device || node.is_some() && files.is_writable(&path),
        "-x" => directory || node.is_some_and(|node| node.mode() & 0o111 != 0),
        "-c" => is_device,
        // Nothing here is a link, a pipe, a socket or a block device.
        "-h" | "-L" | "-p" | "-S" | "-b" | "-u" | "-g" | "-k" => false,
        other => return Err(format!("{other}: not supported")),
    })
}
