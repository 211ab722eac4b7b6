//! The traces of a session as numbers: which ran the same events, and what comes between them.

use std::collections::{BTreeMap, HashMap};

use super::{Recorded, Said, each};
use droidmux_gui::Event;
use droidmux_record::{JobRun, Slot};

/// Traces that ran through, in the order they were recorded, without their screens.
#[derive(Default)]
pub(super) struct Tracks {
    tracks: Vec<Track>,
    events: HashMap<Event, u32>,
    builds: BTreeMap<String, u32>,
}

/// One trace.
pub(super) struct Track {
    pub(super) slot: Slot,
    pub(super) test: u16,
    /// Equal numbers are equal events.
    pub(super) events: Box<[u32]>,
    /// Equal for devices on which the same app looks the same.
    build: u32,
}

/// Runs of the same events on equivalent devices, by the numbers of their traces.
pub(super) type Groups = BTreeMap<(u32, Box<[u32]>), Vec<usize>>;

impl Tracks {
    /// Reads all traces but the mutants of their own seeds when `mutants` is false.
    pub(super) fn of(recorded: &Recorded<'_>, mutants: bool, said: &mut Said) -> Self {
        let mut tracks = Self::default();
        each(recorded, said, |run, _| tracks.take_in(run, mutants));
        tracks
    }

    fn take_in(&mut self, run: &JobRun, mutants: bool) {
        let build = self.build(run);
        let inserted = |test: u16| match &run.job.work {
            droidmux_record::Work::Batch(batch) => {
                batch.tests.get(usize::from(test)).is_some_and(|test| test.role.insertion().is_some())
            }
            _ => false,
        };
        for trace in run.traces() {
            if !trace.is_whole() || trace.steps.is_empty() || (!mutants && inserted(trace.test)) {
                continue;
            }
            let events = trace.steps.iter().map(|step| self.number(step.event)).collect();
            self.tracks.push(Track { slot: run.job.slot, test: trace.test, events, build });
        }
    }

    fn number(&mut self, event: &Event) -> u32 {
        if let Some(&known) = self.events.get(event) {
            return known;
        }
        let next = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        self.events.insert(event.clone(), next);
        next
    }

    fn build(&mut self, run: &JobRun) -> u32 {
        let (device, app) = (&run.device, &run.app);
        let words = format!("{}\n{}\n{}\n{}", device.model, device.build, app.version_name, app.version_code);
        let next = u32::try_from(self.builds.len()).unwrap_or(u32::MAX);
        *self.builds.entry(words).or_insert(next)
    }

    pub(super) fn get(&self, number: usize) -> Option<&Track> {
        self.tracks.get(number)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Track> {
        self.tracks.iter()
    }

    /// The traces by what they ran.
    pub(super) fn groups(&self) -> Groups {
        let mut groups = Groups::new();
        for (number, track) in self.tracks.iter().enumerate() {
            groups.entry((track.build, track.events.clone())).or_default().push(number);
        }
        groups
    }

    /// The ways to read a trace as a mutant of others that ran at least twice: the group of the
    /// others, how many of their events come before what is inserted, and how much that is, at most
    /// `longest`. At least one of their events comes after it.
    pub(super) fn readings<'g>(
        &self,
        track: &Track,
        longest: usize,
        groups: &'g Groups,
    ) -> Vec<(&'g [usize], usize, usize)> {
        let events = &track.events;
        let mut readings = Vec::new();
        for length in 1..=longest.min(events.len().saturating_sub(1)) {
            for before in 0..events.len() - length {
                let (Some(front), Some(back)) = (events.get(..before), events.get(before + length..)) else {
                    continue;
                };
                let others = groups.get(&(track.build, [front, back].concat().into_boxed_slice()));
                readings.extend(others.filter(|all| all.len() > 1).map(|all| (&all[..], before, length)));
            }
        }
        readings
    }
}
