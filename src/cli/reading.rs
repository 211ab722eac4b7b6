//! `droidmux read SESSION` without `--print` and `--plan`: a session in which a model reads what another one did.

use super::Usage;
use super::caller::Caller;
use super::config::Config;
use super::read::ReadArgs;
use super::run::{Presentation, run_definition};
use droidmux_record::{LabKind, RecordedFolder, SessionDefinition, SessionId, Settings, Technique};
use droidmux_technique::reader::{ReaderSettings, has_reader};

/// Has a model read a session, or what another tool recorded.
///
/// # Errors
/// `Usage` where there is no such session, and without a model.
pub(super) fn run(args: &ReadArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let mut definition = match args.format {
        Some(format) => of_folder(args, format, caller)?,
        None => of_session(args, caller)?,
    };
    if !has_reader(&definition.llm) {
        definition.llm = Config::read()?.llm.settings();
    }
    args.talk.apply(&mut definition, caller)?;
    if !has_reader(&definition.llm) {
        let hint = "name one in `[llm]` of the configuration; `--print` and `--plan` need none";
        return Err(Usage::new("there is no model to read: fixed rules cannot").hint(hint).into());
    }
    let view = if args.json { Presentation::Json } else { Presentation::Headless };
    run_definition(definition, &args.options, view, caller)
}

/// A session that reads one of the store, on the same kind of devices.
fn of_session(args: &ReadArgs, caller: &Caller) -> color_eyre::Result<SessionDefinition> {
    let id: SessionId =
        args.recorded.to_string_lossy().parse().map_err(|error| {
            Usage::new(format!("{error}; a folder of another tool is read with --format"))
        })?;
    let record = caller.store(args.options.store(), false)?.session(id)?;
    let read = record.ok_or_else(|| Usage::no_session(id))?.definition;
    let settings = ReaderSettings { from: vec![id.to_string()], folders: Vec::new(), ..read.settings.of() };
    Ok(reading(SessionDefinition { replay: None, shrink: None, step: None, ..read }, args, settings))
}

/// A session that reads a recording of another tool.
fn of_folder(
    args: &ReadArgs,
    format: super::recording::FormatName,
    caller: &Caller,
) -> color_eyre::Result<SessionDefinition> {
    let folder = caller.path(&args.recorded);
    let app = format.read(&folder)?.app;
    let path = folder.to_str().ok_or_else(|| Usage::new(format!("{}: no UTF-8 path", folder.display())))?;
    let folders = vec![RecordedFolder { path: path.to_owned(), format: format.of_record()? }];
    let settings = ReaderSettings { folders, ..ReaderSettings::default() };
    let mut definition = reading(SessionDefinition::new(Technique::Reader, &app), args, settings);
    definition.lab.kind = LabKind::Adb;
    Ok(definition)
}

fn reading(read: SessionDefinition, args: &ReadArgs, settings: ReaderSettings) -> SessionDefinition {
    let settings = ReaderSettings { budget: args.budget, question: args.question, ..settings };
    let mut table = Settings::default();
    table.put(&settings);
    SessionDefinition { technique: Technique::Reader, settings: table, ..read }
}
