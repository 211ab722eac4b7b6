//! The plan of a bench: its trials.

use std::path::{Path, PathBuf};

use super::{Apps, BenchError, Contender, Judgements, Subject};
use droidmux_record::{
    DumpChoice, LlmMode, LlmSettings, Provider, ScreenPolicy, SessionDefinition, SessionId, SettlingChoice,
};
use droidmux_sim::Latency;
use droidmux_technique as technique;

/// What is requested of a bench.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanOptions {
    /// Names of contenders; empty means all except those that only run when named.
    pub techniques: Vec<String>,
    /// Packages of apps or their last parts; empty means all whose defects show by events alone, or, for contenders
    /// that type texts only, those whose defects show by texts.
    pub apps: Vec<String>,
    /// The most events of each session.
    pub events: u64,
    /// The sessions' RNG seeds are 1 to this.
    pub seeds: u64,
    /// The model that readers ask; fixed rules cannot read.
    pub llm: LlmSettings,
    /// Where its replies are kept, a file for each trial: what is there is not asked again. With such a folder, every
    /// contender that can ask a model does so.
    pub recordings: Option<PathBuf>,
    /// No trial with all defects off.
    pub planted_only: bool,
    /// How long phones take over things. Where screens take time to react, sessions can look at them too early.
    pub latency: Latency,
    /// When sessions take a screen for settled.
    pub settling: SettlingChoice,
    /// The resident agent of the phones.
    pub agent: Option<PathBuf>,
}

/// All trials of a bench, seeds outermost: whatever is finished first covers everything evenly.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it was made from.
    pub options: PlanOptions,
    /// Those that run, in the order of the table of contenders.
    pub contenders: Vec<Contender>,
    /// The apps that they run on.
    pub apps: Vec<Subject>,
    /// What people say of what real apps show by themselves.
    pub judgements: Judgements,
    /// Every contender on every app with every seed, as far as they are compatible: with all defects on, then with all
    /// off.
    pub trials: Vec<Trial>,
}

/// One session to run and judge.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The technique with its settings.
    pub contender: Contender,
    /// The app under test.
    pub app: Subject,
    /// The RNG seed.
    pub rng: u64,
    /// The ids of the defects that are on; of all that could be, where all are off.
    pub present: Vec<String>,
    /// The number of these among the app's, from 1, where not all are on together.
    pub batch: Option<usize>,
    /// Whether all defects are off: whatever is reported is the app's own.
    pub correct: bool,
    /// The contender's session file for this app.
    pub definition: SessionDefinition,
    /// The version of the session's planner.
    pub planner: u32,
    /// The model that replays of its findings ask. Of these nothing is recorded.
    pub judge: LlmSettings,
    /// How long its phones take over things.
    pub latency: Latency,
}

impl Plan {
    /// The trials of these options on these apps.
    ///
    /// # Errors
    /// When a technique or an app does not exist.
    pub fn new(options: PlanOptions, apps: &Apps) -> Result<Self, BenchError> {
        let known = Contender::all();
        let contenders = chosen(
            "technique",
            &options.techniques,
            if options.techniques.is_empty() {
                known.into_iter().filter(Contender::is_default).collect()
            } else {
                known
            },
            |contender, name| contender.name == name,
            |contender| contender.name,
        )?;
        let apps = chosen(
            "app",
            &options.apps,
            if options.apps.is_empty() {
                apps.usual(contenders.iter().all(Contender::is_of_texts))
            } else {
                apps.all()
            },
            |app, name| app.package() == name || app.name() == name,
            Subject::name,
        )?;
        let mut trials = Vec::new();
        for rng in 1..=options.seeds {
            for (app, contender) in apps.iter().flat_map(|app| contenders.iter().map(move |c| (app, c))) {
                let Some(whole) = Trial::new(contender, app, rng, &options) else { continue };
                let batches = app.batches();
                let several = batches.len() > 1;
                for (present, number) in batches.into_iter().zip(1..) {
                    let batch = several.then_some(number);
                    trials.push(Trial { present, batch, ..whole.clone() }.asking(&options));
                }
                // For an app without defects, every trial is one with all off.
                if !whole.correct && !options.planted_only {
                    trials.push(Trial { correct: true, ..whole }.asking(&options));
                }
            }
        }
        Ok(Self { options, contenders, apps, judgements: Judgements::default(), trials })
    }

    /// The apps a contender can be applied to.
    pub fn apps_of(&self, contender: &Contender) -> impl Iterator<Item = &Subject> {
        self.apps.iter().filter(|app| contender.definition(app.package()).is_some())
    }
}

impl Trial {
    /// `None` when the contender cannot be applied to the app.
    fn new(contender: &Contender, app: &Subject, rng: u64, options: &PlanOptions) -> Option<Self> {
        let mut definition = contender.definition(app.package())?;
        definition.run.max_events = options.events;
        definition.run.settling = options.settling;
        definition.lab.agent.clone_from(&options.agent);
        if options.agent.is_some() {
            definition.lab.dumps = DumpChoice::Agent;
        }
        let planner = technique::planner(&definition, SessionId(1), rng).version();
        let correct = app.defects().is_empty();
        let judge = definition.llm.clone();
        Some(Self {
            contender: contender.clone(),
            app: app.clone(),
            rng,
            present: app.defects().iter().map(|defect| defect.id.clone()).collect(),
            batch: None,
            correct,
            definition,
            planner,
            judge,
            latency: options.latency,
        })
    }

    /// What files and folders of this trial are called: `notes-genie-3`, `notes-genie-3-set2-off`.
    pub(super) fn file_stem(&self) -> String {
        let off = if self.correct { "-off" } else { "" };
        let set = self.batch.map_or_else(String::new, |batch| format!("-set{batch}"));
        format!("{}-{}-{}{set}{off}", self.app.name(), self.contender.name, self.rng)
    }

    /// The same with the model that is to be asked, if it asks one.
    fn asking(mut self, options: &PlanOptions) -> Self {
        let uses = technique::uses(&self.definition);
        // Fixed rules stand in for a model unless its replies are wanted; for a reader there are none.
        let asks = uses.models && options.recordings.is_some();
        if !asks && !technique::reader::is_wanted(&self.definition) {
            return self;
        }
        self.definition.llm = options.llm.clone();
        self.judge = LlmSettings { mode: LlmMode::Live, ..options.llm.clone() };
        if let Some(folder) = &options.recordings {
            let file = recording(folder, &self.name_of());
            let llm = &mut self.definition.llm;
            llm.mode = match (file.is_file(), llm.provider) {
                (true, _) => LlmMode::Replay,
                // There is nobody whose replies could be kept.
                (false, Provider::Rules) => return self,
                (false, _) => LlmMode::Record,
            };
            if llm.provider == Provider::Rules {
                // Whoever replied then is not needed for it.
                llm.provider = Provider::Openai;
            }
            llm.recording = file.display().to_string();
            if uses.screenshots {
                self.definition.run.screens = ScreenPolicy::All;
            }
        }
        self
    }

    fn name_of(&self) -> String {
        self.name().replace(' ', "-")
    }

    /// `diary genie 3`: app, contender, seed; `diary genie 3 off` with all defects off, `markor genie 3 set 2` with the
    /// second set of them on.
    pub fn name(&self) -> String {
        let off = if self.correct && !self.app.defects().is_empty() { " off" } else { "" };
        let set = self.batch.map_or_else(String::new, |batch| format!(" set {batch}"));
        format!("{} {} {}{set}{off}", self.app.name(), self.contender.name, self.rng)
    }
}

/// Where the replies of a trial are kept.
fn recording(folder: &Path, trial: &str) -> PathBuf {
    folder.join(format!("{trial}.jsonl"))
}

/// The named ones among `all`, in the order of `all`; all of them when none is named.
fn chosen<T>(
    what: &'static str,
    names: &[String],
    all: Vec<T>,
    is: impl Fn(&T, &str) -> bool,
    name: impl Fn(&T) -> &str,
) -> Result<Vec<T>, BenchError> {
    if let Some(wrong) = names.iter().find(|name| !all.iter().any(|one| is(one, name))) {
        let known = all.iter().map(|one| name(one).to_owned()).collect();
        return Err(BenchError::Unknown { what, name: wrong.clone(), known });
    }
    let wanted = |one: &T| names.is_empty() || names.iter().any(|name| is(one, name));
    Ok(all.into_iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(techniques: &[&str], apps: &[&str]) -> PlanOptions {
        let own = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        PlanOptions {
            techniques: own(techniques),
            apps: own(apps),
            events: 100,
            seeds: 2,
            ..PlanOptions::default()
        }
    }

    #[test]
    fn trials_are_spread_over_everything_before_seeds_repeat() {
        let options = options(&["monkey", "genie"], &["org.droidmux.notes", "units"]);
        let plan = Plan::new(options, &Apps::shipped()).expect("a plan");
        let names: Vec<String> = plan.trials.iter().map(Trial::name).collect();
        let expected = [
            "notes genie 1",
            "notes genie 1 off",
            "notes monkey 1",
            "notes monkey 1 off",
            "units genie 1",
            "units genie 1 off",
            "units monkey 1",
            "units monkey 1 off",
            "notes genie 2",
            "notes genie 2 off",
            "notes monkey 2",
            "notes monkey 2 off",
            "units genie 2",
            "units genie 2 off",
            "units monkey 2",
            "units monkey 2 off",
        ];
        assert_eq!(names, expected);
        assert!(plan.trials.iter().all(|trial| trial.definition.run.max_events == 100));
        // With all defects off: requested by name, or because the app has none.
        assert!(plan.trials.iter().all(|t| t.correct == (t.name().ends_with("off") || t.present.is_empty())));
    }

    #[test]
    fn with_recordings_all_that_can_ask_a_model_do() {
        let llm = LlmSettings { provider: Provider::People, ..LlmSettings::default() };
        let models = ["monkey", "inputblaster", "visiondroid", "reader"];
        for (recordings, expected) in [
            (None, ["rules", "rules", "rules", "people"]),
            (Some("replies".into()), ["rules", "people", "people", "people"]),
        ] {
            let options = PlanOptions {
                llm: llm.clone(),
                recordings,
                planted_only: true,
                seeds: 1,
                ..options(&models, &["notes"])
            };
            let trials = Plan::new(options, &Apps::shipped()).expect("a plan").trials;
            let asked = trials.iter().map(|trial| match trial.definition.llm.provider {
                Provider::People => "people",
                Provider::Rules => "rules",
                Provider::Openai => "openai",
            });
            let mut asked: Vec<&str> = asked.collect();
            asked.sort_unstable();
            let mut expected = expected.to_vec();
            expected.sort_unstable();
            assert_eq!(asked, expected);
            assert!(trials.iter().all(|trial| !trial.correct));
        }
    }

    #[test]
    fn sessions_know_nothing_of_defects() {
        for trial in Plan::new(options(&[], &[]), &Apps::shipped()).expect("a plan").trials {
            let told = serde_json::to_string(&trial.definition).expect("JSON");
            for id in &trial.present {
                assert!(!told.contains(id), "{}: {told}", trial.name());
            }
        }
    }

    #[test]
    fn what_there_is_not_is_told_with_what_there_is() {
        for (techniques, apps, expected) in [
            (&["geni"][..], &[][..], "no technique \"geni\"; there are genie, genie-dependent"),
            (&[], &["diarry"], "no app \"diarry\"; there are diary, files"),
        ] {
            let error =
                Plan::new(options(techniques, apps), &Apps::shipped()).expect_err("not there").to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
