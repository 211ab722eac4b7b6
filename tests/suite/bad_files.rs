//! What people hand to the program by mistake or in bad faith: named pipes, files that are not text, keys and texts
//! full of escape sequences, endless numbers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, mknodat};

/// Files that no command should accept if it only reads a file.
const PATIENCE: Duration = Duration::from_secs(60);

/// A home of its own with files in it.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn put(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(&path, bytes).expect("written");
        path.display().to_string()
    }

    fn pipe(&self, name: &str) -> String {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a named pipe");
        path.display().to_string()
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// The exit code, and both outputs; a program that hangs is ended and reported.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, Vec<u8>, String) {
        let out: PathBuf = self.path().join("out");
        let err: PathBuf = self.path().join("err");
        let file = |path: &Path| std::fs::File::create(path).expect("a file");
        let mut child = Command::new(env!("CARGO_BIN_EXE_droidmux"))
            .args(arguments)
            .env("HOME", self.path())
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env("ANDROID_ADB_SERVER_PORT", "1")
            .stdin(Stdio::null())
            .stdout(file(&out))
            .stderr(file(&err))
            .spawn()
            .expect("it runs");
        let began = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("its state") {
                break status;
            }
            if began.elapsed() > PATIENCE {
                child.kill().expect("killed");
                child.wait().expect("ended");
                panic!("{arguments:?} waits without a word");
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let said = String::from_utf8_lossy(&std::fs::read(&err).expect("its words")).into_owned();
        (status.code(), std::fs::read(&out).expect("its output"), said)
    }

    fn complains(&self, arguments: &[&str], code: i32, words: &str) {
        let (ended, _, said) = self.run(arguments);
        assert!(said.contains(words), "{arguments:?} said {said}");
        assert_eq!(ended, Some(code), "{arguments:?} said {said}");
        let harmful =
            |char: char| char.is_control() && char != '\n' || ('\u{202a}'..='\u{202e}').contains(&char);
        assert!(!said.contains(harmful), "{arguments:?} said {said:?}");
    }
}

#[test]
fn a_named_pipe_is_no_file_wherever_one_is_named() {
    let home = Home::new();
    let pipe = home.pipe("pipe");
    let session = |name: &str, rest: &str| home.put(name, format!("app = \"a.b\"\n{rest}").as_bytes());
    let spec = session("spec.toml", "technique = \"pbfdroid\"\n[pbfdroid]\nspec = \"pipe\"\n");
    let good = include_str!("../../sessions/specs/notes.json");
    home.put("notes.json", good.as_bytes());
    let keyviews = session(
        "keyviews.toml",
        "technique = \"pbfdroid\"\n[pbfdroid]\nspec = \"notes.json\"\nkeyviews = \"pipe\"\n",
    );
    let agent = session("agent.toml", "technique = \"genie\"\n[lab]\nkind = \"sim\"\nagent = \"pipe\"\n");
    let vectors = session(
        "vectors.toml",
        "technique = \"inputblaster\"\n[lab]\nkind = \"sim\"\n[llm.vectors]\nfile = \"pipe\"\n",
    );
    let replayed = session("replayed.toml", "technique = \"inputblaster\"\n[lab]\nkind = \"sim\"\n");
    let dump = home.put("dump.xml", b"<hierarchy><node class=\"a\" bounds=\"[0,0][9,9]\"/></hierarchy>");
    let no_file = "is a named pipe, no file";
    let cases: &[(&[&str], i32, &str)] = &[
        (&["run", &pipe], 2, no_file),
        (&["run", &spec], 2, no_file),
        (&["run", &keyviews], 2, no_file),
        (&["run", &agent], 2, no_file),
        (&["run", &vectors, "--headless"], 3, no_file),
        (&["run", &replayed, "--headless", "--replay", &pipe], 3, no_file),
        (&["dump", &pipe], 2, no_file),
        (&["dmf", "lint", &pipe], 2, no_file),
        (&["sim", "--faults", &pipe], 2, no_file),
        (&["mark", "--layout", &pipe, "--screenshot", &dump, "-o", "x.png"], 2, no_file),
        (&["mark", "--layout", &dump, "--screenshot", &pipe, "-o", "x.png"], 2, no_file),
        (&["store", "import", &pipe], 3, no_file),
        (&["examples", "import", &pipe], 3, no_file),
    ];
    for (arguments, code, words) in cases {
        home.complains(arguments, *code, words);
    }
    home.pipe(".config/droidmux/config.toml");
    home.complains(&["run", &replayed], 2, "config.toml: is a named pipe, no file");
}

#[test]
fn what_a_shell_makes_of_a_command_is_read() {
    let home = Home::new();
    let program = env!("CARGO_BIN_EXE_droidmux");
    let dump = "<hierarchy><node class=\"a.Piped\" bounds=\"[0,0][9,9]\"/></hierarchy>";
    let output = Command::new("sh")
        .args(["-c", &format!("printf '%s' '{dump}' | {program} dump /dev/stdin")])
        .env("HOME", home.path())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("Piped"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn files_that_are_no_text_are_told_with_their_line() {
    let home = Home::new();
    let session = home.put("latin.toml", b"technique = \"genie\"\n# caf\xe9\napp = \"a.b\"\n");
    let faults = home.put("latin.faults.toml", b"seed = 1\n\n# \xff\n");
    let spec = home.put("latin.json", b"[\n\"\xe9\"]");
    let of_spec =
        home.put("of.toml", b"technique = \"pbfdroid\"\napp = \"a.b\"\n[pbfdroid]\nspec = \"latin.json\"\n");
    let examples = home.put("latin.examples.toml", b"[[input]]\ncontext = \"\xe9\"\n");
    let fine = home.put("fine.toml", b"technique = \"genie\"\napp = \"a.b\"\n");
    for (arguments, code, words) in [
        (&["run", &session][..], 2, "latin.toml:2: is no UTF-8: it holds the byte 0xe9"),
        (&["sim", "--faults", &faults], 2, "latin.faults.toml:3: is no UTF-8: it holds the byte 0xff"),
        (&["dmf", "lint", &spec], 2, "line 2 is no UTF-8: it holds the byte 0xe9"),
        (&["run", &of_spec], 2, "of.toml:4: "),
        (&["run", &of_spec], 2, "line 2 is no UTF-8"),
        (&["examples", "import", &examples], 3, "line 2 is no UTF-8"),
    ] {
        home.complains(arguments, code, words);
    }
    home.put(".config/droidmux/config.toml", b"ascii = true\n\n[llm]\nretries = \"\xff\"\n");
    home.complains(&["run", &fine], 2, "config.toml:4: is no UTF-8: it holds the byte 0xff");
    home.put(".config/droidmux/config.toml", b"ascii = true\n\n[llm]\nmodel = \"m\"\nretries = 99\n");
    home.complains(&["run", &fine], 2, "config.toml:5: `retries` goes from 0 to 20, not 99");
    home.put(".config/droidmux/config.toml", b"ascii = true\n\n[llm]\nmodel = \"m\"\nat-once = \"two\"\n");
    home.complains(&["run", &fine], 2, "config.toml:5: invalid type");
}

#[test]
fn no_key_or_text_of_a_file_reaches_the_terminal_as_it_is() {
    let home = Home::new();
    let escapes = "\\u001B[31m\\u009B2J\\u202E\\u0007";
    let key =
        home.put("key.toml", format!("technique = \"genie\"\napp = \"a.b\"\n\"{escapes}\" = 1\n").as_bytes());
    let app = home.put("app.toml", format!("technique = \"genie\"\napp = \"a.{escapes}\"\n").as_bytes());
    let faults = home.put("key.faults.toml", format!("\"{escapes}\" = 1\n").as_bytes());
    let examples = home.put("key.examples.toml", format!("[[\"{escapes}\"]]\nx = 1\n").as_bytes());
    for (arguments, code, words) in [
        (&["run", &key][..], 2, "key.toml:3: unknown field `␛[31m"),
        (&["run", &app], 2, "app.toml:2: `a.␛[31m"),
        (&["sim", "--faults", &faults], 2, "unknown field `␛[31m"),
        (&["examples", "import", &examples], 2, "unknown field"),
        (&["run", "\u{1b}[31m.toml"], 2, "␛[31m.toml"),
    ] {
        home.complains(arguments, code, words);
    }
}

#[test]
fn json_of_a_hostile_dump_is_safe_and_says_all() {
    let home = Home::new();
    let text = "a&#127;b&#155;31m&#x202E;c&#x2028;d&#xFEFF;e&#x85;größe";
    let dump = format!(
        "<hierarchy><node class=\"a.Label\" text=\"{text}\" content-desc=\"{text}\" bounds=\"[0,0][9,9]\"/></hierarchy>"
    );
    let dump = home.put("dump.xml", dump.as_bytes());
    let (code, out, said) = home.run(&["dump", "--json", &dump]);
    assert_eq!(code, Some(0), "{said}");
    let out = String::from_utf8(out).expect("UTF-8");
    let harmful = ['\u{7f}', '\u{9b}', '\u{202e}', '\u{2028}', '\u{feff}', '\u{85}', '\u{1b}'];
    assert!(!out.contains(harmful), "{out:?}");
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(value["widgets"][0]["text"], "a\u{7f}b\u{9b}31m\u{202e}c\u{2028}d\u{feff}e\u{85}größe");
}

#[test]
fn options_take_the_numbers_that_session_files_take() {
    let home = Home::new();
    let odin = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/diary-odin.toml").display().to_string();
    for events in ["0", "2305843009213693952", "18446744073709551615"] {
        let file = home.put(
            "events.toml",
            format!("technique = \"genie\"\napp = \"a.b\"\n[run]\nmax-events = {events}\n").as_bytes(),
        );
        let words = format!("goes from 1 to 1000000000000, not {events}");
        home.complains(&["run", &odin, "--max-events", events], 2, &words);
        // TOML itself has no numbers larger than 2^63 - 1.
        let words = if events.len() > 19 { "events.toml:4: " } else { words.as_str() };
        home.complains(&["run", &file], 2, words);
    }
    home.complains(&["run", &odin, "--devices", "65"], 2, "goes from 1 to 64, not 65");
}
