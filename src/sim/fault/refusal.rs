//! Commands that a phone does not let the shell run.

/// A refused command: its words, and how it is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The first words of the command, e.g. `settings put`; the same by way of `cmd` is refused, too.
    pub command: String,
    /// What it says; empty for what Android's own tool says where a permission is missing.
    pub says: String,
    /// Its exit code.
    pub code: u8,
    /// It says so on standard output.
    pub on_stdout: bool,
}

/// What `cmd` calls the services behind tools of another name.
const SERVICES: [(&str, &str); 3] = [("package", "pm"), ("activity", "am"), ("window", "wm")];

impl Refusal {
    /// In Android's own words and with its own exit code.
    pub fn of(command: &str) -> Self {
        let code = if command.starts_with("logcat") { 1 } else { 255 };
        Self { command: command.to_owned(), says: String::new(), code, on_stdout: false }
    }

    /// Whether it concerns the command of these words.
    pub(crate) fn is_of(&self, words: &[String]) -> bool {
        let literal = words.iter().map(String::as_str).collect();
        // A rule for `cmd` itself is not one for the tools that it stands behind.
        let had: Vec<&str> = if self.command.starts_with("cmd") { literal } else { named(words) };
        let mut wanted = self.command.split_whitespace();
        let mut had = had.into_iter();
        !self.command.is_empty() && wanted.all(|word| had.next().is_some_and(|had| had == word))
    }

    /// What is said of the command of these words, which may end in a package.
    pub(crate) fn words(&self, words: &[String]) -> String {
        if !self.says.is_empty() {
            return format!("{}\n", self.says);
        }
        let named = named(words);
        let word = |n: usize| named.get(n).copied().unwrap_or_default();
        let verb = word(1);
        let exception = |why: &str| {
            format!("\nException occurred while executing '{verb}':\njava.lang.SecurityException: {why}\n")
        };
        match word(0) {
            "settings" => exception(
                "Permission denial: writing to settings requires:android.permission.WRITE_SECURE_SETTINGS",
            ),
            "input" => exception(
                "Injecting input events requires the caller (or the source of the instrumentation, if any) to have the \
                 INJECT_EVENTS permission.",
            ),
            "pm" if verb == "clear" => exception(&format!(
                "PID 4321 does not have permission android.permission.CLEAR_APP_USER_DATA to clear data of package {}",
                named.last().copied().unwrap_or_default()
            )),
            "logcat" => "logcat: Unexpected EOF!\n".to_owned(),
            name => exception(&format!("Permission Denial: {name} from pid=4321, uid=2000")),
        }
    }
}

/// The words as the tool's own: without its folder, a detour by `cmd`, and the user.
fn named(words: &[String]) -> Vec<&str> {
    let mut words = words.iter().map(String::as_str).peekable();
    let mut named = Vec::new();
    if let Some(first) = words.next() {
        let name = first.rsplit('/').next().unwrap_or(first);
        match (name, words.peek()) {
            ("cmd", Some(service)) => {
                let tool =
                    SERVICES.iter().find(|(name, _)| name == service).map_or(*service, |(_, tool)| tool);
                named.push(tool);
                words.next();
            }
            _ => named.push(name),
        }
    }
    while let Some(word) = words.next() {
        match word {
            "--user" => drop(words.next()),
            word => named.push(word),
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_known_however_it_is_called() {
        let cases = [
            ("settings put", "settings put global a 1", true),
            ("settings put", "settings get global a", false),
            ("settings put", "settings --user 0 put global a 1", true),
            ("settings put", "cmd settings put global a 1", true),
            ("pm clear", "/system/bin/pm clear a.b", true),
            ("pm clear", "cmd package clear a.b", true),
            ("cmd package", "cmd package clear a.b", true),
            ("cmd package", "pm clear a.b", false),
            ("input", "input tap 1 2", true),
            ("input", "input_method", false),
            ("am force-stop", "cmd activity force-stop a.b", true),
            ("", "input tap 1 2", false),
        ];
        for (command, line, expected) in cases {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(Refusal::of(command).is_of(&words), expected, "{command}: {line}");
        }
    }
}
