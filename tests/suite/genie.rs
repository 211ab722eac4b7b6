//! Whole Genie sessions on the simulated apps.

use crate::phones::{definition, run_session, switches};

#[test]
fn tune() {
    let app = std::env::var("TUNE_APP").unwrap_or("diary".into());
    let defect = std::env::var("TUNE_DEFECT").unwrap_or("diary.wrong-picture".into());
    let seeds: u64 = std::env::var("TUNE_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(3);
    let events: u64 = std::env::var("TUNE_EVENTS").ok().and_then(|s| s.parse().ok()).unwrap_or(20_000);
    let verbose = std::env::var("TUNE_VERBOSE").is_ok();
    let on = switches(Some(&defect));
    let off = switches(None);
    for rng in 1..=seeds {
        let start = std::time::Instant::now();
        let outcome = run_session(&definition(&app, events), &on, rng);
        let took = start.elapsed();
        let mut caused = Vec::new();
        for finding in &outcome.findings {
            let shows = outcome.shows(finding, &on);
            let without = outcome.shows(finding, &off);
            if shows && !without {
                caused.push((
                    finding.rank,
                    finding.seen[0].0,
                    finding.confirmation.is_confirmed(),
                    finding.verdict.title.clone(),
                ));
            }
            if verbose {
                eprintln!(
                    "   {} {}x conf {}/{} shows {shows} without {without} {:?} {:?}",
                    finding.rank,
                    finding.occurrences,
                    finding.confirmation.shown,
                    finding.confirmation.of,
                    finding.verdict.title,
                    finding.verdict.hints.iter().map(|h| h.cause.as_str()).collect::<Vec<_>>()
                );
            }
        }
        let p = &outcome.progress;
        eprintln!(
            "rng {rng}: caused {} of {} findings in {took:.1?}; events {} states {} transitions {} {:?}",
            caused.len(),
            outcome.findings.len(),
            p.events,
            p.states,
            p.transitions,
            p.funnel
        );
        for c in &caused {
            eprintln!("     {c:?}");
        }
        if verbose {
            dump_seeds(&outcome);
        }
    }
}

fn dump_seeds(outcome: &crate::phones::Outcome) {
    use droidmux::record::*;
    let mut seen = std::collections::BTreeSet::new();
    for job in &outcome.jobs {
        let Work::Batch(batch) = &job.work else { continue };
        let Purpose::Mutants { seed } = batch.purpose else { continue };
        let show = |events: &[droidmux::gui::Event]| {
            events
                .iter()
                .map(|e| match &e.receiver {
                    None => e.kind.name().to_string(),
                    Some(r) => {
                        let label = [&r.text, &r.description, &r.resource_id]
                            .into_iter()
                            .find(|t| !t.is_empty())
                            .cloned()
                            .unwrap_or_default();
                        let kids: String = r.children.chars().take(0).collect();
                        let short = label.rsplit('/').next().unwrap_or("").to_string();
                        format!(
                            "{}{}{}{}",
                            if e.kind == droidmux::gui::EventKind::Click { "" } else { e.kind.name() },
                            short,
                            if short.ends_with("view") || short == "card" || short.ends_with("card") {
                                format!("#{}", r.position)
                            } else {
                                String::new()
                            },
                            kids
                        )
                    }
                })
                .collect::<Vec<_>>()
                .join(" > ")
        };
        if seen.insert(seed) {
            eprintln!("  seed {seed}: {}", show(&batch.tests[0].events));
        }
        for (n, t) in batch.tests.iter().enumerate() {
            if let Role::Mutant(i) = t.role {
                let a = usize::from(i.pivot) - 1;
                let said = outcome.judgements.get(&job.slot).and_then(|j| {
                    j.verdicts.iter().find(|v| usize::from(v.test) == n && v.oracle == "genie")
                });
                let said = said.map_or("?".to_string(), |v| match &v.outcome {
                    droidmux::record::Outcome::Pass => "pass".into(),
                    droidmux::record::Outcome::Violation => format!("VIOLATION {}", v.title),
                    droidmux::record::Outcome::Inconclusive(r) => format!("inc {r}"),
                });
                eprintln!(
                    "      s{seed} @{} n={} {}   => {said}",
                    i.pivot,
                    t.events.len(),
                    show(&t.events[a..a + usize::from(i.length)])
                );
            }
        }
    }
}
