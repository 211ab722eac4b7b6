//! `droidmux devices --nats`: the phones of all hosts, with their pools, leases and last signs of life.

use serde_json::{Value, json};

use super::way::NatsArgs;
use crate::output::{json_line, table};
use droidmux_device_remote::{Choice, Hosts, LeaseWords, Listed, Seen, Waits};
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
            let phones = rows.iter().map(|row| json_line(&as_json(row)));
            phones.chain(bare.iter().map(|seen| json_line(&host_as_json(seen)))).collect()
        }
        false => as_table(&rows, &bare, url),
    })
}

fn as_json(row: &Row) -> Value {
    let Listed { name, host, state, phone } = &row.listed;
    let info = phone.info.clone().unwrap_or_default();
    json!({
        "serial": name,
        "state": state,
        "host": host,
        "pool": row.pool,
        "heard_s": row.age,
        "model": info.model,
        "android": info.android,
        "api": info.api,
        "build": info.build,
        "width": info.width,
        "height": info.height,
        "lease": row.lease.as_ref().map(|lease| json!({ "owner": lease.owner, "session": lease.session })),
    })
}

/// A host without phones.
fn host_as_json(seen: &Seen) -> Value {
    let words = &seen.words;
    json!({
        "serial": "",
        "state": seen.trouble,
        "host": words.name,
        "pool": words.pool,
        "heard_s": seen.ago.as_secs(),
    })
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
