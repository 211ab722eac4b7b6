//! The videos there are, and which of them the user sees.

/// A channel by its place in [`CHANNELS`], a video by its place in [`VIDEOS`].
pub(super) const CHANNELS: [&str; 4] = ["Garden Hour", "Trail Maps", "Quiet Piano", "Makers"];

/// Title, channel, length.
pub(super) const VIDEOS: [(&str, usize, &str); 8] = [
    ("Pruning roses", 0, "12:04"),
    ("Over the ridge", 1, "25:40"),
    ("Rain, slowly", 2, "7:15"),
    ("A chair from one board", 3, "18:22"),
    ("Seeds in winter", 0, "9:51"),
    ("The river path", 1, "31:07"),
    ("Waltz for a cat", 2, "4:38"),
    ("Fixing a kettle", 3, "14:59"),
];

/// What the user did with them.
#[derive(Clone, Debug, Default)]
pub(super) struct Catalogue {
    pub bookmarks: Vec<usize>,
    /// Channels in the order they were blocked.
    blocked: Vec<usize>,
    /// What each channel's page last learned about being blocked; only the wrong app asks here.
    told: Vec<(usize, bool)>,
}

pub(super) fn title(video: usize) -> &'static str {
    VIDEOS.get(video).map_or("", |video| video.0)
}

/// A video as a number to draw its picture and its views from.
pub(super) fn salt(video: usize) -> u64 {
    u64::try_from(video).unwrap_or(u64::MAX)
}

pub(super) fn channel_of(video: usize) -> usize {
    VIDEOS.get(video).map_or(0, |video| video.1)
}

pub(super) fn channel_name(channel: usize) -> &'static str {
    CHANNELS.get(channel).copied().unwrap_or_default()
}

impl Catalogue {
    pub(super) fn blocked(&self) -> &[usize] {
        &self.blocked
    }

    pub(super) fn is_blocked(&self, channel: usize) -> bool {
        self.blocked.contains(&channel)
    }

    pub(super) fn block(&mut self, channel: usize) {
        if !self.is_blocked(channel) {
            self.blocked.push(channel);
        }
    }

    pub(super) fn unblock(&mut self, channel: usize) {
        self.blocked.retain(|blocked| *blocked != channel);
    }

    pub(super) fn clear_blocked(&mut self) {
        self.blocked.clear();
    }

    /// Clears by counting up while the list gets shorter, which leaves every other channel.
    pub(super) fn clear_counting_up(&mut self) {
        let mut at = 0;
        while at < self.blocked.len() {
            self.blocked.remove(at);
            at += 1;
        }
    }

    pub(super) fn toggle_bookmark(&mut self, video: usize) {
        if self.bookmarks.contains(&video) {
            self.bookmarks.retain(|marked| *marked != video);
        } else {
            self.bookmarks.push(video);
        }
    }

    /// Those of these videos whose channels are not blocked.
    pub(super) fn visible(&self, videos: impl IntoIterator<Item = usize>) -> Vec<usize> {
        videos.into_iter().filter(|video| !self.is_blocked(channel_of(*video))).collect()
    }

    /// What the page of a channel remembers, or learns now.
    pub(super) fn told(&self, channel: usize) -> bool {
        let told = self.told.iter().find(|(known, _)| *known == channel);
        told.map_or_else(|| self.is_blocked(channel), |(_, blocked)| *blocked)
    }

    pub(super) fn tell(&mut self, channel: usize) {
        let blocked = self.is_blocked(channel);
        self.told.retain(|(known, _)| *known != channel);
        self.told.push((channel, blocked));
    }

    pub(super) fn forget_told(&mut self) {
        self.told.clear();
    }
}
