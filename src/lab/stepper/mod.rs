//! The stepper: people lead the test of a finding on a device of the lab.
//!
//! In: a finding, then orders. Out: a session like any other, whose turns hold the orders, and what viewers
//! see of it. How the test goes on is decided by `technique::stepper`; devices are driven by the session's
//! workers. Here questions meet their orders (`stands`), and the view is made of what is
//! stored.

mod lanes;
mod opening;
mod screens;
mod shows;
pub(crate) mod stands;
mod subject;
mod view;
mod violation;

use crate::starting::NotRun;
use crate::{AgainError, Lab, SessionOptions};
use droidmux_proto::{StepSubject, StepperView};
use droidmux_record::{Act, Answer, Consultation, SessionId, Slot, StepOrder, Test, Turn};
use droidmux_store::{Store, StoreError};

pub use opening::open;
use opening::open_test;

/// The only job of a stepping.
const SLOT: Slot = Slot(0);

impl Lab {
    /// Begins a session of this lab in which a person leads a test, with what was ordered in another session that led
    /// it. Must be called off the async workers.
    ///
    /// # Errors
    /// When nothing can be stepped through, or the store cannot be read.
    pub(crate) fn open_stepper(
        &self,
        subject: &StepSubject,
        serial: Option<&str>,
        after: Option<SessionId>,
    ) -> Result<Result<SessionId, NotRun>, AgainError> {
        let definition = match subject {
            StepSubject::Finding(finding) => open(&self.store, finding, serial, false)?,
            StepSubject::Test { session, slot, test, key } => {
                open_test(&self.store, *session, (*slot, *test), key, serial)?
            }
        };
        let mut orders = match after {
            Some(session) => given(&self.store, session)?,
            None => Vec::new(),
        };
        // The other session may have been left in the end; this one is not.
        orders.truncate(orders.iter().position(|order| *order == StepOrder::Leave).unwrap_or(orders.len()));
        let options = SessionOptions { most_devices: 1, ..SessionOptions::default() };
        let lab = self.clone();
        let began = self.begin("the stepper ended", options, move |options: SessionOptions| async move {
            Ok(lab.run(definition, options).await?)
        });
        if let Ok(session) = began {
            self.hub.stands.give_before(session, orders);
        }
        Ok(began)
    }

    /// Gives an order to a test that waits for one; false when it does not wait.
    pub fn order(&self, session: SessionId, order: StepOrder) -> bool {
        self.hub.order(session, order)
    }

    /// Waits until a test that people lead wants an order: the number of its question. `None` once it is over.
    pub async fn asked(&self, session: SessionId) -> Option<u32> {
        let mut stand = self.hub.stands.watch(session)?;
        let waits = stand.wait_for(|stand| stand.waiting.is_some() || stand.over).await;
        waits.ok().and_then(|stand| stand.waiting)
    }

    /// Where a test that people lead stands; `None` for a session in which nothing is led.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn stepper(&self, session: SessionId) -> Result<Option<StepperView>, StoreError> {
        view::view(self, session)
    }
}

/// The orders that a session's test was given, as far as they are stored: those of the attempt that got
/// furthest.
pub(crate) fn given(store: &Store, session: SessionId) -> Result<Vec<StepOrder>, StoreError> {
    let mut furthest = Vec::new();
    for attempt in store.attempts(session, SLOT)? {
        let orders = orders(&store.turns(session, SLOT, attempt)?);
        if orders.len() > furthest.len() {
            furthest = orders;
        }
    }
    Ok(furthest)
}

fn orders(turns: &[Turn]) -> Vec<StepOrder> {
    let steered =
        |turn: &&Turn| matches!(&turn.act, Act::Consult(asked) if matches!(**asked, Consultation::Steer(_)));
    let answers = turns.iter().filter(steered).filter_map(|turn| match turn.observation.answer()? {
        Answer::Order(order) => Some(order.clone()),
        Answer::Reply(_)
        | Answer::None(_)
        | Answer::Inputs(_)
        | Answer::Foretold(_)
        | Answer::Examples(_)
        | Answer::Differences(_) => None,
    });
    answers.collect()
}

/// The tests of a stepping's finding with the stepped one as the person led it; `None` when nothing was led in
/// the session, or nothing was performed.
///
/// # Errors
/// When the store cannot be read.
pub fn as_led(store: &Store, session: SessionId) -> Result<Option<Vec<Test>>, StoreError> {
    let Some(record) = store.session(session)? else { return Ok(None) };
    let Some(settings) = &record.definition.step else { return Ok(None) };
    let Some(led) = view::led(store, session, settings, &record.definition.app)? else { return Ok(None) };
    let test = led.stepped.course().as_led();
    if test.events.is_empty() {
        return Ok(None);
    }
    let number = usize::from(settings.stepped);
    let tests = settings.tests.iter().enumerate();
    Ok(Some(tests.map(|(n, kept)| if n == number { test.clone() } else { kept.clone() }).collect()))
}
