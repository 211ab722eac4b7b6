//! SARIF 2.1.0: a run for each session, a rule for each oracle and relation, a result for each finding.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::evidence::confirmation;
use super::json_pieces::Pieces;
use super::lanes::lanes;
use super::{FindingPart, Format, Head, SessionPart, Shots};
use droidmux_record::{Evidence, Finding, Tier};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes SARIF.
pub struct Sarif<W: Write> {
    out: Pieces<W>,
    version: String,
    /// The rules of the current run, in order.
    rules: Vec<String>,
}

impl<W: Write> Sarif<W> {
    /// Writes into this writer, which should be buffered.
    pub fn new(out: W) -> Self {
        Self { out: Pieces::new(out), version: String::new(), rules: Vec::new() }
    }
}

impl<W: Write> Format for Sarif<W> {
    fn begin(&mut self, head: &Head) -> io::Result<()> {
        self.version.clone_from(&head.version);
        self.out.text(&format!("{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":["))
    }

    fn session(&mut self, session: &SessionPart) -> io::Result<()> {
        let rules: BTreeSet<String> = session.told().map(rule).collect();
        self.rules = rules.into_iter().collect();
        let described: Vec<Value> = self.rules.iter().map(|rule| described(rule)).collect();
        let driver = json!({"driver": {"name": "droidmux", "version": self.version, "rules": described}});
        let details = json!({"id": format!("{}/{}", session.record.definition.app, session.id)});
        let mut properties = json!({
            "technique": session.record.definition.technique.name(),
            "app": session.record.definition.app,
            "rng": session.record.rng.to_string(),
        });
        if let Some(lab) = session.lab() {
            properties["lab"] = lab.into();
        }
        self.out.session()?;
        self.out.text("{\"tool\":")?;
        self.out.put(&driver)?;
        self.out.text(",\"automationDetails\":")?;
        self.out.put(&details)?;
        self.out.text(",\"properties\":")?;
        self.out.put(&properties)?;
        self.out.text(",\"results\":[")
    }

    fn finding(&mut self, _session: &SessionPart, part: &FindingPart, shots: &dyn Shots) -> io::Result<()> {
        let rule = rule(part.finding());
        let index = self.rules.iter().position(|known| *known == rule);
        self.out.finding(&result(part, shots, &rule, index))
    }

    fn session_end(&mut self, _session: &SessionPart) -> io::Result<()> {
        self.out.session_end()
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.end()
    }
}

/// The oracle, and the relation if it has several.
fn rule(finding: &Finding) -> String {
    match &finding.verdict.evidence {
        Evidence::Broken(broken) => format!("{}/{}", finding.verdict.oracle, broken.relation),
        _ => finding.verdict.oracle.clone(),
    }
}

fn described(rule: &str) -> Value {
    let words = match rule.split_once('/') {
        Some((_, relation)) => format!("The relation {relation} between screens of one trace does not hold."),
        None => format!("The oracle {rule} objects to what the app does."),
    };
    json!({"id": rule, "name": rule, "shortDescription": {"text": words}})
}

fn result(part: &FindingPart, shots: &dyn Shots, rule: &str, index: Option<usize>) -> Value {
    let finding = part.finding();
    let verdict = &finding.verdict;
    let level = match finding.tier {
        Tier::Reported => "error",
        Tier::Suspicious => "warning",
        Tier::Explained => "note",
    };
    let (page, steps) = steps(part, shots);
    let place = if page.is_empty() { finding.app.clone() } else { page };
    let location = json!({"logicalLocations": [{"fullyQualifiedName": place, "kind": "type"}]});
    let mut result = json!({
        "ruleId": rule,
        "level": level,
        "message": {"text": format!("{}. {}", verdict.title, finding.because)},
        "locations": [location],
        "partialFingerprints": {"droidmux/v1": blake3::hash(verdict.key.as_bytes()).to_string()},
        "properties": {
            "finding": finding.id.to_string(),
            "tier": finding.tier.name(),
            "harm": verdict.harm.words(),
            "confirmation": confirmation(part),
            "replay": part.replay_command(),
        },
    });
    if let Some(index) = index {
        result["ruleIndex"] = index.into();
    }
    if !steps.is_empty() {
        result["codeFlows"] = json!([{"threadFlows": [{"locations": steps}]}]);
    }
    if finding.tier == Tier::Explained {
        result["suppressions"] = json!([{"kind": "external", "justification": finding.because}]);
    }
    result
}

/// The activity on whose screen it ends, and the steps as a flow.
fn steps(part: &FindingPart, shots: &dyn Shots) -> (String, Vec<Value>) {
    let lanes = lanes(part, shots);
    let column = lanes.names.len().saturating_sub(1);
    let cells: Vec<_> = lanes.rows.iter().filter_map(|row| row.cells.get(column)?.as_ref()).collect();
    let page = cells.iter().rev().map(|cell| cell.activity.clone()).find(|page| !page.is_empty());
    let steps = cells.iter().filter_map(|cell| {
        let place = json!({"fullyQualifiedName": cell.activity, "kind": "type"});
        let location = json!({"message": {"text": cell.event.as_ref()?}, "logicalLocations": [place]});
        Some(json!({"location": location, "executionOrder": cell.number}))
    });
    (page.unwrap_or_default(), steps.collect())
}
