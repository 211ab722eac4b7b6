//! `droidmux apk check`: what an app needs that the framework lab lacks.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::needs::{Lack, Need, needs};
use super::pretended::{Called, named};
use crate::exit;
use crate::framework_lab::FrameworkLab;
use crate::output::{json_line, print};
use crate::runtime::runtime;
use crate::signals::end_on_signals;
use droidmux_sim::{Pretence, TranslatedApp};
use droidmux_words::figure::count;
use droidmux_words::printable;

/// Packages with pretended methods that are told in words.
const PACKAGES: usize = 8;

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
    /// The methods of Android's among them that the lab only pretends, the most called first.
    methods: Vec<PretendedMethodJson<'a>>,
}

/// A method of Android's framework that the lab only pretends.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "pretended-method"))]
struct PretendedMethodJson<'a> {
    /// Its class without the package, and its name, e.g. `Vibrator.vibrate`.
    name: &'a str,
    how: PretenceJson,
    /// Places in the code that call it.
    calls: u64,
}

/// nothing: it does nothing. noted: it notes what it was given, and nobody looks. constant: its answer is always the same.
/// native: its code is native and not there. service: it asks a service that is not there. fails: it fails. other: in
/// another way.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "pretence"))]
enum PretenceJson {
    Nothing,
    Noted,
    Constant,
    Native,
    Service,
    Fails,
    Other,
}

impl From<Pretence> for PretenceJson {
    fn from(how: Pretence) -> Self {
        match how {
            Pretence::Nothing => Self::Nothing,
            Pretence::Noted => Self::Noted,
            Pretence::Constant => Self::Constant,
            Pretence::Native => Self::Native,
            Pretence::Service => Self::Service,
            Pretence::Fails => Self::Fails,
            Pretence::Other => Self::Other,
        }
    }
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
        methods: need.methods.iter().map(method_json).collect(),
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

fn method_json(method: &Called) -> PretendedMethodJson<'_> {
    PretendedMethodJson { name: &method.name, how: method.how.into(), calls: method.calls }
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
    let mut packages = 0;
    for need in needs {
        packages += usize::from(need.is_package);
        if need.is_package && packages > PACKAGES {
            continue;
        }
        let methods =
            if need.methods.is_empty() { String::new() } else { format!(": {}", named(&need.methods)) };
        let told = |places| format!(" ({} in the code{methods})", count(places, "place"));
        let places = need.places.map(told).unwrap_or_default();
        let what = printable(&format!("{}{places}: {}", need.what, need.words)).into_owned();
        let _ = writeln!(text, "  {:<9}  {what}", name(need.lack));
    }
    if let Some(more @ 1..) = packages.checked_sub(PACKAGES) {
        let packages = count(more, "package");
        let _ = writeln!(text, "  {:<9}  {packages} more, which `--json` lists", name(Lack::Pretended));
    }
    if needs.is_empty() {
        text += "  needs nothing that the framework lab lacks, as far as its code tells\n";
    }
    text
}
