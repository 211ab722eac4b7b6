//! Suspected bugs with what to run to see them again.

use std::collections::BTreeMap;

use super::claims::{Claims, claim_of, is_habit};
use super::findings::{Findings, Replay};
use super::inquiry::Inquiry;
use super::ledger::Ledger;
use super::recipe::{recipe, shortcut};
use super::shrink::{Representatives, shape};
use droidmux_record::{
    Batch, Evidence, ExperimentKind, Finding, FindingId, Funnel, JobRun, Judgement, Layouts, Outcome,
    Purpose, Shrunk, Slot, Test, Verdict, Work, events_of, events_told,
};

/// The findings of a session and, for those not settled, their recipes; and what rests on claims that lack support.
#[derive(Clone, Debug)]
pub struct Suspects {
    pub findings: Findings,
    recipes: BTreeMap<FindingId, Vec<Test>>,
    /// Shorter tests that may show a finding, too; tried before its recipe.
    shortcuts: BTreeMap<FindingId, Vec<Test>>,
    /// Nothing is shrunk: the shortest of what was seen is replayed.
    as_seen: bool,
    claims: Claims,
    inquiry: Inquiry,
    representatives: Representatives,
    /// Percent of the session's events that experiments and shrinking may take together.
    share: u32,
    /// Events of it that are planned.
    planned: u64,
}

/// The most findings that rest on habits of the app.
const MOST_OF_HABITS: usize = 300;

impl Suspects {
    /// No suspects yet; `share` is the percentage of the session's events that experiments on confirmed findings and
    /// the shrinking of their tests may take.
    pub fn new(findings: Findings, share: u32) -> Self {
        Self {
            findings,
            recipes: BTreeMap::new(),
            shortcuts: BTreeMap::new(),
            as_seen: false,
            claims: Claims::default(),
            inquiry: Inquiry::default(),
            representatives: Representatives::default(),
            share,
            planned: 0,
        }
    }

    /// The same without shrinking or experiments.
    pub fn without_shrinking(self) -> Self {
        Self { share: 0, as_seen: true, ..self }
    }

    /// The replay that matters most, else the experiment that does, else a shorter version of what stands for a
    /// cluster; `None` when none is wanted or the budget has no room for it.
    pub fn confirmation(&mut self, ledger: &Ledger) -> Option<Work> {
        while let Some((id, round)) = self.findings.next_replay() {
            let id = id.clone();
            let tests =
                self.shortcuts.get(&id).or_else(|| self.recipes.get(&id)).cloned().unwrap_or_default();
            if tests.is_empty() {
                self.findings.cannot_replay(&id);
                continue;
            }
            if !ledger.can_confirm(events_of(&tests)) {
                return None;
            }
            self.findings.replay_planned(&id);
            return Some(Work::Batch(Batch { purpose: Purpose::Confirm { finding: id, round }, tests }));
        }
        let most = ledger.share(self.share);
        let fits = |events: u64| self.planned + events <= most && ledger.can_confirm(events);
        let work = self.inquiry.next(&self.findings, fits).or_else(|| {
            // What is found later wants its experiments, too.
            let room = (most / 2).saturating_sub(self.planned).min(ledger.left());
            self.shorter(room)
        })?;
        self.planned += work.events();
        Some(work)
    }

    /// A shorter version of a finding that stands for its cluster and on which all experiments are made.
    fn shorter(&mut self, room: u64) -> Option<Work> {
        if room == 0 {
            return None;
        }
        let standing = self.findings.standing();
        let settled = standing.iter().filter(|id| !self.inquiry.is_open(id));
        let known = settled.filter_map(|id| {
            let confirmation = self.findings.get(id)?.confirmation;
            Some((id, confirmation, self.recipes.get(id)?.as_slice()))
        });
        self.representatives.next(known, room)
    }

    /// What the session shortened the tests of its findings to.
    pub fn shrunk(&self) -> Vec<Shrunk> {
        self.representatives.shrunk(self.findings.session())
    }

    /// Notes what experiments could be made on the findings that violations of a job stand for.
    pub fn inquire(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        for verdict in judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation) {
            let stands = |finding: &&Finding| {
                (finding.verdict.slot, finding.verdict.test) == (verdict.slot, verdict.test)
            };
            let Some(finding) = self.findings.of_key(&verdict.key).filter(stands) else { continue };
            self.inquiry.consider(&finding.id, run, verdict, layouts);
        }
    }

    /// Takes in a job that was about a finding; false when it was not.
    pub fn absorb(&mut self, run: &JobRun, judgement: &Judgement) -> bool {
        let Work::Batch(Batch { purpose, tests }) = &run.job.work else { return false };
        match purpose {
            Purpose::Confirm { finding, .. } => self.replayed(finding, tests, run, judgement),
            Purpose::Examine { finding, kind } => self.examined(finding, *kind, run, judgement),
            Purpose::Shrink { finding, round } => self.shortened(finding, *round, run, judgement),
            _ => return false,
        }
        true
    }

    /// Events that replays of the findings so far may still take.
    pub fn owed(&self) -> u64 {
        let events =
            |id| self.shortcuts.get(id).or_else(|| self.recipes.get(id)).map_or(0, |tests| events_of(tests));
        self.findings.wanted().map(|(id, times)| events(id).saturating_mul(times.into())).sum()
    }

    fn replayed(&mut self, id: &FindingId, tests: &[Test], run: &JobRun, judgement: &Judgement) {
        let Some(key) = self.key(id) else { return };
        let replay = Replay::read(&key, tests, run, judgement);
        if self.recipes.get(id).is_some_and(|recipe| recipe != tests) {
            // A shortcut: it is the recipe from now on, or says nothing.
            let shortcut = self.shortcuts.remove(id).filter(|shortcut| shortcut == tests);
            if replay != Replay::Shown {
                self.findings.replay_void(id);
                return;
            }
            if let Some(shortcut) = shortcut {
                self.findings.set_length(id, events_told(&shortcut).into());
                self.recipes.insert(id.clone(), shortcut);
            }
        }
        self.share(id, judgement);
        if let Some(shown) = judgement.violations_of(&key).next() {
            self.findings.replayed_with(id, &shown.experiments);
        }
        // The tests of one that is confirmed are to be shortened.
        if self.findings.replayed(id, replay)
            && !self.findings.get(id).is_some_and(|finding| finding.confirmation.is_confirmed())
        {
            self.recipes.remove(id);
        }
    }

    /// A replay that shows another finding by the way is one of that finding, too.
    fn share(&mut self, id: &FindingId, judgement: &Judgement) {
        let mismatches = judgement.verdicts.iter().filter(|verdict| {
            verdict.outcome == Outcome::Violation && matches!(verdict.evidence, Evidence::Mismatch(_))
        });
        for verdict in mismatches {
            let open = |finding: &&Finding| finding.id != *id && !finding.confirmation.is_settled();
            let known = self.findings.of_verdict(verdict).filter(open);
            let Some(other) = known.map(|other| other.id.clone()) else { continue };
            self.findings.replay_planned(&other);
            self.findings.replayed(&other, Replay::Shown);
        }
    }

    fn examined(&mut self, id: &FindingId, kind: ExperimentKind, run: &JobRun, judgement: &Judgement) {
        let Some(key) = self.key(id) else { return };
        let experiments = self.inquiry.result((id, &key), kind, run, judgement);
        self.findings.examined(id, experiments);
    }

    fn shortened(&mut self, id: &FindingId, round: u32, run: &JobRun, judgement: &Judgement) {
        let known = self.findings.get(id).map(|finding| (finding.verdict.key.clone(), finding.verdict.harm));
        let Some((key, harm)) = known else { return };
        if let Some(tests) = self.representatives.absorb((id, &key), round, run, judgement) {
            self.findings.set_length(id, events_told(&tests).into());
            self.findings.set_shape(id, shape(harm, &tests));
        }
    }

    fn key(&self, id: &FindingId) -> Option<String> {
        self.findings.get(id).map(|finding| finding.verdict.key.clone())
    }

    /// How many findings no replay can change any more, out of how many, and their name: how far a
    /// session is that only confirms.
    pub fn settled(&self) -> (u64, u64, &'static str) {
        let (all, open) = (self.findings.len() as u64, self.findings.unsettled() as u64);
        (all - open, all, "findings")
    }

    /// The funnel with its end, from findings to confirmed ones.
    pub fn funnel(&self, before: Funnel) -> Funnel {
        Funnel {
            distinct: self.findings.len() as u64,
            once_only: self.findings.once_only() as u64,
            confirmed: self.findings.confirmed() as u64,
            ..before
        }
    }

    /// Adds the violations of a job, with what is to be run to see each again, and weighs what rests on claims by all
    /// that was counted so far: a claim may be supported later than it is contradicted.
    pub fn absorb_violations(&mut self, run: &JobRun, judgement: &Judgement) {
        self.claims.count(judgement);
        for verdict in judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation) {
            let habit = claim_of(verdict).is_some_and(is_habit);
            if !habit || self.may_suspect(&verdict.key) {
                self.add(run.job.slot, verdict, || (recipe(run, verdict), shortcut(run, verdict)));
            }
        }
        self.findings.weigh(&self.claims);
    }

    /// Whether another finding may rest on a habit: an app may contradict a great many that it has by chance.
    fn may_suspect(&self, key: &str) -> bool {
        self.findings.of_key(key).is_some() || self.findings.of_habits() < MOST_OF_HABITS
    }

    /// Adds a violation with the tests that show it, whoever found it.
    pub fn suspect(&mut self, verdict: &Verdict, tests: Vec<Test>) {
        self.add(verdict.slot, verdict, || (tests, None));
    }

    fn add(&mut self, slot: Slot, verdict: &Verdict, tests: impl FnOnce() -> (Vec<Test>, Option<Vec<Test>>)) {
        let added = self.findings.add(slot, verdict);
        if added.is_none() && !self.as_seen {
            return;
        }
        let (tests, shortcut) = tests();
        let events = events_told(&tests).into();
        let Some(id) = added.or_else(|| self.findings.shorter(verdict, events)) else { return };
        self.findings.set_length(&id, events);
        match shortcut.filter(|_| self.as_seen) {
            Some(shortcut) => drop(self.shortcuts.insert(id.clone(), shortcut)),
            None => drop(self.shortcuts.remove(&id)),
        }
        self.recipes.insert(id, tests);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::{HABIT, PROMISE};
    use crate::samples::violation;
    use droidmux_record::{Broken, Claim, ErrandContent, Held, Mismatch, SessionId, Tier};
    use droidmux_testutils::script::Script;

    #[derive(serde::Serialize, serde::Deserialize)]
    struct Tour;

    impl ErrandContent for Tour {
        const NAME: &'static str = "tour";

        fn events(&self) -> u64 {
            9
        }
    }

    const MAIN: &str = "@ Main Notes\nlist items\n- milk\n- tea";
    const NOTE: &str = "@ Note milk\n(Save)";

    /// A tour whose second function, of its third and fourth event, is objected to; a fifth event follows.
    fn tour() -> JobRun {
        let trace = format!(
            "{MAIN}\n> click milk\n{NOTE}\n> back\n{MAIN}\n> click tea\n{NOTE}\n> click Save\n{MAIN}\n> back\n@ away"
        );
        let mut run = Script::read(&trace).run;
        run.job.work = Work::errand(Tour);
        run
    }

    fn objection(run: &JobRun, widget: &str, span: (u32, u32)) -> Verdict {
        let layout = run.turns[0].observation.seen().unwrap().screen.layout;
        let mismatch = Mismatch {
            function: "save".into(),
            description: String::new(),
            page: "Main".into(),
            widget: None,
            named: String::new(),
            operation: String::new(),
            expected: Vec::new(),
            actual: Vec::new(),
            reasoning: String::new(),
            span,
            turn: span.1,
            asked: 9,
            layouts: (layout, layout),
            frames: Vec::new(),
            answered_by: String::new(),
        };
        let key = Mismatch::key("Main", widget, "click Button#save");
        Verdict { evidence: Evidence::Mismatch(Box::new(mismatch)), test: 0, ..violation(&key) }
    }

    fn judged(verdicts: Vec<Verdict>) -> Judgement {
        Judgement { verdicts, ..Judgement::default() }
    }

    fn suspects(run: &JobRun, verdicts: Vec<Verdict>) -> Suspects {
        let findings = Findings::new(SessionId(1), "visiondroid", "toy", 2, 3);
        let mut suspects = Suspects::new(findings, 10).without_shrinking();
        suspects.absorb_violations(run, &judged(verdicts));
        suspects
    }

    /// Plans a replay and finishes it with these verdicts; the number of its events.
    fn replay(suspects: &mut Suspects, run: &JobRun, verdicts: Vec<Verdict>) -> usize {
        let work = suspects.confirmation(&Ledger::new(1_000)).expect("a replay");
        let Work::Batch(batch) = &work else { panic!("a batch") };
        let events = batch.tests[0].events.len();
        let mut again = run.clone();
        again.job.work = work;
        suspects.absorb(&again, &judged(verdicts));
        events
    }

    #[test]
    fn a_replay_is_cut_after_what_it_shows_and_leaves_out_what_was_before() {
        let run = tour();
        let objection = || objection(&run, "", (3, 4));
        let mut shorter = suspects(&run, vec![objection()]);
        assert_eq!(shorter.owed(), 2 * 2);
        for _ in 0..2 {
            assert_eq!(replay(&mut shorter, &run, vec![objection()]), 2);
        }
        assert_eq!((shorter.findings.confirmed(), shorter.owed()), (1, 0));
        // What went before was needed: the shorter test says nothing, and does not count.
        let mut whole = suspects(&run, vec![objection()]);
        let events = [vec![], vec![objection()], vec![objection()]];
        assert_eq!(events.map(|verdicts| replay(&mut whole, &run, verdicts)), [2, 4, 4]);
        assert_eq!(whole.findings.confirmed(), 1);
    }

    #[test]
    fn what_rests_on_a_claim_is_worth_what_its_counts_are() {
        use Tier::{Explained, Reported, Suspicious};
        let run = tour();
        let broken = |threshold| {
            let claim = Some(Claim::new("view", 7, threshold));
            let evidence =
                Evidence::Broken(Box::new(Broken { claim, slight: false, ..crate::samples::broken() }));
            Verdict { evidence, test: 0, oracle: "relations".into(), ..violation("k") }
        };
        let held = |times: u64, situations: u64| -> Vec<Held> {
            (0..times).map(|n| Held::new("view", 7, n % situations)).collect()
        };
        // What the claim is; what held before and after the counter-example, how often it was seen; then whether replays
        // are wanted, the tier once they showed it, and part of the reason.
        for (what, threshold, before, after, seen, replays, tier, because) in [
            ("nothing", HABIT, held(0, 1), held(0, 1), 1, false, Suspicious, "This never held"),
            ("too seldom", HABIT, held(9, 3), held(0, 1), 1, false, Suspicious, "9 times in 3 situations"),
            ("in too few situations", HABIT, held(9, 2), held(9, 2), 1, false, Suspicious, "in 2 situations"),
            ("before", HABIT, held(10, 3), held(0, 1), 1, true, Reported, ""),
            ("after", HABIT, held(0, 1), held(10, 3), 1, true, Reported, ""),
            ("fails now and then", HABIT, held(12, 3), held(0, 1), 9, false, Suspicious, "too often to say"),
            ("fails often", HABIT, held(10, 3), held(0, 1), 12, false, Explained, "it is what the app does"),
            ("a promise", PROMISE, held(0, 1), held(0, 1), 1, true, Reported, ""),
        ] {
            let findings = Findings::new(SessionId(1), "genie", "toy", 2, 3);
            let mut suspects = Suspects::new(findings, 0);
            let verdicts = vec![broken(threshold); seen];
            suspects.absorb_violations(&run, &Judgement { held: before, verdicts, ..Judgement::default() });
            suspects.absorb_violations(&run, &Judgement { held: after, ..Judgement::default() });
            assert_eq!(suspects.confirmation(&Ledger::new(1_000)).is_some(), replays, "{what}");
            let id = suspects.findings.ranked()[0].id.clone();
            for _ in 0..2 {
                suspects.findings.replayed(&id, Replay::Shown);
            }
            let finding = suspects.findings.ranked().remove(0);
            assert_eq!(finding.tier, tier, "{what}: {}", finding.because);
            assert!(finding.because.contains(because), "{what}: {}", finding.because);
            let told = |tried: &droidmux_record::Experiment| tried.kind == ExperimentKind::Support;
            assert_eq!(finding.verdict.experiments.iter().filter(|tried| told(tried)).count(), 1, "{what}");
        }
    }

    #[test]
    fn the_shortest_occurrence_is_replayed() {
        let run = tour();
        let mut suspects = suspects(&run, vec![objection(&run, "", (3, 4))]);
        suspects.absorb_violations(&run, &judged(vec![objection(&run, "", (1, 1))]));
        assert_eq!(replay(&mut suspects, &run, Vec::new()), 1);
        assert_eq!(suspects.findings.ranked()[0].occurrences, 2);
    }

    #[test]
    fn twins_are_one_finding_and_a_replay_counts_for_all_that_it_shows() {
        let run = tour();
        let (one, twin) = (objection(&run, "Text#name", (3, 4)), objection(&run, "", (3, 4)));
        let other = Verdict { key: Mismatch::key("Main", "Image#icon", "back"), ..one.clone() };
        let mut suspects = suspects(&run, vec![one.clone(), twin.clone(), other.clone()]);
        assert_eq!(suspects.findings.len(), 2);
        for _ in 0..2 {
            replay(&mut suspects, &run, vec![twin.clone(), other.clone()]);
        }
        assert_eq!((suspects.findings.confirmed(), suspects.findings.unsettled()), (2, 0));
    }
}
