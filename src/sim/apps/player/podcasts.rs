//! Episodes, the queue, and what was done with each episode.

use std::collections::BTreeSet;

pub(super) const FEEDS: [&str; 2] = ["Night Walks", "Small Machines"];

/// Title, feed, minutes.
pub(super) const EPISODES: [(&str, usize, u32); 6] = [
    ("Along the canal", 0, 31),
    ("The typewriter", 1, 42),
    ("Owls", 0, 27),
    ("A pump that sings", 1, 55),
    ("Streets after rain", 0, 36),
    ("Gears of wood", 1, 48),
];

/// Playback speeds, in tenths.
pub(super) const SPEEDS: [u32; 4] = [10, 12, 15, 20];

#[derive(Clone, Debug)]
pub(super) struct Podcasts {
    /// Episodes in the order they will play.
    queue: Vec<Queued>,
    next_row: usize,
    pub inbox: BTreeSet<usize>,
    pub downloaded: BTreeSet<usize>,
    pub played: BTreeSet<usize>,
    /// A place in [`SPEEDS`] for each episode.
    speeds: [usize; 6],
    /// The speed chosen last, of whatever episode.
    pub last_speed: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Queued {
    pub episode: usize,
    /// The row of the queue's table it was written to when it was added.
    row: usize,
}

pub(super) fn title(episode: usize) -> &'static str {
    EPISODES.get(episode).map_or("", |episode| episode.0)
}

pub(super) fn feed(episode: usize) -> &'static str {
    EPISODES.get(episode).and_then(|episode| FEEDS.get(episode.1)).copied().unwrap_or_default()
}

/// `1.5x`
pub(super) fn speed_text(speed: usize) -> String {
    let tenths = SPEEDS.get(speed).copied().unwrap_or(10);
    format!("{}.{}x", tenths / 10, tenths % 10)
}

impl Podcasts {
    pub(super) fn new() -> Self {
        let mut podcasts = Self {
            queue: Vec::new(),
            next_row: 0,
            inbox: BTreeSet::from([4, 5]),
            downloaded: BTreeSet::from([0, 1, 2]),
            played: BTreeSet::new(),
            speeds: [0; 6],
            last_speed: 0,
        };
        for episode in [1, 0, 2] {
            podcasts.enqueue(episode);
        }
        podcasts
    }

    pub(super) fn queue(&self) -> &[Queued] {
        &self.queue
    }

    pub(super) fn is_queued(&self, episode: usize) -> bool {
        self.queue.iter().any(|queued| queued.episode == episode)
    }

    pub(super) fn enqueue(&mut self, episode: usize) {
        if !self.is_queued(episode) {
            self.queue.push(Queued { episode, row: self.next_row });
            self.next_row += 1;
        }
    }

    /// Takes an episode out of the queue; returns where it was, for [`Podcasts::requeue`].
    pub(super) fn dequeue(&mut self, episode: usize) -> Option<(usize, Queued)> {
        let at = self.queue.iter().position(|queued| queued.episode == episode)?;
        Some((at, self.queue.remove(at)))
    }

    pub(super) fn requeue(&mut self, at: usize, queued: Queued) {
        self.queue.insert(at.min(self.queue.len()), queued);
    }

    /// Whether [`Podcasts::requeue_by_row`] would put it elsewhere than at this place.
    pub(super) fn moves_by_row(&self, at: usize, queued: &Queued) -> bool {
        at.min(self.queue.len()) != queued.row.min(self.queue.len())
    }

    /// Puts it where its row stands in the table, whatever the order of the queue is now.
    pub(super) fn requeue_by_row(&mut self, queued: Queued) {
        self.requeue(queued.row, queued);
    }

    pub(super) fn sort_queue(&mut self, by_length: bool) {
        let key = |queued: &Queued| EPISODES.get(queued.episode).copied().unwrap_or_default();
        if by_length {
            self.queue.sort_by_key(|queued| key(queued).2);
        } else {
            self.queue.sort_by_key(|queued| key(queued).0);
        }
    }

    /// What plays after this episode.
    pub(super) fn after(&self, episode: usize) -> Option<usize> {
        let at = self.queue.iter().position(|queued| queued.episode == episode);
        self.queue.get(at.map_or(0, |at| at + 1)).map(|queued| queued.episode)
    }

    pub(super) fn speed(&self, episode: usize) -> usize {
        self.speeds.get(episode).copied().unwrap_or(0)
    }

    pub(super) fn set_speed(&mut self, episode: usize, speed: usize) {
        self.last_speed = speed;
        if let Some(known) = self.speeds.get_mut(episode) {
            *known = speed;
        }
    }
}
