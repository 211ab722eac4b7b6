//! The resident agent that a session file names.

use std::path::Path;

use super::line::KeyPath;
use super::named_path::PathKey;
use droidmux_device::adb::agent::AgentJar;
use droidmux_record::{DumpChoice, SessionDefinition};

/// Finds the agent's jar and puts its absolute path into the definition.
pub(super) fn freeze(definition: &mut SessionDefinition, folder: &Path) -> Result<(), (KeyPath, String)> {
    let lab = &mut definition.lab;
    let Some(named) = lab.agent.as_mut() else {
        return match lab.dumps {
            DumpChoice::Agent => {
                let what = "`dumps = \"agent\"` needs the agent: `agent = \"PATH\"`, u2.jar or the Python \
                            installation that holds it";
                Err((PathKey { table: "lab", key: "dumps" }.place(), what.into()))
            }
            DumpChoice::Auto | DumpChoice::Uiautomator => Ok(()),
        };
    };
    let key = PathKey { table: "lab", key: "agent" };
    let jar = AgentJar::find(&key.whole(folder, &*named)?).map_err(|error| key.wrong(error))?;
    *named = jar.path().to_owned();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session_file::parse_session;

    #[test]
    fn the_agent_must_be_where_it_is_said_to_be() {
        let folder = tempfile::tempdir().expect("a folder");
        let packages = folder.path().join("venv/lib/python3.11/site-packages/uiautomator2/assets");
        std::fs::create_dir_all(&packages).expect("folders");
        std::fs::write(packages.join("u2.jar"), b"PK\x03\x04").expect("a jar");
        let session = folder.path().join("x.toml");
        let read = |lab: &str| {
            let text = format!("technique = \"genie\"\napp = \"a.b\"\n[lab]\n{lab}\n");
            parse_session(&session, &text, &Default::default(), &|_| Err(std::io::ErrorKind::NotFound.into()))
        };
        let found = read("agent = \"venv\"").expect("a session");
        assert_eq!(found.lab.agent, Some(packages.join("u2.jar")));
        assert_eq!(found.lab.dumps, DumpChoice::Auto);
        let stock = read("dumps = \"uiautomator\"").expect("a session");
        assert_eq!((stock.lab.agent, stock.lab.dumps), (None, DumpChoice::Uiautomator));
        let cases = [
            ("dumps = \"agent\"", "x.toml:4: `dumps = \"agent\"` needs the agent"),
            ("agent = \"nowhere\"", "x.toml:4: `agent`: "),
            ("agent = \".\"", "pip install uiautomator2"),
            ("agent = \"venv\"\ndumps = \"quick\"", "x.toml:5: unknown variant `quick`"),
        ];
        for (lab, expected) in cases {
            let said = read(lab).expect_err(lab).to_string();
            assert!(said.contains(expected), "{lab}: {said}");
        }
    }
}
