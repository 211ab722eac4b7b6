//! A technique of another crate has its own settings wherever settings are: in session files, in the table of the
//! documentation, in `init` and in the store.

use std::process::Command;

use droidmux::cli::{read_session, settings_table};
use droidmux::record::{SessionDefinition, SessionRecord};
use droidmux::sim::{SimLab, SimOptions};
use droidmux::store::{Store, StoreOptions};
use droidmux::technique::register;
use outside_app::tally::{PACKAGE, app};
use technique::{TURNS, TurnsSettings};

#[path = "../../suite/turns/technique.rs"]
mod technique;

/// What is read of a session file with these lines.
fn read(technique: &str, rest: &str) -> Result<SessionDefinition, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.toml");
    std::fs::write(&file, format!("technique = {technique:?}\napp = \"{PACKAGE}\"\n{rest}\n")).unwrap();
    let said = |error: droidmux::cli::SessionFileError| error.to_string();
    read_session(&file, &Default::default()).map_err(said)
}

#[test]
fn its_settings_are_read_checked_described_and_stored() {
    // Only this test registers it, and it runs in a process of its own.
    register(&TURNS).unwrap();
    for (technique, rest, expected) in [
        (
            "turns",
            "[turns]\nstroll-event = 7",
            "x.toml:4: unknown field `stroll-event`, expected `stroll-events`",
        ),
        ("turns", "[turns]\n\nstroll-events = 0", "x.toml:5: `stroll-events` goes from 1 to 1000, not 0"),
        ("turns", "[turns]\nstroll-events = \"7\"", "x.toml:4: invalid type: string"),
        (
            "genie",
            "[turns]\nstroll-events = 7",
            "x.toml:3: `[turns]` does nothing with `technique = \"genie\"`",
        ),
        ("turns", "[turnes]\nstroll-events = 7", "did you mean `turns`?"),
        // As its entry says, it does not explore.
        ("turns", "[run]\nexplore-share = 7", "`explore-share` does nothing with `technique = \"turns\"`"),
    ] {
        let said = read(technique, rest).unwrap_err();
        assert!(said.contains(expected), "{said}\n not {expected}");
    }
    let definition = read("turns", "[turns]\nstroll-events = 7").unwrap();
    assert_eq!(definition.settings.of::<TurnsSettings>().stroll_events, 7);
    assert_eq!(read("turns", "").unwrap().settings.of::<TurnsSettings>().stroll_events, 30);

    let table = settings_table("turns").unwrap();
    assert!(table.ends_with("\n| `stroll-events` | 1 to 1,000 | events | 30 | of one stroll |\n"), "{table}");

    let folder = tempfile::tempdir().unwrap();
    let open = || Store::open(&folder.path().join("store"), StoreOptions::default()).unwrap();
    let store = open();
    let id = store.create_session(&SessionRecord::begun(definition.clone(), 1, 1, 0)).unwrap();
    drop(store);
    let record = open().session(id).unwrap().unwrap();
    assert_eq!(record.definition, definition);
    let json = serde_json::to_value(&record.definition).unwrap();
    assert_eq!(
        json.pointer("/turns/stroll-events"),
        Some(&7.into()),
        "for people it stands beside the others"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn init_offers_it_with_its_settings() {
    let sim = SimLab::start(SimOptions { apps: vec![app()], ..SimOptions::default() }).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("turns.toml");
    let serial = sim.devices()[0].serial().to_owned();
    let port = sim.server_addr().port().to_string();
    let run = {
        let (home, file) = (folder.path().to_owned(), file.clone());
        move || {
            Command::new(env!("CARGO_BIN_EXE_turning"))
                .args(["init", "--device", &serial, "--app", PACKAGE, "--technique", "turns"])
                .args(["--max-events", "100", "-o"])
                .arg(&file)
                .env("ANDROID_ADB_SERVER_PORT", port)
                .env("HOME", home)
                .output()
                .unwrap()
        }
    };
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\n# [turns]\n# stroll-events = 30\n"), "{text}");
}
