//! Stands: where tests that people lead wait for their orders.
//!
//! In: questions of drivers, orders of viewers and commands. Out: each question's order, once. A test that runs again
//! on another device asks again, and is given the orders that it was given before, so that it gets to where it was.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use droidmux_record::{SessionId, StepOrder};

/// Where the tests of a lab wait.
#[derive(Default)]
pub(crate) struct Stands(Mutex<BTreeMap<SessionId, watch::Sender<Stand>>>);

/// One test's orders so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stand {
    /// In the order of the questions.
    given: Vec<StepOrder>,
    /// The question that waits.
    pub waiting: Option<u32>,
    /// Nothing is asked any more.
    pub over: bool,
}

impl Stands {
    /// A session's test begins, with the orders that it was given before.
    pub fn open(&self, session: SessionId, given: Vec<StepOrder>) {
        self.lock().insert(session, watch::Sender::new(Stand { given, ..Stand::default() }));
    }

    /// Nothing is asked for a session any more.
    pub fn close(&self, session: SessionId) {
        if let Some(stand) = self.lock().remove(&session) {
            stand.send_modify(|stand| (stand.over, stand.waiting) = (true, None));
        }
    }

    /// The order for a question; `None` when it was cancelled, or nobody could answer.
    pub async fn ask(
        &self,
        session: SessionId,
        number: u32,
        cancel: &CancellationToken,
    ) -> Option<StepOrder> {
        let place = usize::try_from(number).ok()?;
        let mut stand = self.watch(session)?;
        if stand.borrow().given.get(place).is_none() {
            self.change(session, |stand| stand.waiting = Some(number));
        }
        let given = |stand: &Stand| stand.given.get(place).is_some() || stand.over;
        let order = cancel.run_until_cancelled(stand.wait_for(given)).await?.ok()?.given.get(place).cloned();
        self.change(session, |stand| stand.waiting = None);
        order
    }

    /// Gives the order for the question that waits; false when none does.
    pub fn give(&self, session: SessionId, order: StepOrder) -> bool {
        let mut taken = false;
        self.change(session, |stand| {
            taken = stand.waiting.take().is_some();
            if taken {
                stand.given.push(order);
            }
        });
        taken
    }

    /// Gives these orders for the first questions of a test that has none yet.
    pub fn give_before(&self, session: SessionId, orders: Vec<StepOrder>) {
        self.change(session, |stand| {
            if stand.given.is_empty() && !orders.is_empty() {
                (stand.given, stand.waiting) = (orders, None);
            }
        });
    }

    /// Receives every change of a session's stand; `None` if nothing is led.
    pub fn watch(&self, session: SessionId) -> Option<watch::Receiver<Stand>> {
        self.lock().get(&session).map(watch::Sender::subscribe)
    }

    fn change(&self, session: SessionId, change: impl FnOnce(&mut Stand)) {
        if let Some(stand) = self.lock().get(&session) {
            stand.send_modify(change);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<SessionId, watch::Sender<Stand>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn each_question_has_its_order_and_another_device_is_given_them_again() {
        let (stands, session) = (Arc::new(Stands::default()), SessionId(3));
        assert!(!stands.give(session, StepOrder::Next), "nobody asks");
        stands.open(session, Vec::new());
        assert!(!stands.give(session, StepOrder::Next), "nothing is asked yet");
        let never = CancellationToken::new();
        let asked = tokio::spawn({
            let (stands, never) = (stands.clone(), never.clone());
            async move { stands.ask(session, 0, &never).await }
        });
        let mut watched = stands.watch(session).expect("it is led");
        watched.wait_for(|stand| stand.waiting == Some(0)).await.expect("it is open");
        assert!(stands.give(session, StepOrder::Skip));
        assert!(!stands.give(session, StepOrder::Next), "the question has its order");
        assert_eq!(asked.await.expect("it ran"), Some(StepOrder::Skip));

        assert_eq!(stands.ask(session, 0, &never).await, Some(StepOrder::Skip), "once more, elsewhere");

        let other = SessionId(4);
        stands.open(other, Vec::new());
        stands.give_before(other, vec![StepOrder::Skip, StepOrder::Next]);
        stands.give_before(other, vec![StepOrder::Leave]);
        let again = [stands.ask(other, 0, &never).await, stands.ask(other, 1, &never).await];
        assert_eq!(again, [Some(StepOrder::Skip), Some(StepOrder::Next)], "what another session was ordered");
        never.cancel();
        assert_eq!(stands.ask(session, 1, &never).await, None, "nobody waits any more");
        stands.close(session);
        assert!(watched.wait_for(|stand| stand.over).await.is_ok());
    }
}
