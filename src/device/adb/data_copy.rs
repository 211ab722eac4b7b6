//! Copies of an app's data, on the device itself.
//!
//! In: a package of which the data is to be kept, and root. Out: commands that put it back, and whether it came back
//! whole. Invariants: copies lie in one folder that [`restore`](crate::Device::restore) removes; names, sizes, owners and
//! permissions of everything are compared, by a digest of their list, each time it is put back.

use super::application::check;
use super::device::AdbDevice;
use super::shell::quoted;
use crate::DeviceErrorKind;

/// Where copies lie.
const KEPT: &str = "/data/local/tmp/droidmux-kept";

/// Comes before the digest of a folder's list.
const DIGEST: &str = "digest:";

/// How the shell gets root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// It has it: a system built for developers, after `adb root`.
    Itself,
    /// By `su UID COMMAND`, as emulators and such systems have it.
    Su,
    /// By `su -c COMMAND`, as tools that people install have it.
    SuCommand,
}

/// A copy of an app's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DataCopy {
    root: Root,
    /// Whose data it is.
    user: u32,
    /// Digests of the lists of its folders.
    digests: Vec<String>,
}

impl AdbDevice {
    /// Ends the app and copies its data; false on a device that gives nobody root, which is said once.
    pub(super) async fn keep_now(&self, name: &str) -> Result<bool, DeviceErrorKind> {
        check(name)?;
        self.life().ended_by_us(name);
        let Some(root) = self.root().await? else { return Ok(false) };
        let user = self.place().user_of(name);
        let line = root.command(&keeping(name, user, &self.as_user(name)));
        let output = self.run(&line).await?;
        let digests = digests(&output.text());
        if output.exit != 0 || digests.is_empty() {
            self.remark(&format!(
                "the data of {name} could not be copied, and is cleared before each test: {}",
                self.failure(&line, &output).await
            ));
            self.known().root = Some(None);
            return Ok(false);
        }
        self.known().copies.insert(name.to_owned(), DataCopy { root, user, digests });
        Ok(true)
    }

    /// Removes all copies, also those of a session that died; `told` is what [`kept_command`] printed.
    pub(super) async fn forget_copies(&self, told: &str) -> Result<(), DeviceErrorKind> {
        self.known().copies.clear();
        if told.trim().is_empty() {
            return Ok(());
        }
        match self.root().await? {
            Some(root) => self.must(&root.command(&format!("rm -rf {KEPT}"))).await.map(drop),
            None => {
                self.remark(&format!(
                    "an earlier session's copy of an app's data stays in {KEPT}: only root can remove it"
                ));
                Ok(())
            }
        }
    }

    /// How to get root, found out once.
    async fn root(&self) -> Result<Option<Root>, DeviceErrorKind> {
        if let Some(root) = self.known().root {
            return Ok(root);
        }
        let mut root = None;
        for way in [Root::Itself, Root::Su, Root::SuCommand] {
            let output = self.run(&format!("{} 2>&1", way.command("id -u"))).await?;
            if output.exit == 0 && output.text().trim() == "0" {
                root = Some(way);
                break;
            }
        }
        if root.is_none() {
            self.remark(
                "neither the shell nor `su` gives root, so no app's data can be copied: cleared before each test instead",
            );
        }
        self.known().root = Some(root);
        Ok(root)
    }
}

/// Says whether there are copies.
pub(super) fn kept_command() -> String {
    format!("[ -d {KEPT} ] && echo kept")
}

impl Root {
    fn command(self, script: &str) -> String {
        match self {
            Self::Itself => format!("sh -c {}", quoted(script)),
            Self::Su => format!("su 0 sh -c {}", quoted(script)),
            Self::SuCommand => format!("su -c {}", quoted(script)),
        }
    }
}

impl DataCopy {
    /// Ends the app and puts its data back.
    pub(super) fn restoring(&self, name: &str, as_user: &str) -> String {
        let mut script = format!("am force-stop{as_user} {name}; ");
        for (number, folder) in folders(name, self.user).into_iter().enumerate() {
            script += &format!(
                "[ -d {folder} ] && find {folder} -mindepth 1 -delete; if [ -d {KEPT}/{name}/{number} ]; then mkdir -p {folder} && \
                 cp -a {KEPT}/{name}/{number}/. {folder}/ && {}; fi; ",
                listing(&folder)
            );
        }
        self.root.command(&script)
    }

    /// Whether what was printed while it was put back says that everything is there.
    pub(super) fn is_whole(&self, said: &str) -> bool {
        digests(said) == self.digests
    }
}

/// Ends the app and copies the folders that it has.
fn keeping(name: &str, user: u32, as_user: &str) -> String {
    let mut script = format!(
        "am force-stop{as_user} {name}; rm -rf {KEPT}/{name}; mkdir -p {KEPT}/{name} && chmod 700 {KEPT}; "
    );
    for (number, folder) in folders(name, user).into_iter().enumerate() {
        script += &format!(
            "if [ -d {folder} ]; then mkdir {KEPT}/{name}/{number} && cp -a {folder}/. {KEPT}/{name}/{number}/ && {}; fi; ",
            listing(&folder)
        );
    }
    script
}

/// Where an app's data lies: its own, that before the first unlocking, and that on the shared storage.
fn folders(name: &str, user: u32) -> [String; 3] {
    [
        format!("/data/user/{user}/{name}"),
        format!("/data/user_de/{user}/{name}"),
        format!("/data/media/{user}/Android/data/{name}"),
    ]
}

/// Prints a digest of what is in a folder. Labels of SELinux are put right first, where there are any.
fn listing(folder: &str) -> String {
    format!(
        "(restorecon -RF {folder} >/dev/null 2>&1; cd {folder} && echo {DIGEST}$(find . ! -type s -exec stat -c '%n %s %u %g \
         %a' {{}} + | sort | md5sum))"
    )
}

fn digests(said: &str) -> Vec<String> {
    said.lines().filter_map(|line| line.trim().strip_prefix(DIGEST)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_whole_when_each_folder_is() {
        let copy = DataCopy { root: Root::Su, user: 0, digests: vec!["a1  -".into(), "b2  -".into()] };
        let cases = [
            ("digest:a1  -\ndigest:b2  -\n", true),
            ("cp: bad file\ndigest:a1  -\ndigest:b2  -\r\n", true),
            ("digest:a1  -\n", false),
            ("digest:a1  -\ndigest:b3  -\n", false),
            ("", false),
            ("sh: su: inaccessible or not found", false),
        ];
        for (said, whole) in cases {
            assert_eq!(copy.is_whole(said), whole, "{said:?}");
        }
    }
}
