//! What happened while nobody looked, as lines to read.

use super::{App, Dialog, Effect};
use crate::glyphs::Glyphs;
use crate::list::List;
use crate::theme::Role;
use crate::{text, words};
use droidmux_proto::{Digest, LogLevel, Request};
use droidmux_words::figure;

/// How many findings are listed one by one.
const FINDINGS: usize = 100;

impl App {
    /// Asks the lab what happened while this person was away.
    pub fn ask_digest(&mut self) {
        self.aside = false;
        self.effect(Effect::Send(Request::Digest));
    }

    /// Shows what happened, unless something else is being looked at: someone who came to see one session sees that.
    pub(super) fn take_digest(&mut self, digest: Box<Digest>) {
        let aside = std::mem::take(&mut self.aside);
        if digest.is_empty() || self.dialog.is_some() {
            return;
        }
        if aside {
            let key =
                self.keymap.keys_of("digest").first().map_or_else(|| ":digest".into(), ToString::to_string);
            return self.say(format!("things happened since you left: {key} tells them"), Role::Dim);
        }
        self.dialog = Some(Dialog::Digest(digest, List::default()));
    }
}

/// The digest's lines, each as pieces with their roles.
pub fn lines(digest: &Digest, glyphs: &Glyphs, width: usize) -> Vec<Vec<(String, Role)>> {
    let mut lines = Vec::new();
    if digest.restarted {
        let restarted = "the lab was started again meanwhile; its sessions went on from the store";
        lines.extend(text::wrap(restarted, width).into_iter().map(|line| vec![(line, Role::Warn)]));
        lines.push(Vec::new());
    }
    if !digest.ended.is_empty() {
        lines.push(vec![(figure::count(digest.ended.len(), "session") + " ended", Role::Accent)]);
        for (session, how) in &digest.ended {
            lines.push(vec![(format!("{session:<6}"), Role::Strong), (text::safe(how).into(), Role::Text)]);
        }
        lines.push(Vec::new());
    }
    if !digest.findings.is_empty() {
        let heading = figure::count(digest.findings.len(), "finding") + " new or changed";
        lines.push(vec![(heading, Role::Accent)]);
        for finding in digest.findings.iter().take(FINDINGS) {
            let (confirmed, role) = words::confirmation(&finding.confirmation, glyphs);
            let head = vec![
                (format!("{:<14}", finding.id.to_string()), Role::Strong),
                (format!("{confirmed:<8}"), role),
            ];
            told(&mut lines, head, &finding.title, Role::Text, width);
        }
        lines.push(Vec::new());
    }
    if !digest.incidents.is_empty() {
        let all = digest.incidents.len() as u64 + digest.more_incidents;
        lines.push(vec![(figure::count(all, "incident"), Role::Accent)]);
        if digest.more_incidents > 0 {
            let earlier = format!("… {} earlier ones are in the lab's log file", digest.more_incidents);
            lines.push(vec![(earlier, Role::Dim)]);
        }
        for incident in &digest.incidents {
            let role = if incident.level == LogLevel::Error { Role::Bad } else { Role::Warn };
            let source = if incident.source.is_empty() { "lab" } else { &incident.source };
            let head = vec![
                (format!("{} ", figure::clock(incident.at_ms)), Role::Dim),
                (format!("{} ", text::safe(source)), Role::Strong),
            ];
            told(&mut lines, head, &incident.text, role, width);
        }
    }
    lines
}

/// A text after its heading, on as many lines as it takes.
fn told(
    lines: &mut Vec<Vec<(String, Role)>>,
    head: Vec<(String, Role)>,
    words: &str,
    role: Role,
    width: usize,
) {
    let indent: usize = head.iter().map(|(piece, _)| text::width(piece)).sum();
    let mut head = head;
    for line in text::wrap(words, width.saturating_sub(indent).max(20)) {
        let mut pieces = std::mem::replace(&mut head, vec![(" ".repeat(indent), Role::Text)]);
        pieces.push((line, role));
        lines.push(pieces);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glyphs;
    use droidmux_proto::LogView;

    #[test]
    fn long_incidents_go_on_below_themselves() {
        let incident = LogView {
            seq: 0,
            at_ms: 0,
            level: LogLevel::Error,
            source: "sim-1".into(),
            text: "the device was lost in the middle of a dump\u{1b}[31m".into(),
        };
        let digest = Digest { incidents: vec![incident], restarted: true, ..Digest::default() };
        let lines: Vec<String> = lines(&digest, &glyphs::ASCII, 44)
            .iter()
            .map(|line| line.iter().map(|(piece, _)| piece.as_str()).collect())
            .collect();
        assert!(lines[0].starts_with("the lab was started again"), "{lines:?}");
        assert!(lines.iter().all(|line| text::width(line) <= 44 && !line.contains('\u{1b}')), "{lines:?}");
        let last = &lines[lines.len() - 2..];
        assert!(last[0].contains("sim-1 the device") && last[1].starts_with("               "), "{lines:?}");
    }
}
