//! `--servers`, and the ADB servers that a session file names.

use clap::Args;

use super::Usage;
use droidmux_device::DeviceError;
use droidmux_device::adb::Server;
use droidmux_record::ServerName;

/// Which ADB servers a command uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(super) struct ServersOption {
    /// Use the devices of these ADB servers: local, HOST:PORT, or `ssh://[USER@]HOST[:PORT][/ADB_PORT]`, with commas
    /// between them
    #[arg(long, value_name = "SERVERS", value_delimiter = ',')]
    servers: Vec<ServerName>,
}

impl ServersOption {
    /// Those that are named; none for the one of the environment.
    pub(super) fn names(&self) -> &[ServerName] {
        &self.servers
    }

    /// # Errors
    /// `Usage` when one is named twice.
    pub(super) fn check(&self) -> Result<(), Usage> {
        ServerName::distinct(&self.servers).map_err(|error| Usage::new(error.to_string()))
    }

    /// The option as it would be written on a command line.
    pub(super) fn words(&self) -> Vec<String> {
        if self.servers.is_empty() {
            return Vec::new();
        }
        let names: Vec<String> = self.servers.iter().map(ToString::to_string).collect();
        vec!["--servers".into(), names.join(",")]
    }
}

/// The servers of these names, or the one of the environment without any; needs a runtime.
///
/// # Errors
/// When the environment's variables cannot be understood, a tunnel cannot be opened, or two names are of one server.
pub(super) fn servers(names: &[ServerName]) -> color_eyre::Result<Vec<Server>> {
    if names.is_empty() {
        return Ok(vec![Server::from_env()?]);
    }
    ServerName::distinct(names).map_err(|error| Usage::new(error.to_string()))?;
    let servers = names.iter().map(Server::called).collect::<Result<Vec<_>, DeviceError>>()?;
    // Which one is `local` is only known here.
    for (n, server) in servers.iter().enumerate() {
        if let Some(same) = servers.iter().take(n).find(|other| other.address() == server.address()) {
            let named = |server: &Server| server.host().unwrap_or_default().to_owned();
            let what = format!(
                "`{}` and `{}` are the same ADB server, {}: name it once",
                named(same),
                named(server),
                server.address()
            );
            return Err(Usage::new(what).into());
        }
    }
    Ok(servers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_under_two_names_is_refused() {
        let cases = [
            ("local", true),
            ("desk4:5037,desk5:5037", true),
            ("ssh://lab2,ssh://ann@lab2", false),
            ("desk4,desk4:5037", false),
        ];
        for (list, sound) in cases {
            let option = ServersOption { servers: ServerName::list(list).expect("names") };
            assert_eq!(option.check().is_ok(), sound, "{list}");
        }
        // The environment of tests names no server, so `local` is that of the usual port.
        let twice = ServerName::list("local,127.0.0.1:5037").expect("names");
        if std::env::var_os("ADB_SERVER_SOCKET").is_none() {
            assert!(servers(&twice).is_err());
        }
    }
}
