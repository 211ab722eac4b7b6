//! The service names a client sends to an ADB server.

/// Which device a request is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The only one there is.
    Any,
    Serial(String),
    Id(u64),
    Usb,
    Local,
}

/// A request understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Talk to this device from now on; `tport` forms also want its transport id.
    Transport {
        target: Target,
        tell_id: bool,
    },
    Host(Target, HostQuery),
    /// A service of the chosen device.
    Device(String),
}

/// What the server itself answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HostQuery {
    Version,
    Kill,
    HostFeatures,
    Devices {
        long: bool,
    },
    Track {
        long: bool,
    },
    Connect(String),
    Disconnect(String),
    /// `wait-for-any-device` and its kin: what follows `wait-for-`.
    Wait(String),
    State,
    SerialNumber,
    DevicePath,
    Features,
    Forward {
        rebind: bool,
        local: String,
        remote: String,
    },
    /// One forward, or all of them.
    KillForward(Option<String>),
    ListForward,
    Unknown,
}

impl Request {
    /// Never fails: anything that is not a host service belongs to a device.
    pub(super) fn parse(name: &str, known_serials: &[&str]) -> Request {
        let host = |target, query: &str| Request::Host(target, HostQuery::parse(query));
        if let Some(rest) = name.strip_prefix("host-serial:") {
            let (serial, query) = split_serial(rest, known_serials);
            return host(Target::Serial(serial.to_owned()), query);
        }
        if let Some(rest) = name.strip_prefix("host-transport-id:") {
            let (id, query) = rest.split_once(':').unwrap_or((rest, ""));
            return host(Target::Id(id.parse().unwrap_or(0)), query);
        }
        if let Some(query) = name.strip_prefix("host-usb:") {
            return host(Target::Usb, query);
        }
        if let Some(query) = name.strip_prefix("host-local:") {
            return host(Target::Local, query);
        }
        let Some(query) = name.strip_prefix("host:") else { return Request::Device(name.to_owned()) };
        let transport = |target, tell_id| Request::Transport { target, tell_id };
        if let Some(serial) = query.strip_prefix("transport:") {
            return transport(Target::Serial(serial.to_owned()), false);
        }
        if let Some(serial) = query.strip_prefix("tport:serial:") {
            return transport(Target::Serial(serial.to_owned()), true);
        }
        if let Some(id) = query.strip_prefix("transport-id:") {
            return transport(Target::Id(id.parse().unwrap_or(0)), false);
        }
        match query {
            "transport-any" => transport(Target::Any, false),
            "transport-usb" => transport(Target::Usb, false),
            "transport-local" => transport(Target::Local, false),
            "tport:any" => transport(Target::Any, true),
            "tport:usb" => transport(Target::Usb, true),
            "tport:local" => transport(Target::Local, true),
            _ => host(Target::Any, query),
        }
    }
}

impl HostQuery {
    fn parse(query: &str) -> HostQuery {
        let (head, rest) = query.split_once(':').unwrap_or((query, ""));
        match head {
            "version" => HostQuery::Version,
            "kill" => HostQuery::Kill,
            "host-features" => HostQuery::HostFeatures,
            "devices" => HostQuery::Devices { long: false },
            "devices-l" => HostQuery::Devices { long: true },
            "track-devices" => HostQuery::Track { long: false },
            "track-devices-l" => HostQuery::Track { long: true },
            "connect" => HostQuery::Connect(rest.to_owned()),
            "disconnect" => HostQuery::Disconnect(rest.to_owned()),
            "get-state" => HostQuery::State,
            "get-serialno" => HostQuery::SerialNumber,
            "get-devpath" => HostQuery::DevicePath,
            "features" => HostQuery::Features,
            "list-forward" => HostQuery::ListForward,
            "killforward-all" => HostQuery::KillForward(None),
            "killforward" => HostQuery::KillForward(Some(rest.to_owned())),
            "forward" => {
                let (rebind, pair) = match rest.strip_prefix("norebind:") {
                    Some(pair) => (false, pair),
                    None => (true, rest),
                };
                match pair.split_once(';') {
                    Some((local, remote)) => {
                        HostQuery::Forward { rebind, local: local.to_owned(), remote: remote.to_owned() }
                    }
                    None => HostQuery::Unknown,
                }
            }
            _ => match query.strip_prefix("wait-for-") {
                Some(wanted) => HostQuery::Wait(wanted.to_owned()),
                None => HostQuery::Unknown,
            },
        }
    }
}

/// Splits `SERIAL:QUERY`, where the serial itself may be `HOST:PORT`.
fn split_serial<'a>(text: &'a str, known: &[&str]) -> (&'a str, &'a str) {
    let by_name = known.iter().filter_map(|serial| {
        let query = text.strip_prefix(serial)?.strip_prefix(':')?;
        Some((text.get(..serial.len())?, query))
    });
    if let Some(found) = by_name.max_by_key(|(serial, _)| serial.len()) {
        return found;
    }
    let Some((serial, rest)) = text.split_once(':') else { return (text, "") };
    match rest.split_once(':') {
        Some((port, query)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => {
            (text.get(..serial.len() + 1 + port.len()).unwrap_or(serial), query)
        }
        _ => (serial, rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_understood() {
        let serial = |s: &str| Target::Serial(s.to_owned());
        let transport = |target, tell_id| Request::Transport { target, tell_id };
        for (name, expected) in [
            ("host:version", Request::Host(Target::Any, HostQuery::Version)),
            ("host:transport:sim-1", transport(serial("sim-1"), false)),
            ("host:transport:127.0.0.1:5555", transport(serial("127.0.0.1:5555"), false)),
            ("host:tport:serial:a:b", transport(serial("a:b"), true)),
            ("host:tport:any", transport(Target::Any, true)),
            ("host:transport-id:7", transport(Target::Id(7), false)),
            ("host-serial:sim-1:get-state", Request::Host(serial("sim-1"), HostQuery::State)),
            ("host-serial:odd:name:features", Request::Host(serial("odd:name"), HostQuery::Features)),
            (
                "host-serial:10.0.0.1:5555:features",
                Request::Host(serial("10.0.0.1:5555"), HostQuery::Features),
            ),
            (
                "host-serial:other:forward:norebind:tcp:1;tcp:2",
                Request::Host(
                    serial("other"),
                    HostQuery::Forward { rebind: false, local: "tcp:1".into(), remote: "tcp:2".into() },
                ),
            ),
            ("host-transport-id:2:get-state", Request::Host(Target::Id(2), HostQuery::State)),
            ("host:wait-for-any-device", Request::Host(Target::Any, HostQuery::Wait("any-device".into()))),
            ("host:nonsense", Request::Host(Target::Any, HostQuery::Unknown)),
            ("shell:ls", Request::Device("shell:ls".into())),
            ("", Request::Device(String::new())),
        ] {
            assert_eq!(Request::parse(name, &["sim-1", "odd:name"]), expected, "{name}");
        }
    }
}
