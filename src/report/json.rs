//! JSON: one object with all that the other formats tell, for programs. Its schema is `docs/report.schema.json`.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::finding_json::finding_json;
use super::{FindingPart, Format, Head, SessionPart, Shots};
use crate::gui::printable_json;

/// Writes JSON.
pub struct JsonReport<W: Write> {
    out: W,
    sessions: usize,
    findings: usize,
}

impl<W: Write> JsonReport<W> {
    /// Into this writer, which should be buffered.
    pub fn new(out: W) -> Self {
        Self { out, sessions: 0, findings: 0 }
    }

    fn text(&mut self, json: &str) -> io::Result<()> {
        self.out.write_all(json.as_bytes())
    }

    fn put(&mut self, value: &Value) -> io::Result<()> {
        self.out.write_all(printable_json(&value.to_string()).as_bytes())
    }
}

impl<W: Write> Format for JsonReport<W> {
    fn begin(&mut self, head: &Head) -> io::Result<()> {
        let counts = json!(head.counts);
        self.text("{\"droidmux\":")?;
        self.put(&head.version.clone().into())?;
        self.text(",\"counts\":")?;
        self.put(&counts)?;
        self.text(",\"sessions\":[")
    }

    fn session(&mut self, session: &SessionPart) -> io::Result<()> {
        let record = &session.record;
        let last = session.map.growth.last();
        let head = json!({
            "session": session.id.to_string(),
            "technique": record.definition.technique.name(),
            "app": record.definition.app,
            "rng": record.rng.to_string(),
            "started_ms": record.started_ms,
            "took_ms": session.took_ms(),
            "ending": record.ending,
            "droidmux": record.droidmux,
            "counts": session.counts(),
            "funnel": session.progress.as_ref().map(|progress| {
                let stages = progress.stages.iter();
                stages.map(|stage| json!({"stage": stage.name, "number": stage.number})).collect::<Vec<_>>()
            }),
            "coverage": session.map.growth,
            "model": {
                "states": last.map_or(0, |last| last.states),
                "transitions": last.map_or(0, |last| last.transitions),
                "activities": last.map_or(0, |last| last.activities),
            },
            "devices": session.devices,
            "builds": session.builds,
        });
        self.text(if self.sessions > 0 { ",\n" } else { "\n" })?;
        // Its last brace comes after the findings.
        let head = head.to_string();
        self.text(&printable_json(head.strip_suffix('}').unwrap_or(&head)))?;
        self.text(",\"findings\":[")?;
        self.sessions += 1;
        self.findings = 0;
        Ok(())
    }

    fn finding(&mut self, _session: &SessionPart, part: &FindingPart, shots: &dyn Shots) -> io::Result<()> {
        let value = finding_json(part, shots);
        self.text(if self.findings > 0 { ",\n" } else { "\n" })?;
        self.findings += 1;
        self.put(&value)
    }

    fn session_end(&mut self, _session: &SessionPart) -> io::Result<()> {
        self.text("]}")
    }

    fn end(&mut self) -> io::Result<()> {
        self.text("]}\n")?;
        self.out.flush()
    }
}
