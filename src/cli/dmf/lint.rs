//! `droidmux dmf lint`: what is wrong or doubtful in a specification, on its own and against a screen.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use super::reading::read_file;
use super::words;
use crate::exit::FOUND;
use crate::one_device::device_of;
use crate::output::print;
use droidmux_device::adb::Server;
use droidmux_device::{Device, Patience};
use droidmux_gui::Layout;
use droidmux_record::{RunSettings, Specification};
use droidmux_technique::pbfdroid::format::{read_dmfs, read_key_views, unread_fields};
use droidmux_technique::pbfdroid::lint::{Presence, Remark, Weight, lint, presence};
use droidmux_words::printable;

#[derive(Debug, Args)]
pub struct LintArgs {
    /// The specification, in PBFDroid's JSON
    file: PathBuf,
    /// The widgets never touched at random, in PBFDroid's JSON
    #[arg(long, value_name = "FILE")]
    keyviews: Option<PathBuf>,
    /// Also say which widgets and preconditions fit the screen that this device shows now
    #[arg(long, value_name = "SERIAL")]
    device: Option<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Exit code 1 when a function cannot be used.
///
/// # Errors
///
/// `Usage` for a file that cannot be read or is not a specification; another error when the device fails.
pub fn run(args: LintArgs) -> color_eyre::Result<ExitCode> {
    let (dmfs, mut unread) =
        read_file(&args.file, |name, text| Ok((read_dmfs(name, text)?, unread_fields(text))))?;
    let key_views = match &args.keyviews {
        Some(path) => {
            let (key_views, others) =
                read_file(path, |name, text| Ok((read_key_views(name, text)?, unread_fields(text))))?;
            unread.extend(others);
            key_views
        }
        None => Vec::new(),
    };
    let specification = Specification { dmfs, key_views };
    let remarks: Vec<Remark> = unread.into_iter().map(Remark::from).chain(lint(&specification)).collect();
    let on_screen = match &args.device {
        Some(serial) => Some(on_screen(&specification, &screen(serial)?)),
        None => None,
    };
    let name = printable(&args.file.to_string_lossy()).into_owned();
    let report = words::Report { name, specification: &specification, remarks: &remarks, on_screen };
    print(&if args.json { report.json() } else { report.text() })?;
    let faulty = remarks.iter().any(|remark| remark.weight == Weight::Fault);
    Ok(if faulty { ExitCode::from(FOUND) } else { ExitCode::SUCCESS })
}

/// What the device shows now.
fn screen(serial: &str) -> color_eyre::Result<Arc<Layout>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let device = device_of(&Server::from_env()?, Some(serial)).await?;
        let settled = device.layout(RunSettings::default().dump_tries, &Patience::default()).await?;
        Ok(settled.layout)
    })
}

fn on_screen(specification: &Specification, layout: &Arc<Layout>) -> Vec<Vec<Presence>> {
    specification.dmfs.iter().map(|dmf| presence(dmf, layout)).collect()
}
