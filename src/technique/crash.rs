//! The crash oracle: every crash and every ANR of the app under test, at any step of any job, is a
//! violation. What happens to other processes is not the app's doing.

use std::sync::Arc;

use droidmux_gui::{Layout, WidgetId};
use droidmux_record::{
    Act, Bearing, Evidence, Experiment, ExperimentKind, Harm, JobRun, Judgement, Layouts, Outcome, Signal,
    SignalKind, Verdict, is_frame_of,
};
use droidmux_words::printable;

use super::Oracle;
use super::fidelity::fidelity;
use super::sentence::deed;

/// Reports crashes and ANRs only: a job without any gets no verdict from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct CrashOracle;

/// Characters of an exception's message in a title.
const LONGEST_HEADLINE: usize = 160;

/// How many of the app's own frames belong to the key.
const KEY_FRAMES: usize = 3;

impl Oracle for CrashOracle {
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement {
        let traces = run.traces();
        let mut verdicts = Vec::new();
        let mut test: Option<usize> = None;
        for (number, turn) in run.turns.iter().enumerate() {
            if matches!(turn.act, Act::Reset) {
                test = Some(test.map_or(0, |test| test + 1));
            }
            let signals = turn.observation.seen().map_or(&[][..], |seen| &seen.signals);
            let Some(trace) = test.and_then(|test| traces.get(test)) else { continue };
            let own = signals.iter().filter(|signal| signal.is_of(&run.app.package));
            let receiver = || receiver(run, number, layouts);
            verdicts.extend(own.map(|signal| Verdict {
                key: key(signal, &run.app.package),
                title: title(signal, &turn.act, receiver()),
                fidelity: fidelity(trace),
                evidence: Evidence::Signal {
                    turn: u32::try_from(number).unwrap_or(u32::MAX),
                    signal: signal.clone(),
                },
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

/// Kind, exception class and the app's topmost frames, without line numbers, addresses, lambdas'
/// numbers and process ids: equal for the same bug in every build of the same code.
fn key(signal: &Signal, package: &str) -> String {
    let frames: Vec<String> = signal.stack.iter().filter_map(|line| frame(line)).collect();
    let own = frames.iter().filter(|frame| is_frame_of(frame, package)).take(KEY_FRAMES);
    let mut chosen: Vec<&str> = own.map(String::as_str).collect();
    if chosen.is_empty() {
        chosen.extend(frames.iter().take(KEY_FRAMES).map(String::as_str));
    }
    let kind = match signal.kind {
        SignalKind::Crash => "crash",
        SignalKind::Anr => "anr",
    };
    let what = match signal.kind {
        SignalKind::Crash => exception(&signal.headline).to_owned(),
        SignalKind::Anr => reason(&signal.headline),
    };
    [kind, &what].into_iter().chain(chosen).collect::<Vec<_>>().join("\n")
}

/// What the event of a turn acted on, on the layout before it; `None` for events without a receiver.
fn receiver(run: &JobRun, turn: usize, layouts: &dyn Layouts) -> Option<(Arc<Layout>, WidgetId)> {
    let widget = run.turns.get(turn)?.observation.seen()?.resolution?.widget()?;
    let before = run.turns.get(..turn)?.iter().rev().find_map(|turn| turn.observation.seen())?;
    Some((layouts.layout(before.screen.layout)?, widget))
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
    let headline: String = without_package(&signal.headline).chars().take(LONGEST_HEADLINE).collect();
    let told = match signal.kind {
        SignalKind::Crash => {
            let (thrown, message) = headline.split_once(": ").unwrap_or((&headline, ""));
            let with = if thrown.is_empty() { "" } else { " with " };
            format!("The app crashed{with}{thrown} {when}{}", after_colon(message))
        }
        SignalKind::Anr => format!("The app stopped responding {when}{}", after_colon(&headline)),
    };
    printable(&told).into_owned()
}

/// `: message`, or nothing where there is none.
fn after_colon(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}

/// `NullPointerException: message` of `java.lang.NullPointerException: message`.
fn without_package(headline: &str) -> &str {
    let class = exception(headline);
    let start = class.rfind('.').map_or(0, |dot| dot + 1);
    headline.get(start..).unwrap_or(headline)
}

/// `java.lang.IllegalStateException` of `java.lang.IllegalStateException: message`.
fn exception(headline: &str) -> &str {
    headline.split([':', ' ']).next().unwrap_or_default()
}

/// An ANR's reason up to its details, without numbers.
fn reason(headline: &str) -> String {
    let start = headline.split('(').next().unwrap_or_default().trim();
    start.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// The method of `at a.b.C.method(File.java:12)`, or the place of a native frame
/// `#00 pc 0001 /system/lib/libc.so (abort+12)`.
fn frame(line: &str) -> Option<String> {
    let line = line.trim();
    if let Some(java) = line.strip_prefix("at ") {
        let method = java.split('(').next().unwrap_or(java);
        return Some(without_numbers(method));
    }
    let native = line.strip_prefix('#')?;
    let place = native.split_whitespace().skip(3).take(2).collect::<Vec<_>>().join(" ");
    let place = place.split('+').next().unwrap_or_default().trim_end_matches(')');
    (!place.is_empty()).then(|| place.to_owned())
}

/// Compilers number lambdas and inner classes anew in every build: `Main$$Lambda$12`.
fn without_numbers(method: &str) -> String {
    let mut out = String::new();
    let mut after_dollar = false;
    for c in method.chars() {
        let numbered = after_dollar && c.is_ascii_digit();
        if !numbered {
            after_dollar = c == '$';
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(kind: SignalKind, headline: &str, stack: &[&str]) -> Signal {
        let stack = stack.iter().map(|line| (*line).to_owned()).collect();
        Signal { kind, process: "org.notes".into(), headline: headline.into(), stack }
    }

    #[test]
    fn keys_keep_what_a_bug_keeps() {
        let null = "java.lang.NullPointerException: Attempt to read field 12 on a null object";
        let crash = |headline: &str, stack: &[&str]| {
            key(&signal(SignalKind::Crash, headline, stack), "org.notes.debug")
        };
        let one = crash(
            null,
            &[
                "at org.notes.Editor.save(Editor.java:41)",
                "at org.notes.Editor$$Lambda$3.run(Unknown Source:2)",
                "at android.os.Handler.dispatchMessage(Handler.java:102)",
            ],
        );
        let two = crash(
            "java.lang.NullPointerException: other words",
            &[
                "    at org.notes.Editor.save(Editor.java:57)",
                "    at org.notes.Editor$$Lambda$11.run(Unknown Source:9)",
            ],
        );
        assert_eq!(one, two);
        assert_eq!(
            one,
            "crash\njava.lang.NullPointerException\norg.notes.Editor.save\norg.notes.Editor$$Lambda$.run"
        );
        let elsewhere = crash(null, &["at org.notes.Reader.open(Reader.java:41)"]);
        assert_ne!(one, elsewhere);
        let foreign = crash(null, &["at android.view.View.draw(View.java:1)"]);
        assert_eq!(foreign, "crash\njava.lang.NullPointerException\nandroid.view.View.draw");
        let native =
            crash("signal 6 (SIGABRT), code -1", &["#00 pc 0001a2b4  /system/lib/libc.so (abort+63)"]);
        assert_eq!(native, "crash\nsignal\n/system/lib/libc.so (abort");
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
                "The app crashed with signal 6 (SIGABRT), code -1 after turning the phone",
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

    #[test]
    fn anrs_are_told_by_their_reason() {
        let anr = |headline: &str| key(&signal(SignalKind::Anr, headline, &[]), "org.notes");
        let one = anr("Input dispatching timed out (Waiting because 12 events queued, 5013.2ms)");
        assert_eq!(one, anr("Input dispatching timed out (Waiting because 3 events queued, 8000.1ms)"));
        assert_ne!(one, anr("executing service org.notes/.Sync"));
    }
}
