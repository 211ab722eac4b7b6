//! What happened while nobody looked, as lines to read.

use crate::proto::{Digest, LogLevel};
use crate::tui::glyphs::Glyphs;
use crate::tui::theme::Role;
use crate::tui::{text, words};

/// Findings told one by one.
const FINDINGS: usize = 100;

/// The digest's lines, each as pieces with their roles.
pub fn lines(digest: &Digest, glyphs: &Glyphs, width: usize) -> Vec<Vec<(String, Role)>> {
    let mut lines = Vec::new();
    if digest.restarted {
        let restarted = "the lab was started again meanwhile; its sessions went on from the store";
        lines.extend(text::wrap(restarted, width).into_iter().map(|line| vec![(line, Role::Warn)]));
        lines.push(Vec::new());
    }
    if !digest.ended.is_empty() {
        lines.push(vec![(text::count(digest.ended.len() as u64, "session") + " ended", Role::Accent)]);
        for (session, how) in &digest.ended {
            lines.push(vec![(format!("{session:<6}"), Role::Strong), (text::safe(how).into(), Role::Text)]);
        }
        lines.push(Vec::new());
    }
    if !digest.findings.is_empty() {
        let heading = text::count(digest.findings.len() as u64, "finding") + " new or changed";
        lines.push(vec![(heading, Role::Accent)]);
        for finding in digest.findings.iter().take(FINDINGS) {
            let (confirmed, role) = words::confirmation(&finding.confirmation, glyphs);
            lines.push(vec![
                (format!("{:<14}", finding.id.to_string()), Role::Strong),
                (format!("{confirmed:<8}"), role),
                (text::safe(&finding.title).into(), Role::Text),
            ]);
        }
        lines.push(Vec::new());
    }
    if !digest.incidents.is_empty() {
        let all = digest.incidents.len() as u64 + digest.more_incidents;
        lines.push(vec![(text::count(all, "incident"), Role::Accent)]);
        if digest.more_incidents > 0 {
            let earlier = format!("… {} earlier ones are in the lab's log file", digest.more_incidents);
            lines.push(vec![(earlier, Role::Dim)]);
        }
        for incident in &digest.incidents {
            let role = if incident.level == LogLevel::Error { Role::Bad } else { Role::Warn };
            lines.push(vec![
                (format!("{} ", text::clock(incident.at_ms)), Role::Dim),
                (format!("{} ", text::safe(&incident.source)), Role::Strong),
                (text::safe(&incident.text).into(), role),
            ]);
        }
    }
    lines
}
