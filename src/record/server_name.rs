//! ADB servers as people name them: this host's own, one that can be reached directly, one behind `ssh`.
//!
//! A device of a named server is called `NAME@LABEL` everywhere, where NAME is what it would be called if its server were
//! the only one: so the same serial on two servers is two phones.
//!
//! Invariant: nothing in a name can be taken for an option of `ssh`, or needs quoting.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The port an ADB server listens on by default.
pub const ADB_PORT: u16 = 5037;
/// Port of `ssh`, which no label mentions.
const SSH_PORT: u16 = 22;
/// Stands between a device's name at its server and the server's label.
const AT: char = '@';

/// An ADB server: `local`, `HOST[:PORT]`, or `ssh://[USER@]HOST[:PORT][/ADB_PORT]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ServerName {
    /// The one that the environment names, as `adb` itself finds it.
    Local,
    /// One that is reached directly.
    At {
        /// A name or an address; IPv6 without its brackets.
        host: String,
        /// Where it listens.
        port: u16,
    },
    /// One that listens on the loopback address of another host.
    Ssh {
        /// The host.
        to: SshPlace,
        /// Where the server listens there.
        adb: u16,
    },
}

/// A host that `ssh` reaches: `[user@]host[:port]`, an IPv6 address in brackets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SshPlace {
    /// As whom; without it, as `ssh` itself decides.
    pub user: Option<String>,
    /// A name, an alias of `ssh`'s configuration, or an address without brackets.
    pub host: String,
    /// Without it, as `ssh` itself decides.
    pub port: Option<u16>,
}

/// A text that names no ADB server.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is no ADB server; say `local`, `HOST:PORT`, or `ssh://[USER@]HOST[:PORT][/ADB_PORT]`")]
pub struct NoServerName {
    text: String,
}

/// Two servers that would be called the same.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{first}` and `{second}` are the same ADB server: its phones would be taken twice; name it once")]
pub struct NamedTwice {
    first: String,
    second: String,
}

impl ServerName {
    /// What its host is called in views, logs and the names of devices: `lab2`, `10.0.0.7:6000`. Ports are left out where
    /// they are the usual ones.
    pub fn label(&self) -> String {
        let port = |port: u16, usual: u16, before: char| match port == usual {
            true => String::new(),
            false => format!("{before}{port}"),
        };
        match self {
            Self::Local => "local".into(),
            Self::At { host, port: at } => format!("{}{}", bracketed(host), port(*at, ADB_PORT, ':')),
            Self::Ssh { to, adb } => {
                let ssh = port(to.port.unwrap_or(SSH_PORT), SSH_PORT, ':');
                format!("{}{ssh}{}", bracketed(&to.host), port(*adb, ADB_PORT, '/'))
            }
        }
    }

    /// Names from a list with commas between them.
    ///
    /// # Errors
    /// For the first that names no server.
    pub fn list(text: &str) -> Result<Vec<Self>, NoServerName> {
        text.split(',').map(|name| name.trim().parse()).collect()
    }

    /// # Errors
    /// When two of these have the same label.
    pub fn distinct(names: &[Self]) -> Result<(), NamedTwice> {
        for (n, second) in names.iter().enumerate() {
            let before = names.iter().take(n);
            if let Some(first) = before.into_iter().find(|first| first.label() == second.label()) {
                return Err(NamedTwice { first: first.to_string(), second: second.to_string() });
            }
        }
        Ok(())
    }
}

/// What a device is called that is called `name` at the server with this label, or on the host of this name.
pub fn name_at(name: &str, label: &str) -> String {
    format!("{name}{AT}{label}")
}

/// The name of a device at its server or on its host, and what that is called, if it is named: the reverse of [`name_at`].
pub fn split_name(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once(AT) {
        Some((name, label)) if !name.is_empty() && !label.is_empty() => (name, Some(label)),
        _ => (name, None),
    }
}

impl FromStr for ServerName {
    type Err = NoServerName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let none = || NoServerName { text: text.to_owned() };
        let port = |port: &str| port.parse().ok().filter(|port| *port != 0).ok_or_else(none);
        if text == "local" {
            return Ok(Self::Local);
        }
        let Some(place) = text.strip_prefix("ssh://") else {
            // `tcp:5037` is how other tools write an address.
            let (host, rest) = split_host(text).filter(|(host, _)| *host != "tcp").ok_or_else(none)?;
            let at = match rest.strip_prefix(':') {
                Some(at) => port(at)?,
                None if rest.is_empty() => ADB_PORT,
                None => return Err(none()),
            };
            return Ok(Self::At { host: host.to_owned(), port: at });
        };
        let (place, adb) = match place.split_once('/') {
            Some((place, "")) => (place, ADB_PORT),
            Some((place, adb)) => (place, port(adb)?),
            None => (place, ADB_PORT),
        };
        Ok(Self::Ssh { to: SshPlace::read(place).ok_or_else(none)?, adb })
    }
}

impl SshPlace {
    /// Reads `[user@]host[:port]`.
    pub fn read(place: &str) -> Option<Self> {
        let (user, place) = match place.rsplit_once('@') {
            Some((user, place)) => (Some(user), place),
            None => (None, place),
        };
        let (host, rest) = split_host(place)?;
        let port = match rest.strip_prefix(':') {
            Some(port) => Some(port.parse().ok().filter(|port| *port != 0)?),
            None if rest.is_empty() => None,
            None => return None,
        };
        if user.is_some_and(|user| !is_made_of(user, ".-_")) {
            return None;
        }
        Some(Self { user: user.map(str::to_owned), host: host.to_owned(), port })
    }

    /// `[user@]host`, as `ssh` takes it.
    pub fn destination(&self) -> String {
        match &self.user {
            Some(user) => format!("{user}@{}", self.host),
            None => self.host.clone(),
        }
    }
}

/// The host and what follows it. The brackets of an address belong to the URL: `ssh` would look for a host of that name.
fn split_host(place: &str) -> Option<(&str, &str)> {
    let (host, rest, plain) = match place.strip_prefix('[') {
        Some(rest) => {
            let (host, rest) = rest.split_once(']')?;
            (host, rest, ".-_:%")
        }
        None => {
            let (host, rest) = place.split_at(place.find(':').unwrap_or(place.len()));
            (host, rest, ".-_")
        }
    };
    is_made_of(host, plain).then_some((host, rest))
}

/// Anything that looks like an option must not become one.
fn is_made_of(name: &str, more: &str) -> bool {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c));
    plain && !name.is_empty() && !name.starts_with('-')
}

fn bracketed(host: &str) -> String {
    if host.contains(':') { format!("[{host}]") } else { host.to_owned() }
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local => f.write_str("local"),
            Self::At { host, port } => write!(f, "{}:{port}", bracketed(host)),
            Self::Ssh { to, adb } => {
                f.write_str("ssh://")?;
                if let Some(user) = &to.user {
                    write!(f, "{user}@")?;
                }
                f.write_str(&bracketed(&to.host))?;
                if let Some(port) = to.port {
                    write!(f, ":{port}")?;
                }
                if *adb == ADB_PORT { Ok(()) } else { write!(f, "/{adb}") }
            }
        }
    }
}

impl TryFrom<String> for ServerName {
    type Error = NoServerName;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<ServerName> for String {
    fn from(name: ServerName) -> Self {
        name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        // What is written, what its host is called, how it is written in full.
        let cases = [
            ("local", Some(("local", "local"))),
            ("10.0.0.7:5037", Some(("10.0.0.7", "10.0.0.7:5037"))),
            ("desk-4", Some(("desk-4", "desk-4:5037"))),
            ("desk-4:6000", Some(("desk-4:6000", "desk-4:6000"))),
            ("[fe80::1%eth0]:5037", Some(("[fe80::1%eth0]", "[fe80::1%eth0]:5037"))),
            ("ssh://lab2", Some(("lab2", "ssh://lab2"))),
            ("ssh://lab2/", Some(("lab2", "ssh://lab2"))),
            ("ssh://ann@lab2:22", Some(("lab2", "ssh://ann@lab2:22"))),
            ("ssh://ann@lab2:2222/5038", Some(("lab2:2222/5038", "ssh://ann@lab2:2222/5038"))),
            ("ssh://ann@[::1]:2222", Some(("[::1]:2222", "ssh://ann@[::1]:2222"))),
            ("", None),
            ("::1", None),
            ("desk:0", None),
            ("desk:", None),
            ("desk:70000", None),
            ("-oProxyCommand=sh", None),
            ("a b", None),
            ("tcp:5037", None),
            ("ssh://", None),
            ("ssh://-lroot", None),
            ("ssh://-l@lab2", None),
            ("ssh://@lab2", None),
            ("ssh://lab2/adb", None),
            ("ssh://lab2/0", None),
            ("ssh://[-oProxyCommand=sh]", None),
        ];
        for (text, expected) in cases {
            let read = text.parse::<ServerName>();
            let told = read.as_ref().ok().map(|name| (name.label(), name.to_string()));
            let told = told.as_ref().map(|(label, full)| (label.as_str(), full.as_str()));
            assert_eq!(told, expected, "{text}");
            if let Ok(name) = read {
                assert_eq!(name.to_string().parse(), Ok(name), "{text}");
            }
        }
    }

    #[test]
    fn one_server_is_named_once() {
        let cases = [
            ("local,10.0.0.7:5037, ssh://lab2", true),
            ("ssh://lab2,ssh://lab2:2222,ssh://lab2/5038", true),
            ("ssh://ann@lab2,ssh://bob@lab2", false),
            ("10.0.0.7:5037,ssh://10.0.0.7", false),
            ("local,local", false),
        ];
        for (list, distinct) in cases {
            let names = ServerName::list(list).expect("names");
            assert_eq!(ServerName::distinct(&names).is_ok(), distinct, "{list}");
        }
    }

    #[test]
    fn devices_are_named_with_their_host() {
        for (name, label) in [("R58M", "lab2"), ("0123#2", "lab2:2222/5038"), ("10.0.0.5:5555", "[::1]")] {
            assert_eq!(split_name(&name_at(name, label)), (name, Some(label)));
        }
        for name in ["R58M", "@lab2", "R58M@"] {
            assert_eq!(split_name(name), (name, None));
        }
    }
}
