//! `droidmux init`: a first session file, by asking or by options.
//!
//! In: options, answers on standard input, the devices of the ADB server with their apps. Out: a readable session file,
//! and how to go on. Nothing is written before all answers are given, and no file is overwritten without asking.

mod draft;

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use thiserror::Error;

use super::config::Config;
use super::dialogue::Dialogue;
use super::output::print;
use super::session_file::parse_session;
use super::{Usage, one_device, ranges, specification_file};
use draft::Draft;
use droidmux_device::adb::{AdbDevice, Server};
use droidmux_device::{Device, DeviceErrorKind, Patience};
use droidmux_record::{NoTechniqueName, RunSettings, Technique};
use droidmux_technique::{TechniqueEntry, entry, techniques};
use droidmux_words::printable;

/// The most apps listed to choose from.
const MOST_APPS: usize = 500;

#[derive(Debug, Args)]
pub struct InitArgs {
    /// The device to run on
    #[arg(long, value_name = "SERIAL")]
    device: Option<String>,
    /// Package of the app under test
    #[arg(long, value_name = "PACKAGE")]
    app: Option<String>,
    /// How to look for bugs: genie, odin, neutral, monkey, pbfdroid, inputblaster, randomtext, visiondroid
    #[arg(long, value_name = "NAME")]
    technique: Option<Technique>,
    /// Events at most
    #[arg(long, value_name = "N", value_parser = ranges::events)]
    max_events: Option<u64>,
    /// The specification of the app's functions, for pbfdroid
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// Where the session file goes [default: named for the app and the technique, in this folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
}

/// # Errors
///
/// `Usage` when an answer is missing or cannot be used, or the file already exists; another error when no device
/// answers.
pub fn run(args: InitArgs) -> color_eyre::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut dialogue = Dialogue::start();
    let (draft, output) = runtime.block_on(fill(&args, &mut dialogue))?;
    let usual = Config::read()?.llm;
    let text = draft.text();
    // The text is parsed before it is written, by the same rules as in `run`.
    parse_session(&output, &text, &usual, &specification_file::read_text)?;
    write(&output, &text, args.force)?;
    let file = printable(&output.display().to_string()).into_owned();
    let serial = printable(&draft.serial).into_owned();
    print(&format!(
        "{file} is written. What next:\n  \
         droidmux session check {file} --device {serial}    which rule picks what on the present screen\n  \
         droidmux doctor {file}    whether all is there for a run\n  \
         droidmux run {file}\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Asks for what the options do not say.
async fn fill(args: &InitArgs, dialogue: &mut Dialogue) -> color_eyre::Result<(Draft, PathBuf)> {
    let server = Server::from_env()?;
    let device = device(&server, args, dialogue).await?;
    let app = app(&device, args, dialogue).await?;
    let technique = technique(args, dialogue).await?;
    let needs = entry(technique.name()).and_then(|entry| entry.needs);
    let spec = match (needs, &args.spec) {
        (Some(_), Some(spec)) => Some(spec.clone()),
        (Some(needed), None) => Some(dialogue.ask_until(needed.question, "", "--spec", filled).await?.into()),
        (None, Some(_)) => {
            return Err(Usage::new(format!("--spec is for --technique {}", with_files())).into());
        }
        (None, None) => None,
    };
    let max_events = match args.max_events {
        Some(most) => most,
        None => {
            let usual = RunSettings::default().max_events.to_string();
            dialogue.ask_until("events at most?", &usual, "--max-events", ranges::events).await?
        }
    };
    let named = draft::file_name(&app, technique.name());
    let output = match &args.output {
        Some(output) => output.clone(),
        None => dialogue.ask_until("where does it go?", &named, "-o", filled).await?.into(),
    };
    // A path in a session file is relative to its folder.
    let spec = spec.map(std::path::absolute).transpose()?;
    Ok((Draft { serial: device.serial().to_owned(), app, technique, max_events, spec }, output))
}

/// The techniques that a first session can have: those that explore an app.
fn explorers() -> Vec<&'static TechniqueEntry> {
    techniques().into_iter().filter(|entry| !entry.uses.stored).collect()
}

/// The techniques that need a file.
fn with_files() -> String {
    let names = techniques().into_iter().filter(|entry| entry.needs.is_some()).map(|entry| entry.name);
    names.collect::<Vec<_>>().join(" or ")
}

async fn device(server: &Server, args: &InitArgs, dialogue: &mut Dialogue) -> color_eyre::Result<AdbDevice> {
    if args.device.is_some() {
        return one_device::device_of(server, args.device.as_deref()).await;
    }
    let entries = server.devices(&Patience::default()).await?;
    let ready: Vec<_> = entries.iter().filter(|entry| entry.is_ready()).collect();
    // With none or only one, there is nothing to ask.
    if ready.len() < 2 {
        return one_device::device_of(server, None).await;
    }
    let rows: Vec<String> = ready.iter().map(|entry| format!("{}  {}", entry.name, entry.model)).collect();
    dialogue.say(&numbered(&rows));
    let serials: Vec<&str> = ready.iter().map(|entry| entry.name.as_str()).collect();
    let serial =
        dialogue.ask_until("which device?", "1", "--device", |answer| chosen(answer, &serials)).await?;
    match serials.contains(&serial.as_str()) {
        true => Ok(AdbDevice::new(server.clone(), serial)),
        false => one_device::device_of(server, Some(&serial)).await,
    }
}

/// Prints the apps of whoever uses the device now; in the form of old systems where the other one fails.
const LIST_PACKAGES: &str = "pm list packages -3 --user current 2>/dev/null || pm list packages -3";

async fn app(device: &AdbDevice, args: &InitArgs, dialogue: &mut Dialogue) -> color_eyre::Result<String> {
    if let Some(app) = &args.app {
        return installed(device, app).await?.map_err(|error| Usage::new(error.to_string()).into());
    }
    let listed = device.shell(LIST_PACKAGES, &Patience::default()).await?.checked("pm list packages");
    let listed =
        listed.map_err(|kind| color_eyre::eyre::eyre!("{}: listing its apps: {kind}", device.serial()))?;
    let packages = draft::packages(&listed.text(), MOST_APPS);
    dialogue.say(&numbered(&packages));
    loop {
        let names: Vec<&str> = packages.iter().map(String::as_str).collect();
        let default = if names.len() == 1 { "1" } else { "" };
        let question = "which app? (a number, or any package)";
        let app = dialogue.ask_until(question, default, "--app", |answer| chosen(answer, &names)).await?;
        match installed(device, &app).await? {
            Ok(app) => return Ok(app),
            Err(error) => dialogue.say(&printable(&error.to_string())),
        }
    }
}

/// The package, if the device has it; otherwise, what is wrong with it.
async fn installed(device: &AdbDevice, app: &str) -> color_eyre::Result<Result<String, AnswerError>> {
    match device.app(app, &Patience::default()).await {
        Ok(_) => Ok(Ok(app.to_owned())),
        Err(error) if matches!(error.kind, DeviceErrorKind::NotInstalled(_)) => {
            Ok(Err(AnswerError::NotInstalled { app: app.to_owned(), serial: error.serial }))
        }
        Err(error) => Err(error.into()),
    }
}

async fn technique(args: &InitArgs, dialogue: &mut Dialogue) -> color_eyre::Result<Technique> {
    let known = |name: &str| -> Result<Technique, AnswerError> {
        let names: Vec<&str> = explorers().iter().map(|entry| entry.name).collect();
        match chosen(name, &names)? {
            name if names.contains(&name.as_str()) => Ok(name.parse()?),
            name => Err(AnswerError::NoTechnique { name, known: names.join(", ") }),
        }
    };
    match &args.technique {
        Some(technique) => known(technique.name()).map_err(|error| Usage::new(error.to_string()).into()),
        None => {
            let rows: Vec<String> =
                explorers().iter().map(|entry| format!("{:<13} {}", entry.name, entry.what)).collect();
            dialogue.say(&numbered(&rows));
            dialogue.ask_until("which technique?", "1", "--technique", known).await
        }
    }
}

/// Why an answer will not do.
#[derive(Debug, Error)]
enum AnswerError {
    #[error("an answer is needed")]
    Empty,
    /// No row has it.
    #[error("there is no number {0}")]
    NoNumber(usize),
    #[error("{app} is not installed on {serial}")]
    NotInstalled { app: String, serial: String },
    #[error("there is no technique {name:?}; there are {known}")]
    NoTechnique { name: String, known: String },
    #[error(transparent)]
    Name(#[from] NoTechniqueName),
}

fn filled(answer: &str) -> Result<String, AnswerError> {
    if answer.is_empty() { Err(AnswerError::Empty) } else { Ok(answer.to_owned()) }
}

/// The row with this number, or the answer itself.
fn chosen(answer: &str, rows: &[&str]) -> Result<String, AnswerError> {
    match answer.parse::<usize>() {
        Ok(number) => match number.checked_sub(1).and_then(|at| rows.get(at)) {
            Some(row) => Ok((*row).to_owned()),
            None => Err(AnswerError::NoNumber(number)),
        },
        Err(_) => filled(answer),
    }
}

fn numbered(rows: &[String]) -> String {
    let lines = (1..).zip(rows).map(|(number, row): (usize, _)| format!("  {number:>3}  {row}"));
    printable_rows(lines)
}

fn printable_rows(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| printable(line.trim_end()).into_owned()).collect::<Vec<_>>().join("\n")
}

/// Writes a new file, or overwrites one if requested.
fn write(path: &Path, text: &str, force: bool) -> Result<(), Usage> {
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let written = options.open(path).and_then(|mut file| file.write_all(text.as_bytes()));
    let name = path.display();
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Usage::new(format!("{name} is there already")).hint("--force replaces it")
        }
        _ => Usage::new(format!("{name}: {error}")),
    })
}
