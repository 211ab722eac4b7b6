//! Markdown for an issue tracker: the findings with their steps in words. Only the HTML page has pictures.

use std::io::{self, Write};

use super::escape::markdown;
use super::evidence::{confirmation, sections};
use super::html::{device_words, moment};
use super::lanes::{Lanes, lanes};
use super::{FindingPart, Format, Head, SessionPart, Shots};
use droidmux_record::Tier;

/// Writes Markdown.
pub struct Markdown<W: Write> {
    out: W,
}

impl<W: Write> Markdown<W> {
    /// Writes into this writer, which should be buffered.
    pub fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Format for Markdown<W> {
    fn begin(&mut self, head: &Head) -> io::Result<()> {
        writeln!(self.out, "# Findings: {}\n", head.counts.words())
    }

    fn session(&mut self, session: &SessionPart) -> io::Result<()> {
        let definition = &session.record.definition;
        writeln!(
            self.out,
            "## Session {}: {} on {}\n\n{}. Began {}, RNG seed {}.\n",
            session.id,
            definition.technique.name(),
            markdown(&definition.app),
            session.counts().words(),
            moment(session.record.started_ms),
            session.record.rng
        )?;
        match session.lab() {
            Some(lab) => writeln!(self.out, "It ran in the {lab}, which is no device.\n"),
            None => Ok(()),
        }
    }

    fn finding(&mut self, _session: &SessionPart, part: &FindingPart, shots: &dyn Shots) -> io::Result<()> {
        let finding = part.finding();
        let verdict = &finding.verdict;
        writeln!(self.out, "### {}\n", markdown(&verdict.title))?;
        writeln!(self.out, "**{}**: {}\n", finding.tier.name(), markdown(&finding.because))?;
        writeln!(self.out, "- finding {}, oracle {}, {}", finding.id, verdict.oracle, verdict.harm.words())?;
        writeln!(self.out, "- {}", confirmation(part))?;
        if let Some((device, app)) = part.facts() {
            let app = format!("{} {} ({})", app.package, app.version_name, app.version_code);
            writeln!(self.out, "- app {}", markdown(&app))?;
            writeln!(self.out, "- device {}", markdown(&device_words(device)))?;
        }
        writeln!(self.out)?;
        if finding.tier != Tier::Explained {
            self.out.write_all(steps(&lanes(part, shots)).as_bytes())?;
        }
        for section in sections(part) {
            writeln!(self.out, "#### {}\n", markdown(&section.title))?;
            if section.verbatim {
                // Indented, so that nothing in it ends the block.
                for line in &section.lines {
                    writeln!(self.out, "    {}", droidmux_words::printable(&line.replace('\t', "    ")))?;
                }
                writeln!(self.out)?;
                continue;
            }
            for line in &section.lines {
                writeln!(self.out, "- {}", markdown(line))?;
            }
            writeln!(self.out)?;
        }
        writeln!(self.out, "Show it again: `{}`\n", part.replay_command())
    }

    fn session_end(&mut self, session: &SessionPart) -> io::Result<()> {
        if session.findings.is_empty() {
            writeln!(self.out, "No findings.\n")?;
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The steps of the test in words; those of its seed are left out, since the test contains them.
fn steps(lanes: &Lanes) -> String {
    let mut text = String::new();
    let column = lanes.names.len().saturating_sub(1);
    for row in &lanes.rows {
        let Some(Some(cell)) = row.cells.get(column) else { continue };
        let words = match &cell.event {
            Some(event) => markdown(event),
            None => "*in the end*".to_owned(),
        };
        let inserted = if row.inserted { " (inserted)" } else { "" };
        let failed = if cell.failed.is_empty() { String::new() } else { format!(" ({})", cell.failed) };
        text += &format!("{}. {words}{inserted}{failed}\n", cell.number);
        for mark in cell.marks.iter().chain(&cell.signals) {
            text += &format!("   - **{}**\n", markdown(mark));
        }
    }
    match text.is_empty() {
        true => text,
        false => format!("#### Steps\n\n{text}\n"),
    }
}
