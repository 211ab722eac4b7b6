//! Where the lab that the cockpit shows lives, and what that means for leaving it and for commands that people are told
//! to run later.

/// Where the lab lives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Home {
    /// In a server, which goes on when the cockpit is left.
    #[default]
    Server,
    /// In a server that holds a store other than the usual one, as `--store` names it.
    ServerOf(String),
    /// In this process: its sessions end with the cockpit, and the store stays.
    Here {
        /// The store, as `--store` names it; `None` for the usual one.
        store: Option<String>,
    },
    /// In this process, and its store goes with it.
    Passing,
}

impl Home {
    /// Whether leaving the cockpit stops sessions that somebody may want to go on with.
    pub fn ends_with_cockpit(&self) -> bool {
        matches!(self, Self::Here { .. })
    }

    /// A command on the store of the lab, as a person types it; `None` when there is no store to come back to.
    pub fn command(&self, words: &str) -> Option<String> {
        let store = match self {
            Self::Passing => return None,
            Self::Server | Self::Here { store: None } => return Some(format!("droidmux {words}")),
            Self::ServerOf(store) | Self::Here { store: Some(store) } => store,
        };
        Some(format!("droidmux {words} --store {}", quoted(store)))
    }
}

/// A word, quoted for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_the_store_where_it_is_not_the_usual_one() {
        let here = |store: &str| Home::Here { store: Some(store.into()) };
        let cases = [
            (Home::Server, Some("droidmux replay s1")),
            (Home::Here { store: None }, Some("droidmux replay s1")),
            (here("/data/night"), Some("droidmux replay s1 --store /data/night")),
            (Home::ServerOf("my store".into()), Some("droidmux replay s1 --store 'my store'")),
            (here("it's"), Some("droidmux replay s1 --store 'it'\\''s'")),
            (Home::Passing, None),
        ];
        for (home, expected) in cases {
            assert_eq!(home.command("replay s1").as_deref(), expected, "{home:?}");
        }
    }
}
