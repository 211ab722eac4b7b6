//! Whole sessions on the toy app.

use std::collections::BTreeSet;

use super::oracle::NeutralOracle;
use crate::GenieSettings;
use crate::NeutralSettings;
use crate::Oracle;
use crate::explain::stage::told_batch;
use crate::toy::{Session, run_session, shows};
use droidmux_record::{
    Act, Evidence, Finding, Insertion, Judgement, NeutralInsertion, Outcome, Phase, Purpose, Role,
    SessionDefinition, Technique, Tier, Work,
};

fn definition(max_events: u64) -> SessionDefinition {
    let mut definition = SessionDefinition::new(Technique::Neutral, "toy.draft");
    definition.run.max_events = max_events;
    definition.settings.change(|genie: &mut GenieSettings| genie.mine_events = 400);
    definition.settings.change(|genie: &mut GenieSettings| genie.seeds = 10);
    definition
}

/// The findings of the oracle.
fn own(session: &Session) -> impl Iterator<Item = &Finding> {
    session.findings.iter().filter(|finding| finding.verdict.oracle == "neutral")
}

/// The titles of the confirmed ones, by tier.
fn told(session: &Session) -> BTreeSet<(Tier, String)> {
    own(session)
        .filter(|finding| finding.confirmation.is_confirmed())
        .map(|finding| (finding.tier, finding.verdict.title.clone()))
        .collect()
}

#[test]
fn what_is_lost_is_told_and_nothing_else() {
    let definition = definition(6_000);
    let session = run_session(&definition, true, 3, 1);
    let told = told(&session);
    let says = |begin: &str, end: &str| {
        told.iter()
            .any(|(tier, title)| *tier == Tier::Reported && title.starts_with(begin) && title.ends_with(end))
    };
    assert!(says("After turning the phone twice ", "the text typed into 'memo text' is gone."), "{told:#?}");
    assert!(
        says("After going to the home screen and coming back the dialog 'Throw ", " is gone."),
        "{told:#?}"
    );
    for finding in own(&session).filter(|finding| finding.confirmation.is_confirmed()) {
        assert!(shows(finding, &session, &definition, true), "{finding:?}");
        assert!(!shows(finding, &session, &definition, false), "{finding:?}");
        let Evidence::Broken(broken) = &finding.verdict.evidence else { panic!("{finding:?}") };
        assert_eq!(broken.relation, "neutral insertion");
        assert!(broken.turns.0 < broken.turns.1 && broken.layouts.0 != broken.layouts.1, "{broken:?}");
        assert!(finding.verdict.cluster.starts_with("lost\n"));
    }
}

#[test]
fn going_back_is_neutral_where_something_was_opened_and_no_keyboard_is_in_the_way() {
    // name, seed, mutant with two events inserted first, what is reported
    for (name, seed, mutant, expected) in [
        (
            "a click that opens nothing",
            "bar A; switch Star=off; button Add -click Add-> bar A; switch Star=off; button Add; text n=one",
            "bar A; switch Star=off; button Add -click Star-> bar A; switch Star=on; button Add \
             -back-> bar A; switch Star=on; button Add -click Add-> bar A; switch Star=on; button Add; text n=one",
            None,
        ),
        (
            "a page that opens",
            "bar A; switch Star=off; button Add -click Add-> bar A; switch Star=off; button Add; text n=one",
            "bar A; switch Star=off; button Add -click Star-> @Help bar Help -back-> bar A; switch Star=on; button Add \
             -click Add-> bar A; switch Star=on; button Add; text n=one",
            Some("'Star' is checked, which nobody did"),
        ),
        (
            "going back closes the keyboard of the seed alone",
            "bar A; button Go; keyboard -back-> bar A; button Go",
            "bar A; button Go; keyboard -click Go-> @Help bar Help -back-> bar A; button Go -back-> @Start bar Home; button Go",
            None,
        ),
        (
            "a button that the keyboard had covered",
            "bar A; field q=; keyboard -click q-> bar A; field q=; keyboard",
            "bar A; field q=; keyboard -click Navigate up-> @Help bar Help -back-> bar A; field q=; button Go \
             -click q-> bar A; field q=; keyboard",
            None,
        ),
        (
            "a button that nothing had covered",
            "bar A; field q= -click q-> bar A; field q=",
            "bar A; field q= -click Navigate up-> @Help bar Help -back-> bar A; field q=; button Go -click q-> bar A; field q=",
            Some("'Go' has come"),
        ),
        (
            "the row that was opened is done with",
            "bar A; row milk; row bread; button Add -click Add-> bar B",
            "bar A; row milk; row bread; button Add -click more of milk-> @Play bar Play -back-> bar A; row bread; button Add \
             -click Add-> bar B",
            None,
        ),
        (
            "another row than the one that was opened",
            "bar A; row milk; row bread; button Add -click Add-> bar B",
            "bar A; row milk; row bread; button Add -click more of milk-> @Play bar Play -back-> bar A; row milk; button Add \
             -click Add-> bar B",
            Some("the row 'bread' is gone"),
        ),
        (
            "more than the row that was opened",
            "bar A; row milk; row bread; row tea; button Add -click Add-> bar B",
            "bar A; row milk; row bread; row tea; button Add -click more of milk-> @Play bar Play -back-> bar A; row tea; \
             button Add -click Add-> bar B",
            Some("2 rows are gone, the first of them 'milk'"),
        ),
        (
            "a heading that names what the field still holds",
            "bar A; text h=New; field q=milk -click q-> bar A; text h=New; field q=milk",
            "bar A; text h=New; field q=milk -click Navigate up-> @Help bar Help -back-> bar A; text h=Edit milk; field q=milk \
             -click q-> bar A; text h=Edit milk; field q=milk",
            None,
        ),
        (
            "a heading that names something else",
            "bar A; text h=New; field q=milk -click q-> bar A; text h=New; field q=milk",
            "bar A; text h=New; field q=milk -click Navigate up-> @Help bar Help -back-> bar A; text h=Old; field q=milk \
             -click q-> bar A; text h=Old; field q=milk",
            Some("'Old' is shown instead of 'New'"),
        ),
        (
            "going back leads elsewhere",
            "bar A; button Go -back-> @Login bar Login; button Go",
            "bar A; button Go -click Go-> @Help bar Help -back-> bar A; button Go -back-> @Start bar Home; button Go",
            Some("the page 'Login' is gone and 'Home' is shown"),
        ),
    ] {
        let inserted = Role::Mutant(Insertion { pivot: 1, length: 2 });
        let told = told_batch(&[(Role::Seed, seed), (inserted, mutant), (Role::Seed, seed)]);
        let definition = SessionDefinition::new(Technique::Neutral, "a.b");
        let judgement = NeutralOracle::new(&definition, &[]).judge(&told.run, &told);
        let [verdict] = judgement.verdicts.as_slice() else { panic!("{name}: {judgement:?}") };
        let said = (verdict.outcome == Outcome::Violation).then_some(verdict.title.as_str());
        assert!(!matches!(verdict.outcome, Outcome::Inconclusive(_)), "{name}: {verdict:?}");
        assert_eq!(said.is_some(), expected.is_some(), "{name}: {said:?}");
        assert!(said.unwrap_or_default().contains(expected.unwrap_or_default()), "{name}: {said:?}");
    }
}

/// A batch of one mutant with two events inserted first, whose seed clicks 'Add'.
fn judged(mutant: &str) -> Judgement {
    let seed = "bar A; button Add; text n=one -click Add-> bar B; text n=two";
    let inserted = Role::Mutant(Insertion { pivot: 1, length: 2 });
    let told = told_batch(&[(Role::Seed, seed), (inserted, mutant), (Role::Seed, seed)]);
    NeutralOracle::new(&SessionDefinition::new(Technique::Neutral, "a.b"), &[]).judge(&told.run, &told)
}

/// What is told of the mutant: the claim it rests on, by its number, and whether it is slight.
fn accusation(judgement: &Judgement) -> Option<(Option<u64>, bool)> {
    let [verdict] = judgement.verdicts.as_slice() else { panic!("{judgement:?}") };
    match &verdict.evidence {
        Evidence::Broken(broken) => Some((broken.claim.as_ref().map(|claim| claim.about), broken.slight)),
        _ => None,
    }
}

#[test]
fn a_step_that_goes_otherwise_counts_against_those_that_went_as_in_the_seed() {
    let a = "bar A; button Add; text n=one";
    let agreed = |kinds: [&str; 2]| {
        judged(&format!("{a} -{}-> {a} -{}-> {a} -click Add-> bar B; text n=two", kinds[0], kinds[1]))
    };
    let turned = agreed(["rotate", "rotate"]);
    let [held] = turned.held.as_slice() else { panic!("{turned:?}") };
    assert_eq!(accusation(&turned), None);
    // Another kind of insertion: the same step, another object. A page stays where the app was away, too.
    let left = agreed(["home", "launch"]);
    let step = left.held.iter().find(|other| other.about == held.about).expect("the same step");
    assert_ne!(step.object, held.object);
    assert_eq!((turned.held.len(), left.held.len()), (1, 2));
    // events inserted, whether the step's claim is needed, slight
    for (there, back, is_claim, slight) in
        [("rotate", "rotate", true, false), ("home", "launch", false, true), ("lock", "unlock", false, true)]
    {
        let broken = judged(&format!("{a} -{there}-> {a} -{back}-> {a} -click Add-> bar B; text n=three"));
        let claim = is_claim.then_some(held.about);
        assert_eq!(accusation(&broken), Some((claim, slight)), "{there}: {broken:?}");
        assert!(broken.held.iter().all(|other| other.about != held.about), "{there}: {broken:?}");
    }
}

#[test]
fn a_page_that_goes_while_the_app_is_away_counts_against_those_that_stayed() {
    let (a, other) = ("bar A; button Add; text n=one", "@Start bar Home; text n=one");
    // events inserted, whether that the page stays is a claim
    for (there, back, is_claim) in
        [("home", "launch", true), ("lock", "unlock", true), ("rotate", "rotate", false)]
    {
        let stayed = judged(&format!("{a} -{there}-> {a} -{back}-> {a} -click Add-> bar B; text n=two"));
        let gone = judged(&format!("{a} -{there}-> {a} -{back}-> {other}"));
        let Some((claim, slight)) = accusation(&gone) else { panic!("{there}: {gone:?}") };
        assert_eq!((claim.is_some(), slight), (is_claim, false), "{there}: {gone:?}");
        assert!(gone.held.is_empty(), "{there}: {gone:?}");
        let supports = stayed.held.iter().filter(|held| Some(held.about) == claim).count();
        assert_eq!(supports, usize::from(is_claim), "{there}: {stayed:?}");
    }
}

#[test]
fn an_app_that_loses_nothing_is_not_accused() {
    for rng in 0..3 {
        let session = run_session(&definition(4_000), false, rng, 1);
        let accused: Vec<&str> = own(&session).map(|finding| finding.verdict.title.as_str()).collect();
        assert!(accused.is_empty(), "{accused:#?}");
        assert!(session.progress.funnel.executed > 50, "{:?}", session.progress.funnel);
    }
}

#[test]
fn every_kind_that_is_asked_for_is_inserted_and_no_other() {
    let mut all = definition(4_000);
    let mut few = definition(1_500);
    few.settings.change(|neutral: &mut NeutralSettings| {
        neutral.insertions = vec![NeutralInsertion::Home, NeutralInsertion::Page]
    });
    all.run.confirm = 1;
    for definition in [all, few] {
        let session = run_session(&definition, false, 5, 1);
        let inserted: BTreeSet<NeutralInsertion> = session
            .jobs
            .iter()
            .filter_map(|job| match &job.work {
                Work::Batch(batch) if matches!(batch.purpose, Purpose::Mutants { .. }) => Some(&batch.tests),
                _ => None,
            })
            .flatten()
            .filter_map(|test| {
                let insertion = test.role.insertion()?;
                let first = usize::from(insertion.pivot) - 1;
                super::insertion::kind_of(test.events.iter().skip(first).take(insertion.length.into()))
            })
            .collect();
        assert_eq!(inserted, definition.settings.of::<NeutralSettings>().insertions.into_iter().collect());
    }
}

#[test]
fn stays_within_the_budget_whatever_the_order_of_jobs() {
    for max_events in [1, 50, 1_500] {
        let session = run_session(&definition(max_events), true, 3, 1);
        let performed =
            session.acts.iter().flatten().filter(|act| matches!(act, Act::Perform(_))).count() as u64;
        assert_eq!(session.progress.phase, Phase::DONE);
        assert_eq!(session.progress.events, performed);
        assert!(performed <= max_events, "{performed} of {max_events}");
        let again = run_session(&definition(max_events), true, 3, 2);
        assert_eq!(session, again);
    }
}
