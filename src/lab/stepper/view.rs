//! What viewers see of a test that a person leads, read off its turns.

use crate::Lab;
use crate::step_view::{failure_words, found_words};
use crate::stepper::lanes::{alignment, lanes};
use crate::stepper::shows::shows;
use crate::stepper::violation::violation;
use crate::stepper::{SLOT, screens, subject};
use droidmux_gui::{LayoutHash, Resolution};
use droidmux_proto::{NextStep, SeedEffect, StepperView};
use droidmux_record::{Act, Layouts, Observation, SessionId, StepSettings, Turn};
use droidmux_store::{Store, StoreError};
use droidmux_technique::stepper::{Move, Stepped, Trouble};

/// A led test as its turns tell it.
pub(super) struct Led {
    pub stepped: Stepped,
    attempt: u32,
    device: String,
    /// Since the last reset: how long each act took, the reset's first.
    took_ms: Vec<u64>,
    /// Whether the last turn leaves the person to be asked.
    asks: bool,
    /// The turns of this attempt.
    pub turns: Vec<Turn>,
}

/// The test of a session as the last attempt has led it so far; `None` when nothing is stored of it.
pub(super) fn led(
    store: &Store,
    session: SessionId,
    settings: &StepSettings,
    app: &str,
) -> Result<Option<Led>, StoreError> {
    let Some(attempt) = store.attempts(session, SLOT)?.pop() else { return Ok(None) };
    let turns = store.turns(session, SLOT, attempt)?;
    let mut stepped = Stepped::new(settings, app);
    let mut act = stepped.next(&Observation::Started);
    let mut took_ms = Vec::new();
    for turn in &turns {
        // What this version would do otherwise says nothing of what was done.
        if act != turn.act {
            break;
        }
        if turn.act == Act::Reset {
            took_ms.clear();
        }
        if turn.act.is_step() {
            took_ms.push(turn.took_ms.into());
        }
        // Nothing comes after the last act.
        if matches!(turn.act, Act::Finish(_)) {
            break;
        }
        act = stepped.next(&turn.observation);
    }
    let asks = matches!(act, Act::Consult(_));
    let last = store.step_count(session)?.saturating_sub(1);
    let places = store.steps(session, last, 1)?;
    let device = places.last().map(|(_, place)| place.device.clone()).unwrap_or_default();
    Ok(Some(Led { stepped, attempt, device, took_ms, asks, turns }))
}

/// Where the test of a session stands; `None` for a session in which nothing is led.
pub(super) fn view(lab: &Lab, session: SessionId) -> Result<Option<StepperView>, StoreError> {
    let (store, hub) = (&lab.store, &*lab.hub);
    let Some(record) = store.session(session)? else { return Ok(None) };
    let definition = record.definition;
    let Some(settings) = &definition.step else { return Ok(None) };
    let finding = store.finding(&settings.finding)?;
    let led = match led(store, session, settings, &definition.app)? {
        Some(led) => led,
        None => Led {
            stepped: Stepped::new(settings, &definition.app),
            attempt: 1,
            device: String::new(),
            took_ms: Vec::new(),
            asks: false,
            turns: Vec::new(),
        },
    };
    let stepped = &led.stepped;
    let (rows, next_row) = lanes(settings, stepped, store);
    let live = stepped.shot().map(|shot| shot.layout);
    let recorded = settings.recorded.get(stepped.course().at()).copied().filter(|_| live.is_some());
    let screenshot = match live {
        Some(layout) => store.picture_of(session, layout)?.or_else(|| hub.screenshot(Some(layout))),
        None => None,
    };
    let again_ms = led.took_ms.iter().sum();
    let taken_back = match stepped.course().moves().last() {
        Some(Move::Skipped) => again_ms,
        Some(Move::Performed | Move::Added(_)) => led.took_ms.last().copied().unwrap_or(0),
        None => 0,
    };
    let said = finding.as_ref().map(|finding| subject::verdict(store, finding, settings)).transpose()?;
    let mut note = violation(said.as_ref(), settings, stepped, store);
    if let Some(said) = said.as_ref().filter(|_| note.reached) {
        note.shows = Some(shows(lab, &definition, settings, said, &led, &note.parts)?);
    }
    let subject = subject::subject(settings, finding.as_ref(), said.as_ref());
    Ok(Some(StepperView {
        session,
        name: subject::name(settings, finding.as_ref(), &subject),
        subject,
        finding: settings.finding.clone(),
        device: led.device.clone(),
        attempt: led.attempt,
        question: hub.question(session).filter(|_| led.asks),
        rows,
        next_row,
        next: next(stepped, live, store),
        live,
        screenshot,
        recorded,
        differences: differences(recorded, live, store),
        effect: seed_effect(settings, stepped, store),
        violation: note,
        trouble: stepped.trouble().map(trouble_words).unwrap_or_default(),
        back_ms: again_ms - taken_back,
        again_ms,
    }))
}

/// The next event, with its widget on the layout that is there.
fn next(stepped: &Stepped, live: Option<LayoutHash>, layouts: &dyn Layouts) -> Option<NextStep> {
    let event = stepped.course().next()?;
    let layout = live.and_then(|live| layouts.layout(live));
    let resolution = match (&event.receiver, &layout) {
        (Some(receiver), Some(layout)) => Some(layout.resolve(receiver)),
        _ => None,
    };
    Some(NextStep {
        event: screens::event_on(event, layout.as_deref()),
        widget: resolution.and_then(Resolution::widget).map(|widget| widget.0),
        found: resolution.map(found_words).unwrap_or_default(),
    })
}

fn differences(recorded: Option<LayoutHash>, live: Option<LayoutHash>, layouts: &dyn Layouts) -> Vec<String> {
    let (Some(recorded), Some(live)) = (recorded, live) else { return Vec::new() };
    if recorded == live {
        return Vec::new();
    }
    match (layouts.layout(recorded), layouts.layout(live)) {
        (Some(recorded), Some(live)) => screens::differences(&recorded, &live),
        _ => Vec::new(),
    }
}

/// What became of the effect of the seed's event, on the event that was performed last.
fn seed_effect(settings: &StepSettings, stepped: &Stepped, layouts: &dyn Layouts) -> Option<SeedEffect> {
    let course = stepped.course();
    let last = course.moves().len().checked_sub(1)?;
    if course.moves().last() != Some(&Move::Performed) {
        return None;
    }
    let seed = (*alignment(settings).get(course.at().checked_sub(1)?)?)?;
    let of_seed = |number: usize| layouts.layout(*settings.seed.get(number)?);
    let shot = |number: usize| stepped.shots().get(..=number)?.iter().rev().flatten().next();
    let after = stepped.shots().get(last + 1)?.as_ref()?;
    let (before, after) = (layouts.layout(shot(last)?.layout)?, layouts.layout(after.layout)?);
    let effect = screens::effect((&*of_seed(seed)?, &*of_seed(seed + 1)?), (&*before, &*after));
    Some(effect)
}

fn trouble_words(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Failed(failure) => {
            format!("the event could not be performed: {}", failure_words(failure))
        }
        Trouble::NotAgain(failure) => {
            let why = failure_words(failure);
            format!("an event could not be performed again: {why}; the test stands before it")
        }
        Trouble::Crashed => "the app crashed or stopped answering".into(),
        Trouble::AtEnd => "the test has no further event".into(),
        Trouble::AtStart => "the test is at its beginning".into(),
    }
}
