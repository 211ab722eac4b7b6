//! `sed`: its options, its scripts ([`script`]), and running them over lines ([`editor`]).

use super::regular::Dialect;
use super::text::content;
use super::{Call, Command, heavy};

mod edit;
mod editor;
mod script;

use editor::Editor;
use script::read;

pub(super) const COMMANDS: &[Command] = &[heavy("sed", sed)];

/// What the words of a call ask for.
#[derive(Default)]
struct Asked {
    scripts: Vec<String>,
    files: Vec<String>,
    quiet: bool,
    extended: bool,
    in_place: bool,
}

impl Asked {
    fn read(words: &[String]) -> Result<Asked, String> {
        let mut asked = Asked::default();
        let mut words = words.iter().skip(1);
        while let Some(word) = words.next() {
            let letters = match word.as_str() {
                "--quiet" | "--silent" => "n",
                "--regexp-extended" => "E",
                "--expression" => "e",
                option if option.len() > 1 && option.starts_with('-') => option.get(1..).unwrap_or_default(),
                _ if asked.scripts.is_empty() => {
                    asked.scripts.push(word.clone());
                    continue;
                }
                _ => {
                    asked.files.push(word.clone());
                    continue;
                }
            };
            for (at, letter) in letters.char_indices() {
                match letter {
                    'n' => asked.quiet = true,
                    'E' | 'r' => asked.extended = true,
                    'i' => asked.in_place = true,
                    'e' => {
                        let inline = letters.get(at + 1..).filter(|inline| !inline.is_empty());
                        let script = inline.map(str::to_owned).or_else(|| words.next().cloned());
                        asked.scripts.push(script.ok_or("Missing argument to -e")?);
                        break;
                    }
                    _ => return Err(format!("Unknown option '{word}' (see \"sed --help\")")),
                }
            }
        }
        if asked.scripts.is_empty() { Err("no pattern".to_owned()) } else { Ok(asked) }
    }
}

/// Whether these words make `sed` read its input.
pub(super) fn reads_input(words: &[String]) -> bool {
    Asked::read(words).is_ok_and(|asked| asked.files.is_empty() || asked.files.iter().any(|file| file == "-"))
}

fn sed(call: &mut Call) -> i32 {
    let Asked { scripts, files, quiet, extended, in_place } = match Asked::read(&call.words) {
        Ok(asked) => asked,
        Err(error) => return refuse(call, &error),
    };
    let dialect = Dialect { extended, ..Dialect::default() };
    let edits = match read(&scripts.join("\n"), dialect) {
        Ok(edits) => edits,
        Err(error) => return refuse(call, &error),
    };
    if !in_place {
        let all = match content(call, "sed", &files) {
            Ok(all) => all,
            Err(code) => return code,
        };
        return match Editor::new(&edits, quiet).run(&all) {
            Ok((out, code)) => {
                call.print(&out);
                code
            }
            Err(error) => refuse(call, &error),
        };
    }
    for file in files {
        let all = match content(call, "sed", std::slice::from_ref(&file)) {
            Ok(all) => all,
            Err(code) => return code,
        };
        let path = call.path(&file);
        match Editor::new(&edits, quiet).run(&all) {
            Ok((out, _)) => {
                let written = call.device.files().write(&path, out.into(), 0o644, false);
                if let Err(error) = written {
                    call.complain(&format!("sed: {file}: {error}"));
                    return 1;
                }
            }
            Err(error) => return refuse(call, &error),
        }
    }
    0
}

fn refuse(call: &mut Call, error: &str) -> i32 {
    call.unknown();
    call.complain(&format!("sed: {error}"));
    1
}
