//! What a host allows, whoever asks.
//!
//! In: a request. Out: nothing, or why it is refused. Invariant: what is not a name is no name, so that nothing in a
//! request can become a part of a command.

use droidmux_device::{DeviceErrorKind, Gesture, LeaseNote};

use crate::wire::Ask;

/// The longest name of a package or a class.
const MOST_NAME: usize = 255;
/// The longest text that is typed.
const MOST_TEXT: usize = 64 << 10;
/// The longest wait of one event, in seconds.
const MOST_WAIT: u32 = 3_600;
/// The most dumps of one look.
const MOST_TRIES: u32 = 1_000;

/// Which packages may be installed, started, cleared and ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Names, or beginnings of names that end with `*`; all packages when there are none.
    pub packages: Vec<String>,
}

impl Policy {
    /// Whether this package may be worked on.
    pub fn allows(&self, package: &str) -> bool {
        let fits = |allowed: &String| match allowed.strip_suffix('*') {
            Some(beginning) => package.starts_with(beginning),
            None => package == allowed,
        };
        self.packages.is_empty() || self.packages.iter().any(fits)
    }

    /// Looks at a request before anything is done.
    ///
    /// # Errors
    /// Why it is not done.
    pub fn check(&self, ask: &Ask, host: &str) -> Result<(), DeviceErrorKind> {
        if let Some(package) = ask.package() {
            if !is_name(package) {
                return Err(refused("a name of a package that is none"));
            }
            let harmless = matches!(ask, Ask::App { .. });
            if !harmless && !self.allows(package) {
                return Err(self.not_allowed(package, host));
            }
        }
        match ask {
            Ask::ChoosePlace { place, .. }
                if place.activity.as_deref().is_some_and(|name| !is_name(name)) =>
            {
                Err(refused("a name of an activity that is none"))
            }
            Ask::Perform { gesture: Gesture::Type(_, text), .. } if text.len() > MOST_TEXT => {
                Err(refused("a text too long to type"))
            }
            Ask::Perform { gesture: Gesture::Wait(seconds), .. } if *seconds > MOST_WAIT => {
                Err(refused("a wait too long"))
            }
            Ask::Perform { look: Some(look), .. } | Ask::Observe { look } if look.tries > MOST_TRIES => {
                Err(refused("too many dumps"))
            }
            Ask::Layout { tries } if *tries > MOST_TRIES => Err(refused("too many dumps")),
            Ask::ExchangeNote { new, .. } if !new.is_empty() && LeaseNote::read(new).is_none() => {
                Err(refused("a lease that is none"))
            }
            Ask::Furnish { files, .. } if files.iter().any(|file| !is_inside(&file.name)) => {
                Err(refused("a file that is not for the shared storage"))
            }
            _ => Ok(()),
        }
    }

    /// What is said about a package that is not on the list.
    pub fn not_allowed(&self, package: &str, host: &str) -> DeviceErrorKind {
        let package: String = package.chars().take(100).collect();
        DeviceErrorKind::Refused {
            command: format!("host {host}").into(),
            output: format!("{package} is not among the packages that it allows").into(),
            remedy: format!("start `droidmux host` there with `--allow {package}`").into(),
        }
    }
}

fn refused(what: &str) -> DeviceErrorKind {
    DeviceErrorKind::Unsupported(format!("the host does not take {what}"))
}

/// What Java and Android take as a name of a package, a class or an inner class.
fn is_name(text: &str) -> bool {
    let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '$');
    !text.is_empty() && text.len() <= MOST_NAME && text.chars().all(sound)
}

/// A path below a folder that does not leave it.
fn is_inside(path: &str) -> bool {
    let sound = |part: &str| !part.is_empty() && part != "." && part != "..";
    path.len() <= 1_024 && !path.chars().any(char::is_control) && path.split('/').all(sound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_device::{Beginning, Key};
    use droidmux_gui::Point;

    #[test]
    fn what_is_not_allowed_is_refused_in_words() {
        let policy = Policy { packages: vec!["org.notes".into(), "org.shop.*".into()] };
        let begin = |package: &str| Ask::Begin { package: package.into(), beginning: Beginning::default() };
        let perform = |gesture| Ask::Perform { gesture, look: None };
        let note = |new: &str| Ask::ExchangeNote { seen: None, new: new.into(), settle: 0 };
        let file = |name: &str| Ask::Furnish {
            files: vec![crate::wire::BlobFile { name: name.into(), hash: String::new(), of: 0 }],
            people: vec![],
        };
        let cases = [
            (begin("org.notes"), None),
            (begin("org.shop.beta"), None),
            (begin("org.notes.more"), Some("not among the packages")),
            (begin("com.bank"), Some("`--allow com.bank`")),
            (Ask::App { package: "com.bank".into() }, None),
            (Ask::App { package: "org.notes; reboot".into() }, Some("a name of a package")),
            (begin("$(reboot)"), Some("a name of a package")),
            (perform(Gesture::Kill("com.bank".into())), Some("not among")),
            (perform(Gesture::Key(Key::Back)), None),
            (perform(Gesture::Type(Point { x: 0, y: 0 }, "a'; reboot".into())), None),
            (perform(Gesture::Type(Point { x: 0, y: 0 }, "x".repeat(70_000))), Some("too long to type")),
            (perform(Gesture::Wait(1_000_000)), Some("a wait too long")),
            (Ask::Layout { tries: u32::MAX }, Some("too many dumps")),
            (note("anything"), Some("a lease that is none")),
            (note(""), None),
            (file("Download/a.txt"), None),
            (file("../../data/x"), Some("shared storage")),
            (file("/etc/x"), Some("shared storage")),
        ];
        for (ask, expected) in cases {
            let said = policy.check(&ask, "lab2").err().map(|kind| kind.to_string());
            match (said, expected) {
                (None, None) => {}
                (Some(said), Some(words)) if said.contains(words) => {}
                (said, _) => panic!("{ask:?}: {said:?}, not {expected:?}"),
            }
        }
        assert!(Policy::default().allows("com.bank"));
    }
}
