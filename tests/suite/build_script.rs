//! What `--version` says about the build, for repositories, archives and crates.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::cli::droidmux;

#[allow(dead_code, reason = "its main is for cargo")]
#[path = "../../build.rs"]
mod build;

/// Runs git in a folder, with a fixed name and date.
fn git(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let date = "2026-03-04T05:06:07Z";
    let output = Command::new("git")
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_COMMITTER_DATE", date)
        .env("GIT_AUTHOR_DATE", date)
        .output()
        .expect("git runs");
    assert!(output.status.success(), "{arguments:?} said {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// A repository with a source, a document and the files that archives need; and its short commit hash.
fn repository(folder: &Path) -> String {
    git(folder, &["init", "-q"]);
    fs::create_dir(folder.join("src")).unwrap();
    fs::write(folder.join("src/main.rs"), "fn main() {}").unwrap();
    fs::write(folder.join("README.md"), "Read me").unwrap();
    for (name, text) in [
        (".source-commit", include_str!("../../.source-commit")),
        (".gitattributes", include_str!("../../.gitattributes")),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", "One"]);
    let hash = String::from_utf8(git(folder, &["rev-parse", "HEAD"])).unwrap();
    hash[..12].to_owned()
}

#[test]
fn a_repository_tells_its_commit_and_whether_sources_were_changed() {
    let folder = tempfile::tempdir().unwrap();
    let commit = repository(folder.path());
    let clean = format!("{commit} of 2026-03-04");
    assert_eq!(build::build_of(folder.path()), clean);
    // Changes to files that the program is not built from make no difference.
    fs::write(folder.path().join("README.md"), "Read me again").unwrap();
    assert_eq!(build::build_of(folder.path()), clean);
    fs::write(folder.path().join("src/more.rs"), "").unwrap();
    assert_eq!(build::build_of(folder.path()), format!("{clean}, with changes"));
}

#[test]
fn an_archive_tells_the_commit_that_it_was_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let commit = repository(folder.path());
    let unpacked = folder.path().join("unpacked");
    fs::create_dir(&unpacked).unwrap();
    let archive = git(folder.path(), &["archive", "HEAD"]);
    // It is inside a repository, as a packager's sources may be, but is not part of it.
    tar::Archive::new(&archive[..]).unpack(&unpacked).unwrap();
    assert_eq!(build::build_of(&unpacked), format!("{commit} of 2026-03-04"));
}

#[test]
fn a_crate_tells_its_commit_and_other_folders_none() {
    let hash = "0123456789abcdef0123456789abcdef01234567";
    let cases = [
        (format!("{{\"git\": {{\"sha1\": \"{hash}\"}}, \"path_in_vcs\": \"\"}}"), "0123456789ab"),
        (format!("{{\"git\": {{\"sha1\": \"{hash}\", \"dirty\": true}}}}"), "0123456789ab, with changes"),
        ("{\"git\": {\"sha1\": \"../../..\"}}".to_owned(), "commit not known"),
        ("{}".to_owned(), "commit not known"),
    ];
    for (text, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        // A checkout that was not exported, so its placeholder says nothing.
        fs::write(folder.path().join(".source-commit"), include_str!("../../.source-commit")).unwrap();
        fs::write(folder.path().join(".cargo_vcs_info.json"), &text).unwrap();
        assert_eq!(build::build_of(folder.path()), expected, "{text}");
    }
}

#[test]
fn the_program_tells_version_and_build() {
    let home = tempfile::tempdir().unwrap();
    let said = |argument| String::from_utf8(droidmux(home.path(), &[argument]).stdout).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(said("-V"), format!("droidmux {version}\n"));
    let long = said("--version");
    let build = long.strip_prefix(&format!("droidmux {version} (")).and_then(|rest| rest.strip_suffix(")\n"));
    // The commit may be earlier than that of the checkout, but is never missing if git reports one.
    let known = build::build_of(Path::new(env!("CARGO_MANIFEST_DIR"))) != "commit not known";
    assert_eq!(build.map(|build| build != "commit not known"), Some(known), "{long}");
}
