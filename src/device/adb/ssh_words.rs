//! What `ssh` says, and what a person should do about it.
//!
//! In: its lines on standard error, after OpenSSH's `clientloop.c`, `sshconnect.c`, `sshconnect2.c` and `channels.c`. Out:
//! one sentence. What is not known is told as it was said.

use std::collections::VecDeque;

use tokio::time::Instant;

use droidmux_record::SshPlace;
use droidmux_words::printable;

/// Lines that are kept.
const MOST_LINES: usize = 20;
/// Characters of a line that are kept.
const MOST_CHARACTERS: usize = 300;

/// The lines of one `ssh`, and the last time that the other host refused a connection to the port.
#[derive(Debug)]
pub(super) struct Said {
    /// How a person reaches the host: `ssh -p 2222 ann@lab2`.
    by_hand: String,
    adb: u16,
    lines: VecDeque<String>,
    refused: Option<(Instant, String)>,
}

impl Said {
    pub(super) fn of(to: &SshPlace, adb: u16) -> Self {
        let port = to.port.map(|port| format!("-p {port} ")).unwrap_or_default();
        let by_hand = format!("ssh {port}{}", to.destination());
        Self { by_hand, adb, lines: VecDeque::new(), refused: None }
    }

    /// Takes in a line.
    pub(super) fn take(&mut self, line: &str) {
        let line: String = line.chars().take(MOST_CHARACTERS).collect();
        if line.trim().is_empty() {
            return;
        }
        if let Some(why) = self.refusal(&line) {
            self.refused = Some((Instant::now(), why));
            return;
        }
        if self.lines.len() >= MOST_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    /// Another `ssh` begins.
    pub(super) fn clear(&mut self) {
        self.lines.clear();
    }

    /// Why the port refused a connection after this moment.
    pub(super) fn refused_since(&self, then: Instant) -> Option<String> {
        self.refused.as_ref().filter(|(at, _)| *at >= then).map(|(_, why)| why.clone())
    }

    /// Why it ended.
    pub(super) fn in_words(&self) -> String {
        let by_hand = &self.by_hand;
        let said = |parts: &[&str]| {
            self.lines.iter().any(|line| parts.iter().any(|part| line.to_ascii_lowercase().contains(part)))
        };
        let known = [
            (
                &["identification has changed", "host key for"][..],
                format!(
                    "its host key is another than before: if that is right, remove the old one from known_hosts and \
                     run `{by_hand} true` once"
                ),
            ),
            (
                &["host key verification failed", "no matching host key"],
                format!("its host key is not known here: run `{by_hand} true` once and accept it"),
            ),
            (
                &["permission denied", "too many authentication failures", "no supported authentication"],
                format!(
                    "it does not let us in: `{by_hand} true` must work without a password (a key that it accepts, in \
                     an agent or without a passphrase)"
                ),
            ),
            (&["could not resolve", "name or service not known"], "no host of this name is known".into()),
            (
                &["connection refused"],
                "no ssh server answers there (connection refused): is it running, on this port?".into(),
            ),
            (
                &["timed out", "not responding", "no route to host", "network is unreachable"],
                "it does not answer: is it switched on, and on the network?".into(),
            ),
            (&["administratively prohibited"], self.forbidden()),
            (&["connection reset", "closed by", "broken pipe"], "the connection was closed".into()),
            (&["not found", "no such file"], format!("ssh cannot be run here ({})", self.last())),
        ];
        let told = known.into_iter().find(|(parts, _)| said(parts)).map(|(_, words)| words);
        told.unwrap_or_else(|| match self.last() {
            last if last.is_empty() => "ssh ended without a word".into(),
            last => format!("ssh says: {last}"),
        })
    }

    fn last(&self) -> String {
        self.lines.back().map(|line| printable(line).into_owned()).unwrap_or_default()
    }

    /// What a refused channel means: `channel 2: open failed: connect failed: Connection refused`.
    fn refusal(&self, line: &str) -> Option<String> {
        let line = line.to_ascii_lowercase();
        let (_, why) = line.split_once("open failed: ")?;
        Some(match why.contains("administratively prohibited") || why.contains("not allowed") {
            true => self.forbidden(),
            false => {
                let adb = self.adb;
                format!("no ADB server listens on its port {adb}: run `adb start-server` there")
            }
        })
    }

    fn forbidden(&self) -> String {
        let adb = self.adb;
        format!(
            "its ssh server forbids tunnels to port {adb} (AllowTcpForwarding, PermitOpen in sshd_config)"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ssh_says_is_told_in_words() {
        let cases: [(&[&str], &str); 13] = [
            (&["ann@lab2: Permission denied (publickey,password)."], "must work without a password"),
            (
                &["Received disconnect from 10.0.0.2 port 22:2: Too many authentication failures"],
                "must work without",
            ),
            (
                &[
                    "No ED25519 host key is known for lab2 and you have requested strict checking.",
                    "Host key verification failed.",
                ],
                "run `ssh -p 2222 ann@lab2 true` once and accept it",
            ),
            (
                &["@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @", "Host key verification failed."],
                "another than before",
            ),
            (&["ssh: Could not resolve hostname lab2: Name or service not known"], "no host of this name"),
            (&["ssh: connect to host lab2 port 22: Connection refused"], "no ssh server answers there"),
            (&["ssh: connect to host lab2 port 22: No route to host"], "is it switched on"),
            (&["Timeout, server lab2 not responding."], "does not answer"),
            (&["Connection to lab2 closed by remote host."], "the connection was closed"),
            (&["client_loop: send disconnect: Broken pipe"], "the connection was closed"),
            (&["tunnel: 1: sshx: not found"], "ssh cannot be run here (tunnel: 1: sshx: not found)"),
            (&["Bad owner or permissions on /home/ann/.ssh/config\u{1b}[2J"], "ssh says: Bad owner"),
            (&[], "without a word"),
        ];
        for (lines, expected) in cases {
            let to = SshPlace::read("ann@lab2:2222").expect("a place");
            let mut said = Said::of(&to, 5037);
            lines.iter().for_each(|line| said.take(line));
            let words = said.in_words();
            assert!(words.contains(expected) && !words.contains('\u{1b}'), "{lines:?}: {words}");
        }
    }

    #[test]
    fn a_port_that_refuses_is_told_with_its_number() {
        let began = Instant::now();
        let cases = [
            ("channel 2: open failed: connect failed: Connection refused", Some("on its port 5038")),
            (
                "channel 2: open failed: administratively prohibited: open failed",
                Some("forbids tunnels to port 5038"),
            ),
            ("Warning: Permanently added 'lab2' (ED25519) to the list of known hosts.", None),
        ];
        for (line, expected) in cases {
            let mut said = Said::of(&SshPlace::read("lab2").expect("a place"), 5038);
            said.take(line);
            let told = said.refused_since(began);
            assert_eq!(told.is_some(), expected.is_some(), "{line}: {told:?}");
            assert!(told.unwrap_or_default().contains(expected.unwrap_or_default()), "{line}");
        }
    }
}
