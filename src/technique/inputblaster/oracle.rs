//! The oracle of InputBlaster: hangs, lost texts and wrong results of unusual texts, each compared
//! with two runs with valid ones. Crashes and ANRs are left to the crash oracle.

use std::sync::Arc;

use super::driver::Terms;
use super::landing::{Course, Landing};
use super::planner::redrive;
use super::relation::{Breakage, breakage};
use super::text_kind::TextKind;
use crate::Oracle;
use crate::fidelity::{fidelity, shortfall};
use crate::sentence::quoted;
use droidmux_account::differences;
use droidmux_record::{
    Act, Batch, Evidence, Harm, Hint, JobRun, Judgement, Layouts, Mistreated, Mistreatment, Outcome, Role,
    SessionDefinition, Test, Trace, Verdict, Work, told,
};

/// Judges tests of forms, and replays of them.
pub struct InputblasterOracle {
    terms: Arc<Terms>,
}

impl InputblasterOracle {
    /// Judges by the settings of the session whose jobs these are.
    pub fn new(definition: &SessionDefinition) -> Self {
        Self { terms: Arc::new(Terms::of(definition)) }
    }
}

impl Oracle for InputblasterOracle {
    /// One verdict for each unusual text that was submitted.
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement {
        let traces = run.traces();
        let (valid, unusual, forbidden, grounded) = match &run.job.work {
            Work::Errand(errand) => {
                let Some(test) = errand.content() else { return Judgement::default() };
                let history = redrive(run, &test, &self.terms, layouts);
                let grounded = history.grounded();
                (history.valid, history.unusual, history.forbidden, grounded)
            }
            Work::Batch(batch) => {
                // A replay does not know what the form said to other texts; the first verdict does.
                let (valid, unusual, forbidden) = roles(batch);
                (valid, unusual, forbidden, Vec::new())
            }
            Work::Explore(_) => return Judgement::default(),
        };
        let (forbidden, grounded) = (&forbidden, &grounded);
        let case = Case { run, traces: &traces, forbidden, grounded, app: &self.terms.app, layouts };
        let verdicts = unusual.iter().filter_map(|&test| case.verdict(&valid, test)).collect();
        Judgement { verdicts, ..Judgement::default() }
    }
}

/// The tests of a batch with valid and with unusual texts, by number, and those of the latter that are forbidden.
fn roles(batch: &Batch) -> (Vec<u16>, Vec<u16>, Vec<u16>) {
    let of = |roles: &[Role]| {
        let tests = (0..).zip(&batch.tests).filter(|(_, test)| roles.contains(&test.role));
        tests.map(|(number, _)| number).collect()
    };
    (of(&[Role::Valid]), of(&[Role::Unusual, Role::Forbidden]), of(&[Role::Forbidden]))
}

/// A job being judged.
struct Case<'a> {
    run: &'a JobRun,
    traces: &'a [Trace<'a>],
    forbidden: &'a [u16],
    /// Those of them that more than a model's word forbids.
    grounded: &'a [u16],
    app: &'a str,
    layouts: &'a dyn Layouts,
}

impl Case<'_> {
    /// The verdict on one unusual text; `None` when it crashed the app, which another oracle judges.
    fn verdict(&self, valid: &[u16], test: u16) -> Option<Verdict> {
        let trace = self.trace(test)?;
        let said = |outcome, title: String| Verdict {
            title,
            fidelity: fidelity(trace),
            harm: Harm::LostData,
            ..Verdict::new(self.run.job.slot, test, "inputblaster", outcome)
        };
        let unsure = |why: String| Some(said(Outcome::Inconclusive(why.clone()), why));
        let Some(unusual) = self.landing(test) else {
            let why = shortfall(trace, trace.steps.len());
            return unsure(why.map_or_else(|| "the form was not submitted".into(), |why| why.to_string()));
        };
        if unusual.crashed {
            return None;
        }
        let [.., first, second] = valid else {
            return unsure("there are no two runs with valid texts".into());
        };
        let (Some(one), Some(two)) = (self.landing(*first), self.landing(*second)) else {
            return unsure("a run with valid texts did not come through".into());
        };
        let Some(broken) = breakage([&one, &two], &unusual, self.forbidden.contains(&test)) else {
            let title = format!("{} in the field {:?}", told(&unusual.text), unusual.name);
            return Some(said(Outcome::Pass, title));
        };
        let forbidden = self.forbidden.contains(&test);
        let role = if forbidden { Role::Forbidden } else { Role::Unusual };
        let tests = [(*first, Role::Valid), (*second, Role::Valid), (test, role)];
        let tests = tests.map(|(number, role)| self.test(number, role));
        let mistreated = Mistreated {
            how: broken.how,
            field: unusual.field.clone(),
            name: unusual.name.clone(),
            valid: one.text.clone(),
            unusual: unusual.text.clone(),
            expected: broken.expected.clone(),
            found: broken.found.clone(),
            layouts: (two.page.hash(), unusual.page.hash()),
            turn: self.last_turn(test),
            tests: tests.into_iter().collect(),
        };
        let mut hints = broken.hints.clone();
        if broken.how == Mistreatment::WronglyAccepted && !self.grounded.contains(&test) {
            hints.push(unfounded());
        }
        Some(Verdict {
            key: key(&unusual, &broken),
            title: title(&unusual, &broken),
            harm: harm(broken.how),
            cluster: cluster(&unusual, &broken),
            evidence: Evidence::Mistreated(Box::new(mistreated)),
            hints,
            ..said(Outcome::Violation, String::new())
        })
    }

    fn trace(&self, test: u16) -> Option<&Trace<'_>> {
        self.traces.get(usize::from(test))
    }

    fn landing(&self, test: u16) -> Option<Landing> {
        Course::of(self.trace(test)?)?.landing(self.app, self.layouts)
    }

    /// The events of a test, to be run again.
    fn test(&self, number: u16, role: Role) -> Test {
        let steps = self.trace(number).into_iter().flat_map(|trace| &trace.steps);
        Test { role, events: steps.map(|step| step.event.clone()).collect() }
    }

    /// The number of the last turn of a test that was a step.
    fn last_turn(&self, test: u16) -> u32 {
        let (mut reset, mut last) = (None, 0);
        for (number, turn) in (0..).zip(&self.run.turns) {
            if turn.act == Act::Reset {
                reset = Some(reset.map_or(0, |reset: u16| reset.saturating_add(1)));
            }
            if reset == Some(test) && turn.act.is_step() {
                last = number;
            }
        }
        last
    }
}

/// Nothing but the word of the model that proposed the text says that it should be refused.
fn unfounded() -> Hint {
    let detail = "only the model that proposed the text says that it should be refused: the page states no such rule, \
                  and no text of its kind was refused";
    Hint { cause: "unfounded".into(), detail: detail.into() }
}

/// Equal for the same bug: how it shows, where, and with what kind of text.
fn key(unusual: &Landing, broken: &Breakage) -> String {
    let field = &unusual.field;
    let kind = TextKind::of(&unusual.text).words();
    let missing = if broken.found.is_empty() { "missing" } else { "other" };
    let (how, activity, name) = (broken.how.name(), &unusual.activity, &unusual.name);
    format!("{how} {missing}\n{activity}\n{} {} {name}\n{kind}", field.class, field.resource_id)
}

/// `Typed into 'systolic', "0160" (an unusual number or date) is a value for which …`
pub(super) fn title(unusual: &Landing, broken: &Breakage) -> String {
    let kind = TextKind::of(&unusual.text).words();
    let field = if unusual.name.trim().is_empty() { "a field".to_owned() } else { quoted(&unusual.name) };
    let text = match unusual.text.trim().is_empty() {
        true => kind.to_owned(),
        false => format!("{} ({kind})", told(&unusual.text)),
    };
    let (of_found, of_expected) = differences(&broken.found, &broken.expected);
    let expected = told(&broken.expected) + &of_expected;
    let shown = match broken.found.as_str() {
        "" => "nothing of it is shown".to_owned(),
        found => format!("{}{of_found} is shown", told(found)),
    };
    let what = match broken.how {
        Mistreatment::Hang => "the page never stops loading, and with a plain text it does".to_owned(),
        // It was cut to what a plain text is: the two would be told in the same words.
        Mistreatment::Lost if broken.found == broken.expected => {
            format!("is accepted, but only {} of it is shown", told(&broken.found))
        }
        Mistreatment::Lost => format!("is accepted, but {shown}, where a plain text shows as {expected}"),
        Mistreatment::WrongResult => {
            format!("is a value for which the app shows {expected} when it is written plainly, but {shown}")
        }
        Mistreatment::WronglyAccepted => "is accepted, though the form should refuse it".to_owned(),
    };
    let title = match broken.how {
        Mistreatment::Hang => format!("With {text} in {field} {what}"),
        Mistreatment::Lost | Mistreatment::WrongResult | Mistreatment::WronglyAccepted => {
            format!("Typed into {field}, {text} {what}")
        }
    };
    droidmux_words::printable(&title).into_owned()
}

/// What a person loses by it.
fn harm(how: Mistreatment) -> Harm {
    match how {
        Mistreatment::Hang => Harm::LostFunction,
        Mistreatment::Lost => Harm::LostData,
        Mistreatment::WronglyAccepted => Harm::LostFunction,
        Mistreatment::WrongResult => Harm::WrongDisplay,
    }
}

/// Equal for everything that goes wrong in the same way with the texts of one field.
fn cluster(unusual: &Landing, broken: &Breakage) -> String {
    let (how, field) = (broken.how.name(), &unusual.field);
    format!("{how}\n{}\n{} {} {}", unusual.activity, field.class, field.resource_id, unusual.name)
}
