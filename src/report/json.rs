//! JSON: one object with everything that the other formats contain, for programs. Its schema is
//! `docs/report.schema.json`.

use std::io::{self, Write};

use serde_json::json;

use super::finding_json::finding_json;
use super::json_pieces::Pieces;
use super::{FindingPart, Format, Head, SessionPart, Shots};
use droidmux_gui::printable_json;

/// Writes JSON.
pub struct JsonReport<W: Write> {
    out: Pieces<W>,
}

impl<W: Write> JsonReport<W> {
    /// Writes into this writer, which should be buffered.
    pub fn new(out: W) -> Self {
        Self { out: Pieces::new(out) }
    }
}

impl<W: Write> Format for JsonReport<W> {
    fn begin(&mut self, head: &Head) -> io::Result<()> {
        let counts = json!(head.counts);
        self.out.text("{\"droidmux\":")?;
        self.out.put(&head.version.clone().into())?;
        self.out.text(",\"counts\":")?;
        self.out.put(&counts)?;
        self.out.text(",\"sessions\":[")
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
        self.out.session()?;
        // Its last brace comes after the findings.
        let head = head.to_string();
        self.out.text(&printable_json(head.strip_suffix('}').unwrap_or(&head)))?;
        self.out.text(",\"findings\":[")
    }

    fn finding(&mut self, _session: &SessionPart, part: &FindingPart, shots: &dyn Shots) -> io::Result<()> {
        self.out.finding(&finding_json(part, shots))
    }

    fn session_end(&mut self, _session: &SessionPart) -> io::Result<()> {
        self.out.session_end()
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.end()
    }
}
