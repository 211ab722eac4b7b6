//! The doctor's look at the framework lab: whether it is there, what it confines, and what it has done wrong.
//!
//! In: where the lab is. Out: a check for each. Invariant: who does not use the lab is not told that something is bad.

use std::collections::BTreeMap;

use super::Usage;
use super::framework_lab::FrameworkLab;
use droidmux_proto::{CheckView, Subject};
use droidmux_sim::{LabFault, read_lab_faults};
use droidmux_words::figure::count;

const SUBJECT: Subject = Subject::Framework;

/// `wanted`: the session to come runs there, with this use of the network. Blocks.
pub(super) fn examine_framework(wanted: bool, network: bool) -> Vec<CheckView> {
    match FrameworkLab::find(None) {
        Ok(lab) => {
            let lab = lab.with_network(network);
            let host = CheckView::good(&SUBJECT, "host", lab.folder().display().to_string());
            vec![host, confinement(&lab), faults(&lab)]
        }
        Err(missing) => vec![host_missing(&missing, wanted)],
    }
}

fn host_missing(missing: &Usage, wanted: bool) -> CheckView {
    match wanted {
        true => {
            let remedy = missing.remedy().unwrap_or("install what is missing, then `droidmux apk setup`");
            CheckView::bad(&SUBJECT, "host", missing.to_string(), remedy)
        }
        false => CheckView::skipped(&SUBJECT, "host", missing.to_string()),
    }
}

fn confinement(lab: &FrameworkLab) -> CheckView {
    let confinement = lab.confinement();
    if let Some(gaps) = confinement.gaps() {
        let remedy = "install bubblewrap, or take a kernel with Landlock (5.13) and seccomp; until then, run only \
                      apps there that you would run on this computer";
        return CheckView::doubtful(&SUBJECT, "confinement", gaps, remedy);
    }
    let network = match (confinement.has_network(), confinement.means().loopback) {
        (true, _) => "the network is open to them",
        (false, true) => "they reach nobody but themselves by the network",
        (false, false) => "no sockets, not even to themselves (user namespaces are switched off here)",
    };
    let by = if confinement.means().namespaces { "bubblewrap and Landlock" } else { "Landlock and seccomp" };
    let said = format!("apps keep to a folder of their own, {network}, no programs ({by})");
    CheckView::good(&SUBJECT, "confinement", said)
}

fn faults(lab: &FrameworkLab) -> CheckView {
    let list = lab.faults();
    match read_lab_faults(&list) {
        Ok(faults) if faults.is_empty() => CheckView::good(&SUBJECT, "faults", "none of its own was noted"),
        Ok(faults) => {
            let said = format!("{}; {}", told(&faults), list.display());
            let remedy =
                "these are not the apps'; report them to droidmux, and remove the list when it is updated";
            CheckView::doubtful(&SUBJECT, "faults", said, remedy)
        }
        Err(error) => {
            let said = format!("{}: {error}", list.display());
            CheckView::doubtful(&SUBJECT, "faults", said, "make the list readable, or remove it")
        }
    }
}

/// `3 crashes and 2 parts lacking of its own; the last: X, at y`.
fn told(faults: &[LabFault]) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for fault in faults {
        *kinds.entry(&fault.kind).or_default() += 1;
    }
    let kinds: Vec<String> = kinds
        .into_iter()
        .map(|(kind, times)| match kind {
            "crash" if times == 1 => "1 crash".to_owned(),
            "crash" => format!("{times} crashes"),
            "full" => count(times, "full folder"),
            "hung" => count(times, "request without an answer"),
            "lacking" => format!("{} that it lacks", count(times, "part")),
            other => format!("{times} of kind {other}"),
        })
        .collect();
    let newest = faults.last().map(newest).unwrap_or_default();
    format!("{} of its own noted{newest}", kinds.join(" and "))
}

/// The exception of a fault, and where it was thrown.
fn newest(fault: &LabFault) -> String {
    let mut lines = fault.words.lines().map(str::trim).filter(|line| !is_preamble(line));
    let thrown = lines.next().unwrap_or_default();
    let place = lines.find(|line| line.starts_with("at ")).unwrap_or_default();
    format!("; the newest, of {}: {thrown} {place}", fault.app)
}

/// What a log says before the exception.
fn is_preamble(line: &str) -> bool {
    line.is_empty() || line.starts_with("FATAL EXCEPTION") || line.starts_with("Process: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_counted_by_kind_and_the_newest_is_shown() {
        let fault = |kind: &str, words: &str| LabFault {
            kind: kind.into(),
            app: "org.app 1.2".into(),
            words: words.into(),
        };
        let faults = [
            fault(
                "crash",
                "FATAL EXCEPTION: main\nProcess: a, PID: 3\njava.lang.Error: one\n\tat a.B.c(B.java:1)",
            ),
            fault("lacking", "java.lang.NoSuchMethodError: x\n at y"),
            fault(
                "crash",
                "FATAL EXCEPTION: main\nProcess: a, PID: 3\njava.lang.Error: two\n\tat d.E.f(E.java:1)",
            ),
        ];
        assert_eq!(
            told(&faults),
            "2 crashes and 1 part that it lacks of its own noted; the newest, of org.app 1.2: java.lang.Error: two at \
             d.E.f(E.java:1)"
        );
        assert!(told(&[fault("full", "more than 4096 MB")]).starts_with("1 full folder of its own noted"));
        assert!(told(&[fault("new", "")]).starts_with("1 of kind new of its own noted"));
    }

    #[test]
    fn a_lab_that_is_not_there_is_bad_only_for_who_needs_it() {
        let missing = Usage::new("there is none").hint("install it");
        let verdicts = [true, false].map(|wanted| host_missing(&missing, wanted).verdict.name());
        assert_eq!(verdicts, ["bad", "skipped"]);
    }
}
