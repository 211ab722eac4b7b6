//! The way to the NATS server: credentials, a connection that comes back by itself, and what the server says.
//!
//! In: a URL and credentials. Out: messages published and received. Invariants: the password is never in an error or a
//! log; nothing waits for the server without a limit.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerError};
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
/// Of what the server last complained.
const MOST_WORDS: usize = 300;

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
    /// What the server last complained of.
    said: Mutex<Option<String>>,
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
        let servers: Vec<&str> = way.url.split(',').map(str::trim).collect();
        let addresses = servers.iter().map(|url| url.parse::<async_nats::ServerAddr>());
        let addresses = addresses.collect::<Result<Vec<_>, _>>();
        let wrong = |why: String| LinkError::Url { url: way.shown(), why };
        let addresses = addresses.map_err(|error| wrong(error.to_string()))?;
        if addresses.iter().any(async_nats::ServerAddr::has_user_pass) {
            // The library would not use them, and they would be kept with the session.
            return Err(wrong(
                "the user in it belongs in --user and --password-env, or their settings".into(),
            ));
        }
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
            ConnectErrorKind::ServerParse => wrong(error.to_string()),
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
        self.state.said.lock().unwrap_or_else(PoisonError::into_inner).clone()
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
                *self.said.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(format!("NATS says: {said}"));
            }
            other => tracing::info!("the NATS server at {}: {}", self.url, printable(&other.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_in_the_address_is_refused_without_being_shown() {
        let way = Way { url: "nats://ann:secret@127.0.0.1:1".into(), ..Way::default() };
        let said = Link::connect(&way, "lab").await.map(drop).unwrap_err().to_string();
        assert!(said.contains("--password-env") && !said.contains("secret"), "{said}");
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
