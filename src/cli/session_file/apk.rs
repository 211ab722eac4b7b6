//! The APKs that a session file names.

use std::path::Path;

use super::line::KeyPath;
use super::named_path::PathKey;
use droidmux_record::SessionDefinition;

/// Puts the absolute paths of the APKs into the definition. Only a run translates them.
pub(super) fn freeze(definition: &mut SessionDefinition, folder: &Path) -> Result<(), (KeyPath, String)> {
    let key = PathKey { table: "lab", key: "apk" };
    for named in &mut definition.lab.apk {
        *named = key.file(folder, &*named)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::session_file::parse_session;
    use droidmux_record::LabKind;

    #[test]
    fn an_apk_must_be_there_and_be_wanted() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = ["base.apk", "split.apk"].map(|name| folder.path().join(name));
        files.iter().for_each(|file| std::fs::write(file, b"PK").expect("a file"));
        let session = folder.path().join("x.toml");
        let read = |lab: &str| {
            let text = format!("technique = \"monkey\"\napp = \"a.b\"\n[lab]\n{lab}\n");
            parse_session(&session, &text, &Default::default(), &|_| Err(std::io::ErrorKind::NotFound.into()))
        };
        let one = read("kind = \"apk\"\napk = \"base.apk\"").expect("a session");
        assert_eq!((one.lab.kind, one.lab.apk), (LabKind::Apk, files[..1].to_vec()));
        let both = read("kind = \"apk\"\napk = [\"base.apk\", \"split.apk\"]").expect("a session");
        assert_eq!(both.lab.apk, files);
        let cases = [
            ("kind = \"apk\"", "x.toml:4: `kind = \"apk\"` needs the app's APK"),
            (
                "apk = \"base.apk\"",
                "x.toml:4: `apk` names the app for `kind = \"apk\"` and does nothing otherwise",
            ),
            ("network = true", "x.toml:4: `network` is for apps in the framework lab"),
            ("kind = \"apk\"\napk = \"other.apk\"", "x.toml:5: `apk`: there is no file"),
            ("kind = \"apk\"\napk = \"base.apk\"\nserials = [\"x\"]", "does nothing with `kind = \"apk\"`"),
        ];
        for (lab, expected) in cases {
            let said = read(lab).expect_err(lab).to_string();
            assert!(said.contains(expected), "{lab}: {said}");
        }
    }
}
