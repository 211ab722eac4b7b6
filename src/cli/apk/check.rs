//! `droidmux apk check`: what an app needs that the framework lab lacks.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::needs::{Lack, Need, needs};
use crate::exit;
use crate::framework_lab::FrameworkLab;
use crate::output::{json_line, print};
use droidmux_gui::printable;
use droidmux_sim::TranslatedApp;

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The APKs of one app: a single one, a base and its splits, or an archive of them
    #[arg(value_name = "FILE", required = true)]
    apk: Vec<PathBuf>,
    /// The folder of the framework lab [default: ./framework, or what `droidmux apk setup` built]
    #[arg(long, value_name = "FOLDER", env = "DROIDMUX_FRAMEWORK")]
    framework_host: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The object that `droidmux apk check --json` prints.
#[derive(Serialize)]
struct CheckedApk<'a> {
    package: &'a str,
    version: &'a str,
    min: u32,
    target: u32,
    classes: u64,
    engines: &'a [String],
    needs: Vec<NeedJson<'a>>,
}

#[derive(Serialize)]
struct NeedJson<'a> {
    lack: &'static str,
    what: &'a str,
    said: &'a str,
    places: Option<u64>,
}

/// Exit code 1 for an app of which the lab would show nothing; what works in part is said, and no reason to fail.
pub(super) fn run(args: &CheckArgs) -> color_eyre::Result<ExitCode> {
    let lab = FrameworkLab::find(args.framework_host.as_deref())?;
    let app = lab.translate(&args.apk, &CancellationToken::new())?.app;
    let needs = needs(&app);
    print(&if args.json { json(&app, &needs) } else { text(&app, &needs) })?;
    let hopeless = needs.iter().any(|need| need.lack == Lack::Hopeless);
    Ok(ExitCode::from(if hopeless { exit::FOUND } else { exit::OK }))
}

fn name(lack: Lack) -> &'static str {
    match lack {
        Lack::Hopeless => "hopeless",
        Lack::Fails => "fails",
        Lack::Pretended => "pretended",
        Lack::Plain => "plain",
    }
}

fn json(app: &TranslatedApp, needs: &[Need]) -> String {
    let needs = needs.iter().map(|need| NeedJson {
        lack: name(need.lack),
        what: &need.what,
        said: &need.words,
        places: need.places,
    });
    json_line(&CheckedApk {
        package: &app.package,
        version: &app.version,
        min: app.min,
        target: app.target,
        classes: app.classes,
        engines: &app.engines,
        needs: needs.collect(),
    })
}

fn text(app: &TranslatedApp, needs: &[Need]) -> String {
    let mut text = format!(
        "{} {}: API {} to {}, {} classes\n",
        printable(&app.package),
        printable(&app.version),
        app.min,
        app.target,
        app.classes
    );
    for need in needs {
        let places = match need.places {
            None => String::new(),
            Some(1) => " (1 place in the code)".to_owned(),
            Some(places) => format!(" ({places} places in the code)"),
        };
        let _ = writeln!(text, "  {:<9}  {}{places}: {}", name(need.lack), need.what, printable(&need.words));
    }
    if needs.is_empty() {
        text += "  needs nothing that the framework lab lacks, as far as its code tells\n";
    }
    text
}
