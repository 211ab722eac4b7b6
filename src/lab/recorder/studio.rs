//! The studio: the recording of a lab, where viewers see it and leave their orders.
//!
//! In: the view and the layouts of the performer; orders from viewers. Out: each of these to the other side. An order
//! is taken only while the recorder waits for one, so that nothing is done on a screen that nobody has seen; leaving is
//! always possible.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::RecorderError;
use crate::Hub;
use droidmux_gui::{Layout, LayoutHash};
use droidmux_proto::{RecorderOrder, RecorderPhase, RecorderView};

#[derive(Clone)]
pub(crate) struct Studio {
    booth: Arc<Mutex<Option<Booth>>>,
    hub: Arc<Hub>,
}

struct Booth {
    view: RecorderView,
    layouts: BTreeMap<LayoutHash, Arc<Layout>>,
    orders: mpsc::Sender<RecorderOrder>,
    left: CancellationToken,
}

/// The recorder's end of a studio: the orders as they come.
pub(super) struct Orders {
    pub orders: mpsc::Receiver<RecorderOrder>,
    /// A person left.
    pub left: CancellationToken,
}

impl Studio {
    pub fn new(hub: Arc<Hub>) -> Self {
        Self { booth: Arc::default(), hub }
    }

    /// Takes the place for a recording; otherwise says why it is taken.
    pub(super) fn open(&self, view: RecorderView) -> Result<Orders, RecorderError> {
        let mut booth = self.lock();
        if let Some(other) = booth.as_ref().filter(|booth| !booth.orders.is_closed()) {
            let RecorderView { name, app, .. } = &other.view;
            return Err(RecorderError::Taken { name: name.clone(), app: app.clone() });
        }
        let (sender, orders) = mpsc::channel(1);
        let left = CancellationToken::new();
        *booth = Some(Booth { view, layouts: BTreeMap::new(), orders: sender, left: left.clone() });
        drop(booth);
        self.hub.recorder_changed();
        Ok(Orders { orders, left })
    }

    /// Ends the recording.
    pub(super) fn close(&self) {
        *self.lock() = None;
        self.hub.recorder_changed();
    }

    /// Shows what there is now; `layouts` are those of the recording.
    pub(super) fn show<'l>(&self, view: RecorderView, layouts: impl Iterator<Item = &'l Arc<Layout>>) {
        if let Some(booth) = self.lock().as_mut() {
            booth.view = view;
            booth.layouts = layouts.map(|layout| (layout.hash(), layout.clone())).collect();
        }
        self.hub.recorder_changed();
    }

    pub(super) fn order(&self, order: RecorderOrder) -> Result<(), RecorderError> {
        let mut booth = self.lock();
        let Some(open) = booth.as_mut() else { return Err(RecorderError::Idle) };
        if order == RecorderOrder::Leave {
            open.left.cancel();
            if open.orders.is_closed() {
                // The performer is already gone; only what it reported is left.
                *booth = None;
                drop(booth);
                self.hub.recorder_changed();
            }
            return Ok(());
        }
        if let RecorderOrder::Do { seen, .. } = &order
            && open.view.live != Some(*seen)
        {
            return Err(RecorderError::Changed);
        }
        match open.view.phase {
            RecorderPhase::Ready | RecorderPhase::Lost(_) => {}
            RecorderPhase::Opening | RecorderPhase::Acting | RecorderPhase::Rehearsing => {
                return Err(RecorderError::Busy);
            }
        }
        open.orders.try_send(order).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => RecorderError::Busy,
            mpsc::error::TrySendError::Closed(_) => RecorderError::Over,
        })?;
        // Until this one is taken up, nobody else's order is for this screen.
        if open.view.phase == RecorderPhase::Ready {
            open.view.phase = RecorderPhase::Acting;
        }
        Ok(())
    }

    pub(super) fn view(&self) -> Option<RecorderView> {
        self.lock().as_ref().map(|booth| booth.view.clone())
    }

    pub(super) fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.lock().as_ref()?.layouts.get(&hash).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Booth>> {
        self.booth.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
