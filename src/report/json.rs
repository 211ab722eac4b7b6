//! JSON: one object with everything that the other formats contain, for programs. Its schema is
//! `docs/report.schema.json`.

use std::io::{self, Write};

use serde_json::json;

use super::finding_json::FindingJson;
use super::json_pieces::Pieces;
use super::session_json::SessionJson;
use super::{FindingPart, Format, Head, SessionPart, Shots};
use droidmux_words::printable_json;

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
        let head = json!(SessionJson::of(session)).to_string();
        self.out.session()?;
        // Its last brace comes after the findings.
        self.out.text(&printable_json(head.strip_suffix('}').unwrap_or(&head)))?;
        self.out.text(",\"findings\":[")
    }

    fn finding(&mut self, _session: &SessionPart, part: &FindingPart, shots: &dyn Shots) -> io::Result<()> {
        self.out.finding(&json!(FindingJson::of(part, shots)))
    }

    fn session_end(&mut self, _session: &SessionPart) -> io::Result<()> {
        self.out.session_end()
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.end()
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;

    use super::*;
    use droidmux_record::TierCounts;
    use droidmux_schema::Document;

    /// Sessions with their counts and the findings that stand for themselves, in the order people read. Texts of apps are
    /// as the device gave them, but for control characters, which are escaped.
    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is wanted: what it holds is written piece by piece")]
    struct ReportJson<'a> {
        /// The version that wrote it.
        droidmux: String,
        #[schemars(schema_with = "droidmux_schema::traced::<TierCounts>")]
        counts: TierCounts,
        sessions: Vec<SessionWithFindings<'a>>,
    }

    #[derive(JsonSchema)]
    #[schemars(rename = "session")]
    #[allow(dead_code, reason = "only its schema is wanted: what it holds is written piece by piece")]
    struct SessionWithFindings<'a> {
        #[serde(flatten)]
        head: SessionJson<'a>,
        findings: Vec<FindingJson<'a>>,
    }

    /// Written anew when `DROIDMUX_WRITE_DOCS` is set.
    #[test]
    fn the_documentation_is_current() {
        let document = Document::new("What `droidmux report --format json` writes");
        Document::keep("report.schema.json", &document.of::<ReportJson<'_>>(), "droidmux-report");
    }
}
