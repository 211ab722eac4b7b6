//! `droidmux devices --nats`: the phones of all hosts, with their pools, leases and last signs of life.

use serde::Serialize;

use super::way::NatsArgs;
use crate::output::{json_line, table};
use droidmux_device_remote::{Choice, HostWords, Hosts, LeaseWords, Listed, Seen, Waits};
use droidmux_record::DeviceInfo;
use droidmux_words::printable;

/// A phone of the list.
struct Row {
    listed: Listed,
    pool: String,
    /// Seconds since its host said something.
    age: u64,
    lease: Option<LeaseWords>,
}

/// The list as JSON Lines or as a table: phones first, and hosts that have none.
///
/// # Errors
/// When the NATS server does not let us in.
pub(crate) async fn list(args: &NatsArgs, url: &str, as_lines: bool) -> color_eyre::Result<String> {
    let way = args.way(url)?;
    let version = env!("CARGO_PKG_VERSION");
    let hosts = Hosts::connect(&way, Choice::default(), None, version, Waits::default()).await?;
    let seen = hosts.seen();
    let mut rows = Vec::new();
    for listed in hosts.listed() {
        let host = seen.iter().find(|seen| seen.words.name == listed.host);
        let lease = hosts.lease(&listed.host, &listed.phone.serial).await;
        rows.push(Row {
            pool: host.map(|seen| seen.words.pool.clone()).unwrap_or_default(),
            age: host.map_or(0, |seen| seen.ago.as_secs()),
            lease,
            listed,
        });
    }
    hosts.close();
    let bare: Vec<&Seen> = seen.iter().filter(|seen| seen.words.phones.is_empty()).collect();
    Ok(match as_lines {
        true => {
            let phones = rows.iter().map(HostLineJson::of_phone);
            phones
                .chain(bare.iter().map(|seen| HostLineJson::of_host(seen)))
                .map(|line| json_line(&line))
                .collect()
        }
        false => as_table(&rows, &bare, url),
    })
}

/// One line of `droidmux devices --nats --json`: a phone, or a host that has none
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "devices-nats"))]
pub(crate) struct HostLineJson<'a> {
    /// `SERIAL@HOST`, as sessions name it; empty for a host without phones.
    serial: &'a str,
    /// ADB's state: `device` for one that takes commands; or what is wrong with the host.
    state: &'a str,
    host: &'a str,
    /// Empty for none.
    pool: &'a str,
    /// Seconds since the host said something.
    heard_s: u64,
    #[serde(flatten)]
    phone: Option<HostPhoneJson<'a>>,
}

/// What a host knows of a phone.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "devices-nats-phone"))]
struct HostPhoneJson<'a> {
    /// `ro.product.model`; empty until the phone has told it.
    model: &'a str,
    /// The Android release.
    android: &'a str,
    api: u32,
    /// `ro.build.fingerprint`.
    build: &'a str,
    width: u32,
    height: u32,
    /// Who has leased it.
    lease: Option<HostLeaseJson<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "devices-nats-lease"))]
struct HostLeaseJson<'a> {
    /// `user@host`.
    owner: &'a str,
    /// The lab's session.
    session: &'a str,
}

/// A phone that has told nothing yet.
static UNTOLD: DeviceInfo = DeviceInfo {
    serial: String::new(),
    model: String::new(),
    android: String::new(),
    api: 0,
    build: String::new(),
    width: 0,
    height: 0,
};

impl<'a> HostLineJson<'a> {
    fn of_phone(row: &'a Row) -> Self {
        let Listed { name, host, state, phone } = &row.listed;
        let DeviceInfo { model, android, api, build, width, height, .. } =
            phone.info.as_ref().unwrap_or(&UNTOLD);
        let lease =
            row.lease.as_ref().map(|lease| HostLeaseJson { owner: &lease.owner, session: &lease.session });
        let (api, width, height) = (*api, *width, *height);
        let phone = Some(HostPhoneJson { model, android, api, build, width, height, lease });
        Self { serial: name, state, host, pool: &row.pool, heard_s: row.age, phone }
    }

    fn of_host(seen: &'a Seen) -> Self {
        let HostWords { name, pool, .. } = &seen.words;
        Self { serial: "", state: &seen.trouble, host: name, pool, heard_s: seen.ago.as_secs(), phone: None }
    }
}

fn as_table(rows: &[Row], bare: &[&Seen], url: &str) -> String {
    if rows.is_empty() && bare.is_empty() {
        return format!(
            "no host is there; start `droidmux host --nats {}` where phones are\n",
            printable(url)
        );
    }
    let heading = ["SERIAL", "STATE", "POOL", "MODEL", "ANDROID", "LEASE", "HEARD"].map(str::to_owned);
    let mut lines = vec![(heading, String::new())];
    lines.extend(rows.iter().map(|row| {
        let Listed { name, state, phone, .. } = &row.listed;
        let info = phone.info.clone().unwrap_or_default();
        let lease = row.lease.as_ref().map(|lease| match lease.session.as_str() {
            "" => lease.owner.clone(),
            session => format!("{}, {session}", lease.owner),
        });
        let (short, remark) = shorten(state);
        let cells = [
            name.clone(),
            short,
            row.pool.clone(),
            info.model,
            info.android,
            lease.unwrap_or_default(),
            heard(row.age),
        ];
        (cells.map(|cell| printable(&cell).into_owned()), remark)
    }));
    lines.extend(bare.iter().map(|seen| {
        let words = &seen.words;
        let why = if seen.trouble.is_empty() { "no phones" } else { &seen.trouble };
        let none = String::new;
        let cells = [
            format!("@{}", words.name),
            "-".into(),
            words.pool.clone(),
            none(),
            none(),
            none(),
            heard(seen.ago.as_secs()),
        ];
        (cells.map(|cell| printable(&cell).into_owned()), printable(why).into_owned())
    }));
    table(&lines)
}

/// A state of one word, and what is too long for a column.
fn shorten(state: &str) -> (String, String) {
    match state.contains(' ') {
        true => ("away".into(), printable(state).into_owned()),
        false => (state.to_owned(), String::new()),
    }
}

fn heard(seconds: u64) -> String {
    format!("{seconds} s ago")
}
