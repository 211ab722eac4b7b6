//! JUnit XML, as build servers read it: a suite for each session, a case for each finding.
//!
//! Reported findings fail, suspicious ones are skipped, explained ones pass. A session without findings is a case that
//! passes, because some servers take a suite without cases for one that did not run.

use std::io::{self, Write};

use super::escape::markup;
use super::evidence::{confirmation, sections};
use super::{FindingPart, Format, Head, SessionPart, Shots};
use droidmux_record::{Tier, TierCounts};
use droidmux_words::number::real;

/// Writes JUnit XML.
pub struct Junit<W: Write> {
    out: W,
}

impl<W: Write> Junit<W> {
    /// Writes into this writer, which should be buffered.
    pub fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Format for Junit<W> {
    fn begin(&mut self, head: &Head) -> io::Result<()> {
        let tests = cases(head.counts);
        writeln!(self.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        // Sessions without findings count one each, which only their suites know.
        writeln!(
            self.out,
            "<testsuites name=\"droidmux\" failures=\"{}\" errors=\"0\"{}>",
            head.counts.reported,
            if tests > 0 && head.sessions == 1 { format!(" tests=\"{tests}\"") } else { String::new() }
        )
    }

    fn session(&mut self, session: &SessionPart) -> io::Result<()> {
        let (counts, definition) = (session.counts(), &session.record.definition);
        let app = markup(&definition.app);
        writeln!(
            self.out,
            "  <testsuite name=\"{} {app}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3}\" \
             timestamp=\"{}\" package=\"{app}\">",
            session.id,
            cases(counts).max(1),
            counts.reported,
            counts.suspicious,
            real(session.took_ms()) / 1_000.0,
            timestamp(session.record.started_ms)
        )?;
        writeln!(self.out, "    <properties>")?;
        let technique = definition.technique.name().to_owned();
        let properties = [
            ("technique", technique),
            ("rng", session.record.rng.to_string()),
            ("droidmux", session.record.droidmux.clone()),
        ];
        let lab = session.lab().map(|lab| ("lab", lab.to_owned()));
        for (name, value) in properties.into_iter().chain(lab) {
            writeln!(self.out, "      <property name=\"{name}\" value=\"{}\"/>", markup(&value))?;
        }
        writeln!(self.out, "    </properties>")?;
        if cases(counts) == 0 {
            writeln!(self.out, "    <testcase name=\"no findings\" classname=\"{app}\"/>")?;
        }
        Ok(())
    }

    fn finding(&mut self, _session: &SessionPart, part: &FindingPart, _: &dyn Shots) -> io::Result<()> {
        let finding = part.finding();
        let verdict = &finding.verdict;
        let (app, oracle, title) = (markup(&finding.app), markup(&verdict.oracle), markup(&verdict.title));
        let name = format!("{}: {title}", finding.id);
        writeln!(self.out, "    <testcase name=\"{name}\" classname=\"{app}.{oracle}\">")?;
        let because = markup(&finding.because);
        match finding.tier {
            Tier::Reported => writeln!(
                self.out,
                "      <failure type=\"{oracle}\" message=\"{title}\">{}</failure>",
                markup_lines(&details(part))
            )?,
            Tier::Suspicious => writeln!(self.out, "      <skipped message=\"suspicious: {because}\"/>")?,
            Tier::Explained => writeln!(self.out, "      <system-out>explained: {because}</system-out>")?,
        }
        writeln!(self.out, "    </testcase>")
    }

    fn session_end(&mut self, _session: &SessionPart) -> io::Result<()> {
        writeln!(self.out, "  </testsuite>")
    }

    fn end(&mut self) -> io::Result<()> {
        writeln!(self.out, "</testsuites>")?;
        self.out.flush()
    }
}

fn cases(counts: TierCounts) -> u64 {
    counts.reported + counts.suspicious + counts.explained
}

fn details(part: &FindingPart) -> Vec<String> {
    let mut lines = vec![part.finding().because.clone(), confirmation(part)];
    for section in sections(part) {
        lines.push(format!("{}:", section.title));
        lines.extend(section.lines.iter().map(|line| format!("  {line}")));
    }
    lines.push(format!("show it again: {}", part.replay_command()));
    lines
}

fn markup_lines(lines: &[String]) -> String {
    lines.iter().map(|line| markup(line)).collect::<Vec<_>>().join("\n")
}

/// ISO 8601 without a zone, in UTC, as the format requires.
fn timestamp(ms: u64) -> String {
    let moment = i64::try_from(ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    moment.unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%S").to_string()
}
