//! `droidmux lab serve`: the server itself. `lab start` runs it without a terminal.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::way;
use crate::bring_up::{Devices, Ground, open_store, store_path};
use crate::caller::{Caller, Premises};
use crate::config::Config;
use crate::runtime::runtime;
use crate::servers::ServersOption;
use crate::sim::defects;
use crate::source::source;
use crate::starter::Desk;
use crate::{Usage, logging};
use droidmux_lab::server::{CommandOutput, Commands, Endpoint, PANICKED, serve};
use droidmux_lab::{Lab, SessionOptions};
use droidmux_record::{SessionId, SessionRecord};
use droidmux_sim::SimOptions;
use droidmux_sim_apps as apps;
use droidmux_store::host_name;

/// Carries out a client's command line: returns its exit code, or the code and a message.
pub(crate) type CarryOut = fn(Vec<String>, &Caller) -> Result<u8, (u8, String)>;

/// How long sessions may take to give their devices back when the server stops.
const HALT: Duration = Duration::from_secs(10);
/// How often the size of the store is checked.
const SIZE_EVERY: Duration = Duration::from_secs(600);

#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Use the devices of the ADB server, or a simulated lab
    #[arg(long, value_name = "KIND", value_parser = ["adb", "sim"], default_value = "adb")]
    pub(super) lab: String,
    #[command(flatten)]
    pub(super) servers: ServersOption,
    /// Devices of a simulated lab [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(super) devices: Option<u16>,
    /// Defects of the simulated apps: all, none, or ids [default: all]
    #[arg(long, value_name = "IDS")]
    pub(super) defects: Option<String>,
    /// Switch volatile content of the simulated apps off
    #[arg(long)]
    pub(super) steady: bool,
}

impl ServeArgs {
    /// The user's ADB server, nothing simulated.
    pub(super) fn usual() -> Self {
        Self {
            lab: "adb".into(),
            servers: ServersOption::default(),
            devices: None,
            defects: None,
            steady: false,
        }
    }

    /// Whether nothing was chosen.
    pub(super) fn is_usual(&self) -> bool {
        self.words() == Self::usual().words()
    }

    /// # Errors
    /// `Usage` for options that would have no effect, or for unknown defects.
    pub(super) fn check(&self) -> color_eyre::Result<()> {
        if self.lab != "sim" && (self.devices.is_some() || self.defects.is_some() || self.steady) {
            let words = "--devices, --defects and --steady are of simulated labs: say `--lab sim`, too";
            return Err(Usage::new(words).into());
        }
        if self.lab == "sim" && !self.servers.words().is_empty() {
            return Err(Usage::new("--servers are of phones: a simulated lab has none").into());
        }
        self.servers.check()?;
        self.source().map(drop)
    }

    /// The arguments as they would be written on a command line.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = vec!["--lab".into(), self.lab.clone()];
        words.extend(self.servers.words());
        let devices = self.devices.map(|devices| ["--devices".into(), devices.to_string()]);
        words.extend(devices.into_iter().flatten());
        words.extend(self.defects.iter().flat_map(|defects| ["--defects".into(), defects.clone()]));
        words.extend(self.steady.then(|| "--steady".into()));
        words
    }

    fn source(&self) -> color_eyre::Result<Devices> {
        Ok(match self.lab.as_str() {
            "sim" => Devices::Sim(Box::new(SimOptions {
                devices: self.devices.unwrap_or(4),
                steady: self.steady,
                // Nobody knows yet which sessions will come: some type unusual texts.
                adb_keyboard: true,
                defects: defects(self.defects.as_deref().unwrap_or("all"))?,
                ..SimOptions::with_apps(apps::all())
            })),
            _ => match self.servers.names() {
                [] => Devices::Adb,
                servers => Devices::Servers(servers.to_vec()),
            },
        })
    }
}

/// Serves until SIGTERM or SIGINT.
///
/// # Errors
/// When another process holds the store, or the socket is not available.
pub(super) fn run(
    store: Option<PathBuf>,
    args: &ServeArgs,
    carry_out: CarryOut,
) -> color_eyre::Result<ExitCode> {
    // Fails for a group leader, which a shell has created and will not hang up.
    let _ = rustix::process::setsid();
    logging::start();
    args.check()?;
    let (path, endpoint) = (store_path(store.clone())?, way::endpoint(store)?);
    let source = args.source()?;
    runtime()?.block_on(async {
        let ground = Ground::patient(&host_name(), open_store(&path).await?, source).await?;
        // The store is ours from here on, and so is the socket.
        let listener = endpoint.listen()?;
        let stop = stop_on_signals()?;
        let premises = Premises { lab: ground.lab.clone(), simulated: args.lab == "sim" };
        resume_all(&premises).await?;
        if let Some(limit) = Config::read()?.store_alarm()? {
            tokio::spawn(watch_size(ground.lab.clone(), limit));
        }
        ground.lab.start_with(Arc::new(Desk { simulated: premises.simulated }));
        let commands = Arc::new(CommandLine { premises, carry_out });
        tracing::info!("the lab server listens on {}", endpoint.socket().display());
        serve_until_halted(&ground.lab, &endpoint, listener, commands, stop).await;
        Ok(ExitCode::SUCCESS)
    })
}

async fn serve_until_halted(
    lab: &Lab,
    endpoint: &Endpoint,
    listener: tokio::net::UnixListener,
    commands: Arc<CommandLine>,
    stop: CancellationToken,
) {
    let closed = CancellationToken::new();
    let serving = tokio::spawn(serve(lab.clone(), listener, commands, closed.clone()));
    stop.cancelled().await;
    lab.hub().info("", "the lab server stops; sessions go on when it starts again");
    if !lab.halt(HALT).await {
        lab.hub().warn("", "a session did not give its devices back in time");
    }
    endpoint.remove();
    closed.cancel();
    // Commands that only read may take long; they are cut short.
    let _ = tokio::join!(tokio::time::timeout(HALT, serving), lab.end_hooks());
}

/// Warns when the store grows beyond `limit` bytes, once each time it does.
async fn watch_size(lab: Lab, limit: u64) {
    let mut alarmed = false;
    loop {
        let store = lab.store().clone();
        let looked = tokio::task::spawn_blocking(move || store.size_alarm(limit)).await;
        match looked {
            Ok(Ok(Some(alarm))) if !alarmed => {
                lab.hub().warn("", &alarm.to_string());
                alarmed = true;
            }
            Ok(Ok(alarm)) => alarmed = alarm.is_some(),
            Ok(Err(error)) => tracing::warn!(%error, "the store's size cannot be told"),
            Err(_) => return,
        }
        tokio::time::sleep(SIZE_EVERY).await;
    }
}

/// Continues every session that had not ended when the last server stopped.
async fn resume_all(premises: &Premises) -> color_eyre::Result<()> {
    let lab = premises.lab.clone();
    let unended = tokio::task::spawn_blocking(move || lab.unended()).await??;
    for (id, record) in unended {
        let premises = premises.clone();
        tokio::spawn(async move {
            if let Err(error) = go_on(&premises, id, record).await {
                premises.lab.hub().error(&id.to_string(), &format!("it cannot go on: {error:#}"));
            }
        });
    }
    Ok(())
}

async fn go_on(premises: &Premises, id: SessionId, record: SessionRecord) -> color_eyre::Result<()> {
    let devices = source(&record.definition, &record.terms.sim)?;
    let ground = premises.ground(devices).await?;
    let given = SessionOptions { rng: record.rng, keep_pause: true, ..SessionOptions::default() };
    ground.lab.resume(id, given).await?;
    Ok(())
}

fn stop_on_signals() -> color_eyre::Result<CancellationToken> {
    let stop = CancellationToken::new();
    for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
        let (mut signal, stop) = (signal(kind)?, stop.clone());
        tokio::spawn(async move {
            signal.recv().await;
            stop.cancel();
        });
    }
    // A terminal that goes away is no reason to end.
    let mut hangup = signal(SignalKind::hangup())?;
    tokio::spawn(async move { while hangup.recv().await.is_some() {} });
    Ok(stop)
}

/// Commands of clients, carried out in this process.
struct CommandLine {
    premises: Premises,
    carry_out: CarryOut,
}

#[async_trait]
impl Commands for CommandLine {
    async fn carry_out(
        &self,
        args: Vec<String>,
        folder: String,
        output: CommandOutput,
        interrupt: CancellationToken,
    ) -> u8 {
        let caller = Caller::client(self.premises.clone(), PathBuf::from(folder), output.clone(), interrupt);
        let carry_out = self.carry_out;
        let done = tokio::task::spawn_blocking(move || carry_out(args, &caller)).await;
        let (code, words) = match done {
            Ok(Ok(code)) => return code,
            Ok(Err(refused)) => refused,
            Err(error) => (PANICKED, format!("droidmux: the command failed: {error}\n")),
        };
        output.write(true, words.as_bytes());
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulated_phones_of_a_server_can_type_unusual_texts() {
        let args = ServeArgs { lab: "sim".into(), devices: Some(2), steady: true, ..ServeArgs::usual() };
        let Ok(Devices::Sim(options)) = args.source() else { panic!("a simulated lab") };
        assert!(options.adb_keyboard && options.steady && options.devices == 2);
    }
}
