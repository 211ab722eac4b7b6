//! What a device does not do: commands that fail, in words that name the command, what the phone said and what to do; and
//! what sessions do without on it.

use super::device::AdbDevice;
use super::shell::ShellOutput;
use crate::output::{Maker, Told, command_of, complaint, read_told, remedy_of, usable_property};
use crate::{DeviceErrorKind, Shortcoming};

impl AdbDevice {
    /// Runs a line that must succeed: with exit code 0, and without the words of a refusal, which come with any code.
    pub(super) async fn must(&self, line: &str) -> Result<ShellOutput, DeviceErrorKind> {
        let output = self.run(line).await?;
        match (output.exit, output.told()) {
            (0, Told::Fine | Told::Failed) => Ok(output),
            _ => Err(self.failure(line, &output).await),
        }
    }

    /// As [`AdbDevice::must`], for tools that on old versions report everything with exit code 0, and print nothing when
    /// all is well.
    pub(super) async fn must_quietly(&self, line: &str) -> Result<(), DeviceErrorKind> {
        let output = self.must(line).await?;
        match output.told() {
            Told::Fine => Ok(()),
            Told::Refused | Told::Failed => Err(self.failure(line, &output).await),
        }
    }

    /// As [`AdbDevice::must_quietly`], with another line before it whose outcome is ignored, in one round trip.
    pub(super) async fn must_after(&self, before: &str, line: &str) -> Result<(), DeviceErrorKind> {
        let output = self.run(&format!("({before}) >/dev/null 2>&1; {line}")).await?;
        match output.told() {
            Told::Fine => Ok(()),
            Told::Refused | Told::Failed => Err(self.failure(line, &output).await),
        }
    }

    /// The error of a line that failed, by what it printed.
    pub(super) async fn failure(&self, line: &str, output: &ShellOutput) -> DeviceErrorKind {
        self.failed(line, output.exit, &output.both()).await
    }

    /// The same for a part of a line, with its exit code.
    pub(super) async fn failed(&self, line: &str, code: i32, said: &str) -> DeviceErrorKind {
        let output = complaint(said);
        let command = command_of(line, said.trim_start());
        match read_told(said) {
            Told::Refused => {
                let remedy = self.maker().await.lets_shell_act().to_owned();
                DeviceErrorKind::Refused {
                    command: command.into(),
                    output: output.into(),
                    remedy: remedy.into(),
                }
            }
            Told::Fine | Told::Failed => {
                let remedy = remedy_of(&command).to_owned();
                DeviceErrorKind::Command {
                    command: command.into(),
                    code,
                    output: output.into(),
                    remedy: remedy.into(),
                }
            }
        }
    }

    /// Who made it, as far as it says: asked only when something is amiss.
    pub(super) async fn maker(&self) -> Maker {
        let asked = self.run("getprop ro.product.manufacturer; getprop ro.product.brand").await;
        let text = asked.map(|output| output.text().into_owned()).unwrap_or_default();
        let mut lines = text.lines();
        let mut next = || usable_property(lines.next().unwrap_or_default());
        Maker::of(&next(), &next())
    }

    /// Replaces what is known of one kind of shortcoming.
    pub(super) fn falls_short(&self, is_of_kind: impl Fn(&Shortcoming) -> bool, now: Option<Shortcoming>) {
        let mut known = self.shortcomings_known();
        known.retain(|shortcoming| !is_of_kind(shortcoming));
        known.extend(now);
        known.sort();
    }
}
