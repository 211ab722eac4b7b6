//! Ctrl-C while an app is translated, its host starts, or the framework lab is built: the command ends within a second and
//! leaves nothing. Java, translator, host and Maven are scripts that never come back.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use droidmux_testutils::write_shell_script;
use rustix::process::{Pid, Signal, kill_process};

/// What a translator writes at once.
const TRANSLATE: &str = r#"
for out; do :; done
echo '{"droidmux-apk":1,"translator":1,"package":"org.example.app","version":"1.2","classes":7,"new":[]}' > "$out/app.json"
echo code > "$out/classes.jar"
"#;

/// Notes who it is, and never ends.
const ENDLESS: &str = "echo $$ >> \"$(dirname \"$0\")/pids\"; exec sleep 600\n";

struct Place(tempfile::TempDir);

impl Place {
    fn new(translate: &str, run: &str) -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        place.program("tools/java", "echo 'openjdk version \"17.0.1\"' >&2\n");
        place.program("tools/javac", "");
        place.program("tools/mvn", &format!("[ \"$1\" = -v ] && exit\n{ENDLESS}"));
        place.program("framework/translate", translate);
        place.program("framework/run", run);
        fs::create_dir_all(place.path("framework/target")).expect("a folder");
        fs::create_dir_all(place.path("tmp")).expect("a folder");
        fs::write(place.path("framework/target/droidmux-framework-1.jar"), "x").expect("a file");
        fs::write(place.path("app.apk"), "PK").expect("a file");
        let session =
            "technique = \"monkey\"\napp = \"org.example.app\"\n[lab]\nkind = \"apk\"\napk = \"app.apk\"\n";
        fs::write(place.path("session.toml"), session).expect("a file");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn program(&self, name: &str, text: &str) {
        write_shell_script(self.path(name), text);
    }

    fn start(&self, arguments: &[&str]) -> Child {
        let usual = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
        command.args(arguments).current_dir(self.0.path()).stdout(Stdio::null()).stderr(Stdio::null());
        command.env("PATH", format!("{}:{usual}", self.path("tools").display()));
        command.env("TMPDIR", self.path("tmp")).env_remove("DROIDMUX_FRAMEWORK").env_remove("JAVA_HOME");
        for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(name, self.path("home"));
        }
        command.spawn().expect("it runs")
    }

    /// The process that never ends, once it is there.
    fn endless(&self, beside: &str) -> u32 {
        let pids = self.path(beside).join("pids");
        let began = Instant::now();
        loop {
            let last = fs::read_to_string(&pids).ok().and_then(|pids| pids.lines().last()?.parse().ok());
            if let Some(pid) = last {
                return pid;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "{} was never written", pids.display());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn the_command_ends_within_a_second_and_leaves_nothing() {
    let translating: &[&[&str]] = &[
        &["sim", "--apk", "app.apk"],
        &["demo", "--apk", "app.apk", "--headless"],
        &["run", "session.toml", "--headless"],
        &["apk", "check", "app.apk"],
    ];
    let setting_up: &[&[&str]] = &[&["apk", "setup"]];
    for (translate, run, beside, commands, kept) in [
        (ENDLESS, "", "framework", translating, 0),
        (TRANSLATE, ENDLESS, "framework", &translating[..3], 1),
        ("", "", "tools", setting_up, 0),
    ] {
        for command in commands {
            let place = Place::new(translate, run);
            let mut child = place.start(command);
            let endless = place.endless(beside);
            let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a number");
            let began = Instant::now();
            kill_process(pid, Signal::INT).expect("it is there");
            let status = child.wait().expect("it ended");
            // Within a second on a computer that does nothing else.
            assert!(began.elapsed() < Duration::from_secs(10), "{command:?}: {:?}", began.elapsed());
            assert_eq!(status.code(), Some(130), "{command:?}");
            assert!(!Path::new("/proc").join(endless.to_string()).exists(), "{command:?}: a process is left");
            assert_eq!(names(&place.path("home/droidmux/apks")).len(), kept, "{command:?}");
            assert_eq!(names(&place.path("tmp")), Vec::<String>::new(), "{command:?}");
            assert!(!place.path("home/droidmux/framework").exists(), "{command:?}");
        }
    }
}
