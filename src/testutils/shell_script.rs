//! Programs that tests put in the place of others.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a shell script that can be run at once, and the folders above it.
///
/// Another process writes it. A file that this one has open for writing is open in each child that some other test starts
/// at that moment, too, and as long as it is, running it fails with "Text file busy".
///
/// # Panics
/// Where it cannot be written.
pub fn write_shell_script(path: impl AsRef<Path>, body: &str) {
    let path = path.as_ref();
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    let mut writer = Command::new("/bin/sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut input = writer.stdin.take().expect("its input");
    input.write_all(format!("#!/bin/sh\n{body}").as_bytes()).expect("it reads");
    drop(input);
    assert!(writer.wait().expect("it ends").success(), "{} is not written", path.display());
}
