//! Values of `[inputblaster]` and `[run] text` that cannot be meant.

use super::complaints::Complaints;
use droidmux_record::{InputblasterSettings, SessionDefinition, Technique, TextSource};

impl Complaints {
    pub(super) fn inputblaster(&mut self, definition: &SessionDefinition) {
        let settings = &definition.inputblaster;
        let of_its_own = matches!(definition.technique, Technique::Inputblaster | Technique::Randomtext);
        let as_source = definition.run.text == TextSource::Inputblaster;
        if !of_its_own && !as_source && *settings != InputblasterSettings::default() {
            let technique = definition.technique.name();
            let what = format!(
                "`[inputblaster]` does nothing with `technique = {technique:?}`, unless `text = \
                 \"inputblaster\"` stands under [run]"
            );
            self.add(&["inputblaster"], what);
        }
        if !of_its_own && as_source && settings.learn {
            let technique = definition.technique.name();
            let what = format!("`learn` does nothing with `technique = {technique:?}`");
            self.add(&["inputblaster", "learn"], what);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::session_file::{UsualLlm, parse_session};

    #[test]
    fn ranges_and_tables_that_do_nothing() {
        for (text, complaint) in [
            ("technique = \"inputblaster\"\napp = \"a.b\"\n[inputblaster]\nattempts = 30\n", None),
            (
                "technique = \"inputblaster\"\napp = \"a.b\"\n[inputblaster]\nattempts = 0\n",
                Some("1 to 1000"),
            ),
            ("technique = \"randomtext\"\napp = \"a.b\"\n[inputblaster]\nbatch = 201\n", Some("1 to 200")),
            ("technique = \"genie\"\napp = \"a.b\"\n[inputblaster]\nattempts = 9\n", Some("does nothing")),
            (
                "technique = \"genie\"\napp = \"a.b\"\n[run]\ntext = \"inputblaster\"\n[inputblaster]\nbatch = 9\n",
                None,
            ),
            ("technique = \"inputblaster\"\napp = \"a.b\"\n[inputblaster]\nlearn = true\n", None),
            (
                "technique = \"genie\"\napp = \"a.b\"\n[run]\ntext = \"inputblaster\"\n[inputblaster]\nlearn = true\n",
                Some("`learn` does nothing"),
            ),
            (
                "technique = \"randomtext\"\napp = \"a.b\"\n[run]\ntext = \"inputblaster\"\n",
                Some("does nothing"),
            ),
        ] {
            let usual: UsualLlm = toml::from_str("").expect("nothing usual");
            let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
            let outcome = parse_session(Path::new("/x/y.toml"), text, &usual, &none);
            let said = outcome.as_ref().err().map(|error| format!("{error}"));
            match complaint {
                None => assert!(outcome.is_ok(), "{text}: {said:?}"),
                Some(part) => {
                    assert!(said.as_deref().is_some_and(|said| said.contains(part)), "{text}: {said:?}")
                }
            }
        }
    }
}
