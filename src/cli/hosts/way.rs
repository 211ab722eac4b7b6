//! How a NATS server is reached: from options, or from a session file.

use std::path::PathBuf;

use clap::Args;

use crate::Usage;
use droidmux_device_remote::{Credentials, Way};
use droidmux_record::HostsChoice;

/// Options of commands that go to a NATS server.
#[derive(Debug, Args)]
pub(crate) struct NatsArgs {
    /// File with the credentials of a NATS user (`nsc` writes them)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["nkey", "user"])]
    creds: Option<PathBuf>,
    /// File with the seed of an NKey
    #[arg(long, value_name = "FILE", conflicts_with = "user")]
    nkey: Option<PathBuf>,
    /// User of the NATS server
    #[arg(long, value_name = "NAME", requires = "password_env")]
    user: Option<String>,
    /// Environment variable that holds the user's password
    #[arg(long, value_name = "VARIABLE", requires = "user")]
    password_env: Option<String>,
    /// File with certificates to trust besides the system's
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

impl NatsArgs {
    /// The way that they describe.
    ///
    /// # Errors
    /// `Usage` when the environment has no password.
    pub(crate) fn way(&self, url: &str) -> Result<Way, Usage> {
        way(&self.choice(url))
    }

    /// The same, as a session file would have it.
    pub(crate) fn choice(&self, url: &str) -> HostsChoice {
        HostsChoice {
            nats: url.to_owned(),
            creds: self.creds.clone(),
            nkey: self.nkey.clone(),
            user: self.user.clone().unwrap_or_default(),
            password_env: self.password_env.clone().unwrap_or_default(),
            ca: self.ca.clone(),
            ..HostsChoice::default()
        }
    }
}

/// The way that a session chooses.
///
/// # Errors
/// `Usage` when the environment has no password.
pub(crate) fn way(choice: &HostsChoice) -> Result<Way, Usage> {
    let credentials = match (&choice.creds, &choice.nkey, choice.user.as_str()) {
        (Some(path), ..) => Credentials::Creds(path.clone()),
        (None, Some(path), _) => Credentials::Nkey(path.clone()),
        (None, None, "") => Credentials::None,
        (None, None, user) => {
            let variable = &choice.password_env;
            let password = std::env::var(variable).ok().filter(|password| !password.is_empty());
            let missing = || Usage::new(format!("the environment has no {variable}, the password of {user}"));
            Credentials::Password(user.to_owned(), password.ok_or_else(missing)?)
        }
    };
    Ok(Way { url: choice.nats.clone(), credentials, ca: choice.ca.clone() })
}

/// What makes two ways the same, without a password.
pub(crate) fn key(choice: &HostsChoice) -> String {
    let HostsChoice { nats, creds, nkey, user, password_env, ca, .. } = choice;
    format!("{nats} {creds:?} {nkey:?} {user} {password_env} {ca:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_those_that_were_named() {
        let usual = HostsChoice { nats: "nats://lab".into(), ..HostsChoice::default() };
        let cases = [
            (usual.clone(), Ok(Credentials::None)),
            (
                HostsChoice { creds: Some("a.creds".into()), ..usual.clone() },
                Ok(Credentials::Creds("a.creds".into())),
            ),
            (
                HostsChoice { nkey: Some("a.nk".into()), ..usual.clone() },
                Ok(Credentials::Nkey("a.nk".into())),
            ),
            (
                HostsChoice {
                    user: "ann".into(),
                    password_env: "DROIDMUX_NO_SUCH_PASSWORD".into(),
                    ..usual.clone()
                },
                Err("has no DROIDMUX_NO_SUCH_PASSWORD, the password of ann"),
            ),
        ];
        for (choice, expected) in cases {
            match (way(&choice), expected) {
                (Ok(way), Ok(credentials)) => assert_eq!(way.credentials, credentials),
                (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{error}"),
                (way, expected) => panic!("{way:?}, not {expected:?}"),
            }
        }
    }
}
