//! Looking at the screen: as swiftly as the session may, and now and then strictly to check that.
//!
//! In: what the device observes. Out: the screen with what the session keeps out of reach, how it was found to be at rest,
//! and what happened since the last look. Invariants: looking again loses no signal; what is learnt of the session's pace
//! comes from screens at rest only.

use std::sync::Arc;

use super::{Episode, Interrupted};
use crate::care::rescue;
use crate::pace::{Pace, Step};
use droidmux_device::{Manner, Observed};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::{Screen, Settling, Signal};

/// A screen together with its layout.
pub(crate) struct Glimpse {
    pub(crate) layout: Arc<Layout>,
    pub(crate) screen: Screen,
    /// The layout as the device dumped it, with everything that the session keeps out of reach.
    pub(crate) dumped: LayoutHash,
    pub(crate) settling: Settling,
    pub(crate) dumps: u32,
    pub(crate) signals: Vec<Signal>,
    pub(crate) toast: Option<String>,
    pub(crate) hears_toasts: bool,
    /// What was done to the device so that there is something to see, in words.
    pub(crate) care: Vec<String>,
}

impl Episode<'_> {
    /// Looks once more, keeping the signals already seen and what was done already.
    pub(crate) async fn look_again(&self, look: &mut Glimpse) -> Result<(), Interrupted> {
        let fresh = self.look().await?;
        let before = std::mem::replace(look, fresh);
        look.dumps += before.dumps;
        look.toast = before.toast.or(look.toast.take());
        look.hears_toasts |= before.hears_toasts;
        look.signals.splice(0..0, before.signals);
        look.care.splice(0..0, before.care);
        Ok(())
    }

    /// The screen after a step, as swiftly as the session may look here; now and then a strict look checks that.
    pub(super) async fn look_after(
        &self,
        step: &Step,
        manner: &Manner,
        turn: u32,
    ) -> Result<Glimpse, Interrupted> {
        let mut look = self.look_in(manner).await?;
        if look.settling.is_swift() && Pace::checks(self.job, turn) {
            let hasty = look.dumped;
            self.look_again(&mut look).await?;
            let premature = (look.dumped != hasty).then_some(hasty);
            if look.settling.is_settled() {
                look.settling = if premature.is_some() { Settling::Premature } else { Settling::Verified };
            }
            if let Some(words) = self.pace.checked(step, premature) {
                self.hub.warn(self.device.serial(), &words);
            }
        }
        if look.settling.is_settled() {
            self.pace.learn(step, &look.screen.activity, look.dumped);
        }
        Ok(look)
    }

    /// The settled screen, with crashes and ANRs since the last look.
    async fn look(&self) -> Result<Glimpse, Interrupted> {
        self.look_in(&Manner::Strict).await
    }

    async fn look_in(&self, manner: &Manner) -> Result<Glimpse, Interrupted> {
        let (observed, care) = rescue::observe(self, manner).await?;
        let Observed { settled, foreground: front, signals, toast, hears_toasts } = observed;
        let dumped = settled.layout.hash();
        for remark in self.device.remarks() {
            self.hub.warn(self.device.serial(), &remark);
        }
        self.hub.lacks(self.device.serial(), &self.device.shortcomings());
        let of_app = front.package == self.definition.app;
        let in_app = of_app && self.definition.allows_page(&front.activity);
        let barred = match of_app {
            true => self.definition.out_of_reach(&front.activity, &settled.layout),
            // Nor is anything done on a page of another app that is to be avoided.
            false if self.is_avoided(&front.activity) => {
                settled.layout.widgets().map(droidmux_gui::Widget::id).collect()
            }
            false => Vec::new(),
        };
        let layout = match barred.is_empty() {
            true => settled.layout,
            false => Arc::new(settled.layout.with_disabled(&barred)),
        };
        // What the launcher or a dialog of the system lacks says nothing about the app under test.
        for note in settled.notes.iter().filter(|note| of_app && note.is_degrading()) {
            self.hub.degraded(self.session, &note.to_string());
        }
        let screen = Screen {
            layout: layout.hash(),
            package: front.package,
            activity: front.activity,
            in_app,
            rotation: front.rotation,
            keyboard: front.keyboard,
        };
        let (settling, dumps) = (settled.settling, settled.dumps);
        Ok(Glimpse { layout, screen, dumped, settling, dumps, signals, toast, hears_toasts, care })
    }

    /// Whether the session has a rule that leaves this whole page out.
    fn is_avoided(&self, activity: &str) -> bool {
        self.definition.avoid.iter().any(|rule| !rule.names_widget() && rule.is_of_page(activity))
    }
}
