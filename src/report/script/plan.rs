//! What a script does: derived from the run that shows a finding.

use thiserror::Error;

use super::Locator;
use super::check::{Check, check};
use super::quote::comment;
use crate::FindingPart;
use droidmux_gui::{Direction, Event, Resolution};
use droidmux_record::{
    Act, AppBuild, DeviceInfo, Evidence, FindingId, JobRun, Layouts, SessionDefinition, SetupAction,
    SetupRule, Work,
};

/// Why there is no script of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoPlan {
    /// What showed it was removed.
    #[error("the run of {0} is no longer stored")]
    Gone(FindingId),
    /// No event leads to it.
    #[error("nothing was performed in the run of {0}")]
    Empty(FindingId),
}

/// The steps of a script and its check.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Whose bug it shows.
    pub finding: FindingId,
    /// The finding's sentence.
    pub title: String,
    /// Package of the app.
    pub app: String,
    /// Where it was recorded.
    pub device: DeviceInfo,
    /// What was installed there.
    pub build: AppBuild,
    /// Whether the steps are those of a shrunk recipe.
    pub shrunk: bool,
    /// What the session did after each reset.
    pub setup: Vec<SetupRule>,
    /// In order, up to the check.
    pub steps: Vec<PlanStep>,
    /// What is checked at the end.
    pub check: Check,
}

/// A step of a script.
#[derive(Clone, Debug)]
pub struct PlanStep {
    /// What is done.
    pub event: Event,
    /// How its widget is found; `None` for an event without one.
    pub locator: Option<Locator>,
    /// It was inserted into a seed that behaves correctly without it.
    pub inserted: bool,
}

impl Plan {
    /// The plan of a finding.
    ///
    /// # Errors
    /// When its run is gone, or shows nothing.
    pub fn of(
        part: &FindingPart,
        definition: &SessionDefinition,
        layouts: &dyn Layouts,
    ) -> Result<Self, NoPlan> {
        let finding = part.finding();
        let shown = part.conducts.as_ref().map(|(_, deviant)| deviant).or(part.shown.as_ref());
        let shown = shown.ok_or_else(|| NoPlan::Gone(finding.id.clone()))?;
        let (run, verdict) = (&shown.run, &shown.verdict);
        let (check, at) = check(verdict, layouts);
        let events =
            at.map(|layout| usize::from(layout).saturating_sub(1)).or_else(|| events(run, &verdict.evidence));
        let steps = steps(run, verdict.test, events.unwrap_or(usize::MAX), layouts);
        if steps.is_empty() {
            return Err(NoPlan::Empty(finding.id.clone()));
        }
        Ok(Self {
            finding: finding.id.clone(),
            title: finding.verdict.title.clone(),
            app: finding.app.clone(),
            device: run.device.clone(),
            build: run.app.clone(),
            shrunk: shown.shrunk,
            setup: definition.setup.clone(),
            steps,
            check,
        })
    }
}

impl Plan {
    /// What the session did after each reset and scripts leave to a person, as comments behind this comment marker.
    pub(super) fn by_hand(&self, mark: &str) -> String {
        let rules = self.setup_words().into_iter();
        rules.map(|rule| format!("{mark} By hand, or as a step of your own: {}\n", comment(&rule))).collect()
    }

    fn setup_words(&self) -> Vec<String> {
        let rule = |rule: &SetupRule| {
            let find = &rule.find;
            let named = [
                ("id", &find.resource_id),
                ("text", &find.text),
                ("description", &find.description),
                ("class", &find.class),
                ("activity", &find.activity),
            ];
            let named = named.iter().filter(|(_, value)| !value.is_empty());
            let named: Vec<String> = named.map(|(name, value)| format!("{name} {value:?}")).collect();
            let text = match rule.text_env.as_str() {
                "" => format!("{:?}", rule.text),
                name => format!("${name}"),
            };
            let action = match rule.action {
                SetupAction::Click => "click".to_owned(),
                SetupAction::LongClick => "long-click".to_owned(),
                SetupAction::Edit => format!("type {text} into"),
                SetupAction::Back => "press back at".to_owned(),
            };
            format!("{action} the widget with {}", named.join(", "))
        };
        self.setup.iter().map(rule).collect()
    }
}

/// The direction from which content is to come, as steps to the right and down the screen: the finger moves the other
/// way.
pub(super) fn towards(direction: Direction) -> (i8, i8) {
    match direction {
        Direction::Up => (0, -1),
        Direction::Down => (0, 1),
        Direction::Left => (-1, 0),
        Direction::Right => (1, 0),
    }
}

/// How many events lead to the violation, if its evidence names a turn.
fn events(run: &JobRun, evidence: &Evidence) -> Option<usize> {
    let turn = match evidence {
        Evidence::Signal { turn, .. } => *turn,
        Evidence::Breach(breach) => breach.turn,
        Evidence::Mistreated(mistreated) => mistreated.turn,
        Evidence::Mismatch(mismatch) => mismatch.span.1,
        Evidence::Broken(broken) => broken.turns.1,
        Evidence::Deviation(deviation) => return Some(deviation.deviant.source.step.into()),
        Evidence::Effects(_) | Evidence::None => return None,
    };
    let turns = run.turns.get(..=usize::try_from(turn).ok()?)?;
    let reset = turns.iter().rposition(|turn| turn.act == Act::Reset)?;
    Some(turns.get(reset..)?.iter().filter(|turn| matches!(turn.act, Act::Perform(_))).count())
}

/// The first events of a test that could be performed, each with its widget as it was found then.
fn steps(run: &JobRun, test: u16, most: usize, layouts: &dyn Layouts) -> Vec<PlanStep> {
    let inserted = match &run.job.work {
        Work::Batch(batch) => batch.tests.get(usize::from(test)).and_then(|test| test.role.insertion()),
        Work::Explore(_) | Work::Errand(_) => None,
    };
    let inserted = inserted.map_or(0..0, |insertion| {
        let from = usize::from(insertion.pivot).saturating_sub(1);
        from..from + usize::from(insertion.length)
    });
    let Some(trace) = run.traces().into_iter().find(|trace| trace.test == test) else { return Vec::new() };
    let mut before = trace.start;
    let mut steps = Vec::new();
    for (number, step) in trace.steps.iter().enumerate().take(most) {
        let Ok(seen) = step.after else { continue };
        let layout = before.and_then(|seen| layouts.layout(seen.screen.layout));
        let locator = layout.zip(step.event.receiver.as_ref()).and_then(|(layout, receiver)| {
            let found = seen.resolution.and_then(Resolution::widget);
            Locator::of(&layout, found.or_else(|| layout.resolve(receiver).widget())?)
        });
        let inserted = inserted.contains(&number);
        steps.push(PlanStep { event: step.event.clone(), locator, inserted });
        before = Some(seen);
    }
    steps
}
