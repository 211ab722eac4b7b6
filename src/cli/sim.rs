//! `droidmux sim`: a simulated lab served until Ctrl-C, or a listing of its apps, their defects and
//! traps.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::Usage;
use super::exit::unless;
use super::fault_file::read_faults;
use super::framework_lab::FrameworkLab;
use super::logging;
use super::output::{json_line, print};
use super::runtime::runtime;
use super::signals::end_on_signals;
use droidmux_sim::{
    DefectSwitches, FaultPlan, FrameworkOptions, Latency, Observed, Oddity, SimBuild, SimError, SimLab,
    SimOptions,
};
use droidmux_sim_apps as apps;
use droidmux_words::printable;

#[derive(Debug, Args)]
pub struct SimArgs {
    /// List the apps, their defects and what only looks like a defect, and end
    #[arg(long)]
    list: bool,
    /// How many simulated devices
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=i64::from(SimLab::MAX_DEVICES)))]
    devices: u16,
    /// What a device is called instead of sim-1 and so on; may be given several times, the same name more than once
    #[arg(long = "serial", value_name = "SERIAL")]
    serials: Vec<String>,
    /// What makes the devices unlike the usual phone: work-profile, driver, cluster, launchers, warnings, with commas
    /// between
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    odd: Vec<Oddity>,
    /// Port of the ADB server door; 0 for a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Port of the first adbd door, the others following; 0 for free ones
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    adbd_port: u16,
    /// No adbd doors: only the ADB server door
    #[arg(long, conflicts_with = "adbd_port")]
    no_adbd: bool,
    /// Seed of everything volatile
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Switch volatile content off
    #[arg(long)]
    steady: bool,
    /// `su` makes anybody root
    #[arg(long)]
    root: bool,
    /// Defects of the apps: all, none, or ids with commas between
    #[arg(long, value_name = "IDS", default_value = "all")]
    defects: String,
    /// Another build of an app, that clients may install: an APK of this package and version code makes the app the
    /// build with these defects, e.g. org.droidmux.diary@200=none
    #[arg(long = "build", value_name = "PACKAGE@VERSION=IDS")]
    builds: Vec<String>,
    /// How slow the devices are: none, typical, a share of typical such as 0.1, or milliseconds by
    /// kind of work such as input=50,dump=200; with a reaction time (reaction=250, or typical) screens move before they
    /// rest
    #[arg(long, value_name = "HOW", default_value = "none")]
    latency: Latency,
    /// What goes wrong, from this file; what strikes is said on standard error
    #[arg(long, value_name = "FILE")]
    faults: Option<PathBuf>,
    /// Serve this app on Android's own framework classes, each device with a host of its own: a folder
    /// made by framework/build-app
    #[arg(long, value_name = "APP", conflicts_with_all = ["list", "defects"])]
    framework: Option<PathBuf>,
    /// Serve the app in this APK the same way: one file, a base and its splits, or an archive of them
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["list", "defects", "framework"])]
    apk: Vec<PathBuf>,
    /// Let the app's code use this computer's network
    #[arg(long)]
    network: bool,
    /// The folder of the framework lab [default: ./framework, or what `droidmux apk setup` built]
    #[arg(long, value_name = "FOLDER", env = "DROIDMUX_FRAMEWORK")]
    framework_host: Option<PathBuf>,
    /// Write a log to this file, at its end if it is there: phones that go away and come back, and why; faults; hosts that
    /// end, and their last words. DROIDMUX_LOG=debug says more
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    log: Option<PathBuf>,
    /// JSON on standard output; on SIGUSR1 a line says how long commands were made to wait, after how many gestures
    /// the screen was dumped, and how many last dumps showed what did not stay
    #[arg(long)]
    json: bool,
}

pub fn run(args: SimArgs) -> color_eyre::Result<ExitCode> {
    if args.list {
        print(&if args.json { list_json() } else { list() })?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(path) = &args.log {
        let told = |error| Usage::new(format!("{}: cannot be written: {error}", path.display()));
        logging::start_in(path).map_err(told)?;
    }
    let faults = match &args.faults {
        Some(path) => read_faults(path, args.seed).map_err(|error| Usage::new(error.to_string()))?,
        None => FaultPlan::default(),
    };
    let runtime = runtime()?;
    // From here on: an app may take a minute to be translated and started.
    let stop = runtime.block_on(async { end_on_signals() });
    let framework = framework(&args, &stop)?;
    let options = SimOptions {
        faults,
        devices: args.devices,
        serials: args.serials.clone(),
        oddities: args.odd.iter().copied().collect(),
        seed: args.seed,
        steady: args.steady,
        root: args.root,
        defects: defects(&args.defects)?,
        builds: args.builds.iter().map(|text| build(text)).collect::<Result<_, _>>()?,
        latency: args.latency,
        server_port: args.port,
        adbd: !args.no_adbd,
        adbd_port: args.adbd_port,
        framework,
        ..SimOptions::with_apps(apps::all())
    };
    runtime.block_on(serve(options, args.json, &stop))
}

/// The app that is not one of ours, if one is to be served.
fn framework(args: &SimArgs, stop: &CancellationToken) -> color_eyre::Result<Option<FrameworkOptions>> {
    let lab = || {
        let lab = FrameworkLab::find(args.framework_host.as_deref())?;
        Ok::<_, Usage>(lab.with_network(args.network))
    };
    if let Some(app) = &args.framework {
        return Ok(Some(lab()?.with(app.clone(), None)));
    }
    if args.apk.is_empty() {
        if args.network {
            return Err(Usage::new("--network is for an app: --apk FILE or --framework APP").into());
        }
        return Ok(None);
    }
    Ok(Some(lab()?.serving(&args.apk, stop)?.0))
}

/// `all`, `none`, or ids with commas between.
pub(super) fn defects(text: &str) -> Result<DefectSwitches, Usage> {
    match text {
        "all" => Ok(DefectSwitches::all()),
        "none" => Ok(DefectSwitches::none()),
        ids => DefectSwitches::only(ids.split(',').map(str::trim), &apps::all())
            .map_err(|error| Usage::new(format!("--defects: {error}"))),
    }
}

/// `PACKAGE@VERSION=IDS`.
fn build(text: &str) -> Result<SimBuild, Usage> {
    let parts = text.split_once('=').and_then(|(named, ids)| {
        let (package, version) = named.split_once('@')?;
        Some((package.to_owned(), version.parse().ok()?, ids))
    });
    let wrong = || {
        Usage::new(format!("--build {text}: PACKAGE@VERSION=IDS is wanted, e.g. org.droidmux.diary@200=none"))
    };
    let (package, version_code, ids) = parts.ok_or_else(wrong)?;
    Ok(SimBuild { package, version_code, defects: defects(ids)? })
}

async fn serve(options: SimOptions, json: bool, stop: &CancellationToken) -> color_eyre::Result<ExitCode> {
    let started = async {
        SimLab::start(options).await.map_err(|error| match error {
            SimError::Option(text) => color_eyre::Report::new(Usage::new(text)),
            error => error.into(),
        })
    };
    let lab = unless(stop, started).await?;
    let mut told = tell_faults(&lab, 0);
    let mut striking = lab.striking();
    let mut asked = signal(SignalKind::user_defined1())?;
    print(&if json { doors_json(&lab) } else { doors(&lab) })?;
    tracing::info!(server = %lab.server_addr(), devices = lab.devices().len(), "the simulated lab serves");
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            _ = asked.recv() => print(&waited_json(&lab))?,
            // The lab is alive, so there is always a next one to wait for.
            _ = striking.changed() => told = tell_faults(&lab, told),
        }
    }
    tell_faults(&lab, told);
    tracing::info!("the simulated lab ends: it was told to");
    // This command normally ends by being interrupted.
    for command in lab.unknown_commands() {
        eprintln!("droidmux: not simulated: {}", printable(&command));
    }
    Ok(ExitCode::SUCCESS)
}

/// Reports which faults have struck after the first `told`, and returns how many there are in all.
fn tell_faults(lab: &SimLab, told: usize) -> usize {
    let struck = lab.struck(told);
    for injected in &struck {
        eprintln!("droidmux: {injected}");
    }
    told + struck.len()
}

fn doors(lab: &SimLab) -> String {
    let server = lab.server_addr();
    let port = server.port();
    let mut text = format!("{} simulated devices behind an ADB server at {server}:\n", lab.devices().len());
    let _ = writeln!(text, "  adb -P {port} devices -l");
    let _ = writeln!(text, "  ANDROID_ADB_SERVER_PORT={port} droidmux run SESSION.toml");
    if !lab.adbd_addrs().is_empty() {
        text += "and each behind an adbd door for your own ADB server:\n";
    }
    for device in lab.devices() {
        if let Some(address) = device.adbd_addr() {
            let _ = writeln!(text, "  adb connect {address}    {}", device.serial());
        }
    }
    text + "Ctrl-C ends them.\n"
}

fn doors_json(lab: &SimLab) -> String {
    let devices: Vec<_> = lab
        .devices()
        .iter()
        .map(|device| {
            json!({ "serial": device.serial(), "adbd": device.adbd_addr().map(|address| address.to_string()) })
        })
        .collect();
    json_line(&json!({ "server": lab.server_addr().to_string(), "devices": devices }))
}

fn waited_json(lab: &SimLab) -> String {
    let waited: std::time::Duration = lab.devices().iter().map(|device| device.waited()).sum();
    let observed: Vec<_> = lab.devices().iter().map(|device| device.observed()).collect();
    let sum = |of: fn(&Observed) -> u64| observed.iter().map(of).sum::<u64>();
    let (observations, premature) = (sum(|all| all.observations), sum(|all| all.premature));
    json_line(
        &json!({ "waited_s": waited.as_secs_f64(), "observations": observations, "premature": premature }),
    )
}

fn list() -> String {
    let mut text = String::new();
    for app in apps::all() {
        let _ = writeln!(text, "{} ({})", app.label(), app.package());
        for defect in app.defects() {
            let _ = writeln!(text, "  {:<28} {:<18} {}", defect.id, defect.kind.name(), defect.what);
            let _ = writeln!(text, "  {:<28} {:<18} after {}", "", "", defect.seed);
        }
        if app.defects().is_empty() {
            text += "  no defects\n";
        }
        for trap in app.traps() {
            let _ = writeln!(text, "  {:<28} {:<18} {}", trap.id, "no defect", trap.what);
        }
    }
    text
}

fn list_json() -> String {
    let mut text = String::new();
    for app in apps::all() {
        let defects: Vec<_> = app
            .defects()
            .iter()
            .map(|defect| {
                json!({ "id": defect.id, "kind": defect.kind.name(), "what": defect.what, "seed": defect.seed })
            })
            .collect();
        let traps: Vec<_> =
            app.traps().iter().map(|trap| json!({ "id": trap.id, "what": trap.what })).collect();
        let (package, label) = (app.package(), app.label());
        let line = json!({ "package": package, "label": label, "defects": defects, "traps": traps });
        text += &json_line(&line);
    }
    text
}
