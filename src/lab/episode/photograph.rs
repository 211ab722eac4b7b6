//! Which screens are photographed, and whose picture is reused instead.
//!
//! In: what a turn observed. Out: its picture, packed for the store, and its hash. Invariants: a session has a picture
//! of each layout that it saw first, whatever earlier sessions photographed, but of those that a few texts alone tell from
//! one that it photographed; a picture that differs from the layout's last
//! one by the cursor of a field alone is that one; packing, and reading from the store, are done off the async workers.

use super::cursor::differ_by_cursor;
use super::{Episode, EpisodeState, Glimpse, Interrupted};
use crate::LabError;
use crate::hub::Outline;
use droidmux_device::{DeviceError, DeviceErrorKind, FrameError, Screenshot};
use droidmux_gui::{Bounds, Flags, Layout, LayoutHash, Widget};
use droidmux_record::{BlobHash, Observation, ScreenPolicy, Work};
use droidmux_store::Store;

impl Episode<'_> {
    /// Takes a screenshot when the session's policy asks for one and notes its hash.
    pub(super) async fn screenshot(
        &self,
        observation: &mut Observation,
        state: &EpisodeState,
    ) -> Result<Option<(BlobHash, Vec<u8>)>, Interrupted> {
        let Observation::Seen(seen) = observation else { return Ok(None) };
        let occasion = Occasion::of(self.definition.run.screens, &self.job.work);
        let wanted = match (occasion, &state.last) {
            (Occasion::EachStep, _) => true,
            // By this session: an earlier session's picture may have looked different, and is removed with that
            // session.
            (Occasion::NewLayout, Some(look)) => self.is_new(look).await?,
            (Occasion::NewLayout, None) | (Occasion::None, _) => false,
        };
        if !wanted {
            return Ok(None);
        }
        let layout = seen.screen.layout;
        let taken = match occasion {
            Occasion::NewLayout => self.taken_elsewhere(layout).await,
            _ => None,
        };
        let (hash, content) = match taken {
            Some(taken) => taken,
            None => {
                let own = self.packed(self.device.screenshot(&self.patience()).await?).await?;
                self.but_for_the_cursor(layout, state, &own).await?.unwrap_or(own)
            }
        };
        self.hub.put_into_album(layout, self.looks, hash);
        if let Some(look) = &state.last {
            self.hub.put_outline(self.session, self.looks, Outline::of(&look.screen, &look.layout));
        }
        seen.screenshot = Some(hash);
        Ok(Some((hash, content)))
    }

    /// Whether this session has a picture neither of this screen nor of one that a few texts alone tell from it.
    async fn is_new(&self, look: &Glimpse) -> Result<bool, LabError> {
        let (store, session, layout) = (self.store.clone(), self.session, look.screen.layout);
        let read = tokio::task::spawn_blocking(move || store.picture_of(session, layout));
        let photographed = read.await??.is_some();
        let outline = || Outline::of(&look.screen, &look.layout);
        Ok(!photographed && !self.hub.has_like(session, self.looks, &outline()))
    }

    /// A device's picture as the store keeps it, and its hash; made off the async workers.
    async fn packed(&self, picture: Screenshot) -> Result<(BlobHash, Vec<u8>), Interrupted> {
        let store = self.store.clone();
        let made = tokio::task::spawn_blocking(move || {
            let content = match picture {
                Screenshot::Png(png) => store.pack_screenshot(&png).unwrap_or(png),
                Screenshot::Raw(mut frame) => {
                    let (width, height) = (frame.width(), frame.height());
                    match store.pack_pixels(width, height, frame.pixels()) {
                        Some(packed) => packed,
                        None => Screenshot::Raw(frame).into_png()?,
                    }
                }
            };
            Ok((BlobHash::of(&content), content))
        });
        let made = made.await.map_err(LabError::from)?;
        made.map_err(|error: FrameError| {
            Interrupted::Device(DeviceError {
                serial: self.device.serial().to_owned(),
                what: "screencap".into(),
                kind: DeviceErrorKind::Answer(error.to_string()),
            })
        })
    }

    /// The last picture of this layout, where the new one differs from it by nothing but a cursor, which blinks: whoever
    /// compares pictures by their hashes is to see that nothing happened.
    async fn but_for_the_cursor(
        &self,
        layout: LayoutHash,
        state: &EpisodeState,
        (hash, content): &(BlobHash, Vec<u8>),
    ) -> Result<Option<(BlobHash, Vec<u8>)>, Interrupted> {
        let Some(field) = state.last.as_ref().and_then(|look| focused_field(&look.layout)) else {
            return Ok(None);
        };
        let (store, session, hash, content) = (self.store.clone(), self.session, *hash, content.clone());
        let compared = tokio::task::spawn_blocking(move || {
            let earlier = store.picture_of(session, layout).ok()?.filter(|earlier| *earlier != hash)?;
            let kept = store.kept_screenshot(earlier).ok()??;
            let (was, is) = (Store::pixels_of(earlier, &kept).ok()?, Store::pixels_of(hash, &content).ok()?);
            differ_by_cursor(&was, &is, field).then_some((earlier, kept))
        });
        // A picture that cannot be read is none to be reused.
        Ok(compared.await.map_err(LabError::from)?)
    }

    /// The picture of a layout that another session of this lab took on a device of the same look: taking it again
    /// costs the device more than all the rest of a step. For where any picture of the layout will do.
    async fn taken_elsewhere(&self, layout: LayoutHash) -> Option<(BlobHash, Vec<u8>)> {
        let hash = self.hub.in_album(layout, self.looks)?;
        let store = self.store.clone();
        // Gone with its session, or damaged: then it is taken anew.
        let read = tokio::task::spawn_blocking(move || store.kept_screenshot(hash)).await;
        Some((hash, read.ok()?.ok()??))
    }
}

/// Where text is being entered.
fn focused_field(layout: &Layout) -> Option<Bounds> {
    let mut fields = layout.widgets().filter(|widget| widget.is_editable() && widget.has(Flags::FOCUSED));
    fields.next().map(Widget::bounds)
}

/// When a picture is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Occasion {
    EachStep,
    /// Once for each layout of the session.
    NewLayout,
    None,
}

impl Occasion {
    /// A replay is looked at closely, unless no pictures are wanted at all: two screens of one layout may look different.
    fn of(policy: ScreenPolicy, work: &Work) -> Self {
        let replays = matches!(work, Work::Batch(batch) if batch.purpose.is_replay());
        match (policy, replays) {
            (ScreenPolicy::Never, _) | (ScreenPolicy::Verdicts, false) => Self::None,
            (ScreenPolicy::All, _) | (ScreenPolicy::Changed | ScreenPolicy::Verdicts, true) => Self::EachStep,
            (ScreenPolicy::Changed, false) => Self::NewLayout,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::{Batch, FindingId, Purpose, SessionId};

    #[test]
    fn replays_are_looked_at_closely() {
        let finding = FindingId::of(SessionId(1), "monkey", "key");
        let replay = Purpose::Confirm { finding, round: 0 };
        let search = Purpose::Mutants { seed: 0 };
        for (policy, searching, replaying) in [
            (ScreenPolicy::All, Occasion::EachStep, Occasion::EachStep),
            (ScreenPolicy::Changed, Occasion::NewLayout, Occasion::EachStep),
            (ScreenPolicy::Verdicts, Occasion::None, Occasion::EachStep),
            (ScreenPolicy::Never, Occasion::None, Occasion::None),
        ] {
            for (purpose, expected) in [(&search, searching), (&replay, replaying)] {
                let work = Work::Batch(Batch { purpose: purpose.clone(), tests: Vec::new() });
                assert_eq!(Occasion::of(policy, &work), expected, "{policy:?} {purpose:?}");
            }
        }
    }
}
