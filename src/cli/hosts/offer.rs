//! `droidmux host`: offers this host's phones to labs, through a NATS server, until Ctrl-C.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio_util::sync::CancellationToken;

use super::way::NatsArgs;
use crate::runtime::runtime;
use crate::signals::end_on_signals;
use crate::{Usage, logging};
use droidmux_device::adb::Server;
use droidmux_device::adb::agent::AgentJar;
use droidmux_device_remote::{Host, HostOptions, Link, LinkError, Policy, Way};
use droidmux_store::host_name;

/// Between two attempts to reach a NATS server that was not there yet.
const AGAIN: Duration = Duration::from_secs(2);

/// `droidmux host`.
#[derive(Debug, Args)]
pub struct HostArgs {
    /// The NATS server: nats://HOST:4222 or tls://HOST:4222, several with commas between
    #[arg(long, value_name = "URL")]
    nats: String,
    #[command(flatten)]
    way: NatsArgs,
    /// What the host is called [default: its own name]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The pool that its phones are in; sessions can ask for one
    #[arg(long, value_name = "POOL", default_value = "")]
    pool: String,
    /// The only packages that labs may start, clear, end and install: names, or beginnings of names with * at their end;
    /// may be given several times. All packages when there are none
    #[arg(long = "allow", value_name = "PACKAGE")]
    allow: Vec<String>,
    /// The resident agent for its phones: u2.jar, or a Python installation that holds it
    #[arg(long, value_name = "PATH")]
    agent: Option<PathBuf>,
}

/// # Errors
///
/// When the NATS server refuses the host, another host has its name, or no signal can be heard.
pub fn run(args: &HostArgs) -> color_eyre::Result<ExitCode> {
    logging::on_standard_error();
    let agent = args.agent.as_deref().map(AgentJar::find).transpose();
    let agent = agent.map_err(|error| Usage::new(format!("--agent: {error}")))?;
    let options = HostOptions {
        name: args.name.clone().unwrap_or_else(usual_name),
        pool: args.pool.clone(),
        policy: Policy { packages: args.allow.clone() },
        agent: agent.map(|jar| jar.path().to_owned()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let (way, server) = (args.way.way(&args.nats)?, Server::from_env()?);
    runtime()?.block_on(async {
        let stop = end_on_signals();
        let Some(link) = connect(&way, &options.name, &stop).await? else { return Ok(ExitCode::SUCCESS) };
        let host = Host::new(options, server, Arc::new(link.clone()))?;
        host.serve(&link, stop).await?;
        Ok(ExitCode::SUCCESS)
    })
}

/// Connects, however long the server takes to be there; `None` when it is not wanted any more.
async fn connect(way: &Way, name: &str, stop: &CancellationToken) -> Result<Option<Link>, LinkError> {
    let mut told = false;
    let name = format!("droidmux host {name}");
    loop {
        let link = tokio::select! {
            () = stop.cancelled() => return Ok(None),
            link = Link::connect(way, &name) => link,
        };
        match link {
            Ok(link) => return Ok(Some(link)),
            Err(error @ LinkError::Silent { .. }) => {
                if !std::mem::replace(&mut told, true) {
                    tracing::warn!("{error}; trying again until it does");
                }
            }
            Err(error) => return Err(error),
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(None),
            () = tokio::time::sleep(AGAIN) => {}
        }
    }
}

/// This machine's name, as far as it can be a host's.
fn usual_name() -> String {
    let sound = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' };
    let name = host_name();
    name.split('.').next().unwrap_or_default().chars().map(sound).take(64).collect()
}
