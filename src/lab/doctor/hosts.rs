//! A NATS server, the hosts at it, and their devices.
//!
//! In: how the server is reached, which hosts and devices a session takes. Out: checks of the server, of each host, of
//! each device: what [`examine_device`](super::examine_device) asks, it asks through the host.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::Instant;

use super::borrowed::{READY, take_and_examine};
use super::ms;
use super::nats::{SLOW, jetstream, permissions, server, unreachable};
use droidmux_device::{Device, Patience};
use droidmux_device_remote::{Choice, Hosts, Listed, Policy, Seen, Waits, Way};
use droidmux_proto::{CheckView, Subject};
use droidmux_record::LabChoice;
use droidmux_words::figure::count;

/// Two hosts of one name give themselves away within this time.
const LISTENS_FOR: Duration = Duration::from_secs(6);
/// The longest that asking a device for its boot may take.
const WITHIN: Duration = Duration::from_secs(15);

/// What is examined at a NATS server.
#[derive(Clone, Debug)]
pub struct HostsPlan {
    /// How the server is reached.
    pub way: Way,
    /// Which hosts a session takes.
    pub choice: Choice,
    /// The app of the session; empty for none.
    pub app: String,
    /// The devices that are meant, as `SERIAL@HOST`; all when there are none.
    pub serials: Vec<String>,
    /// This droidmux's.
    pub version: String,
}

/// Looks at the server, at its hosts, and at their devices; `lab` has limits and the agent, as for
/// [`examine_device`](super::examine_device).
pub async fn examine_hosts(plan: &HostsPlan, lab: &LabChoice) -> Vec<CheckView> {
    let nats = Subject::Nats;
    let began = Instant::now();
    // A host that nobody listens for is not waited for.
    let waits = Waits { nobody: Duration::ZERO, ..Waits::default() };
    let hosts = match Hosts::connect(&plan.way, Choice::default(), None, &plan.version, waits).await {
        Ok(hosts) => hosts,
        Err(error) => return vec![unreachable(&error)],
    };
    let rights = hosts.try_rights().await;
    let mut checks = vec![server(&hosts, &rights), jetstream(&hosts.server(), &rights)];
    checks.push(permissions(&rights));
    let rounds = plan.rounds(&hosts, lab, began).await;
    let seen = hosts.seen();
    checks.push(plan.count(&seen, &hosts));
    checks.extend(plan.missing(&seen, &hosts));
    checks.extend(twice(&nats, &rounds.boots));
    for one in &seen {
        match plan.is_taken(one) {
            true => checks.extend(plan.host(&hosts, one).await),
            false => {
                let words = format!("the session does not take it{}", in_pool(&one.words.pool));
                checks.push(CheckView::skipped(&Subject::Host(one.words.name.clone()), "choice", words));
            }
        }
    }
    checks.extend(rounds.devices);
    hosts.close();
    checks
}

/// What devices said.
struct Rounds {
    devices: Vec<CheckView>,
    /// What a device drew when it booted, with the names that it has.
    boots: BTreeMap<String, Vec<String>>,
}

impl HostsPlan {
    /// All devices at once, since that is how sessions use them.
    async fn rounds(&self, hosts: &Hosts, lab: &LabChoice, began: Instant) -> Rounds {
        let taken: Vec<String> =
            hosts.seen().into_iter().filter(|seen| self.is_taken(seen)).map(|seen| seen.words.name).collect();
        let here = |listed: &Listed| taken.contains(&listed.host) && !is_cut_off(hosts, listed);
        let listed: Vec<Listed> = hosts.listed().into_iter().filter(here).collect();
        let boots = join_all(listed.iter().filter(|listed| listed.state == READY).map(|listed| async {
            let asked = hosts.device(&listed.name).vitals(&Patience::of(WITHIN)).await;
            asked.ok().map(|vitals| (vitals.boot, listed.name.clone()))
        }));
        let mut all = BTreeMap::<String, Vec<String>>::new();
        for (boot, name) in boots.await.into_iter().flatten().filter(|(boot, _)| !boot.is_empty()) {
            all.entry(boot).or_default().push(name);
        }
        let meant = listed.iter().filter(|listed| self.is_meant(&listed.name));
        let examined =
            join_all(meant.map(|listed| async {
                take_and_examine(&hosts.device(&listed.name), &listed.state, lab).await
            }));
        let mut devices = Vec::new();
        let is_listed = |serial: &String| listed.iter().any(|one| one.name == *serial);
        for serial in self.serials.iter().filter(|serial| !is_listed(serial)) {
            let subject = Subject::Device(serial.clone());
            let remedy =
                "connect it, or name another; `droidmux devices --nats URL` lists those that are there";
            devices.push(CheckView::bad(&subject, "authorised", "no host that can be used lists it", remedy));
        }
        devices.extend(examined.await.into_iter().flatten());
        tokio::time::sleep_until(began + LISTENS_FOR).await;
        Rounds { devices, boots: all }
    }

    fn is_meant(&self, name: &str) -> bool {
        self.serials.is_empty() || self.serials.iter().any(|serial| serial == name)
    }

    fn is_taken(&self, seen: &Seen) -> bool {
        let Choice { pool, hosts } = &self.choice;
        (pool.is_empty() || *pool == seen.words.pool)
            && (hosts.is_empty() || hosts.contains(&seen.words.name))
    }

    /// How many hosts and devices there are.
    fn count(&self, seen: &[Seen], hosts: &Hosts) -> CheckView {
        let nats = Subject::Nats;
        let usable = seen.iter().filter(|seen| self.is_taken(seen) && seen.trouble.is_empty()).count();
        let ready = hosts.listed().iter().filter(|listed| listed.state == READY).count();
        let words = format!(
            "{}, {usable} of them usable, with {} that {} commands",
            count(seen.len(), "host"),
            count(ready, "device"),
            if ready == 1 { "takes" } else { "take" },
        );
        match (seen.len(), usable) {
            (0, _) => CheckView::bad(
                &nats,
                "hosts",
                "none says anything",
                format!("start `droidmux host --nats {}` where devices are", hosts.url()),
            ),
            (_, 0) => CheckView::bad(&nats, "hosts", words, "see the hosts below"),
            _ => CheckView::good(&nats, "hosts", words),
        }
    }

    /// Hosts that a session names and that are not there.
    fn missing(&self, seen: &[Seen], hosts: &Hosts) -> Vec<CheckView> {
        let is_there = |name: &String| seen.iter().any(|seen| seen.words.name == *name);
        let missing = self.choice.hosts.iter().filter(|name| !is_there(name));
        let check = |name: &String| {
            let remedy = format!("start `droidmux host --nats {} --name {name}` there", hosts.url());
            CheckView::bad(&Subject::Host(name.clone()), "sign of life", "none, ever", remedy)
        };
        missing.map(check).collect()
    }

    async fn host(&self, hosts: &Hosts, seen: &Seen) -> Vec<CheckView> {
        let subject = Subject::Host(seen.words.name.clone());
        let mut checks = vec![self.version(&subject, seen)];
        if !seen.is_refused || seen.words.wire == droidmux_device_remote::VERSION {
            checks.push(sign_of_life(&subject, seen));
            checks.push(requests(&subject, hosts, seen).await);
            checks.push(devices(&subject, seen));
            checks.push(self.policy(&subject, seen));
        }
        checks
    }

    fn version(&self, subject: &Subject, seen: &Seen) -> CheckView {
        let (theirs, ours, name) = (&seen.words.version, &self.version, "version");
        let same = "install the same droidmux there and here, and start `droidmux host` again";
        if seen.words.wire != droidmux_device_remote::VERSION {
            return CheckView::bad(subject, name, &*seen.trouble, same);
        }
        match theirs == ours {
            true => CheckView::good(subject, name, format!("droidmux {theirs}, as here")),
            false => CheckView::doubtful(
                subject,
                name,
                format!("droidmux {theirs}, this is {ours}; both speak the same on the wire"),
                same,
            ),
        }
    }

    fn policy(&self, subject: &Subject, seen: &Seen) -> CheckView {
        let allows = &seen.words.allows;
        let words = match allows.as_slice() {
            [] => "labs may use all packages".to_owned(),
            allows => format!("labs may use {}", allows.join(", ")),
        };
        let words = format!("{words}{}", in_pool(&seen.words.pool));
        let policy = Policy { packages: allows.clone() };
        match self.app.is_empty() || policy.allows(&self.app) {
            true => CheckView::good(subject, "policy", words),
            false => {
                let remedy = format!("start `droidmux host` there with `--allow {}`", self.app);
                CheckView::bad(subject, "policy", format!("{words}, and not {}", self.app), remedy)
            }
        }
    }
}

/// Whether its host cannot be used: then the host is told of, and not each of its devices.
fn is_cut_off(hosts: &Hosts, listed: &Listed) -> bool {
    hosts.seen().iter().any(|seen| seen.words.name == listed.host && !seen.trouble.is_empty())
}

fn in_pool(pool: &str) -> String {
    if pool.is_empty() { String::new() } else { format!("; pool {pool}") }
}

/// Whether devices are one and the same, reached through two hosts.
fn twice(nats: &Subject, boots: &BTreeMap<String, Vec<String>>) -> Vec<CheckView> {
    let twice: Vec<&Vec<String>> = boots.values().filter(|names| names.len() > 1).collect();
    if twice.is_empty() {
        return vec![CheckView::good(nats, "devices", "none is at two hosts")];
    }
    let check = |names: &&Vec<String>| {
        let words = format!("{} are one device", names.join(" and "));
        let remedy = "let only one host have it: pull a cable, or `adb disconnect` there";
        CheckView::bad(nats, "devices", words, remedy)
    };
    twice.iter().map(check).collect()
}

fn sign_of_life(subject: &Subject, seen: &Seen) -> CheckView {
    let (words, name) = (format!("{} s ago", seen.ago.as_secs()), "sign of life");
    match seen.trouble.as_str() {
        "" if seen.only_read => {
            let remedy = "see whether `droidmux host` runs there";
            CheckView::doubtful(subject, name, "none yet: only the registry has it", remedy)
        }
        "" => CheckView::good(subject, name, words),
        why => {
            let remedy = match seen.is_refused {
                true => "end one of the two, and start it with another `--name`",
                false => "see what `droidmux host` says there, and run `droidmux doctor` there",
            };
            CheckView::bad(subject, name, format!("{words}: {why}"), remedy)
        }
    }
}

async fn requests(subject: &Subject, hosts: &Hosts, seen: &Seen) -> CheckView {
    let name = "requests";
    match hosts.greet(&seen.words.name).await {
        Err(error) => {
            let remedy =
                "see whether `droidmux host` runs there; its user needs what docs/hosts.md lists for hosts";
            CheckView::bad(subject, name, error.to_string(), remedy)
        }
        Ok(took) if took > SLOW => {
            let remedy = "every step waits for it: put the NATS server near the hosts and the lab";
            CheckView::doubtful(subject, name, format!("answered within {} ms", ms(took)), remedy)
                .took(ms(took))
        }
        Ok(took) => CheckView::good(subject, name, "answered").took(ms(took)),
    }
}

fn devices(subject: &Subject, seen: &Seen) -> CheckView {
    let name = "devices";
    let mut states = BTreeMap::<&str, usize>::new();
    for phone in &seen.words.phones {
        *states.entry(if phone.state == READY { "ready" } else { &phone.state }).or_default() += 1;
    }
    let told = states.iter().map(|(state, number)| format!("{number} {state}"));
    let told = told.collect::<Vec<_>>().join(", ");
    match (seen.words.phones.len(), states.get("ready")) {
        (0, _) => CheckView::doubtful(
            subject,
            name,
            "it offers none",
            "connect one there; `droidmux doctor` there says what its ADB server lists",
        ),
        (all, None) => {
            let words = format!("{}: {told}", count(all, "device"));
            CheckView::doubtful(subject, name, words, "see the devices below")
        }
        (all, Some(_)) => CheckView::good(subject, name, format!("{}: {told}", count(all, "device"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_device_remote::{HostWords, PhoneWords};
    use droidmux_proto::CheckVerdict::{self, Bad, Doubtful, Good};

    fn found(check: &CheckView, verdict: CheckVerdict, words: &str) {
        assert_eq!(check.verdict, verdict, "{check:?}");
        assert!(check.said.contains(words) || check.remedy.contains(words), "{words}: {check:?}");
        assert_eq!(check.remedy.is_empty(), verdict == Good, "{check:?}");
    }

    #[test]
    fn a_host_is_told_by_what_it_says() {
        let plan = |app: &str| HostsPlan {
            way: Way::default(),
            choice: Choice::default(),
            app: app.into(),
            serials: vec![],
            version: "1.0".into(),
        };
        let phone = |state: &str| PhoneWords { state: state.into(), ..PhoneWords::default() };
        let seen = |change: &dyn Fn(&mut Seen)| {
            let wire = droidmux_device_remote::VERSION;
            let words =
                HostWords { wire, version: "1.0".into(), name: "left".into(), ..HostWords::default() };
            let mut seen = Seen {
                words,
                ago: Duration::from_secs(2),
                only_read: false,
                trouble: String::new(),
                is_refused: false,
            };
            change(&mut seen);
            seen
        };
        let subject = Subject::Host("left".into());
        let of = plan("org.notes");
        let plain = seen(&|_| {});
        found(&of.version(&subject, &plain), Good, "as here");
        found(
            &of.version(&subject, &seen(&|seen| seen.words.version = "0.9".into())),
            Doubtful,
            "0.9, this is 1.0",
        );
        found(&of.version(&subject, &seen(&|seen| seen.words.wire = 99)), Bad, "install the same");
        found(&sign_of_life(&subject, &plain), Good, "2 s ago");
        found(&sign_of_life(&subject, &seen(&|seen| seen.only_read = true)), Doubtful, "registry");
        let away = seen(&|seen| seen.trouble = "no word from host left".into());
        found(&sign_of_life(&subject, &away), Bad, "no word");
        let two = seen(&|seen| (seen.trouble, seen.is_refused) = ("two hosts".into(), true));
        found(&sign_of_life(&subject, &two), Bad, "another `--name`");
        found(&of.policy(&subject, &plain), Good, "all packages");
        let narrow = seen(&|seen| seen.words.allows = vec!["org.shop.*".into()]);
        found(&of.policy(&subject, &narrow), Bad, "--allow org.notes");
        found(&plan("").policy(&subject, &narrow), Good, "labs may use org.shop.*");
        found(&plan("org.shop.a").policy(&subject, &narrow), Good, "org.shop.*");
        let phones = |states: &[&str]| {
            let phones: Vec<PhoneWords> = states.iter().map(|state| phone(state)).collect();
            devices(&subject, &seen(&|seen| seen.words.phones = phones.clone()))
        };
        found(&phones(&[]), Doubtful, "it offers none");
        found(&phones(&["device", "offline", "device"]), Good, "3 devices: 1 offline, 2 ready");
        found(&phones(&["offline"]), Doubtful, "1 device: 1 offline");
    }

    #[test]
    fn one_device_at_two_hosts_is_told() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let boots = BTreeMap::from([
            ("one".to_owned(), names(&["a@left", "10.0.0.5:5555@right"])),
            ("two".to_owned(), names(&["emulator-5554@left"])),
            ("three".to_owned(), names(&["emulator-5554@right"])),
        ]);
        let checks = twice(&Subject::Nats, &boots);
        assert_eq!(checks.len(), 1);
        found(&checks[0], Bad, "a@left and 10.0.0.5:5555@right are one device");
        found(&twice(&Subject::Nats, &BTreeMap::new())[0], Good, "none is at two hosts");
    }
}
