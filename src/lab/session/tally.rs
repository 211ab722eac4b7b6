//! What a session has achieved, counted from what was absorbed: whether it can be said to have looked
//! for anything at all.
//!
//! In: absorbed runs with their judgements. Out: why the session was in vain, if it was. A session that went through
//! its phases without performing anything, judging anything or getting any answer has found nothing because it looked
//! at nothing, and must not be mistaken for one that did.

use droidmux_record::{
    Act, Agent, Answer, Consultation, DmfTally, JobRun, Judgement, LookTally, Outcome, Progress,
    SessionDefinition, Technique, Use,
};
use droidmux_technique::{self as technique, Starts};
use droidmux_words::printable;

#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// Tests whose first screen was seen, and events that were performed.
    tests: u64,
    events: u64,
    /// Events that were performed on a widget of the app.
    touches: u64,
    /// What was in front last instead of the app.
    elsewhere: Option<String>,
    /// Verdicts that say something, how many of them say that something is wrong, and the last reason of one that says
    /// nothing.
    judged: u64,
    violated: u64,
    unjudged: Option<String>,
    /// Questions to a language model, those with a reply, and why the last one had none.
    asked: u64,
    answered: u64,
    silence: Option<String>,
    /// The same for those who read what others did.
    reading: Asked,
    /// Whether the app outlives its starts.
    starts: Starts,
    /// What looking at screens cost.
    pub(super) looks: LookTally,
    /// What events went into, whichever planner planned their jobs.
    uses: Vec<Use>,
}

/// Questions, and those with a reply.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    asked: u64,
    answered: u64,
}

impl Tally {
    pub(super) fn count(&mut self, run: &JobRun, judgement: &Judgement) {
        self.looks.count(&run.turns);
        Use::count(&mut self.uses, run);
        self.starts.count(run);
        let mut before = false;
        for turn in &run.turns {
            let screen = turn.observation.seen().map(|seen| &seen.screen);
            let seen = screen.is_some();
            match &turn.act {
                Act::Reset => self.tests += u64::from(seen),
                Act::Perform(event) => {
                    self.events += u64::from(seen);
                    self.touches += u64::from(seen && before && event.receiver.is_some());
                }
                Act::Consult(consultation) => {
                    if let Consultation::Ask(question) = &**consultation {
                        let reads = matches!(question.agent, Agent::Reader | Agent::Reviewer);
                        self.answer(reads, turn.observation.answer());
                    }
                }
                Act::Finish(_) => {}
            }
            let Some(screen) = screen else { continue };
            before = screen.in_app;
            if !before {
                self.elsewhere = Some(format!("{} {}", screen.package, screen.activity));
            }
        }
        for verdict in &judgement.verdicts {
            match &verdict.outcome {
                Outcome::Pass => self.judged += 1,
                Outcome::Violation => (self.judged, self.violated) = (self.judged + 1, self.violated + 1),
                Outcome::Inconclusive(why) => self.unjudged = Some(why.clone()),
            }
        }
    }

    /// The planner's progress, with what events went into.
    pub(super) fn complete(&self, progress: Progress) -> Progress {
        Progress { uses: self.uses.clone(), ..progress }
    }

    fn answer(&mut self, reads: bool, answer: Option<&Answer>) {
        let (asked, answered) = match reads {
            true => (&mut self.reading.asked, &mut self.reading.answered),
            false => (&mut self.asked, &mut self.answered),
        };
        *asked += 1;
        match answer {
            Some(Answer::None(unanswered)) => self.silence = Some(unanswered.detail.clone()),
            _ => *answered += 1,
        }
    }

    /// Why the session was in vain; `lacks_agent` is why no device had the agent that it wants.
    pub(super) fn vain(
        &self,
        definition: &SessionDefinition,
        progress: &Progress,
        lacks_agent: Option<&str>,
    ) -> Option<String> {
        if self.starts.are_dead() {
            // That is what was found.
            return None;
        }
        let mut reasons = Vec::new();
        // Beside a technique, a reader that stays silent costs nothing that the technique found.
        let only_reads = definition.technique == Technique::Reader;
        let (asked, answered) = match only_reads {
            true => (self.reading.asked, self.reading.answered),
            false => (self.asked, self.answered),
        };
        if asked > 0 && answered == 0 {
            let last = self.silence.as_deref().unwrap_or("no reason was given");
            reasons.push(format!(
                "the language model answered none of {asked} questions, the last because: {last}"
            ));
        }
        if let Some(why) = lacks_agent {
            reasons.push(format!("the resident agent was on no device: {why}"));
        }
        let most = definition.run.max_events;
        match (self.tests, self.events) {
            // What was recorded before can be judged without a device.
            _ if self.judged > 0 || only_reads => {}
            (0, _) => reasons.push(format!("no test came to its end (`max-events` is {most})")),
            (_, 0) => reasons.push(format!("no event was performed in {} tests", self.tests)),
            _ => {}
        }
        // A replay does what its test says, and an app that only crashes was seen enough of.
        if self.events > 0 && self.touches == 0 && self.violated == 0 && definition.replayed().is_none() {
            let instead = self.elsewhere.as_deref().unwrap_or_default().trim();
            let instead = match instead {
                "" => "it shows nothing that can be touched".to_owned(),
                page => format!("in front was `{page}`"),
            };
            reasons.push(format!(
                "the app was never touched: none of {} events was on a widget of {}; {instead}",
                self.events, definition.app
            ));
        }
        reasons.extend(self.starts.in_vain());
        let form = progress.form;
        if form.in_vain + form.failures > 0 && form.inputs + form.untypable == 0 {
            reasons.push(format!(
                "no unusual text was entered: {} of {} replies were of no use, and {} generators failed",
                form.in_vain, form.questions, form.failures
            ));
        }
        let DmfTally { tests, checked, violated, .. } = progress.dmf;
        if tests > 0 && checked + violated == 0 {
            reasons.push("no function of the specification was carried out to its end".into());
        } else if technique::has_own_oracle(definition) && self.judged == 0 && self.tests > 0 {
            reasons.push(match &self.unjudged {
                Some(why) => format!("nothing could be judged, the last test because: {why}"),
                None => format!(
                    "there was nothing to judge in {} tests of {} events (`max-events` is {most})",
                    self.tests, self.events
                ),
            });
        }
        (!reasons.is_empty()).then(|| printable(&reasons.join("; ")).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::{FindingId, FormTally, ReplaySettings, SessionId};

    fn definition(technique: Technique) -> SessionDefinition {
        SessionDefinition::new(technique, "org.notes")
    }

    #[test]
    fn what_a_session_must_have_done_not_to_be_in_vain() {
        let well = Tally { tests: 9, events: 90, touches: 70, judged: 4, ..Tally::default() };
        let untouched = Tally { touches: 0, elsewhere: Some("a.dash a.dash.Dials".into()), ..well.clone() };
        let genie = definition(Technique::Genie);
        let monkey = definition(Technique::Monkey);
        let replay = SessionDefinition {
            replay: Some(ReplaySettings {
                finding: FindingId { session: SessionId(1), key: 1 },
                key: String::new(),
                times: 1,
                tests: Vec::new(),
            }),
            ..genie.clone()
        };
        let unjudged = Some("it panicked".to_owned());
        let silence = Some("connection refused".to_owned());
        let cases = [
            ("all is well", &genie, well.clone(), None, ""),
            ("no test", &genie, Tally::default(), None, "no test came to its end"),
            (
                "no event",
                &genie,
                Tally { events: 0, judged: 0, ..well.clone() },
                None,
                "no event was performed",
            ),
            ("recorded before", &genie, Tally { tests: 0, events: 0, ..well.clone() }, None, ""),
            ("none judged", &genie, Tally { judged: 0, ..well.clone() }, None, "there was nothing to judge"),
            ("a broken oracle", &genie, Tally { judged: 0, unjudged, ..well.clone() }, None, "it panicked"),
            ("a baseline", &monkey, Tally { judged: 0, ..well.clone() }, None, ""),
            ("an idle baseline", &monkey, Tally { events: 0, judged: 0, ..well.clone() }, None, "no event"),
            ("a replay", &replay, Tally { judged: 0, ..well.clone() }, None, ""),
            ("a mute model", &genie, Tally { asked: 3, silence, ..well.clone() }, None, "connection refused"),
            ("one answer", &genie, Tally { asked: 3, answered: 1, ..well.clone() }, None, ""),
            (
                "the app untouched",
                &genie,
                untouched.clone(),
                None,
                "none of 90 events was on a widget of org.notes; in front was `a.dash a.dash.Dials`",
            ),
            ("a baseline beside its app", &monkey, untouched.clone(), None, "was never touched"),
            (
                "nothing to touch",
                &monkey,
                Tally { elsewhere: None, ..untouched.clone() },
                None,
                "it shows nothing",
            ),
            ("a crash at every start", &monkey, Tally { violated: 1, ..untouched.clone() }, None, ""),
            ("a replay of rotations", &replay, untouched, None, ""),
            ("no agent", &genie, well, Some("no jar"), "the resident agent was on no device: no jar"),
        ];
        for (name, definition, tally, lacks_agent, expected) in cases {
            let vain = tally.vain(definition, &Progress::default(), lacks_agent).unwrap_or_default();
            assert!(vain.contains(expected) && vain.is_empty() == expected.is_empty(), "{name}: {vain:?}");
        }
        let form = FormTally { forms: 2, questions: 5, in_vain: 1, failures: 3, ..FormTally::default() };
        for (inputs, expected) in [(0, "1 of 5 replies were of no use, and 3 generators failed"), (1, "")] {
            let fruitless = Progress { form: FormTally { inputs, ..form }, ..Progress::default() };
            let tally = Tally { tests: 9, events: 90, touches: 70, judged: 4, ..Tally::default() };
            let vain = tally.vain(&definition(Technique::Inputblaster), &fruitless, None).unwrap_or_default();
            assert!(vain.contains(expected) && vain.is_empty() == expected.is_empty(), "{inputs}: {vain:?}");
        }
        let dmf = DmfTally { tests: 5, ..DmfTally::default() };
        let idle = Progress { dmf, ..Progress::default() };
        let tally = Tally { tests: 5, events: 90, touches: 70, judged: 5, ..Tally::default() };
        let vain = tally.vain(&definition(Technique::Pbfdroid), &idle, None).unwrap_or_default();
        assert!(vain.contains("no function of the specification"), "{vain}");
    }
}
