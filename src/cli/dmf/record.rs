//! `droidmux dmf record`: performs a function with a person and writes its specification.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use color_eyre::eyre::{Report, WrapErr, eyre};

use super::listing::listing;
use super::orders::{self, HELP, Order, OrderError};
use super::words;
use crate::Usage;
use crate::dialogue::Dialogue;
use crate::exit::{FOUND, INTERRUPTED};
use crate::one_device::device_of;
use crate::output::print;
use crate::runtime::runtime;
use crate::sim::defects;
use droidmux_device::adb::Server;
use droidmux_lab::recorder::{Stage, Take, keep, kept, rehearse, remarks, with};
use droidmux_record::{Dmf, Operation};
use droidmux_sim::{SimLab, SimOptions};
use droidmux_sim_apps as apps;
use droidmux_technique::pbfdroid::condition;
use droidmux_technique::pbfdroid::format::write_dmfs;
use droidmux_technique::pbfdroid::lint::Weight;
use droidmux_technique::pbfdroid::recording::{Answers, Recording, specify};
use droidmux_words::printable;

#[derive(Debug, Args)]
pub struct RecordArgs {
    /// Package of the app; its data on the device is cleared
    #[arg(long, value_name = "PACKAGE")]
    app: String,
    /// The device, when several are ready
    #[arg(long, value_name = "SERIAL")]
    device: Option<String>,
    /// The specification to extend, or to begin; standard output when not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The devices of the ADB server, or a simulated one
    #[arg(long, value_name = "KIND", value_parser = ["adb", "sim"], default_value = "adb")]
    lab: String,
    /// Defects of the simulated apps: all, none, or ids
    #[arg(long, value_name = "IDS", default_value = "none")]
    defects: String,
}

/// Exit code 1 when the function cannot be used, or failed when it was carried out.
///
/// # Errors
///
/// `Usage` when the input ends early or the file is not a specification; another error when the device fails.
pub fn run(args: RecordArgs) -> color_eyre::Result<ExitCode> {
    // A file that cannot be extended is reported before the work, not after it.
    if let Some(out) = &args.out {
        kept(out).map_err(|error| Usage::new(error.to_string()))?;
    }
    let runtime = runtime()?;
    let done = runtime.block_on(async {
        let (server, _lab) = match args.lab.as_str() {
            "sim" => {
                let options = SimOptions {
                    devices: 1,
                    defects: defects(&args.defects)?,
                    adbd: false,
                    ..SimOptions::with_apps(apps::all())
                };
                let lab = SimLab::start(options).await.wrap_err("the simulated lab did not start")?;
                (Server::at(lab.server_addr()), Some(lab))
            }
            _ => (Server::from_env()?, None),
        };
        let device = device_of(&server, args.device.as_deref()).await?;
        let stage = Stage::new(Arc::new(device), &args.app).await?;
        let outcome = tokio::select! {
            outcome = record(&stage, &args) => outcome,
            _ = tokio::signal::ctrl_c() => Ok(ExitCode::from(INTERRUPTED)),
        };
        stage.restore().await?;
        outcome
    });
    // The thread that reads the input may wait for ever.
    runtime.shutdown_background();
    done
}

async fn record(stage: &Stage, args: &RecordArgs) -> color_eyre::Result<ExitCode> {
    let mut dialogue = Dialogue::start();
    let Some(take) = perform(stage, &mut dialogue).await? else { return Ok(ExitCode::SUCCESS) };
    let typed = take.typed().unwrap_or_default().to_owned();
    let (recording, lead) = (take.recording(), take.lead());
    let (answers, dmf) = describe(&mut dialogue, &recording, &typed).await?;
    dialogue.say(&summary(&dmf));
    let before = answers.data_before();
    for what in recording.check(&dmf, &before) {
        dialogue.say(&printable(&format!("  as recorded, {what}")));
    }
    let dmfs = save(args.out.as_deref(), dmf.clone())?;
    let usable = say_remarks(&dialogue, &dmfs, &dmf);
    dialogue.say("now it is carried out from its specification …");
    let rehearsal = rehearse(stage, &lead, &dmf, &before).await?;
    for line in &rehearsal.lines {
        dialogue.say(&printable(&format!("  {line}")));
    }
    dialogue.say(if rehearsal.good { "it works" } else { "it does not work as it is written" });
    Ok(if usable && rehearsal.good { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
}

/// Lets the person perform the function; `None` when they leave.
async fn perform(stage: &Stage, dialogue: &mut Dialogue) -> Result<Option<Take>, Report> {
    let mut take = Take::start(stage).await?;
    dialogue.say("Bring the app to where the function begins, say `begin`, perform it, say `done`.");
    dialogue.say(HELP);
    show(dialogue, &take, false);
    loop {
        let order = match orders::order(&dialogue.ask(">").await?) {
            Ok(order) => order,
            Err(error) => {
                dialogue.say(&printable(&error.to_string()));
                continue;
            }
        };
        match order {
            Order::Do(deed) => match take.act(stage, deed).await? {
                Some(why) => dialogue.say(&printable(&why)),
                None => show(dialogue, &take, false),
            },
            Order::Look { all } => show(dialogue, &take, all),
            Order::Help => dialogue.say(HELP),
            Order::Begin => {
                take.begin();
                show(dialogue, &take, false);
            }
            Order::Over => {
                take = Take::start(stage).await?;
                show(dialogue, &take, false);
            }
            Order::Done if take.layout_number() == 0 => dialogue.say("nothing was done yet"),
            Order::Done => return Ok(Some(take)),
            Order::Quit => return Ok(None),
        }
    }
}

fn show(dialogue: &Dialogue, take: &Take, all: bool) {
    let shown = take.shown();
    for signal in &shown.signals {
        dialogue.say(&printable(&format!("!! {signal}")));
    }
    let away = if shown.in_app { "" } else { " (not in the app)" };
    dialogue.say(&printable(&format!("layout {}: {}{away}", take.layout_number(), shown.activity)));
    dialogue.say(listing(&shown.layout, all).trim_end());
}

/// Asks what the recording is, until it can be turned into a function.
async fn describe(
    dialogue: &mut Dialogue,
    recording: &Recording,
    typed: &str,
) -> Result<(Answers, Dmf), Report> {
    let operation =
        dialogue.ask_until("type (add, view, edit, delete, search)?", "", "", orders::operation).await?;
    let filled =
        |text: &str| if text.is_empty() { Err("it needs a name".to_owned()) } else { Ok(text.to_owned()) };
    let datatype = dialogue.ask_until("type of the objects, e.g. note?", "", "", filled).await?;
    let name = dialogue.ask_or("name of the function?", &format!("{operation} {datatype}")).await?;
    let weight = |text: &str| text.parse::<u32>().ok().filter(|n| (1..=1_000).contains(n));
    let proportion = dialogue
        .ask_until("proportion, 1 to 1000?", "10", "", |text| weight(text).ok_or(OrderError::Weight))
        .await?;
    let mut answers = Answers {
        operation,
        datatype,
        name,
        proportion,
        before: String::new(),
        after: String::new(),
        predicates: Vec::new(),
    };
    let mut dmf = loop {
        objects(dialogue, &mut answers, typed).await?;
        match specify(recording, &answers) {
            Ok(dmf) => break dmf,
            Err(why) => dialogue.say(&printable(&why.to_string())),
        }
    };
    let end = recording.steps.len();
    dialogue.say("further conditions: `pre in N`, `post not in N@LAYOUT`, `pre smaller` …; empty when done");
    loop {
        let line = dialogue.ask("condition?").await?;
        if line.is_empty() {
            return Ok((answers, dmf));
        }
        match orders::predicate(&line, end) {
            Err(error) => dialogue.say(&printable(&error.to_string())),
            Ok(predicate) => {
                answers.predicates.push(predicate);
                match specify(recording, &answers) {
                    Ok(better) => dmf = better,
                    Err(why) => {
                        answers.predicates.pop();
                        dialogue.say(&printable(&why.to_string()));
                    }
                }
            }
        }
    }
}

/// The texts of the objects, exactly as the screen shows them.
async fn objects(dialogue: &mut Dialogue, answers: &mut Answers, typed: &str) -> Result<(), Report> {
    if matches!(answers.operation, Operation::Edit | Operation::Delete) {
        answers.before = dialogue.ask("text of the object that it takes away?").await?;
    }
    let question = match answers.operation {
        Operation::Add => "text of the object that it adds?",
        Operation::Edit => "text of the object after the edit?",
        Operation::View | Operation::Search => "text of the object that it shows?",
        Operation::Delete => return Ok(()),
    };
    answers.after = dialogue.ask_or(question, typed).await?;
    Ok(())
}

/// The function in a few lines, for a person to look over.
fn summary(dmf: &Dmf) -> String {
    let mut lines = vec![format!("{} ({}, {})", dmf.name, dmf.operation, dmf.datatype)];
    for widget in &dmf.widgets {
        let attributes = [
            ("id", &widget.resource_id),
            ("desc", &widget.description),
            ("text", &widget.text),
            ("class", &widget.class),
        ];
        let named = attributes.iter().filter(|(_, value)| !value.is_empty());
        let mut words: Vec<String> = named.map(|(name, value)| format!("{name} {value:?}")).collect();
        words.extend(widget.instance.map(|instance| format!("instance {instance}")));
        lines.push(format!("  {:<14} {}", widget.name, words.join(", ")));
    }
    let conditions = |heading: &str, all: &[droidmux_record::Condition]| {
        all.iter().map(|it| format!("  {heading}: {}", condition::words(it, None))).collect::<Vec<_>>()
    };
    lines.extend(conditions("before", &dmf.preconditions));
    lines.extend(conditions("after", &dmf.postconditions));
    let lines: Vec<_> = lines.iter().map(|line| printable(line)).collect();
    lines.join("\n")
}

/// Adds the function to the file, replacing one of the same name; returns all functions.
fn save(out: Option<&Path>, dmf: Dmf) -> color_eyre::Result<Vec<Dmf>> {
    let Some(out) = out else {
        let dmfs = with(Vec::new(), dmf);
        print(&write_dmfs(&dmfs))?;
        return Ok(dmfs);
    };
    kept(out).map_err(|error| Usage::new(error.to_string()))?;
    let dmfs = keep(out, dmf).map_err(|error| eyre!(error))?;
    eprintln!("written to {}", printable(&out.display().to_string()));
    Ok(dmfs)
}

/// What lint says about the new function; true when it can be used.
fn say_remarks(dialogue: &Dialogue, dmfs: &[Dmf], dmf: &Dmf) -> bool {
    let remarks = remarks(dmfs, &dmf.name);
    for remark in &remarks {
        dialogue.say(words::line(remark).trim_end());
    }
    remarks.iter().all(|remark| remark.weight == Weight::Note)
}
