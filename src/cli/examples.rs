//! `droidmux examples`: the earlier bugs that language models are shown as examples.
//!
//! Shipped examples are listed with those of the store and cannot be changed; people and findings add those of the
//! store.

mod catalogue;
mod editor;
mod fields;
mod from_finding;
mod words;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use color_eyre::eyre::WrapErr;

use super::caller::Caller;
use super::specification_file::read_text;
use super::{Usage, exit, findings};
use catalogue::{Catalogue, Entry};
use droidmux_llm::library::{complaint, read_examples, write_examples};
use droidmux_record::{Example, ExampleKind, FindingId};
use droidmux_store::Store;
use fields::Fields;

#[derive(Debug, Args)]
pub struct ExamplesArgs {
    #[command(subcommand)]
    command: ExamplesCommand,
    /// The store [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH", global = true)]
    store: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum ExamplesCommand {
    /// List the examples that ship and those of the store
    List {
        /// Only those of this kind
        #[arg(long, value_enum)]
        kind: Option<Kind>,
        /// Only those of the store
        #[arg(long)]
        stored: bool,
        /// JSON Lines
        #[arg(long)]
        json: bool,
    },
    /// Show an example in full, as TOML
    Show {
        #[arg(value_name = "EXAMPLE")]
        id: String,
    },
    /// Add what a confirmed finding teaches, or an example of your own
    Add {
        /// A finding that replays or a person confirmed; fields given beside it say it better
        #[arg(long, value_name = "FINDING")]
        finding: Option<FindingId>,
        #[command(flatten)]
        fields: Fields,
    },
    /// Change an example of the store, in $VISUAL or $EDITOR when no field is given
    Edit {
        #[arg(value_name = "EXAMPLE")]
        id: String,
        #[command(flatten)]
        fields: Fields,
    },
    /// Remove examples of the store
    Remove {
        #[arg(required = true, value_name = "EXAMPLE")]
        ids: Vec<String>,
    },
    /// Write examples of the store to a TOML file
    Export {
        /// All when none is named
        #[arg(value_name = "EXAMPLE")]
        ids: Vec<String>,
        /// The file; it must not exist yet
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Add the examples of a TOML file, all or none
    Import {
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// Unusual texts that broke a field
    Input,
    /// Functional bugs as stories
    Bug,
}

impl From<Kind> for ExampleKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Input => Self::Input,
            Kind::Bug => Self::Bug,
        }
    }
}

/// # Errors
///
/// `Usage` for examples that do not exist or cannot be changed, and for input that is not a valid example.
pub(super) fn run(args: ExamplesArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let store = caller.store(args.store.as_deref(), true)?;
    let text = match args.command {
        ExamplesCommand::List { kind, stored, json } => {
            let catalogue = Catalogue::read(&store)?;
            let listed: Vec<&Entry> = catalogue
                .entries()
                .filter(|entry| !stored || entry.is_stored)
                .filter(|entry| kind.is_none_or(|kind| entry.example.kind() == kind.into()))
                .collect();
            if json { words::json_lines(&listed) } else { words::lines(&listed) }
        }
        ExamplesCommand::Show { id } => {
            let example = Catalogue::read(&store)?.named(&id)?.example.clone();
            write_examples([example])?
        }
        ExamplesCommand::Add { finding, fields } => add(&store, finding.as_ref(), &fields)?,
        ExamplesCommand::Edit { id, fields } => edit(store, &args.store, &id, &fields, caller)?,
        ExamplesCommand::Remove { ids } => {
            let gone = stored(&store, &ids)?;
            store.remove_examples(&gone)?;
            words::told("removed", &gone)
        }
        ExamplesCommand::Export { ids, output } => export(&store, &ids, &caller.path(&output))?,
        ExamplesCommand::Import { file } => import(&store, &caller.path(&file))?,
    };
    caller.print(&text)?;
    Ok(exit::OK)
}

fn add(store: &Store, finding: Option<&FindingId>, fields: &Fields) -> color_eyre::Result<String> {
    let example = match finding {
        Some(id) => {
            let learnt = from_finding::example(store, &findings::find(store, id)?)?;
            fields.changed(&learnt)?
        }
        None => fields.example()?,
    };
    require_sound(&example)?;
    let new = store.put_examples(std::slice::from_ref(&example))?;
    Ok(words::told(if new == 0 { "known already:" } else { "added" }, &[example]))
}

/// Without fields the editor opens, and the store stays closed until the editor is done.
fn edit(
    store: Store,
    named: &Option<PathBuf>,
    id: &str,
    fields: &Fields,
    caller: &Caller,
) -> color_eyre::Result<String> {
    let old = Catalogue::read(&store)?.stored(id)?.example.clone();
    let (store, new) = if fields.are_given() {
        (store, fields.changed(&old)?)
    } else if caller.is_client() {
        let why = "a lab server holds the store, and it cannot open an editor: name the fields to change, as \
                   `--rule WORDS`";
        return Err(Usage::new(why).into());
    } else {
        drop(store);
        let new = editor::edited(&old)?;
        (caller.store(named.as_deref(), false)?, new)
    };
    require_sound(&new)?;
    if new == old {
        return Ok(words::told("unchanged:", &[old]));
    }
    store.replace_example(&old, &new)?;
    Ok(words::told("changed to", &[new]))
}

fn export(store: &Store, ids: &[String], output: &Path) -> color_eyre::Result<String> {
    let chosen = match ids {
        [] => Catalogue::read(store)?.entries().filter(|e| e.is_stored).map(|e| e.example.clone()).collect(),
        ids => stored(store, ids)?,
    };
    if chosen.is_empty() {
        return Err(Usage::new("the store has no examples").into());
    }
    let text = write_examples(chosen.iter().cloned())?;
    let written = std::fs::File::create_new(output)
        .and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
    written.wrap_err_with(|| format!("{} cannot be written", output.display()))?;
    Ok(words::exchanged(output, &chosen, chosen.len()))
}

fn import(store: &Store, file: &Path) -> color_eyre::Result<String> {
    let text = read_text(file).wrap_err_with(|| format!("{} cannot be read", file.display()))?;
    let examples =
        read_examples(&text).map_err(|error| Usage::new(format!("{}: {error}", file.display())))?;
    let new = store.put_examples(&examples)?;
    Ok(words::exchanged(file, &examples, new))
}

/// The examples of the store with these names.
fn stored(store: &Store, ids: &[String]) -> color_eyre::Result<Vec<Example>> {
    let catalogue = Catalogue::read(store)?;
    ids.iter().map(|id| Ok(catalogue.stored(id)?.example.clone())).collect()
}

fn require_sound(example: &Example) -> Result<(), Usage> {
    match complaint(example) {
        Some(why) => Err(Usage::new(format!("this cannot be an example: {why}"))),
        None => Ok(()),
    }
}
