//! The crash oracle: every crash and every ANR of the app under test, at any step of any job, is a
//! violation, and so is an end that nothing explains. What happens to other processes is not the app's doing.

use std::sync::Arc;

use droidmux_gui::{Layout, WidgetId};
use droidmux_record::{
    Act, Bearing, Evidence, Experiment, ExperimentKind, Harm, JobRun, Judgement, Layouts, Outcome, Signal,
    SignalKind, Verdict,
};
use droidmux_words::printable;

use super::Oracle;
use super::crash_key::{cluster, key, signal_name, thread_of_fatal, unwrapped};
use super::fidelity::fidelity;
use super::sentence::deed;

/// Reports crashes and ANRs only: a job without any gets no verdict from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct CrashOracle;

/// Characters of an exception's message in a title.
const LONGEST_HEADLINE: usize = 160;

impl Oracle for CrashOracle {
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement {
        let traces = run.traces();
        let mut verdicts = Vec::new();
        let mut test: Option<usize> = None;
        for (number, turn) in (0_u32..).zip(&run.turns) {
            if matches!(turn.act, Act::Reset) {
                test = Some(test.map_or(0, |test| test + 1));
            }
            let signals = turn.observation.seen().map_or(&[][..], |seen| &seen.signals);
            let Some(trace) = test.and_then(|test| traces.get(test)) else { continue };
            let own = signals.iter().filter(|signal| signal.is_of(&run.app.package));
            let receiver = || receiver(run, number, layouts);
            verdicts.extend(own.map(|signal| Verdict {
                key: key(signal, &run.app.package),
                cluster: cluster(signal, &run.app.package),
                title: title(signal, &turn.act, receiver()),
                fidelity: fidelity(trace),
                evidence: Evidence::Signal { turn: number, signal: signal.clone() },
                harm: Harm::Crash,
                experiments: lab_fault(signal).into_iter().collect(),
                ..Verdict::new(run.job.slot, trace.test, "crash", Outcome::Violation)
            }));
        }
        Judgement { verdicts, ..Judgement::default() }
    }
}

/// What excuses the app when the framework lab could not do what it asked for.
fn lab_fault(signal: &Signal) -> Option<Experiment> {
    signal.is_of_lab().then(|| Experiment {
        kind: ExperimentKind::LabFault,
        bearing: Bearing::Excuses,
        words: "the framework lab could not do what the app asked for: the fault is the lab's, not the app's"
            .to_owned(),
        places: Vec::new(),
    })
}

/// What the event of a turn acted on, on the layout before it; `None` for events without a receiver.
fn receiver(run: &JobRun, turn: u32, layouts: &dyn Layouts) -> Option<(Arc<Layout>, WidgetId)> {
    let widget = run.turns.get(turn as usize)?.observation.seen()?.resolution?.widget()?;
    Some((layouts.layout(run.seen_before(turn)?.screen.layout)?, widget))
}

/// `The app crashed with NullPointerException after clicking 'Save': no such note`. What was thrown comes before what
/// was done: if a line is cut, it still tells one crash from another.
fn title(signal: &Signal, act: &Act, receiver: Option<(Arc<Layout>, WidgetId)>) -> String {
    let when = match act {
        Act::Perform(event) => {
            let on = receiver.as_ref().map(|(layout, widget)| (layout.as_ref(), *widget));
            format!("after {}", deed(event, on))
        }
        Act::Reset | Act::Consult(_) | Act::Finish(_) => "at its start".to_owned(),
    };
    let headline: String = signal.headline.chars().take(LONGEST_HEADLINE).collect();
    let told = match signal.kind {
        SignalKind::Crash => {
            let (thrown, message) = thrown_and_message(&headline);
            let with = if thrown.is_empty() { "" } else { " with " };
            format!("The app crashed{with}{thrown} {when}{}", after_colon(&message))
        }
        SignalKind::Anr | SignalKind::Ended => {
            format!("The app {} {when}{}", signal.kind.deed(), after_colon(&headline))
        }
    };
    printable(&told).into_owned()
}

/// What was thrown, without its package, and with which message; of a native crash the signal, and the thread.
fn thrown_and_message(headline: &str) -> (&str, String) {
    let headline = unwrapped(headline);
    if let Some(signal) = signal_name(headline) {
        // What the process said before it ended comes after what the system says.
        let said = headline.split_once(": ").map_or("", |(_, said)| said);
        let thread = thread_of_fatal(headline).filter(|_| said.is_empty());
        return (signal, thread.map_or_else(|| said.to_owned(), |thread| format!("in thread '{thread}'")));
    }
    let headline = without_package(headline);
    let (thrown, message) = headline.split_once(": ").unwrap_or((headline, ""));
    (thrown, message.to_owned())
}

/// `: message`, or nothing where there is none.
fn after_colon(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}

/// `NullPointerException: message` of `java.lang.NullPointerException: message`.
fn without_package(headline: &str) -> &str {
    let class = headline.split([':', ' ']).next().unwrap_or_default();
    let start = class.rfind('.').map_or(0, |dot| dot + 1);
    headline.get(start..).unwrap_or(headline)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(kind: SignalKind, headline: &str, stack: &[&str]) -> Signal {
        let stack = stack.iter().map(|line| (*line).to_owned()).collect();
        Signal { kind, process: "org.notes".into(), headline: headline.into(), stack }
    }

    #[test]
    fn what_the_lab_could_not_do_is_explained() {
        let own =
            signal(SignalKind::Crash, "java.lang.Error: no", &["\tat org.notes.Editor.save(Editor.java:4)"]);
        assert_eq!(lab_fault(&own), None);
        let labs =
            signal(SignalKind::Crash, "java.lang.Error: no", &[Signal::LAB_FAULT, "\tat a.B.c(B.java:1)"]);
        let excuse = lab_fault(&labs).expect("an excuse");
        assert_eq!((excuse.kind, excuse.bearing), (ExperimentKind::LabFault, Bearing::Excuses));
        let verdict = Verdict {
            evidence: Evidence::Signal { turn: 1, signal: labs.clone() },
            experiments: vec![excuse],
            ..Verdict::new(droidmux_record::Slot(0), 0, "crash", Outcome::Violation)
        };
        let (tier, because) = crate::tier::tier_of_verdict(&verdict);
        assert_eq!(tier, droidmux_record::Tier::Explained);
        assert!(because.contains("the fault is the lab's"), "{because}");
        assert_eq!(
            key(&labs, "org.notes"),
            key(&signal(SignalKind::Crash, "java.lang.Error", &["at a.B.c(B.java:1)"]), "org.notes")
        );
    }

    #[test]
    fn crashes_are_told_with_what_was_done() {
        use droidmux_gui::{Event, EventKind};
        use droidmux_testutils::selector;
        let click = Act::Perform(Event::on(EventKind::Click, selector("Save", "", "")));
        let turn = Act::Perform(Event::global(EventKind::Rotate));
        for (kind, headline, act, told) in [
            (
                SignalKind::Crash,
                "java.lang.IllegalStateException: no note",
                &click,
                "The app crashed with IllegalStateException after clicking 'Save': no note",
            ),
            (SignalKind::Crash, "a.B", &turn, "The app crashed with B after turning the phone"),
            (SignalKind::Crash, "", &Act::Reset, "The app crashed at its start"),
            (
                SignalKind::Crash,
                "signal 6 (SIGABRT), code -1",
                &turn,
                "The app crashed with SIGABRT after turning the phone",
            ),
            (
                SignalKind::Crash,
                "Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x8 in tid 4260 (Thread-2), pid 4242 (a.b)",
                &turn,
                "The app crashed with SIGSEGV after turning the phone: in thread 'Thread-2'",
            ),
            (
                SignalKind::Ended,
                "its process is gone, and nothing says why",
                &click,
                "The app ended without a word after clicking 'Save': its process is gone, and nothing says why",
            ),
            (
                SignalKind::Anr,
                "Input dispatching timed out (5.0 s)",
                &click,
                "The app stopped responding after clicking 'Save': Input dispatching timed out (5.0 s)",
            ),
        ] {
            assert_eq!(title(&signal(kind, headline, &[]), act, None), told);
        }
    }

    #[test]
    fn what_has_no_words_of_its_own_is_called_by_what_it_holds() {
        use droidmux_gui::{Event, EventKind, LayoutBuilder, NewWidget};
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "LinearLayout", ..NewWidget::default() });
        builder.open(NewWidget { class: "TextView", text: "Edit title", ..NewWidget::default() });
        let layout = Arc::new(builder.finish());
        let click = Act::Perform(Event::on(EventKind::Click, layout.selector(WidgetId(0))));
        let crash = signal(SignalKind::Crash, "a.B", &[]);
        for (receiver, told) in [
            (Some((layout, WidgetId(0))), "The app crashed with B after clicking 'Edit title'"),
            (None, "The app crashed with B after clicking a part of the page"),
        ] {
            assert_eq!(title(&crash, &click, receiver), told);
        }
    }
}
