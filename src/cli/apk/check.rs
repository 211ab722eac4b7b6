//! `droidmux apk check`: what an app needs that the framework lab lacks.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::needs::{Lack, Need, needs};
use crate::exit;
use crate::framework_lab::FrameworkLab;
use crate::output::{json_line, print};
use crate::runtime::runtime;
use crate::signals::end_on_signals;
use droidmux_sim::TranslatedApp;
use droidmux_words::figure::count;
use droidmux_words::printable;

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

/// `apk check`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "apk-check"))]
pub(crate) struct CheckedApkJson<'a> {
    package: &'a str,
    version: &'a str,
    /// The lowest API level that the app runs on.
    min: u32,
    /// The API level that it was made for.
    target: u32,
    /// Classes in its code.
    classes: u64,
    /// What it is made with besides Android's views, e.g. Compose.
    engines: &'a [String],
    /// The gravest first.
    needs: Vec<NeedJson<'a>>,
}

/// Something that the app needs and the framework lab lacks or has in part.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "need"))]
struct NeedJson<'a> {
    lack: LackJson,
    what: &'a str,
    /// What the lab does instead.
    said: &'a str,
    /// Places in the code that call for it, where that was counted.
    places: Option<u64>,
}

/// hopeless: the app shows nothing, exit code 1. fails: what needs it fails, as on a phone without it. pretended: it does
/// something else than on a phone, or nothing. plain: it is there, in a plain form.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "lack"))]
enum LackJson {
    Hopeless,
    Fails,
    Pretended,
    Plain,
}

impl From<Lack> for LackJson {
    fn from(lack: Lack) -> Self {
        match lack {
            Lack::Hopeless => Self::Hopeless,
            Lack::Fails => Self::Fails,
            Lack::Pretended => Self::Pretended,
            Lack::Plain => Self::Plain,
        }
    }
}

/// Exit code 1 for an app of which the lab would show nothing; what works in part is said, and no reason to fail.
pub(super) fn run(args: &CheckArgs) -> color_eyre::Result<ExitCode> {
    let lab = FrameworkLab::find(args.framework_host.as_deref())?;
    let runtime = runtime()?;
    let stop = runtime.block_on(async { end_on_signals() });
    let app = lab.translate(&args.apk, &stop)?.app;
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
        lack: need.lack.into(),
        what: &need.what,
        said: &need.words,
        places: need.places,
    });
    json_line(&CheckedApkJson {
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
        let told = |places| format!(" ({} in the code)", count(places, "place"));
        let places = need.places.map(told).unwrap_or_default();
        let _ = writeln!(text, "  {:<9}  {}{places}: {}", name(need.lack), need.what, printable(&need.words));
    }
    if needs.is_empty() {
        text += "  needs nothing that the framework lab lacks, as far as its code tells\n";
    }
    text
}
