//! The way to the NATS server: credentials, a connection that comes back by itself, and what the server says.
//!
//! In: a URL and credentials. Out: messages published and received. Invariants: the password is never in an error or a
//! log; nothing waits for the server without a limit.

use std::collections::VecDeque;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr, ServerError};
use async_trait::async_trait;
use bytes::Bytes;
use thiserror::Error;
use tokio::sync::watch;

use droidmux_words::printable;

/// All subjects of droidmux begin so: an account may be limited to them.
pub const PREFIX: &str = "droidmux";

/// How long the server may take to answer at first.
const FIRST_ANSWER: Duration = Duration::from_secs(5);
/// How long a message may wait for room to be sent.
const ROOM_WITHIN: Duration = Duration::from_secs(2);
/// The longest wait between two attempts to reach a server that went away.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// The most characters of a complaint of the server, and the most complaints that are kept.
const MOST_WORDS: usize = 300;
const MOST_COMPLAINTS: usize = 20;

/// Who we are to the NATS server.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Credentials {
    /// Nobody.
    #[default]
    None,
    /// A file with a user's JWT and seed.
    Creds(PathBuf),
    /// A file with the seed of an NKey.
    Nkey(PathBuf),
    /// `user:password`.
    Password(String, String),
}

/// How the NATS server is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// `nats://host:4222`, or `tls://host:4222`; several with commas between them.
    pub url: String,
    /// Who we are there.
    pub credentials: Credentials,
    /// Certificates to trust besides the system's.
    pub ca: Option<PathBuf>,
}

/// Why there is no connection.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LinkError {
    /// The URL is none.
    #[error("{url} is no address of a NATS server: {why}; nats://HOST:4222 and tls://HOST:4222 are")]
    Url {
        /// Without a password.
        url: String,
        /// What is wrong.
        why: String,
    },
    /// A file with credentials cannot be read.
    #[error("{path}: {why}")]
    File {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The server does not let us in.
    #[error("the NATS server at {0} refuses these credentials")]
    Credentials(String),
    /// The server's certificate is not trusted, or it has none.
    #[error("no TLS with the NATS server at {url}: {why}")]
    Tls {
        /// Without a password.
        url: String,
        /// In the words of the library.
        why: String,
    },
    /// Nobody answers.
    #[error("no NATS server answers at {url}: {why}")]
    Silent {
        /// Without a password.
        url: String,
        /// In the words of the system.
        why: String,
    },
}

/// What carries messages: the server, or in tests something that loses, doubles and delays them.
#[async_trait]
pub trait Carrier: Send + Sync {
    /// Sends a message, or drops it after a while.
    async fn send(&self, subject: String, reply: Option<String>, bytes: Bytes);

    /// The most bytes of a message.
    fn most(&self) -> usize;

    /// What is wrong with the way, if that is known.
    fn trouble(&self) -> Option<String>;
}

/// A connection to the NATS server. Clones share it.
#[derive(Clone)]
pub struct Link {
    client: Client,
    state: Arc<State>,
}

struct State {
    url: String,
    up: watch::Sender<bool>,
    /// What the server complained of, each once, the last one last.
    said: Mutex<VecDeque<String>>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => out.write_str("None"),
            Self::Creds(path) => write!(out, "Creds({})", path.display()),
            Self::Nkey(path) => write!(out, "Nkey({})", path.display()),
            Self::Password(user, _) => write!(out, "Password({user}, …)"),
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Link({})", self.state.url)
    }
}

impl Way {
    /// The addresses without user and password, for messages.
    pub fn shown(&self) -> String {
        let without = |url: &str| match (url.split_once("://"), url.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
            (None, Some((_, host))) => host.to_owned(),
            (_, None) => url.to_owned(),
        };
        printable(&self.url.split(',').map(without).collect::<Vec<_>>().join(",")).into_owned()
    }

    /// Looks at the addresses before anybody connects there.
    ///
    /// # Errors
    /// [`LinkError::Url`] when one of them is none, or has a user in it.
    pub fn check(&self) -> Result<(), LinkError> {
        self.addresses().map(drop)
    }

    fn addresses(&self) -> Result<Vec<ServerAddr>, LinkError> {
        let wrong = |why: String| LinkError::Url { url: self.shown(), why };
        let addresses = self.url.split(',').map(|url| url.trim().parse::<ServerAddr>());
        let addresses = addresses.collect::<Result<Vec<_>, _>>();
        let addresses = addresses.map_err(|error| wrong(error.to_string()))?;
        if addresses.iter().any(|address| address.host().is_empty()) {
            return Err(wrong("it names no host".into()));
        }
        if addresses.iter().any(|address| address.has_user_pass() || address.password().is_some()) {
            // The library would not use them, and they would be kept with the session.
            return Err(wrong(
                "the user in it belongs in `nats-user` and `nats-password-env` of the session file, or in --user and \
                 --password-env"
                    .into(),
            ));
        }
        Ok(addresses)
    }

    async fn options(&self) -> Result<ConnectOptions, LinkError> {
        let options = ConnectOptions::new();
        let options = match &self.credentials {
            Credentials::None => options,
            Credentials::Creds(path) => {
                let failed = |why: String| LinkError::File { path: path.clone(), why };
                let text =
                    tokio::fs::read_to_string(path).await.map_err(|error| failed(error.to_string()))?;
                options
                    .credentials(&text)
                    .map_err(|error| failed(format!("no credentials of NATS: {error}")))?
            }
            Credentials::Nkey(path) => {
                let failed = |why: String| LinkError::File { path: path.clone(), why };
                let text =
                    tokio::fs::read_to_string(path).await.map_err(|error| failed(error.to_string()))?;
                let seed = text.lines().map(str::trim).find(|line| line.starts_with('S'));
                options.nkey(seed.ok_or_else(|| failed("no seed of an NKey".into()))?.to_owned())
            }
            Credentials::Password(user, password) => {
                options.user_and_password(user.clone(), password.clone())
            }
        };
        Ok(match &self.ca {
            Some(path) => options.add_root_certificates(path.clone()),
            None => options,
        })
    }
}

impl Link {
    /// Connects; from then on the connection comes back by itself whenever the server does.
    ///
    /// # Errors
    /// When the server is not there now, or does not let us in.
    pub async fn connect(way: &Way, name: &str) -> Result<Self, LinkError> {
        let state =
            Arc::new(State { url: way.shown(), up: watch::Sender::new(false), said: Mutex::default() });
        let heard = state.clone();
        let options = way
            .options()
            .await?
            .name(name)
            .custom_inbox_prefix(format!("{PREFIX}.inbox"))
            .connection_timeout(FIRST_ANSWER)
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(|attempts| {
                let tenths = u64::try_from(attempts.min(20)).unwrap_or(20);
                Duration::from_millis(tenths * 100).min(LONGEST_WAIT)
            })
            .event_callback(move |event| {
                heard.hear(&event);
                std::future::ready(())
            });
        let addresses = way.addresses()?;
        let client = tokio::time::timeout(FIRST_ANSWER * 2, options.connect(addresses)).await;
        let silent = |why: String| LinkError::Silent { url: way.shown(), why };
        let client = client.map_err(|_| silent(format!("no answer within {:?}", FIRST_ANSWER * 2)))?;
        let client = client.map_err(|error| match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                LinkError::Credentials(way.shown())
            }
            _ if error.to_string().contains("certificate") => {
                LinkError::Tls { url: way.shown(), why: error.to_string() }
            }
            ConnectErrorKind::Tls => LinkError::Tls { url: way.shown(), why: error.to_string() },
            ConnectErrorKind::ServerParse => LinkError::Url { url: way.shown(), why: error.to_string() },
            _ => silent(error.to_string()),
        })?;
        state.up.send_replace(true);
        Ok(Self { client, state })
    }

    /// The client of NATS itself.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The address, without a password.
    pub fn url(&self) -> &str {
        &self.state.url
    }

    /// What the server complained of so far, in its words.
    pub fn complaints(&self) -> Vec<String> {
        self.state.said().iter().cloned().collect()
    }

    /// Whether the connection stands; changes are notified.
    pub fn watch(&self) -> watch::Receiver<bool> {
        self.state.up.subscribe()
    }
}

#[async_trait]
impl Carrier for Link {
    async fn send(&self, subject: String, reply: Option<String>, bytes: Bytes) {
        let sent = async {
            match reply {
                Some(reply) => self.client.publish_with_reply(subject, reply, bytes).await,
                None => self.client.publish(subject, bytes).await,
            }
        };
        match tokio::time::timeout(ROOM_WITHIN, sent).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!("a message was not sent: {error}"),
            Err(_) => tracing::info!("a message was not sent: the NATS server at {} is away", self.state.url),
        }
    }

    fn most(&self) -> usize {
        self.client.server_info().max_payload
    }

    fn trouble(&self) -> Option<String> {
        if !*self.state.up.borrow() {
            return Some(format!("the NATS server at {} does not answer", self.state.url));
        }
        self.state.said().back().map(|said| format!("NATS says: {said}"))
    }
}

impl State {
    fn hear(&self, event: &Event) {
        match event {
            Event::Connected => {
                tracing::info!("connected to the NATS server at {}", self.url);
                self.up.send_replace(true);
            }
            // We closed it ourselves.
            Event::Closed => {}
            Event::Disconnected => {
                tracing::warn!("the NATS server at {} went away; trying again until it answers", self.url);
                self.up.send_replace(false);
            }
            Event::ServerError(ServerError::Other(said)) => {
                let said: String = printable(said).chars().take(MOST_WORDS).collect();
                tracing::warn!("the NATS server at {} says: {said}", self.url);
                let mut all = self.said();
                all.retain(|known| *known != said);
                if all.len() >= MOST_COMPLAINTS {
                    all.pop_front();
                }
                all.push_back(said);
            }
            other => tracing::info!("the NATS server at {}: {}", self.url, printable(&other.to_string())),
        }
    }

    fn said(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_looked_at_without_showing_a_password() {
        for (url, words) in [
            ("nats://127.0.0.1:1", None),
            ("127.0.0.1", None),
            ("tls://a:1, nats://b:2", None),
            ("nats://ann:secret@127.0.0.1:1", Some("`nats-password-env`")),
            ("ann:secret@127.0.0.1:1", Some("--password-env")),
            ("nats://a:1,nats://ann:secret@b:1", Some("--password-env")),
            ("nats://:secret@a:1", Some("--password-env")),
            ("nats://token-secret@a", Some("--password-env")),
            ("http://a:1", Some("no address of a NATS server")),
            ("nats://", Some("no address of a NATS server")),
        ] {
            let said = Way { url: url.into(), ..Way::default() }.check().err().map(|error| error.to_string());
            match (&said, words) {
                (None, None) => {}
                (Some(said), Some(words)) => {
                    assert!(said.contains(words) && !said.contains("secret"), "{url}: {said}");
                }
                _ => panic!("{url}: {said:?}, not {words:?}"),
            }
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            ("nats://ann:secret@lab:4222", "nats://lab:4222"),
            ("lab:4222", "lab:4222"),
            ("ann:secret@lab", "lab"),
            ("tls://ann:s@a:1,nats://b:2", "tls://a:1,nats://b:2"),
        ] {
            let way = Way {
                url: url.into(),
                credentials: Credentials::Password("ann".into(), "secret".into()),
                ca: None,
            };
            assert_eq!(way.shown(), shown);
            assert!(!format!("{:?}", way.credentials).contains("secret"));
        }
    }
}
