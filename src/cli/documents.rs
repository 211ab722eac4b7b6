//! The documentation checked against the program: its examples are read by the real parsers, its links resolve, and the
//! book contains all pages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use clap::Parser;
use clap::error::ErrorKind;

use super::Cli;
use super::config::Config;
use super::fault_file::parse_faults;
use super::session_file::parse_session;
use droidmux_llm::library::read_examples;
use droidmux_record::SessionDefinition;
use droidmux_technique::pbfdroid::format::{read_dmfs, read_key_views};
use droidmux_tui::Theme;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A Markdown file: its path from the repository's root, and what it says.
struct Page {
    path: PathBuf,
    text: String,
}

/// A block of code.
struct Block {
    language: String,
    /// The number of its first line within the page, from 1.
    line: usize,
    text: String,
}

fn pages() -> Vec<Page> {
    let mut folders = vec![PathBuf::from("docs"), "sessions".into()];
    let mut paths: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(Into::into).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(Path::new(ROOT).join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = folder.join(entry.file_name());
            match entry.file_type().expect("a type").is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|extension| extension == "md") => paths.push(path),
                false => {}
            }
        }
    }
    paths.sort_unstable();
    let page = |path: PathBuf| {
        let text = std::fs::read_to_string(Path::new(ROOT).join(&path)).expect("a page");
        Page { path, text }
    };
    paths.into_iter().map(page).collect()
}

impl Page {
    fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut open = false;
        for (number, line) in (1..).zip(self.text.lines()) {
            match (line.trim_start().strip_prefix("```"), open) {
                (Some(_), true) => open = false,
                (Some(language), false) => {
                    open = true;
                    let language = language.trim().to_owned();
                    blocks.push(Block { language, line: number + 1, text: String::new() });
                }
                (None, true) => {
                    let block = blocks.last_mut().expect("an open one");
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, false) => {}
            }
        }
        assert!(!open, "{}: a block of code has no end", self.path.display());
        blocks
    }

    /// The lines outside code blocks, with their numbers.
    fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut open = false;
        (1..).zip(self.text.lines()).filter(move |(_, line)| {
            let fence = line.trim_start().starts_with("```");
            open ^= fence;
            !open && !fence
        })
    }

    /// The anchors that links use for the headings of this page, as GitHub and mdBook generate them.
    fn anchors(&self) -> BTreeSet<String> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let headings = self.prose().filter(|(_, line)| line.starts_with('#'));
        let anchor = |(_, line): (usize, &str)| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
            let times = seen.entry(anchor.clone()).or_default();
            *times += 1;
            if *times == 1 { anchor } else { format!("{anchor}-{}", *times - 1) }
        };
        headings.map(anchor).collect()
    }

    /// Link targets, with their lines.
    fn links(&self) -> Vec<(usize, String)> {
        let targets = |(number, line): (usize, &str)| {
            let after = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            after.map(|(target, _)| (number, target.to_owned())).collect::<Vec<_>>()
        };
        self.prose().flat_map(targets).collect()
    }
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(whole.pop(), "{} leaves the repository", path.display()),
            part => whole.push(part),
        }
    }
    whole
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    let anchors: BTreeMap<&Path, BTreeSet<String>> =
        pages.iter().map(|page| (page.path.as_path(), page.anchors())).collect();
    let mut wrong = Vec::new();
    let mut links = 0;
    for page in &pages {
        for (line, target) in page.links() {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            links += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let folder = page.path.parent().unwrap_or(Path::new(""));
            let file = if file.is_empty() { page.path.clone() } else { plain(&folder.join(file)) };
            let place = page.place(line);
            if !Path::new(ROOT).join(&file).exists() {
                wrong.push(format!("{place}: there is no {}", file.display()));
            }
            if !anchor.is_empty() && !anchors.get(file.as_path()).is_some_and(|known| known.contains(anchor))
            {
                wrong.push(format!("{place}: {} has no heading for #{anchor}", file.display()));
            }
            if page.path.starts_with("docs") && !file.starts_with("docs") {
                wrong.push(format!("{place}: leads out of the book: {target}"));
            }
        }
    }
    assert!(links > 100, "only {links} links");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Pages that are missing from the table of contents are not in the book.
#[test]
fn the_book_has_every_page_once() {
    let pages = pages();
    let summary = pages.iter().find(|page| page.path == Path::new("docs/SUMMARY.md")).expect("a summary");
    let mut entries: Vec<PathBuf> =
        summary.links().into_iter().map(|(_, target)| Path::new("docs").join(target)).collect();
    entries.sort_unstable();
    let there: Vec<PathBuf> = pages
        .iter()
        .map(|page| page.path.clone())
        .filter(|path| path.starts_with("docs") && *path != summary.path)
        .collect();
    assert_eq!(entries, there);
}

/// Splits a command line as a shell does, as far as the documents need.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The command in a line of an example, without its comment, what it reads, and what its output is piped into.
fn command(line: &str) -> Option<String> {
    let line = line.trim_start().trim_start_matches("$ ");
    let line = line.replacen("cargo run --release -- ", "droidmux ", 1);
    if line != "droidmux" && !line.starts_with("droidmux ") {
        return None;
    }
    let ends = ["   ", "  #", " # ", " | ", " > ", " < ", "; ", " && "];
    let end = ends.iter().filter_map(|end| line.find(end)).min().unwrap_or(line.len());
    Some(line[..end].to_owned())
}

/// Why the program would refuse a command line, if it would. In prose a command may lack its required arguments, and
/// `SESSION` may stand where a session is named.
fn refusal(command: &str, is_prose: bool) -> Option<String> {
    let error = Cli::try_parse_from(words(command)).err()?;
    let forgiven = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
        ErrorKind::MissingRequiredArgument
        | ErrorKind::MissingSubcommand
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        | ErrorKind::InvalidValue
        | ErrorKind::ValueValidation => is_prose,
        _ => false,
    };
    (!forgiven).then(|| error.to_string().lines().next().unwrap_or_default().to_owned())
}

#[test]
fn commands_are_taken_by_the_program() {
    let mut wrong = Vec::new();
    let mut commands = 0;
    let continued = regex::Regex::new(r" *\\\n *").expect("an expression");
    for page in pages() {
        let ours = page.path != Path::new("CHANGELOG.md");
        for block in page.blocks().into_iter().filter(|block| matches!(&*block.language, "" | "sh")) {
            // The indentation of what goes on would be read as the gap before a comment.
            let text = continued.replace_all(&block.text, " ");
            for line in text.lines() {
                let Some(command) = command(line) else { continue };
                commands += 1;
                if let Some(why) = refusal(&command, false) {
                    wrong.push(format!("{}: {command}: {why}", page.place(block.line)));
                }
            }
        }
        // What the history says was true once.
        for (line, text) in page.prose().filter(|_| ours) {
            for code in text.split('`').skip(1).step_by(2) {
                let named = command(code).filter(|_| !code.contains(['|', '…', '[', '<', '{']));
                let Some(command) = named else { continue };
                commands += 1;
                if let Some(why) = refusal(&command, true) {
                    wrong.push(format!("{}: `{code}`: {why}", page.place(line)));
                }
            }
        }
    }
    assert!(commands > 100, "only {commands} commands");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a file that a session file names holds.
fn named(properties: &Page, path: &Path) -> std::io::Result<String> {
    let views = path.to_string_lossy().contains("keyviews");
    let mut blocks = properties.blocks().into_iter().filter(|block| block.language == "json");
    let found = blocks.find(|block| block.text.contains("\"keyviews\"") == views);
    found.map(|block| block.text).ok_or_else(|| std::io::ErrorKind::NotFound.into())
}

/// What the reader objects to in an example in TOML.
fn toml_complaint(text: &str, properties: &Page) -> Option<String> {
    let table: toml::Table = match toml::from_str(text) {
        Ok(table) => table,
        Err(error) => return Some(error.to_string()),
    };
    let has = |key: &str| table.contains_key(key);
    if has("fault") {
        return parse_faults("x.toml".as_ref(), text, 1).err().map(|error| error.to_string());
    }
    if has("input") || has("bug") {
        return read_examples(text).err().map(|error| error.to_string());
    }
    if has("palette") || has("styles") {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("mine.toml"), text).expect("written");
        // That an example is hard to read does not make it wrong.
        let faults =
            Theme::faults("mine", Some(folder.path())).unwrap_or_else(|error| vec![error.to_string()]);
        return faults.into_iter().find(|fault| !fault.contains("contrast"));
    }
    if ["theme", "keys", "hooks", "ascii", "store-alarm"].into_iter().any(has) {
        return toml::from_str::<Config>(text).err().map(|error| error.to_string());
    }
    let head =
        if has("technique") { "" } else { "technique = \"inputblaster\"\napp = \"org.example.app\"\n" };
    let text = format!("{head}{text}");
    let definition = match toml::from_str::<SessionDefinition>(&text) {
        Ok(definition) => definition,
        Err(error) => return Some(error.to_string()),
    };
    // The agent would have to be installed.
    if text.contains("\nagent = ") {
        return None;
    }
    // The APKs that it names must lie beside it.
    let folder = tempfile::tempdir().expect("a folder");
    for apk in &definition.lab.apk {
        std::fs::write(folder.path().join(apk), "").expect("written");
    }
    let read = |path: &Path| named(properties, path);
    let session = folder.path().join("x.toml");
    parse_session(&session, &text, &Default::default(), &read).err().map(|error| error.to_string())
}

#[test]
fn examples_are_read_by_their_readers() {
    let pages = pages();
    let properties =
        pages.iter().find(|page| page.path == Path::new("docs/properties.md")).expect("properties.md");
    let mut wrong = Vec::new();
    let mut examples = 0;
    for page in &pages {
        for block in page.blocks() {
            let complaint = match &*block.language {
                "toml" => toml_complaint(&block.text, properties),
                "json" => match serde_json::from_str::<serde_json::Value>(&block.text) {
                    Err(error) => Some(error.to_string()),
                    Ok(value) if value.get("dmfs").is_some() => {
                        read_dmfs("x", &block.text).err().map(|error| error.to_string())
                    }
                    Ok(value) if value.get("keyviews").is_some() => {
                        read_key_views("x", &block.text).err().map(|error| error.to_string())
                    }
                    Ok(_) => None,
                },
                _ => continue,
            };
            examples += 1;
            wrong.extend(complaint.map(|why| format!("{}: {why}", page.place(block.line))));
        }
    }
    assert!(examples > 12, "only {examples} examples");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn command_lines_are_taken_out_of_examples() {
    for (line, expected) in [
        ("droidmux", Some("droidmux")),
        ("$ droidmux run x.toml   goes on", Some("droidmux run x.toml")),
        ("droidmux model s1 --dot | dot -Tsvg", Some("droidmux model s1 --dot")),
        ("cargo run --release -- demo      # a lab", Some("droidmux demo")),
        ("droidmux: fault 3 of sim-2", None),
        ("droidmuxes", None),
    ] {
        assert_eq!(command(line).as_deref(), expected, "{line}");
    }
    assert_eq!(words("a 'b c'  \"d\" ''"), ["a", "b c", "d", ""]);
    assert!(refusal("droidmux no-such-thing", true).is_some());
    assert!(refusal("droidmux replay", true).is_none());
    assert!(refusal("droidmux replay", false).is_some());
}

/// The sources, with strings that were split over lines joined again.
fn sources(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push_str(&std::fs::read_to_string(&path).expect("a source"));
        }
    }
}

#[test]
fn messages_in_troubleshooting_are_the_programs() {
    let pages = pages();
    let page =
        pages.iter().find(|page| page.path.ends_with("troubleshooting.md")).expect("troubleshooting.md");
    let mut source = String::new();
    sources(&Path::new(ROOT).join("src"), &mut source);
    let broken = regex::Regex::new("\\\\\n *").expect("an expression");
    let source = broken.replace_all(&source, "");
    let rows =
        page.prose().filter_map(|(line, text)| Some((line, text.strip_prefix("| `")?.split_once('`')?.0)));
    let mut messages = 0;
    for (line, message) in rows {
        messages += 1;
        for part in message.split('…').map(|part| part.trim_matches([' ', ':', ',', '(', ')', ';'])) {
            assert!(source.contains(part), "{}: no message says {part:?}", page.place(line));
        }
    }
    assert!(messages > 25, "only {messages} messages");
}
