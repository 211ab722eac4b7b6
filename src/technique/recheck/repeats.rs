//! Runs of the same events compared with each other.

use super::medley::{Part, medley};
use super::tracks::{Track, Tracks};
use super::{Recorded, Said, masks};
use crate::effects::{Inconsistency, RepeatOracle};
use droidmux_record::{JobRun, Objection, Role, TracePlace, Verdict};

/// Runs of the same events that are compared.
const MOST_RUNS: usize = 64;

pub(super) fn compare(recorded: &Recorded<'_>, said: &mut Said) {
    let tracks = Tracks::of(recorded, true, said);
    let oracle = RepeatOracle::new(recorded.definition, masks(recorded));
    // In the order of their first runs.
    let mut groups: Vec<Vec<usize>> = tracks.groups().into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    for group in groups {
        let members: Vec<&Track> = group.iter().filter_map(|&n| tracks.get(n)).take(MOST_RUNS).collect();
        let runs: Option<Vec<JobRun>> = members.iter().map(|track| recorded.runs.run(track.slot)).collect();
        let Some(runs) = runs else {
            said.unjudged("the job cannot be read");
            continue;
        };
        let parts = runs.iter().zip(&members);
        let parts: Vec<Part<'_>> =
            parts.map(|(run, track)| Part { run, test: track.test, role: Role::Seed }).collect();
        let Some(medley) = medley(&parts) else { continue };
        match oracle.judge(&medley, recorded.layouts) {
            Err(why) => said.unjudged(&why.to_string()),
            Ok(inconsistent) => {
                said.judged += (members.len() - inconsistent.len()) as u64;
                for Inconsistency { verdict, step } in inconsistent {
                    let Some(track) = members.get(usize::from(verdict.test)) else { continue };
                    let (session, slot, test) = (recorded.session, track.slot, track.test);
                    let places = vec![TracePlace { session, slot, test, step: Some(step) }];
                    said.violation(Objection { verdict: Verdict { slot, test, ..verdict }, places });
                }
            }
        }
    }
}
