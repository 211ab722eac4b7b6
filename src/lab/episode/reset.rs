//! How a test begins: the app's data, its first window, the dialogs over it, the set-up rules.
//!
//! In: what the session says about data between tests, and the job. Out: the first screen of the test. Invariants: a test
//! that anything is compared with begins with no data, or with the copy that all of them begin with; the set-up rules run
//! where the app began with no data.

use std::sync::atomic::Ordering;

use super::{Episode, EpisodeState, Interrupted};
use crate::dialog::answer_dialogs;
use crate::pace::Step;
use crate::setup::run_setup;
use droidmux_device::{Began, Beginning, TestData};
use droidmux_record::{Goal, Observation, PermissionAnswer, ResetChoice, Work};
use droidmux_technique::uses;

impl Episode<'_> {
    pub(super) async fn reset(&self, state: &mut EpisodeState) -> Result<Observation, Interrupted> {
        let app = self.definition.app.as_str();
        // The reset wakes a device that a test sent to sleep.
        self.dark.store(false, Ordering::Relaxed);
        let grant = self.definition.permissions == PermissionAnswer::Allow;
        let beginning = Beginning { data: self.data(), grant };
        let mut began = self.device.begin(app, beginning, &self.patience()).await?;
        let manner = self.pace.manner(self.job, &Step::start(), None);
        let mut look = self.look_after(&Step::start(), &manner, state.turn).await?;
        let mut dialogs = answer_dialogs(self, &mut look).await?;
        if began == Began::WithData && !look.screen.in_app {
            // It cannot start with what it has.
            let words = "the app is not in front when it starts with the data that it was given: cleared";
            self.hub.warn(self.device.serial(), words);
            let afresh = Beginning { data: TestData::Cleared, grant };
            began = self.device.begin(app, afresh, &self.patience()).await?;
            self.look_again(&mut look).await?;
            dialogs.extend(answer_dialogs(self, &mut look).await?);
        }
        let setup = match began {
            Began::Afresh => run_setup(self, &mut look).await?,
            Began::WithData => Vec::new(),
        };
        dialogs.extend(answer_dialogs(self, &mut look).await?);
        let copies = beginning.data == TestData::Kept && began == Began::Afresh;
        if copies && self.device.keep(app, &self.patience()).await? {
            // All tests begin alike, this one too.
            self.device.begin(app, beginning, &self.patience()).await?;
            self.look_again(&mut look).await?;
        }
        Ok(self.seen(look, None, setup, dialogs, state))
    }

    /// The data that a test of this job begins with.
    fn data(&self) -> TestData {
        match (self.definition.run.reset, &self.job.work) {
            (ResetChoice::Snapshot, _) => TestData::Kept,
            (ResetChoice::Restart, Work::Explore(explore))
                if explore.goal != Goal::Seed && uses(self.definition).restarts =>
            {
                TestData::Last
            }
            (ResetChoice::Clear | ResetChoice::Restart, _) => TestData::Cleared,
        }
    }
}
