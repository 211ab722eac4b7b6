//! A NATS server: whether it answers, and lets a lab do what it needs.

use std::time::Duration;

use super::ms;
use droidmux_device_remote::{Hosts, LinkError, RegistryError, Rights, ServerWords};
use droidmux_proto::{CheckView, Subject};

/// Answers slower than this cost time at every step.
pub(super) const SLOW: Duration = Duration::from_millis(250);
/// The first version that sessions were tried with.
const FIRST_TRIED: (u32, u32) = (2, 9);

/// Why nothing can be asked.
pub(super) fn unreachable(error: &LinkError) -> CheckView {
    let remedy = match error {
        LinkError::Url { .. } => "mend the address",
        LinkError::File { .. } => "name the file that was given to this user",
        LinkError::Credentials(_) => "ask whoever runs the NATS server for this user's credentials",
        LinkError::Tls { .. } => {
            "name the certificates that the server's is signed with (`--ca`, `nats-ca`), and a name that it is made for"
        }
        LinkError::Silent { .. } => {
            "start `nats-server` there, mend the address, or let its port through whatever lies between"
        }
    };
    CheckView::bad(&Subject::Nats, "server", error.to_string(), remedy)
}

/// Whether it answers, and how fast.
pub(super) fn server(hosts: &Hosts, rights: &Rights) -> CheckView {
    let (nats, ServerWords { version, tls, .. }) = (Subject::Nats, hosts.server());
    let tls = if tls { ", with TLS" } else { "" };
    let words = format!("{} answers, version {version}{tls}", hosts.url());
    let check = match (tried(&version), &rights.asking) {
        (false, _) => CheckView::doubtful(
            &nats,
            "server",
            words,
            format!(
                "sessions were never tried with it: use version {}.{} or later",
                FIRST_TRIED.0, FIRST_TRIED.1
            ),
        ),
        (true, Ok(took)) if *took > SLOW => {
            let remedy = "every step waits for it: put the server near the hosts and the lab";
            CheckView::doubtful(&nats, "server", words, remedy)
        }
        (true, _) => CheckView::good(&nats, "server", words),
    };
    match &rights.asking {
        Ok(took) => check.took(ms(*took)),
        Err(_) => check,
    }
}

/// Whether a version is one that sessions were tried with, or a later one.
fn tried(version: &str) -> bool {
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= FIRST_TRIED
}

/// Whether the buckets are of use.
pub(super) fn jetstream(server: &ServerWords, rights: &Rights) -> CheckView {
    let (nats, name) = (Subject::Nats, "jetstream");
    let without = "hosts that died a moment ago are not listed, and labs learn of each other's leases from the phones alone";
    let failed = [&rights.hosts, &rights.leases].into_iter().find_map(|done| done.as_ref().err());
    match (server.jetstream, failed) {
        (false, _) => CheckView::doubtful(
            &nats,
            name,
            format!("the server has none: {without}"),
            "add `jetstream {}` with a `store_dir` to its configuration",
        ),
        (true, None) => CheckView::good(&nats, name, "both buckets can be read and written"),
        (true, Some(RegistryError::Away(why))) => CheckView::doubtful(
            &nats,
            name,
            format!("{why}: {without}"),
            "give the account JetStream, and this user what docs/hosts.md lists for labs",
        ),
        (true, Some(RegistryError::Changed)) => {
            CheckView::doubtful(&nats, name, "a lease was overwritten at once", "look again")
        }
    }
}

/// What it forbids.
pub(super) fn permissions(rights: &Rights) -> CheckView {
    let (nats, name) = (Subject::Nats, "permissions");
    let remedy = "give this user what docs/hosts.md lists for labs under Permissions";
    match (rights.forbidden.as_slice(), &rights.asking) {
        ([], Ok(_)) => CheckView::good(&nats, name, "nothing that a lab does is forbidden"),
        ([], Err(error)) => CheckView::bad(
            &nats,
            name,
            format!("the server did not say that nobody listens: {error}"),
            remedy,
        ),
        (forbidden, _) => CheckView::bad(&nats, name, forbidden.join("; "), remedy),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_device_remote::AskError;
    use droidmux_proto::CheckVerdict::{Bad, Doubtful, Good};

    #[test]
    fn versions_are_compared_by_number() {
        for (version, is_tried) in [
            ("2.9.25", true),
            ("2.10.0-RC1", true),
            ("2.8.4", false),
            ("3.0.0", true),
            ("", false),
            ("x.y", false),
        ] {
            assert_eq!(tried(version), is_tried, "{version}");
        }
    }

    #[test]
    fn what_the_server_lets_a_lab_do() {
        let away = |why: &str| Err(RegistryError::Away(why.into()));
        let silent = || Err(AskError::Silent { host: "x".into(), seconds: 1, more: String::new() });
        let sound = Rights { forbidden: vec![], hosts: Ok(()), leases: Ok(()), asking: Ok(Duration::ZERO) };
        let forbidden = || vec!["Permissions Violation for Publish to \"droidmux.host.x\"".to_owned()];
        // (JetStream, what was tried, JetStream's verdict, the permissions', words of either)
        let cases = [
            (true, sound.clone(), Good, Good, "nothing that a lab does is forbidden"),
            (false, sound.clone(), Doubtful, Good, "store_dir"),
            (true, Rights { hosts: away("no answer"), ..sound.clone() }, Doubtful, Good, "no answer"),
            (true, Rights { leases: away("not enabled"), ..sound.clone() }, Doubtful, Good, "not enabled"),
            (true, Rights { forbidden: forbidden(), ..sound.clone() }, Good, Bad, "droidmux.host.x"),
            (true, Rights { asking: silent(), ..sound }, Good, Bad, "docs/hosts.md"),
        ];
        for (has, rights, stream, rest, words) in cases {
            let words_of = ServerWords { jetstream: has, ..ServerWords::default() };
            let checks = [jetstream(&words_of, &rights), permissions(&rights)];
            assert_eq!([checks[0].verdict, checks[1].verdict], [stream, rest], "{checks:?}");
            assert!(checks.iter().any(|check| check.said.contains(words) || check.remedy.contains(words)));
        }
    }
}
