//! What a finding of InputBlaster teaches: the example that its test makes.

use super::answer;
use super::context::FieldContext;
use super::form::Form;
use droidmux_record::{Act, Agent, Answer, InputExample, JobRun, Layouts};

/// The text that a test of a form entered into the field under test, with the field's context, by which it is looked
/// up, and the mutation rule it came from; random texts have no rule. `None` when the test typed nothing, or a
/// password.
pub fn lesson(run: &JobRun, test: u16, layouts: &dyn Layouts) -> Option<InputExample> {
    let trace = run.traces().into_iter().nth(test.into())?;
    let screens = trace.screens();
    let mut steps = trace.steps.iter().zip(screens).rev();
    let (step, screen) = steps.find(|(step, _)| step.event.data.is_some())?;
    let layout = layouts.layout(screen.layout)?;
    let form = Form::of(screen, &layout)?;
    let number = form.number_of(step.event.receiver.as_ref()?)?;
    let field = FieldContext::all(&form).into_iter().nth(number).filter(|field| !field.is_password)?;
    Some(InputExample {
        app: run.app.package.clone(),
        context: field.words(&screen.activity),
        rule: rule(run, test),
        input: step.event.data.clone()?,
        from: String::new(),
    })
}

/// The rule of the last generator before a test; empty when there is none.
fn rule(run: &JobRun, test: u16) -> String {
    let resets = run.turns.iter().enumerate().filter(|(_, turn)| matches!(turn.act, Act::Reset));
    let begin = resets.map(|(number, _)| number).nth(test.into()).unwrap_or(0);
    let rules = run.turns.iter().take(begin).rev().filter_map(|turn| {
        let Act::Consult(consultation) = &turn.act else { return None };
        consultation.question().filter(|question| question.agent == Agent::TestGenerator)?;
        match turn.observation.answer()? {
            Answer::Reply(reply) => answer::test_generator(&reply.text),
            Answer::None(_)
            | Answer::Inputs(_)
            | Answer::Foretold(_)
            | Answer::Examples(_)
            | Answer::Order(_)
            | Answer::Differences(_) => None,
        }
    });
    rules.map(|reply| reply.rule).next().unwrap_or_default()
}
