//! What the hub keeps of a session.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use super::super::gate::{Gate, Mode};
use super::asked::Asked;
use droidmux_proto::{AskingView, BudgetKind, BudgetView, SessionState, SessionView, StepView};
use droidmux_record::{Agent, Budget, Handling, Progress, Slot, Spent, TierCounts};
use droidmux_words::number::{real, short, whole};

/// Steps shown with the session.
const RECENT: usize = 12;
/// The rate is taken over this long.
const RATE: Duration = Duration::from_secs(30);
/// A rate over a shorter time says nothing of the time left: apps are installed and devices made ready first.
const WARM: Duration = Duration::from_secs(25);

/// What a person's pause is called.
pub(super) const BY_HAND: &str = "by hand";

/// What a session cannot go on without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Want {
    Space,
    Device,
}

pub(super) struct SessionFeed {
    pub(super) view: SessionView,
    pub(super) gate: Gate,
    /// What it is paused for, with the words for it.
    wanting: BTreeMap<Want, String>,
    began: Instant,
    ended: Option<Instant>,
    /// The judged jobs with the sequence number of their first verdict.
    judged: Vec<(u64, Slot)>,
    /// In the order of the log.
    recent: VecDeque<StepView>,
    asked: Asked,
    rate: VecDeque<(Instant, u64)>,
    /// Findings that people marked true: no planner knows of them.
    marked_true: u64,
    /// When its time is over.
    until: Option<Instant>,
    /// What it may ask of a language model.
    llm: Budget,
}

/// What was recorded of a session before it goes on.
pub(crate) struct Resumed {
    pub(crate) steps: u64,
    /// The last steps of its log.
    pub(crate) recent: Vec<StepView>,
    /// The judged jobs with how many verdicts each has.
    pub(crate) verdicts: Vec<(Slot, usize)>,
    /// Who asked, by number in the log of exchanges.
    pub(crate) asked: Vec<Agent>,
    pub(crate) spent: Spent,
    pub(crate) findings: TierCounts,
    pub(crate) marked_true: u64,
}

impl SessionFeed {
    pub(super) fn new(view: SessionView, gate: Gate) -> Self {
        Self {
            view,
            gate,
            wanting: BTreeMap::new(),
            began: Instant::now(),
            ended: None,
            judged: Vec::new(),
            recent: VecDeque::new(),
            asked: Asked::default(),
            rate: VecDeque::new(),
            marked_true: 0,
            until: None,
            llm: Budget::NONE,
        }
    }

    /// What it may use besides events: time, and what its language model may be asked.
    pub(super) fn limit(&mut self, until: Option<Instant>, llm: Budget) {
        (self.until, self.llm) = (until, llm);
    }

    /// A session that ended before this lab began.
    pub(super) fn over(view: SessionView, gate: Gate, past: Resumed, under_way: Duration) -> Self {
        let state = view.state.clone();
        let mut feed = Self::new(view, gate);
        feed.remember(past);
        feed.began = Instant::now().checked_sub(under_way).unwrap_or(feed.began);
        feed.become_now(state);
        feed
    }

    /// The sequence number of the first verdict on a job.
    pub(super) fn first_verdict(&self, slot: Slot) -> Option<u64> {
        self.judged.iter().find(|(_, judged)| *judged == slot).map(|(first, _)| *first)
    }

    pub(super) fn remember(&mut self, past: Resumed) {
        let Resumed { steps, recent, verdicts, asked, spent, findings, marked_true } = past;
        for (slot, count) in verdicts {
            self.judged(slot, count);
        }
        self.view.layout = recent.iter().rev().find_map(|step| step.layout);
        self.recent = recent.into_iter().rev().take(RECENT).rev().collect();
        (self.view.steps, self.view.findings) = (steps, findings);
        self.view.model.spent = spent;
        self.marked_true = marked_true;
        for (seq, agent) in (0..).zip(asked) {
            self.note_agent(seq, agent);
        }
        // The stored steps were not made now: the rate begins anew.
        self.rate.clear();
    }

    /// Takes in how far the planner is.
    pub(super) fn progress(&mut self, progress: Progress) {
        self.view.progress = progress;
        self.view.progress.mark_true(self.marked_true);
    }

    /// Takes in how many findings people marked true.
    pub(super) fn marked(&mut self, marked_true: u64) {
        self.marked_true = marked_true;
        self.view.progress.mark_true(marked_true);
    }

    /// Runs again, after this much time under way, or comes back paused.
    pub(super) fn go_on(&mut self, earlier: Duration) {
        self.began = Instant::now().checked_sub(earlier).unwrap_or(self.began);
        self.become_now(match self.gate.mode() {
            Mode::Pause => SessionState::Paused(BY_HAND.into()),
            Mode::Run | Mode::Step(_) => SessionState::Running,
            Mode::Stop => SessionState::Stopping,
        });
    }

    /// How people want it handled; `None` when it is ending.
    pub(super) fn handling(&self) -> Option<Handling> {
        let mode = self.gate.mode();
        let paused = matches!(mode, Mode::Pause | Mode::Step(_));
        let handling = Handling { paused, priority: self.view.priority };
        (!self.is_over() && mode != Mode::Stop).then_some(handling)
    }

    pub(super) fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    /// Pauses for want of something, or goes on when nothing is wanted any more; a person's pause
    /// stays. True when that is news.
    pub(super) fn wants(&mut self, want: Want, why: Option<&str>) -> bool {
        let known = self.wanting.contains_key(&want);
        match why {
            Some(why) => drop(self.wanting.insert(want, why.to_owned())),
            None => drop(self.wanting.remove(&want)),
        }
        if !self.is_over()
            && matches!(self.gate.mode(), Mode::Run | Mode::Step(_))
            && (known || why.is_some())
        {
            self.view.state = match self.wanting.values().next() {
                Some(why) => SessionState::Paused(why.clone()),
                None => SessionState::Running,
            };
        }
        known != why.is_some()
    }

    pub(super) fn become_now(&mut self, now: SessionState) {
        self.ended = if now.is_over() { self.ended.or(Some(Instant::now())) } else { None };
        self.view.state = now;
    }

    /// Notes how dumps are degraded. Notes that differ only in their figures count as one, and
    /// the latest figures are shown.
    pub(super) fn degraded(&mut self, note: &str) {
        let words = |note: &str| note.replace(|c: char| c.is_ascii_digit(), "");
        match self.view.degraded.iter_mut().find(|known| words(known) == words(note)) {
            Some(known) if known == note => {}
            Some(known) => note.clone_into(known),
            None => self.view.degraded.push(note.into()),
        }
    }

    pub(super) fn judged(&mut self, slot: Slot, verdicts: usize) {
        if verdicts > 0 {
            self.judged.push((self.view.verdicts, slot));
        }
        self.view.verdicts += verdicts as u64;
    }

    /// See [`super::Hub::verdicts`].
    pub(super) fn verdicts(&self, from: u64, limit: u32) -> Vec<(u64, Slot, usize)> {
        let end = self.view.verdicts.min(from.saturating_add(limit.into()));
        let place = |seq| {
            let after = self.judged.partition_point(|(first, _)| *first <= seq);
            let (first, slot) = *self.judged.get(after.checked_sub(1)?)?;
            Some((seq, slot, usize::try_from(seq - first).ok()?))
        };
        (from..end).filter_map(place).collect()
    }

    pub(super) fn stepped(&mut self, step: StepView) {
        if step.seq >= self.view.steps {
            self.view.steps = step.seq.saturating_add(1);
            self.view.layout = step.layout.or(self.view.layout);
        }
        let place = self.recent.partition_point(|known| known.seq < step.seq);
        self.recent.insert(place, step);
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }

    /// A question is being answered on its device, or (`None`) no longer is.
    pub(super) fn asking(&mut self, device: &str, asking: Option<AskingView>) {
        let open = &mut self.view.model.asking;
        open.retain(|other| other.device != device);
        open.extend(asking);
        open.sort_by(|a, b| a.device.cmp(&b.device));
    }

    /// More of a reply came.
    pub(super) fn partial(&mut self, device: &str, tail: String) {
        if let Some(asking) = self.view.model.asking.iter_mut().find(|asking| asking.device == device) {
            asking.partial = tail;
        }
    }

    pub(super) fn exchanged(&mut self, seq: u64, agent: Agent, spent: Spent) {
        self.view.model.spent = spent;
        self.note_agent(seq, agent);
    }

    /// The numbers of the exchanges in rows `from` … of the list, or of the list of one agent.
    pub(super) fn exchanges(&self, agent: Option<Agent>, from: u64, limit: u32) -> Vec<u64> {
        self.asked.rows(agent, from, limit)
    }

    /// Exchanges of several devices may arrive in a different order from the log's.
    fn note_agent(&mut self, seq: u64, agent: Agent) {
        self.asked.note(seq, agent);
        let model = &mut self.view.model;
        model.exchanges = self.asked.len();
        model.by_agent = self.asked.by_agent();
    }

    /// Seconds until events or time are used up, whichever comes first. How long the events will take is only said once
    /// the session has warmed up.
    fn left(&self, now: Instant, steps_per_second: f64) -> Option<u64> {
        let progress = &self.view.progress;
        let events = real(progress.max_events.saturating_sub(progress.events));
        let warm = self.rate.front().is_some_and(|(then, _)| now.duration_since(*then) >= WARM);
        let by_events = (warm && steps_per_second > 0.0).then(|| whole(events / steps_per_second));
        let by_time = self.until.map(|until| until.saturating_duration_since(now).as_secs());
        by_events.into_iter().chain(by_time).min()
    }

    fn budgets(&self, now: Instant) -> Vec<BudgetView> {
        let (progress, spent) = (&self.view.progress, &self.view.model.spent);
        let under_way = now.duration_since(self.began).as_secs();
        let time = self.until.map_or(0, |until| until.saturating_duration_since(self.began).as_secs());
        let tokens = spent.tokens_in.saturating_add(spent.tokens_out);
        let all = [
            (BudgetKind::Events, progress.events, progress.max_events),
            (BudgetKind::Time, under_way, time),
            (BudgetKind::Questions, spent.calls, self.llm.calls),
            (BudgetKind::Tokens, tokens, self.llm.tokens),
            (BudgetKind::Money, spent.cost, whole(self.llm.money * 1_000_000.0)),
        ];
        let limited = all.into_iter().filter(|(.., limit)| *limit > 0);
        limited.map(|(of, used, limit)| BudgetView { of, used, limit }).collect()
    }

    /// The session as it is shown at this moment.
    pub(super) fn view(&mut self, now: Instant) -> SessionView {
        let now = self.ended.unwrap_or(now);
        self.rate.push_back((now, self.view.steps));
        while self.rate.len() > 2 && now.duration_since(self.rate[0].0) > RATE {
            self.rate.pop_front();
        }
        let per_second = match self.rate.front() {
            Some((then, steps)) if now > *then => {
                real(self.view.steps - steps) / now.duration_since(*then).as_secs_f64()
            }
            _ => 0.0,
        };
        let over = self.ended.is_some();
        SessionView {
            recent: self.recent.iter().cloned().collect(),
            steps_per_minute: short(per_second * 60.0),
            elapsed_s: now.duration_since(self.began).as_secs(),
            left_s: if over { None } else { self.left(now, per_second) },
            budgets: self.budgets(now),
            ..self.view.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::session::first_view;
    use droidmux_record::{FunnelStage, SessionId};

    fn feed() -> SessionFeed {
        let definition =
            toml::from_str("technique = \"genie\"\napp = \"org.notes\"").expect("a session file");
        let view = first_view(SessionId(1), &definition, 7, Progress::default());
        SessionFeed::new(view, Gate::new(CancellationToken::new()))
    }

    fn step(seq: u64) -> StepView {
        StepView {
            seq,
            slot: Slot(0),
            test: 0,
            turn: 0,
            device: String::new(),
            work: String::new(),
            event: String::new(),
            receiver: String::new(),
            inserted: false,
            outcome: String::new(),
            failed: false,
            settled: true,
            layout: None,
            before: None,
            widget: None,
            activity: String::new(),
            in_app: true,
            signals: Vec::new(),
            toast: None,
            screenshot: None,
            at_ms: 0,
            took_ms: 0,
        }
    }

    /// The time left is given once there is a rate worth the name, or if the time limit comes first.
    #[test]
    fn time_left_is_told_once_the_session_has_warmed_up() {
        let seconds = |n: u64| Duration::from_secs(n);
        // (time limit, seconds after the start, events by then) and the seconds left
        let cases = [
            (None, 10, 50, None),
            (None, 30, 150, Some(170)),
            (None, 30, 0, None),
            (Some(60), 10, 50, Some(50)),
            (Some(60), 30, 150, Some(30)),
            (Some(6_000), 30, 150, Some(170)),
            (Some(20), 30, 150, Some(0)),
        ];
        for (limit, after, events, expected) in cases {
            let mut feed = feed();
            let began = feed.began;
            feed.limit(
                limit.map(|limit| began + seconds(limit)),
                Budget { calls: 10, tokens: 0, money: 0.0 },
            );
            feed.progress(Progress { max_events: 1_000, ..Progress::default() });
            feed.view(began);
            feed.view.steps = events;
            feed.progress(Progress { events, max_events: 1_000, ..Progress::default() });
            let view = feed.view(began + seconds(after));
            assert_eq!(view.left_s, expected, "{limit:?} after {after} s and {events} events");
            let budgets: Vec<_> = view.budgets.iter().map(|one| (one.of, one.used, one.limit)).collect();
            let mut told = vec![(BudgetKind::Events, events, 1_000)];
            told.extend(limit.map(|limit| (BudgetKind::Time, after, limit)));
            told.push((BudgetKind::Questions, 0, 10));
            assert_eq!(budgets, told);
        }
        let mut feed = feed();
        let (began, later) = (feed.began, feed.began + seconds(40));
        feed.view(began);
        feed.become_now(SessionState::Done);
        assert_eq!(feed.view(later).left_s, None);
    }

    #[test]
    fn steps_that_come_late_stand_where_they_belong() {
        let mut feed = feed();
        for seq in [0, 2, 1, 3, 7, 5, 4, 6] {
            feed.stepped(step(seq));
        }
        assert_eq!(feed.recent.iter().map(|step| step.seq).collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
        (8..20).for_each(|seq| feed.stepped(step(seq)));
        assert_eq!(feed.recent.iter().map(|step| step.seq).collect::<Vec<_>>(), (8..20).collect::<Vec<_>>());
        feed.stepped(step(3));
        assert_eq!((feed.recent[0].seq, feed.recent.len(), feed.view.steps), (8, RECENT, 20));
    }

    #[test]
    fn what_people_marked_true_stays_whatever_the_planner_reports() {
        let mut feed = feed();
        let stages = FunnelStage::list(&[("run", 5), (FunnelStage::MARKED_TRUE, 0)], &[]);
        let numbers = |feed: &SessionFeed| {
            let stages = feed.view.progress.stages.iter().map(|stage| stage.number);
            (stages.collect::<Vec<_>>(), feed.view.progress.funnel.marked_true)
        };
        feed.marked(2);
        feed.progress(Progress { stages, ..Progress::default() });
        assert_eq!(numbers(&feed), (vec![5, 2], 2));
        feed.marked(1);
        assert_eq!(numbers(&feed), (vec![5, 1], 1));
    }

    proptest! {
        #[test]
        fn verdicts_are_found_by_any_page(
            judged in prop::collection::vec((0u64..50, 0usize..6), 0..20),
            (from, limit) in (0u64..60, 0u32..60),
        ) {
            let mut feed = feed();
            let mut all = Vec::new();
            for (slot, verdicts) in judged {
                feed.judged(Slot(slot), verdicts);
                all.extend((0..verdicts).map(|number| (Slot(slot), number)));
            }
            prop_assert_eq!(feed.view.verdicts, all.len() as u64);
            let page: Vec<_> = (0..).zip(all).map(|(seq, (slot, number))| (seq, slot, number)).collect();
            let page = page.into_iter().skip(from as usize).take(limit as usize).collect::<Vec<_>>();
            prop_assert_eq!(feed.verdicts(from, limit), page);
        }
    }
}
