//! The framework lab on a computer without Java, or with an old one: each command that needs it says in one line what to
//! install.

use droidmux_testutils::write_shell_script;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs a command with nothing but this folder on the search path; its exit code and standard error.
fn droidmux(folder: &Path, path: &Path, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.args(arguments).env("PATH", path).env_remove("JAVA_HOME").env_remove("DROIDMUX_FRAMEWORK");
    for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
        command.env(name, folder);
    }
    let output = command.current_dir(folder).output().expect("it runs");
    (output.status.code().expect("an exit code"), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn each_command_says_in_one_line_what_to_install() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("app.apk"), "PK").expect("a file");
    let session =
        "technique = \"monkey\"\napp = \"org.example.app\"\n[lab]\nkind = \"apk\"\napk = \"app.apk\"\n";
    fs::write(folder.join("session.toml"), session).expect("a file");
    // What runs there would run the app as well.
    fs::create_dir_all(folder.join("framework")).expect("a folder");
    fs::write(folder.join("framework/run"), "").expect("a file");
    let program = |name: &str, text: &str| write_shell_script(folder.join(name), text);
    fs::create_dir(folder.join("empty")).expect("a folder");
    program("old/bin/java", "");
    fs::write(folder.join("old/release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"11.0.2\"\n").expect("a file");
    program("older/bin/java", "echo 'java version \"1.8.0_292\"' >&2\n");
    program("runtime/bin/java", "echo 'openjdk version \"21\"' >&2\n");
    program("unmade/bin/java", "echo 'openjdk version \"17.0.1\"' >&2\n");
    program("unmade/bin/javac", "");
    let commands: [&[&str]; 6] = [
        &["sim", "--apk", "app.apk"],
        &["sim", "--framework", "out"],
        &["demo", "--apk", "app.apk", "--headless"],
        &["run", "session.toml", "--headless"],
        &["apk", "check", "app.apk"],
        &["apk", "setup"],
    ];
    let setup: &[&[&str]] = &[&["apk", "setup"]];
    for (path, commands, words) in [
        ("empty", &commands[..], "needs Java 17; there is none; apt install openjdk-17-jdk-headless maven"),
        ("old/bin", &commands[..], "needs Java 17; here is 11; apt install"),
        ("older/bin", &commands[..2], "needs Java 17; here is 8; apt install"),
        ("runtime/bin", setup, "here is Java without its compiler; apt install"),
        ("unmade/bin", setup, "is built with Maven; there is none; apt install"),
    ] {
        for command in commands {
            let (code, said) = droidmux(folder, &folder.join(path), command);
            assert_eq!((code, said.lines().count()), (2, 1), "{path} {command:?}: {said}");
            assert!(said.contains(words), "{path} {command:?}: {said}");
        }
    }
    assert!(!folder.join("droidmux/framework").exists(), "nothing was built");
}
