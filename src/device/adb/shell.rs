//! Shell commands: the packets of shell v2, and their substitute on old devices.

use super::connection::{Connection, too_long};
use crate::DeviceErrorKind;
use crate::output::{Told, complaint, read_told, remedy_of};

/// What a shell command printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShellOutput {
    /// As it was printed: any bytes.
    pub stdout: Vec<u8>,
    /// Empty on devices without shell v2, where it comes merged into `stdout`.
    pub stderr: Vec<u8>,
    /// 0 for success; the shell's own code for a command that was ended by a signal.
    pub exit: i32,
}

impl ShellOutput {
    /// Standard output as text.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.stdout)
    }

    /// The output of a command that must succeed.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Command`] with what it printed, when the exit code is not 0.
    pub fn checked(self, command: &str) -> Result<Self, DeviceErrorKind> {
        if self.exit == 0 {
            return Ok(self);
        }
        let (command, remedy) = (command.to_owned(), remedy_of(command).to_owned());
        let output = complaint(&self.both()).into();
        Err(DeviceErrorKind::Command {
            command: command.into(),
            code: self.exit,
            output,
            remedy: remedy.into(),
        })
    }

    /// Both outputs as text, errors first.
    pub(super) fn both(&self) -> String {
        let text = |bytes| String::from_utf8_lossy(bytes);
        format!("{}\n{}", text(&self.stderr), text(&self.stdout))
    }

    /// What became of the command, by its words and its exit code.
    pub(super) fn told(&self) -> Told {
        match read_told(&self.both()) {
            Told::Fine if self.exit != 0 => Told::Failed,
            told => told,
        }
    }
}

/// Ends the output of a command on a device without shell v2; the exit code follows.
const EXIT_MARK: &str = "droidmux-exit:";

const STDOUT: u8 = 1;
const STDERR: u8 = 2;
pub(super) const EXIT: u8 = 3;
const CLOSE_STDIN: u8 = 4;

/// Runs a command by shell v2. At most `cap` bytes of output, of which the standard output goes into the memory of
/// `into`.
///
/// # Errors
/// [`DeviceErrorKind::Lost`] when the stream ends without an exit packet.
pub(super) async fn run_v2(
    connection: &mut Connection,
    command: &str,
    mut into: Vec<u8>,
    cap: usize,
) -> Result<ShellOutput, DeviceErrorKind> {
    into.clear();
    connection.request(&format!("shell,v2,TERM=xterm,raw:{command}")).await?;
    connection.write(&[CLOSE_STDIN, 0, 0, 0, 0]).await?;
    let mut output = ShellOutput { stdout: into, ..ShellOutput::default() };
    loop {
        let (id, length) = packet_head(connection).await?;
        if length > cap.saturating_sub(output.stdout.len() + output.stderr.len()) {
            return Err(too_long(cap));
        }
        let into = match id {
            STDOUT => &mut output.stdout,
            STDERR => &mut output.stderr,
            EXIT => {
                let mut code = vec![0; length];
                connection.read_exact(&mut code).await?;
                output.exit = code.first().copied().map_or(0, i32::from);
                return Ok(output);
            }
            other => return Err(DeviceErrorKind::Answer(format!("a shell packet of kind {other}"))),
        };
        let start = into.len();
        into.resize(start + length, 0);
        connection.read_exact(into.get_mut(start..).unwrap_or_default()).await?;
    }
}

/// The next packet of a shell that goes on: its kind and at most `cap` bytes.
///
/// # Errors
/// [`DeviceErrorKind::Lost`] when the stream ends, with or without an exit packet before.
pub(super) async fn next_packet(
    connection: &mut Connection,
    cap: usize,
) -> Result<(u8, Vec<u8>), DeviceErrorKind> {
    let (id, length) = packet_head(connection).await?;
    if length > cap {
        return Err(too_long(cap));
    }
    let mut bytes = vec![0; length];
    connection.read_exact(&mut bytes).await?;
    Ok((id, bytes))
}

async fn packet_head(connection: &mut Connection) -> Result<(u8, usize), DeviceErrorKind> {
    let mut head = [0; 5];
    connection.read_exact(&mut head).await?;
    let [id, length @ ..] = head;
    Ok((id, usize::try_from(u32::from_le_bytes(length)).map_err(|_| too_long(usize::MAX))?))
}

/// Runs a command by the old shell service: both outputs merged, the exit code printed by the
/// shell itself.
///
/// # Errors
/// [`DeviceErrorKind::Lost`] when the exit code is missing at the end.
pub(super) async fn run_v1(
    connection: &mut Connection,
    command: &str,
    cap: usize,
) -> Result<ShellOutput, DeviceErrorKind> {
    connection.request(&format!("shell:{command}; echo {EXIT_MARK}$?")).await?;
    let merged = connection.read_to_end(cap).await?;
    split_exit(&merged).ok_or_else(|| DeviceErrorKind::Lost("the shell ended without an exit code".into()))
}

/// A word for the device's shell, whatever is in it.
pub(super) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn split_exit(merged: &[u8]) -> Option<ShellOutput> {
    let at = memchr::memmem::rfind(merged, EXIT_MARK.as_bytes())?;
    let (output, rest) = merged.split_at(at);
    let code = std::str::from_utf8(rest.get(EXIT_MARK.len()..)?).ok()?;
    let exit = code.trim().parse().ok()?;
    Some(ShellOutput { stdout: without_carriage_returns(output), stderr: Vec::new(), exit })
}

/// Reverses what the terminal of old devices does to line ends: `\r\n`, on some even `\r\r\n`.
fn without_carriage_returns(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        if byte == b'\n' {
            while kept.last() == Some(&b'\r') {
                kept.pop();
            }
        }
        kept.push(byte);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_shells_print_their_exit_code() {
        let cases: [(&[u8], Option<(&[u8], i32)>); 6] = [
            (b"hi\r\ndroidmux-exit:0\r\n", Some((b"hi\n", 0))),
            (b"no newlinedroidmux-exit:7\n", Some((b"no newline", 7))),
            (b"a\r\r\nb\rc\r\ndroidmux-exit:1\r\n", Some((b"a\nb\rc\n", 1))),
            (b"droidmux-exit:9\ndroidmux-exit:2\n", Some((b"droidmux-exit:9\n", 2))),
            (b"cut off", None),
            (b"x droidmux-exit:", None),
        ];
        for (merged, expected) in cases {
            let got = split_exit(merged).map(|o| (o.stdout, o.exit));
            assert_eq!(got, expected.map(|(o, e)| (o.to_vec(), e)), "{}", merged.escape_ascii());
        }
    }

    #[test]
    fn words_are_quoted() {
        for (word, expected) in
            [("a b", "'a b'"), ("it's", r"'it'\''s'"), ("$(x)`y`", "'$(x)`y`'"), ("", "''")]
        {
            assert_eq!(quoted(word), expected);
        }
    }
}
