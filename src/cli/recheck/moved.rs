//! Findings that have moved to another tier, in words and as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use droidmux_record::{Finding, FindingId, SessionId, Tier, TierCounts};
use droidmux_words::printable;

/// The tiers of a session by today's rules.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "tiers"))]
pub(super) struct MovedJson<'a> {
    /// Findings to read in each tier; one that stands for others counts once.
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<TierCounts>"))]
    counts: TierCounts,
    /// The findings that are in another tier than before.
    moved: Vec<MoveJson<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "move"))]
struct MoveJson<'a> {
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{8}$")))]
    finding: String,
    title: &'a str,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced_or_null::<Tier>"))]
    from: Option<Tier>,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Tier>"))]
    to: Tier,
    because: &'a str,
}

/// How the tiers of a session changed.
pub(super) struct Moved {
    counts: TierCounts,
    findings: usize,
    /// The findings that moved, with their old tier; `None` when no rule had put them in one.
    moved: Vec<(Option<Tier>, Finding)>,
}

impl Moved {
    pub(super) fn between(before: &[Finding], now: &[Finding]) -> Self {
        let before: BTreeMap<&FindingId, Option<Tier>> = before
            .iter()
            .map(|finding| (&finding.id, (!finding.because.is_empty()).then_some(finding.tier)))
            .collect();
        let was = |finding: &Finding| before.get(&finding.id).copied().flatten();
        let moved = now.iter().filter(|finding| was(finding) != Some(finding.tier));
        let moved = moved.map(|finding| (was(finding), finding.clone())).collect();
        Self { counts: TierCounts::of(now), findings: now.len(), moved }
    }

    pub(super) fn has_reported(&self) -> bool {
        self.counts.reported > 0
    }

    pub(super) fn json(&self) -> MovedJson<'_> {
        let moved = self.moved.iter().map(|(was, finding)| MoveJson {
            finding: format!("{:08x}", finding.id.key),
            title: &finding.verdict.title,
            from: *was,
            to: finding.tier,
            because: &finding.because,
        });
        MovedJson { counts: self.counts, moved: moved.collect() }
    }

    pub(super) fn words(&self, session: SessionId) -> String {
        let mut lines = vec![format!(
            "tiers of {session}: {}; {} of {} findings moved",
            self.counts.words(),
            self.moved.len(),
            self.findings
        )];
        lines.extend(self.moved.iter().map(|(was, finding)| {
            let was = was.map_or("no tier", Tier::name);
            let (id, tier, title) = (&finding.id, finding.tier.name(), &finding.verdict.title);
            format!("  {id}  from {was} to {tier}: {title}; {}", finding.because)
        }));
        lines.iter().map(|line| printable(line).into_owned() + "\n").collect()
    }
}
