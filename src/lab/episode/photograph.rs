//! Which screens are photographed, and whose picture is reused instead.
//!
//! In: what a turn observed. Out: its picture, packed for the store, and its hash. Invariants: a session has a picture
//! of each layout that it saw first, whatever earlier sessions photographed, but of those that a few texts alone tell from
//! one that it photographed; a picture that differs from the layout's last one by what moves by itself is that one;
//! packing, and reading from the store, are done off the async workers.

use std::time::Duration;

use super::likeness::Likeness;
use super::{Episode, EpisodeState, Glimpse, Interrupted};
use crate::LabError;
use crate::hub::Outline;
use droidmux_device::{DeviceError, DeviceErrorKind, FrameError, Screenshot};
use droidmux_gui::LayoutHash;
use droidmux_record::{Batch, BlobHash, Evidence, FindingId, Observation, ScreenPolicy, Work};
use droidmux_store::Store;
use droidmux_technique::relation::compares_pictures;

/// How often a screen is photographed at most until two pictures are alike, and how long after each other.
const MOST_TRIES: usize = 6;
const BETWEEN_TRIES: Duration = Duration::from_millis(250);

/// A picture as the store keeps it, and its hash.
type Picture = (BlobHash, Vec<u8>);

impl Episode<'_> {
    /// Takes a screenshot when the session's policy asks for one and notes its hash.
    pub(super) async fn screenshot(
        &self,
        observation: &mut Observation,
        state: &EpisodeState,
    ) -> Result<Option<Picture>, Interrupted> {
        let Observation::Seen(seen) = observation else { return Ok(None) };
        let outline = match (self.occasion, &state.last) {
            (Occasion::EachStep | Occasion::Closely, last) => last.as_ref().map(outline_of),
            (Occasion::NewLayout, Some(look)) => match self.new_outline(look).await? {
                Some(outline) => Some(outline),
                None => return Ok(None),
            },
            (Occasion::NewLayout, None) | (Occasion::None, _) => return Ok(None),
        };
        let layout = seen.screen.layout;
        let taken = match self.occasion {
            Occasion::NewLayout => self.taken_elsewhere(layout).await,
            _ => None,
        };
        let (hash, content) = match taken {
            Some(taken) => taken,
            None => {
                let tries = if self.occasion == Occasion::Closely { MOST_TRIES } else { 1 };
                self.still(tries, layout, state).await?
            }
        };
        self.hub.put_into_album(layout, self.looks, hash);
        if let Some(outline) = outline {
            self.hub.put_outline(self.session, self.looks, outline);
        }
        seen.screenshot = Some(hash);
        Ok(Some((hash, content)))
    }

    /// The outline of a screen of which this session has no picture, nor one of a screen that a few texts alone tell
    /// from it. By this session: an earlier session's picture may have looked different, and is removed with that
    /// session.
    async fn new_outline(&self, look: &Glimpse) -> Result<Option<Outline>, LabError> {
        let (store, session, layout) = (self.store.clone(), self.session, look.screen.layout);
        let read = tokio::task::spawn_blocking(move || store.picture_of(session, layout));
        if read.await??.is_some() {
            return Ok(None);
        }
        let outline = outline_of(look);
        Ok((!self.hub.has_like(session, self.looks, &outline)).then_some(outline))
    }

    /// A device's picture as the store keeps it, and its hash; made off the async workers.
    async fn packed(&self, picture: Screenshot) -> Result<Picture, Interrupted> {
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

    /// What the screen shows now.
    async fn photographed(&self) -> Result<Picture, Interrupted> {
        self.packed(self.device.screenshot(&self.patience()).await?).await
    }

    /// What the screen shows once nothing moves on it but what does by itself: an animation may go on where the layout is at
    /// rest. One that goes on for all tries is taken as it is.
    async fn still(
        &self,
        tries: usize,
        layout: LayoutHash,
        state: &EpisodeState,
    ) -> Result<Picture, Interrupted> {
        let mut own = self.photographed().await?;
        for _ in 1..tries {
            if let Some(earlier) = self.but_for_motion(layout, state, &own).await? {
                return Ok(earlier);
            }
            tokio::time::sleep(BETWEEN_TRIES).await;
            let next = self.photographed().await?;
            let is_still = self.are_alike(state, own, next.clone()).await?;
            own = next;
            if is_still {
                break;
            }
        }
        Ok(self.but_for_motion(layout, state, &own).await?.unwrap_or(own))
    }

    /// The last picture of this layout, where the new one differs from it by nothing but what [moves by itself](Likeness):
    /// whoever compares pictures by their hashes is to see that nothing happened.
    async fn but_for_motion(
        &self,
        layout: LayoutHash,
        state: &EpisodeState,
        own: &Picture,
    ) -> Result<Option<Picture>, Interrupted> {
        let (store, session) = (self.store.clone(), self.session);
        let read = tokio::task::spawn_blocking(move || {
            let earlier = store.picture_of(session, layout).ok()??;
            Some((earlier, store.kept_screenshot(earlier).ok()??))
        });
        // A picture that cannot be read is none to be reused.
        let Some(earlier) = read.await.map_err(LabError::from)? else { return Ok(None) };
        Ok(self.are_alike(state, earlier.clone(), own.clone()).await?.then_some(earlier))
    }

    /// Whether two pictures of the screen that was seen last differ by nothing but what [moves by itself](Likeness).
    async fn are_alike(
        &self,
        state: &EpisodeState,
        one: Picture,
        other: Picture,
    ) -> Result<bool, Interrupted> {
        let likeness = state.last.as_ref().map(|look| Likeness::of(&look.layout));
        let Some(likeness) = likeness.filter(|_| one.0 != other.0) else { return Ok(one.0 == other.0) };
        let compared = tokio::task::spawn_blocking(move || {
            let [one, other] = [one, other].map(|(hash, content)| Store::pixels_of(hash, &content).ok());
            one.zip(other).is_some_and(|(one, other)| likeness.is_same_page(&one, &other))
        });
        Ok(compared.await.map_err(LabError::from)?)
    }

    /// The picture of a layout that another session of this lab took on a device of the same look: taking it again
    /// costs the device more than all the rest of a step. For where any picture of the layout will do.
    async fn taken_elsewhere(&self, layout: LayoutHash) -> Option<Picture> {
        let hash = self.hub.in_album(layout, self.looks)?;
        let store = self.store.clone();
        // Gone with its session, or damaged: then it is taken anew.
        let read = tokio::task::spawn_blocking(move || store.kept_screenshot(hash)).await;
        Some((hash, read.ok()?.ok()??))
    }
}

fn outline_of(look: &Glimpse) -> Outline {
    Outline::of(&look.screen, &look.layout)
}

/// When a picture is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Occasion {
    EachStep,
    /// After each step, once the picture is still.
    Closely,
    /// Once for each layout of the session.
    NewLayout,
    None,
}

impl Occasion {
    /// Unless no pictures are wanted at all, a replay is looked at closely where its finding says that nothing happened, since
    /// two screens of one layout may look different, and at each step where a person asked for it.
    pub(in super::super) async fn of(store: &Store, policy: ScreenPolicy, work: &Work) -> Self {
        match work {
            Work::Batch(Batch { purpose, .. }) if purpose.is_replay() => match purpose.replayed() {
                Some(finding) => Self::of_replay(policy, rests_on_pictures(store, finding).await),
                // Who asked for it looks at each step, and waits for no animation.
                None if policy == ScreenPolicy::Never => Self::None,
                None => Self::EachStep,
            },
            Work::Batch(_) | Work::Explore(_) | Work::Errand(_) => Self::of_search(policy),
        }
    }

    fn of_search(policy: ScreenPolicy) -> Self {
        match policy {
            ScreenPolicy::All => Self::EachStep,
            ScreenPolicy::Changed => Self::NewLayout,
            ScreenPolicy::Verdicts | ScreenPolicy::Never => Self::None,
        }
    }

    fn of_replay(policy: ScreenPolicy, closely: bool) -> Self {
        match policy {
            ScreenPolicy::All | ScreenPolicy::Changed | ScreenPolicy::Verdicts if closely => Self::Closely,
            ScreenPolicy::All => Self::EachStep,
            ScreenPolicy::Changed | ScreenPolicy::Verdicts => Self::NewLayout,
            ScreenPolicy::Never => Self::None,
        }
    }
}

/// Whether pictures alone may refute this finding; also where it cannot be read.
async fn rests_on_pictures(store: &Store, finding: &FindingId) -> bool {
    let (store, finding) = (store.clone(), finding.clone());
    match tokio::task::spawn_blocking(move || store.finding(&finding)).await {
        Ok(Ok(Some(finding))) => is_told_by_pictures(&finding.verdict.evidence),
        Ok(Ok(None) | Err(_)) | Err(_) => true,
    }
}

fn is_told_by_pictures(evidence: &Evidence) -> bool {
    matches!(evidence, Evidence::Broken(broken) if compares_pictures(&broken.relation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::LayoutBuilder;
    use droidmux_record::Broken;

    #[test]
    fn replays_are_looked_at_closely_where_pictures_tell() {
        use Occasion::{Closely, EachStep, NewLayout, None};
        // the policy, then searching, a replay, and one that pictures may refute
        for (policy, expected) in [
            (ScreenPolicy::All, [EachStep, EachStep, Closely]),
            (ScreenPolicy::Changed, [NewLayout, NewLayout, Closely]),
            (ScreenPolicy::Verdicts, [None, NewLayout, Closely]),
            (ScreenPolicy::Never, [None, None, None]),
        ] {
            let [replay, close] = [false, true].map(|closely| Occasion::of_replay(policy, closely));
            assert_eq!([Occasion::of_search(policy), replay, close], expected, "{policy:?}");
        }
        let screen = LayoutBuilder::new().finish().hash();
        for (relation, tell) in [("response", true), ("dead-end", true), ("view", false)] {
            let broken = Broken {
                relation: relation.into(),
                expected: String::new(),
                found: String::new(),
                turns: (0, 1),
                layouts: (screen, screen),
                widgets: (Vec::new(), Vec::new()),
                claim: Option::None,
                slight: false,
            };
            assert_eq!(is_told_by_pictures(&Evidence::Broken(Box::new(broken))), tell, "{relation}");
        }
        assert!(!is_told_by_pictures(&Evidence::None));
    }
}
