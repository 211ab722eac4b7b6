//! `droidmux devices`: what the ADB servers have, what each device is, and who has leased it; host by host if there are
//! several.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::hosts::list;
use super::hosts::way::NatsArgs;
use super::output::{json_line, print, table};
use super::servers::{ServersOption, servers};
use droidmux_device::adb::{AdbDevice, DeviceEntry, Server, remedy};
use droidmux_device::{Device, DeviceError, LeaseState, Noted, Patience};
use droidmux_record::DeviceInfo;
use droidmux_words::figure::count;
use droidmux_words::printable;

/// How long the server, and then each device, may take to answer.
const WITHIN: Duration = Duration::from_secs(10);
/// The same for a server whose tunnel has to be opened first.
const THROUGH_TUNNEL: Duration = Duration::from_secs(20);

#[derive(Debug, Args)]
pub struct DevicesArgs {
    #[command(flatten)]
    servers: ServersOption,
    /// JSON Lines
    #[arg(long)]
    json: bool,
    /// The phones of all hosts of this NATS server instead: nats://HOST:4222 or tls://HOST:4222
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    #[command(flatten)]
    way: NatsArgs,
}

/// A host, with its devices or why they cannot be told.
struct Host {
    name: Option<String>,
    /// How it is reached.
    address: String,
    rows: Result<Vec<Row>, DeviceError>,
}

/// A device of the list; `answer` when it takes commands.
struct Row {
    entry: DeviceEntry,
    /// Phones with its serial, itself among them.
    alike: usize,
    answer: Option<Result<Answer, DeviceError>>,
}

/// What a device said.
struct Answer {
    info: DeviceInfo,
    /// Whatever its lease file says.
    lease: Noted,
}

/// # Errors
///
/// When no ADB server answers.
pub fn run(args: DevicesArgs) -> color_eyre::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    if let Some(url) = &args.nats {
        print(&runtime.block_on(list::list(&args.way, url, args.json))?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let names = args.servers.names();
    let mut hosts = runtime.block_on(async {
        let servers = servers(names)?;
        color_eyre::Result::<_>::Ok(join_all(servers.iter().map(list)).await)
    })?;
    if hosts.iter().all(|host| host.rows.is_err())
        && let Some(Err(error)) = hosts.pop().map(|host| host.rows)
    {
        return Err(error.into());
    }
    if args.json {
        for host in &hosts {
            if let Err(error) = &host.rows {
                eprintln!("droidmux: {}", printable(&error.to_string()));
            }
        }
        let rows =
            hosts.iter().flat_map(|host| host.rows.iter().flatten().map(move |row| as_json(host, row)));
        print(&rows.map(|row| json_line(&row)).collect::<String>())?;
    } else {
        print(&as_text(&hosts))?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(server: &Server) -> Host {
    let within = if server.is_tunnelled() { THROUGH_TUNNEL } else { WITHIN };
    let rows: Result<Vec<Row>, DeviceError> = async {
        let entries = server.devices(&Patience::of(within)).await?;
        let serials: Vec<String> = entries.iter().map(|entry| entry.serial.clone()).collect();
        let rows = entries.into_iter().map(|entry| async {
            let answer = match entry.is_ready() {
                true => Some(ask(&AdbDevice::new(server.clone(), entry.name.as_str())).await),
                false => None,
            };
            let alike = serials.iter().filter(|serial| **serial == entry.serial).count();
            Row { entry, alike, answer }
        });
        Ok(join_all(rows).await)
    }
    .await;
    Host { name: server.host().map(str::to_owned), address: server.address().to_owned(), rows }
}

async fn ask(device: &AdbDevice) -> Result<Answer, DeviceError> {
    let patience = Patience::of(WITHIN);
    Ok(Answer { info: device.info(&patience).await?, lease: device.noted(&patience).await? })
}

fn as_json(host: &Host, row: &Row) -> Value {
    let mut line = json!({ "serial": row.entry.name, "state": row.entry.state });
    if let (Some(host), Value::Object(line)) = (&host.name, &mut line) {
        line.insert("host".into(), host.as_str().into());
    }
    if let (true, Value::Object(line)) = (row.alike > 1, &mut line) {
        line.insert("alike".into(), row.alike.into());
        line.insert("whereabouts".into(), row.entry.whereabouts().into());
    }
    let more = match &row.answer {
        Some(Ok(Answer { info, lease })) => json!({
            "model": info.model,
            "android": info.android,
            "api": info.api,
            "build": info.build,
            "width": info.width,
            "height": info.height,
            "lease": lease.note().map(|note| json!({
                "owner": note.owner,
                "session": note.session,
                "age_s": note.age(lease.clock),
                "expires_in_s": note.expires.saturating_sub(lease.clock),
                "expired": !is_good(lease),
            })),
        }),
        Some(Err(error)) => json!({ "error": error.kind.to_string() }),
        None => json!({ "hint": remedy(&row.entry.state) }),
    };
    if let (Value::Object(line), Value::Object(more)) = (&mut line, more) {
        line.extend(more);
    }
    line
}

/// One table, or one for each host below its name.
fn as_text(hosts: &[Host]) -> String {
    if let [Host { rows: Ok(rows), .. }] = hosts {
        return as_table(rows);
    }
    let told = hosts.iter().map(|host| {
        let name = host.name.as_deref().unwrap_or_default();
        let via = if host.address.starts_with(name) { String::new() } else { format!(" ({})", host.address) };
        match &host.rows {
            Ok(rows) if rows.is_empty() => format!("{name}{via}: no devices\n"),
            Ok(rows) => {
                let table = as_table(rows).lines().map(|line| format!("  {line}\n")).collect::<String>();
                format!("{name}{via}: {}\n{table}", count(rows.len(), "device"))
            }
            Err(error) => format!("{name}{via}: {}\n", printable(&error.kind.to_string())),
        }
    });
    told.collect::<Vec<_>>().join("\n")
}

fn as_table(rows: &[Row]) -> String {
    if rows.is_empty() {
        return "no devices; switch on USB debugging and connect one, or start simulated ones with `droidmux sim`\n"
            .into();
    }
    let heading = ["SERIAL", "STATE", "MODEL", "ANDROID", "API", "RESOLUTION", "LEASE"].map(str::to_owned);
    let lines: Vec<([String; 7], String)> = std::iter::once((heading, String::new()))
        .chain(rows.iter().map(|row| (cells(row), remark(row))))
        .collect();
    table(&lines)
}

fn cells(row: &Row) -> [String; 7] {
    let clean = |text: &str| printable(text).into_owned();
    let state = row.entry.state.split(" (").next().unwrap_or_default();
    let (serial, state) = (clean(&row.entry.name), clean(state));
    match &row.answer {
        Some(Ok(Answer { info, lease })) => {
            let size = format!("{}x{}", info.width, info.height);
            let (model, android) = (clean(&info.model), clean(&info.android));
            [serial, state, model, android, info.api.to_string(), size, lease_cell(lease)]
        }
        _ => {
            let none = String::new;
            [serial, state, clean(&row.entry.model), none(), none(), none(), none()]
        }
    }
}

/// Owner, session and age; empty when nobody has leased it.
fn lease_cell(lease: &Noted) -> String {
    let Some(note) = lease.note() else { return String::new() };
    let state = match note.age(lease.clock) {
        _ if !is_good(lease) => "expired".to_owned(),
        age @ 0..120 => format!("for {age} s"),
        age @ 120..7_200 => format!("for {} min", age / 60),
        age => format!("for {} h", age / 3_600),
    };
    printable(&format!("{}, {state}", note.whose())).into_owned()
}

/// Whether the lease is in force, no matter who asks.
fn is_good(lease: &Noted) -> bool {
    matches!(lease.standing(""), LeaseState::Held(_))
}

fn remark(row: &Row) -> String {
    let trouble = match &row.answer {
        Some(Ok(_)) => String::new(),
        Some(Err(error)) => printable(&error.kind.to_string()).into_owned(),
        None => remedy(&row.entry.state).to_owned(),
    };
    let DeviceEntry { serial, .. } = &row.entry;
    let alike = match row.alike {
        0 | 1 => String::new(),
        alike => {
            printable(&format!("at {}, one of {alike} with the serial {serial}", row.entry.whereabouts()))
                .into_owned()
        }
    };
    let said = [trouble, alike];
    said.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_device::{DeviceErrorKind, LeaseNote};

    fn row(serial: &str, state: &str, info: Option<Result<DeviceInfo, DeviceErrorKind>>) -> Row {
        let note = LeaseNote {
            owner: "ann@host".into(),
            session: "s3".into(),
            taken: 1_000,
            expires: 1_420,
            token: "t".into(),
            ..LeaseNote::default()
        };
        let lease = Noted { clock: 1_300, text: note.line() };
        let error = |kind| DeviceError { serial: serial.into(), what: "x".into(), kind };
        let entry = DeviceEntry {
            serial: serial.into(),
            name: serial.into(),
            state: state.into(),
            ..DeviceEntry::default()
        };
        let answer = |info| Answer { info, lease: lease.clone() };
        Row { entry, alike: 1, answer: info.map(|info| info.map(answer).map_err(error)) }
    }

    fn host(name: Option<&str>, rows: Result<Vec<Row>, DeviceError>) -> Host {
        let address = format!("ssh://{}", name.unwrap_or_default());
        Host { name: name.map(str::to_owned), address, rows }
    }

    #[test]
    fn the_table_lines_up_and_says_what_to_do() {
        let info = DeviceInfo {
            model: "Pixel 7".into(),
            android: "13".into(),
            api: 33,
            width: 1080,
            height: 2400,
            ..DeviceInfo::default()
        };
        let rows = [
            row("emulator-5554", "device", Some(Ok(info))),
            row("R58", "unauthorized", None),
            row("bad\u{1b}[31m", "device", Some(Err(DeviceErrorKind::Lost("gone".into())))),
        ];
        let table = as_table(&rows);
        let expected = "\
SERIAL         STATE         MODEL    ANDROID  API  RESOLUTION  LEASE
emulator-5554  device        Pixel 7  13       33   1080x2400   ann@host, s3, for 5 min
R58            unauthorized                                                              accept this computer's key on the device's screen
";
        assert!(table.starts_with(expected), "{table}");
        assert!(!table.contains('\u{1b}') && table.contains("the device was lost (gone)"), "{table}");
        assert!(as_table(&[]).starts_with("no devices"));
    }

    #[test]
    fn phones_with_one_serial_are_told_apart() {
        let mut rows = [row("0123", "offline", None), row("0123", "offline", None)];
        for (row, (name, port, id)) in rows.iter_mut().zip([("0123", "usb:1-2", 4), ("0123#2", "", 7)]) {
            row.alike = 2;
            (row.entry.name, row.entry.port, row.entry.transport_id) = (name.into(), port.into(), Some(id));
        }
        let table = as_table(&rows);
        for part in ["0123#2 ", "; at usb:1-2, one of 2 with the serial 0123\n", "; at transport 7, one of 2"]
        {
            assert!(table.contains(part), "{part}: {table}");
        }
        let json = as_json(&host(None, Ok(Vec::new())), &rows[1]).to_string();
        assert!(
            json.starts_with(r#"{"serial":"0123#2","state":"offline","alike":2,"whereabouts":"transport 7""#),
            "{json}"
        );
    }

    #[test]
    fn lines_of_json() {
        let cases = [
            (
                row("a", "offline", None),
                r#"{"serial":"a","state":"offline","hint":"reconnect the cable, or switch USB debugging off and on"}"#,
            ),
            (
                row("a", "device", Some(Err(DeviceErrorKind::Cancelled))),
                r#"{"serial":"a","state":"device","error":"cancelled"}"#,
            ),
            (
                row("a", "device", Some(Ok(DeviceInfo { model: "Pixel 7".into(), ..DeviceInfo::default() }))),
                r#"{"serial":"a","state":"device","model":"Pixel 7","android":"","api":0,"build":"","width":0,"height":0,"lease":{"owner":"ann@host","session":"s3","age_s":300,"expires_in_s":120,"expired":false}}"#,
            ),
        ];
        for (row, expected) in cases {
            assert_eq!(as_json(&host(None, Ok(Vec::new())), &row).to_string(), expected);
        }
        let line = as_json(&host(Some("lab2"), Ok(Vec::new())), &row("a@lab2", "offline", None)).to_string();
        assert!(line.starts_with(r#"{"serial":"a@lab2","state":"offline","host":"lab2","hint":"#), "{line}");
    }

    #[test]
    fn several_hosts_are_told_apart() {
        let unreachable =
            DeviceErrorKind::Unreachable { host: "lab3".into(), why: "it does not answer".into() };
        let error =
            DeviceError { serial: "ADB server ssh://lab3".into(), what: "x".into(), kind: unreachable };
        let hosts = [
            host(Some("lab2"), Ok(vec![row("R58@lab2", "offline", None)])),
            host(Some("lab3"), Err(error)),
            host(Some("10.0.0.7"), Ok(Vec::new())),
        ];
        let expected = "\
lab2 (ssh://lab2): 1 device
  SERIAL    STATE    MODEL  ANDROID  API  RESOLUTION  LEASE
  R58@lab2  offline                                          reconnect the cable, or switch USB debugging off and on

lab3 (ssh://lab3): lab3 cannot be reached: it does not answer

10.0.0.7 (ssh://10.0.0.7): no devices
";
        assert_eq!(as_text(&hosts), expected);
        assert!(as_text(&hosts[..1]).starts_with("SERIAL"), "one host looks like one server");
    }
}
