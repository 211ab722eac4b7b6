//! Odin's oracle: what an app hardly ever does in a state on an event deviates from its beliefs.

use std::fmt;

use super::account::Account;
use super::cluster::{Cluster, Clustering, Pair, Scales};
use super::settings::OdinSettings;
use super::telling;
use super::weighing::{Behaviour, Weighing};
use crate::Oracle;
use crate::effects::GenieOracle;
use crate::fidelity::{Shortfall, fidelity, shortfall};
use droidmux_gui::{Level, Page};
use droidmux_record::{
    Batch, Deviation, Evidence, Expected, Experiment, Fidelity, FrontLayout, Hint, JobRun, Judgement,
    Layouts, Outcome, Role, SessionDefinition, Trace, Verdict, Work,
};

/// Judges weighings, and replays of a usual and a deviant behaviour.
#[derive(Clone, Debug)]
pub struct OdinOracle {
    settings: OdinSettings,
    definition: SessionDefinition,
}

/// With more anomalous clusters than this in one weighing, each of them is doubted.
const MOST_ALIKE: usize = 2;

/// The most anomalous clusters that are reported for one weighing.
const MOST_ANOMALIES: usize = 8;

impl OdinOracle {
    /// Weighs by the settings and ignore rules of this session.
    pub fn new(definition: &SessionDefinition) -> Self {
        Self { settings: definition.settings.of(), definition: definition.clone() }
    }

    /// True when a behaviour does what is expected.
    pub(super) fn shows(&self, behaviour: &Behaviour, expected: Expected, layouts: &dyn Layouts) -> bool {
        let print = self.scales(layouts).fingerprint(&pair(behaviour), expected.rules);
        print == Some(expected.script)
    }

    fn scales<'a>(&'a self, layouts: &'a dyn Layouts) -> Scales<'a> {
        Scales { settings: &self.settings, ignored: &self.definition.ignore, layouts }
    }
}

impl Oracle for OdinOracle {
    /// At least one verdict for a weighing and for a replay; none for what only records.
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement {
        let scales = self.scales(layouts);
        let verdicts = match &run.job.work {
            Work::Errand(errand) => match errand.content() {
                Some(weighing) => weigh(run, &weighing, &scales),
                None => Vec::new(),
            },
            Work::Batch(batch) if batch.tests.iter().any(|test| test.role.insertion().is_some()) => {
                return GenieOracle::new(&self.definition, &[]).judge(run, layouts);
            }
            Work::Batch(batch) => Replayed::of(run, batch).map(|r| r.judge(&scales)).into_iter().collect(),
            Work::Explore(_) => Vec::new(),
        };
        Judgement { verdicts, ..Judgement::default() }
    }
}

/// The verdicts on all behaviours of one state on one event.
fn weigh(run: &JobRun, weighing: &Weighing, scales: &Scales<'_>) -> Vec<Verdict> {
    let said = |outcome, title: String| Verdict { title, ..Verdict::new(run.job.slot, 0, "odin", outcome) };
    let words = weighing.event.words();
    let few = |found: usize| {
        let fewest = scales.settings.fewest;
        let why = format!("too few: {found} behaviours on {words}, {fewest} are needed to judge");
        vec![said(Outcome::Inconclusive(why.clone()), why)]
    };
    let enough = scales.settings.fewest as usize;
    if weighing.behaviours.len() < enough {
        return few(weighing.behaviours.len());
    }
    let pairs: Vec<Pair> = weighing.behaviours.iter().map(pair).collect();
    let clustering = scales.cluster(&pairs);
    let left = pairs.len() - clustering.lost as usize;
    if left < enough {
        return few(left);
    }
    let hints = hints(&clustering);
    let mut verdicts = Vec::new();
    for cluster in clustering.anomalies().take(MOST_ANOMALIES) {
        let Some(deviation) = deviation(weighing, &clustering, cluster, scales) else { continue };
        verdicts.push(Verdict {
            test: u16::try_from(verdicts.len()).unwrap_or(u16::MAX),
            key: key(&deviation),
            title: telling::title(&deviation),
            harm: telling::harm(&deviation),
            cluster: telling::cluster(&deviation),
            experiments: usual_page(weighing, &clustering, cluster, scales).into_iter().collect(),
            evidence: Evidence::Deviation(Box::new(deviation)),
            hints: hints.clone(),
            ..said(Outcome::Violation, String::new())
        });
    }
    if verdicts.is_empty() {
        let (all, kinds) = (pairs.len(), clustering.clusters.len());
        verdicts.push(said(
            Outcome::Pass,
            format!("{all} behaviours on {words} in {kinds} clusters, none far off"),
        ));
    }
    verdicts
}

fn usual_page(
    weighing: &Weighing,
    clustering: &Clustering,
    deviant: &Cluster,
    scales: &Scales<'_>,
) -> Option<Experiment> {
    let usual = clustering.clusters.first()?;
    telling::usual_page(weighing, (&usual.members, &deviant.representative), scales)
}

/// Many different things that hardly ever happen are more likely content than many defects.
fn hints(clustering: &Clustering) -> Vec<Hint> {
    let anomalies = clustering.anomalies().count();
    if anomalies <= MOST_ALIKE {
        return Vec::new();
    }
    let detail = format!("{anomalies} clusters are as small as this one");
    vec![Hint { cause: "scattered".into(), detail }]
}

/// Everything about an anomalous cluster; `None` when a layout has been lost in the meantime.
fn deviation(
    weighing: &Weighing,
    clustering: &Clustering,
    deviant: &Cluster,
    scales: &Scales<'_>,
) -> Option<Deviation> {
    let (usual, measure) = (clustering.clusters.first()?, clustering.measure?);
    let used = clustering.rules.iter().fold(0, |bits, rule| bits | rule.bit());
    let account = Account { scales, usual: &usual.representative, deviant: &deviant.representative };
    let compared = account.rules_for_replays(used)?;
    let conduct = |cluster: &Cluster| {
        let shows = |n: &&usize| {
            weighing.behaviours.get(**n).is_some_and(|behaviour| pair(behaviour) == cluster.representative)
        };
        // The shortest of the inputs that show the representative; on a tie, the first.
        let inputs = cluster.members.iter().filter(shows).filter_map(|&n| weighing.behaviours.get(n));
        let chosen = inputs.min_by_key(|behaviour| behaviour.input.len())?;
        account.conduct(weighing, chosen, cluster.size, compared)
    };
    let (effects, surplus) = account.effects(used)?;
    Some(Deviation {
        state: weighing.state,
        event: weighing.event.clone(),
        sizes: clustering.clusters.iter().map(|cluster| cluster.size).collect(),
        majority: u32::try_from(measure.majority).unwrap_or(u32::MAX),
        mean: measure.mean,
        deviation: measure.deviation,
        z: measure.z(deviant.size),
        rules: clustering.rules.clone(),
        usual: conduct(usual)?,
        deviant: conduct(deviant)?,
        effects,
        surplus,
    })
}

fn pair(behaviour: &Behaviour) -> Pair {
    Pair { before: behaviour.before.clone(), after: behaviour.after.clone() }
}

/// Equal for the same bug: the event, and what the app does on it, usually and here.
fn key(deviation: &Deviation) -> String {
    let Deviation { event, usual, deviant, .. } = deviation;
    let (usual, deviant) = (usual.expected, deviant.expected);
    format!("{}\n{} usual {} deviant {}", event.words(), usual.rules, usual.script, deviant.script)
}

/// Why a replay tells nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum Untold {
    #[error("the {0} input did not run")]
    NotRun(Input),
    #[error("the {0} input: {1}")]
    Short(Input, Shortfall),
    #[error("the {0} input has no events")]
    Eventless(Input),
    #[error("the {0} input ended in another state")]
    OtherState(Input),
    #[error("the usual behaviour did not show in its replay")]
    UsualAbsent,
    #[error("a layout is missing in the store")]
    Missing,
}

/// One of the two inputs of a deviation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Usual,
    Deviant,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Usual => "usual",
            Self::Deviant => "deviant",
        })
    }
}

/// The replay of both behaviours of a deviation.
struct Replayed<'r> {
    run: &'r JobRun,
    batch: &'r Batch,
    usual: (usize, Expected),
    deviant: (usize, Expected),
}

impl<'r> Replayed<'r> {
    /// `None` for any other batch.
    fn of(run: &'r JobRun, batch: &'r Batch) -> Option<Self> {
        let find = |wanted: fn(&Role) -> Option<Expected>| {
            batch.tests.iter().enumerate().find_map(|(n, test)| Some((n, wanted(&test.role)?)))
        };
        let usual = find(|role| if let Role::Usual(expected) = role { Some(*expected) } else { None })?;
        let deviant = find(|role| if let Role::Deviant(expected) = role { Some(*expected) } else { None })?;
        Some(Self { run, batch, usual, deviant })
    }

    /// A violation when the deviant input deviates again and the usual one does not.
    fn judge(&self, scales: &Scales<'_>) -> Verdict {
        let traces = self.run.traces();
        let outcome = self.read(&traces, scales);
        let test = u16::try_from(self.deviant.0).unwrap_or(u16::MAX);
        let said = |outcome, title: String| Verdict {
            title,
            fidelity: traces.get(self.deviant.0).map_or(Fidelity::NOT_RUN, fidelity),
            ..Verdict::new(self.run.job.slot, test, "odin", outcome)
        };
        match outcome {
            Err(why) => said(Outcome::Inconclusive(why.to_string()), why.to_string()),
            Ok(None) => said(Outcome::Pass, "both inputs do the same now".into()),
            Ok(Some(deviation)) => Verdict {
                key: key(&deviation),
                title: telling::title(&deviation),
                harm: telling::harm(&deviation),
                cluster: telling::cluster(&deviation),
                experiments: telling::explained(self.run, (self.usual.0, self.deviant.0), scales),
                evidence: Evidence::Deviation(Box::new(deviation)),
                ..said(Outcome::Violation, String::new())
            },
        }
    }

    /// The deviation as it showed again; `None` when it did not; an error with the reason when the
    /// replay tells nothing.
    fn read(&self, traces: &[Trace<'_>], scales: &Scales<'_>) -> Result<Option<Deviation>, Untold> {
        let usual = self.last_pair(Input::Usual, self.usual, traces, scales)?;
        let deviant = self.last_pair(Input::Deviant, self.deviant, traces, scales)?;
        let print =
            |pair: &Pair, expected: Expected| scales.fingerprint(pair, expected.rules).ok_or(Untold::Missing);
        let (shown, expected) = (print(&usual, self.usual.1)?, self.usual.1.script);
        if shown != expected {
            return Err(Untold::UsualAbsent);
        }
        if print(&deviant, self.deviant.1)? != self.deviant.1.script {
            return Ok(None);
        }
        let account = Account { scales, usual: &usual, deviant: &deviant };
        account.replayed(self.run, self.batch, self.usual, self.deviant).map(Some).ok_or(Untold::Missing)
    }

    /// The layouts before and after the last event of a test.
    fn last_pair(
        &self,
        input: Input,
        (number, expected): (usize, Expected),
        traces: &[Trace<'_>],
        scales: &Scales<'_>,
    ) -> Result<Pair, Untold> {
        let events = self.batch.tests.get(number).map_or(0, |test| test.events.len());
        let trace = traces.get(number).ok_or(Untold::NotRun(input))?;
        if let Some(shortfall) = shortfall(trace, events) {
            return Err(Untold::Short(input, shortfall));
        }
        let screens = trace.screens();
        let [.., before, after] = screens.as_slice() else {
            return Err(Untold::Eventless(input));
        };
        let view = |screen: &droidmux_record::Screen| FrontLayout {
            layout: screen.layout,
            activity: screen.activity.clone(),
            in_app: screen.in_app,
        };
        let layout = scales.layouts.layout(before.layout).ok_or(Untold::Missing)?;
        let page = Page { package: &before.package, activity: &before.activity };
        if !before.in_app || Level::Events.state(page, &layout) != expected.state {
            return Err(Untold::OtherState(input));
        }
        Ok(Pair { before: view(before), after: view(after) })
    }
}
