//! Judgements, findings and rechecks as earlier versions stored them.

/// Tiers, experiments and relations did not exist yet.
pub(crate) mod v1 {
    use serde::{Deserialize, Serialize};

    use droidmux_record::{
        self as record, Confirmation, Evidence, Fidelity, FindingId, FindingState, Hint, Mask, Outcome,
        RecheckOracle, Slot, TracePlace,
    };

    #[derive(Serialize, Deserialize)]
    pub struct Judgement {
        pub verdicts: Vec<Verdict>,
        pub masks: Vec<Mask>,
        pub unmasked: u32,
    }

    #[derive(Serialize, Deserialize)]
    pub struct Verdict {
        pub slot: Slot,
        pub test: u16,
        pub oracle: String,
        pub outcome: Outcome,
        pub key: String,
        pub title: String,
        pub fidelity: Fidelity,
        pub evidence: Evidence,
        pub hints: Vec<Hint>,
    }

    #[derive(Serialize, Deserialize)]
    pub struct Finding {
        pub id: FindingId,
        pub technique: String,
        pub app: String,
        pub verdict: Verdict,
        pub seen: Vec<(Slot, u16)>,
        pub occurrences: u64,
        pub confirmation: Confirmation,
        pub rank: u32,
        pub state: FindingState,
        pub note: String,
    }

    #[derive(Serialize, Deserialize)]
    pub struct Recheck {
        pub oracle: RecheckOracle,
        pub at_ms: u64,
        pub judged: u64,
        pub unit: String,
        pub unjudged: Vec<(String, u64)>,
        pub violations: Vec<Objection>,
    }

    #[derive(Serialize, Deserialize)]
    pub struct Objection {
        pub verdict: Verdict,
        pub places: Vec<TracePlace>,
    }

    impl From<Judgement> for record::Judgement {
        fn from(old: Judgement) -> Self {
            let Judgement { verdicts, masks, unmasked } = old;
            let verdicts = verdicts.into_iter().map(record::Verdict::from).collect();
            Self { verdicts, masks, unmasked, held: Vec::new() }
        }
    }

    /// The harm that a violation does was not recorded; for a crash it is known.
    impl From<Verdict> for record::Verdict {
        fn from(old: Verdict) -> Self {
            let Verdict { slot, test, oracle, outcome, key, title, fidelity, evidence, hints } = old;
            let harm = match &evidence {
                Evidence::Signal { .. } => record::Harm::Crash,
                _ => record::Harm::default(),
            };
            Self {
                slot,
                test,
                oracle,
                outcome,
                key,
                title,
                fidelity,
                evidence,
                hints,
                experiments: Vec::new(),
                harm,
                cluster: String::new(),
            }
        }
    }

    /// It stands for itself, in the tier that follows from what is known about it.
    impl From<Finding> for record::Finding {
        fn from(old: Finding) -> Self {
            let Finding { id, technique, app, verdict, seen, occurrences, confirmation, rank, state, note } =
                old;
            Self {
                cluster: id.clone(),
                id,
                technique,
                app,
                verdict: verdict.into(),
                seen,
                occurrences,
                confirmation,
                tier: record::Tier::Suspicious,
                because: String::new(),
                rank,
                state,
                note,
            }
        }
    }

    impl From<Recheck> for record::Recheck {
        fn from(old: Recheck) -> Self {
            let Recheck { oracle, at_ms, judged, unit, unjudged, violations } = old;
            let violations = violations.into_iter().map(record::Objection::from).collect();
            Self { oracle, at_ms, judged, unit, unjudged, violations }
        }
    }

    impl From<Objection> for record::Objection {
        fn from(old: Objection) -> Self {
            Self { verdict: old.verdict.into(), places: old.places }
        }
    }
}
