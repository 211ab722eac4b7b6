//! The driver that does what a person orders, and what is known of the test at each moment.

use super::course::{Course, Move};
use crate::Driver;
use droidmux_gui::{LayoutHash, Resolution};
use droidmux_record::{
    Act, Answer, Consultation, Ending, Failure, Layouts, Observation, Role, Seen, StepOrder, StepQuestion,
    StepSettings, Test,
};

/// The most moves: a person tires sooner.
const MOST_MOVES: usize = 10_000;

/// What a person should know before the next order.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The event could not be performed; it is still the next one, or was not put in.
    Failed(Failure),
    /// An event that was performed before could not be performed again: the test stands before it.
    NotAgain(Failure),
    /// The app crashed or hangs.
    Crashed,
    /// There is no further event to perform or skip.
    AtEnd,
    /// There is nothing to go back over.
    AtStart,
}

/// The screen after a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// The layout that was there.
    pub layout: LayoutHash,
    /// How the receiver was found.
    pub resolution: Option<Resolution>,
    /// The app under test was in front.
    pub in_app: bool,
    /// The app crashed or hangs.
    pub crashed: bool,
}

/// A stepped test at one moment: what was done and seen, and what is under way.
#[derive(Clone, Debug)]
pub struct Stepped {
    app: String,
    violation: usize,
    course: Course,
    /// The screen after the reset, then one for each move that was carried out; `None` after a skipped event.
    shots: Vec<Option<Shot>>,
    /// How many moves were carried out since the reset. Those after them are to be run again.
    done: usize,
    /// How many moves were carried out before the test was begun again.
    again: usize,
    /// Events of the test that are performed without asking.
    goal: usize,
    asked: u32,
    trouble: Option<Trouble>,
}

/// Performs what the person wants and asks again.
#[derive(Clone, Debug)]
pub struct StepDriver(Stepped);

impl Stepped {
    /// A test of this app that has not begun.
    pub fn new(settings: &StepSettings, app: &str) -> Self {
        let test = settings.test().cloned();
        let test = test.unwrap_or(Test { role: Role::Seed, events: Vec::new() });
        let most = test.events.len();
        Self {
            app: app.to_owned(),
            violation: usize::from(settings.violation).min(most),
            goal: usize::from(settings.pause).min(most),
            course: Course::new(test),
            shots: Vec::new(),
            done: 0,
            again: 0,
            asked: 0,
            trouble: None,
        }
    }

    /// What became of the test's events.
    pub fn course(&self) -> &Course {
        &self.course
    }

    /// The screen after the reset, then one for each move of the course; missing at the end while it is
    /// under way.
    pub fn shots(&self) -> &[Option<Shot>] {
        &self.shots
    }

    /// The screen that is there now.
    pub fn shot(&self) -> Option<&Shot> {
        self.shots.iter().rev().flatten().next()
    }

    /// What a person should know before the next order.
    pub fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }

    /// Moves that are to be run again before the person is asked.
    pub fn to_run_again(&self) -> usize {
        self.course.moves().len() - self.done.min(self.course.moves().len())
    }

    /// The next act after an observation.
    pub fn next(&mut self, observation: &Observation) -> Act {
        match observation {
            Observation::Started => self.begin(),
            Observation::Seen(seen) => {
                self.see(seen);
                self.proceed()
            }
            Observation::Failed(failure) => {
                self.fail(failure);
                self.proceed()
            }
            Observation::Answered(answer) => match &**answer {
                Answer::Order(order) => self.obey(order),
                Answer::Reply(_)
                | Answer::None(_)
                | Answer::Inputs(_)
                | Answer::Foretold(_)
                | Answer::Examples(_)
                | Answer::Differences(_) => Act::Finish(Ending::Complete),
            },
            Observation::Ended => Act::Finish(Ending::Complete),
        }
    }

    fn begin(&mut self) -> Act {
        self.again = self.course.moves().len();
        self.done = 0;
        self.shots.clear();
        Act::Reset
    }

    fn see(&mut self, seen: &Seen) {
        let crashed = seen.crashed(&self.app);
        self.shots.push(Some(Shot {
            layout: seen.screen.layout,
            resolution: seen.resolution,
            in_app: seen.screen.in_app,
            crashed,
        }));
        if crashed {
            self.course.truncate(self.done);
            self.goal = self.course.at();
            self.trouble = Some(Trouble::Crashed);
        }
    }

    /// The move that was due was not carried out, so neither are those after it.
    fn fail(&mut self, failure: &Failure) {
        let again = self.done <= self.again;
        self.done = self.done.saturating_sub(1);
        self.course.truncate(self.done);
        self.goal = self.course.at();
        let failure = failure.clone();
        self.trouble = Some(if again { Trouble::NotAgain(failure) } else { Trouble::Failed(failure) });
    }

    /// Carries out what is planned, and asks when nothing is.
    fn proceed(&mut self) -> Act {
        loop {
            if self.done == self.course.moves().len() {
                if self.course.at() >= self.goal || self.course.next().is_none() {
                    return self.ask();
                }
                self.course.push(Move::Performed);
            }
            let event = self.course.event(self.done).cloned();
            self.done += 1;
            match event {
                Some(event) => return Act::Perform(event),
                None => self.shots.push(None),
            }
        }
    }

    fn ask(&mut self) -> Act {
        self.again = 0;
        let number = self.asked;
        self.asked = self.asked.saturating_add(1);
        let at = u16::try_from(self.course.at()).unwrap_or(u16::MAX);
        Act::Consult(Box::new(Consultation::Steer(StepQuestion { number, at })))
    }

    fn obey(&mut self, order: &StepOrder) -> Act {
        self.trouble = None;
        let at = self.course.at();
        self.goal = at;
        let full = self.course.moves().len() >= MOST_MOVES;
        match order {
            StepOrder::Leave => return Act::Finish(Ending::Complete),
            StepOrder::Back => return self.go_back(),
            StepOrder::Next | StepOrder::Skip if self.course.next().is_none() || full => {
                self.trouble = Some(Trouble::AtEnd);
            }
            StepOrder::Insert(_) if full => self.trouble = Some(Trouble::AtEnd),
            StepOrder::Next => self.goal = at + 1,
            StepOrder::Skip => self.course.push(Move::Skipped),
            StepOrder::Insert(event) => self.course.push(Move::Added(event.clone())),
            StepOrder::RunTo(event) => return self.run_to((*event).into()),
            StepOrder::RunToViolation => return self.run_to(self.violation),
            StepOrder::RunToEnd => return self.run_to(usize::MAX),
        }
        self.proceed()
    }

    fn go_back(&mut self) -> Act {
        match self.course.pop() {
            None => {
                self.trouble = Some(Trouble::AtStart);
                self.ask()
            }
            // Nothing was done for it, so nothing is to be undone.
            Some(Move::Skipped) => {
                self.done = self.course.moves().len();
                self.shots.pop();
                self.goal = self.course.at();
                self.ask()
            }
            Some(Move::Performed | Move::Added(_)) => {
                self.goal = self.course.at();
                self.begin()
            }
        }
    }

    fn run_to(&mut self, goal: usize) -> Act {
        let goal = goal.min(self.course.test().events.len());
        self.goal = goal;
        if goal < self.course.at() {
            while self.course.at() > goal {
                self.course.pop();
            }
            return self.begin();
        }
        self.proceed()
    }
}

impl StepDriver {
    /// A driver of the stepped test in this app.
    pub fn new(settings: &StepSettings, app: &str) -> Self {
        Self(Stepped::new(settings, app))
    }
}

impl Driver for StepDriver {
    fn next(&mut self, observation: &Observation, _layouts: &dyn Layouts) -> Act {
        self.0.next(observation)
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(self.clone())
    }
}
