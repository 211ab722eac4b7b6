//! One line of a server's list of devices.
//!
//! In: the list as the server prints it, long or short. Out: its entries. After adb's `append_transport` (AOSP
//! `packages/modules/adb/transport.cpp`): `%-22s %s`, then `key:value` words; the serial may hold anything, blanks and
//! brackets included (`adb-R5CT (2)._adb-tls-connect._tcp`), so a line is read from its state.

/// A device of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeviceEntry {
    /// As the server lists it: `emulator-5554`, `10.0.0.5:5555`. Several phones may have the same.
    pub serial: String,
    /// Names the device everywhere: the serial, or `SERIAL#2` for the second phone of one serial.
    pub name: String,
    /// `device` when it can be used; else `offline`, `unauthorized`, `authorizing`, `recovery`,
    /// `no permissions (…)` and so on.
    pub state: String,
    /// `ro.product.name`; empty where the server does not tell it.
    pub product: String,
    /// `ro.product.model` with underscores for blanks; empty where the server does not tell it.
    pub model: String,
    /// `ro.product.device`; empty where the server does not tell it.
    pub device: String,
    /// Where it is plugged in, `usb:1-4`; empty where the server does not tell it.
    pub port: String,
    /// Counts connections: a device that reconnects gets a new number.
    pub transport_id: Option<u64>,
}

impl DeviceEntry {
    /// True when the device takes commands.
    pub fn is_ready(&self) -> bool {
        self.state == "device"
    }

    /// What tells it from other phones with the same serial, in words.
    pub fn whereabouts(&self) -> String {
        match (self.port.as_str(), self.transport_id) {
            ("", Some(id)) => format!("transport {id}"),
            (port, _) => port.to_owned(),
        }
    }
}

/// What to do about a device in this state, which takes no commands.
pub fn remedy(state: &str) -> &'static str {
    match state.split_whitespace().next().unwrap_or_default() {
        "unauthorized" => "accept this computer's key on the device's screen",
        "authorizing" | "connecting" => "wait a moment",
        "offline" => "reconnect the cable, or switch USB debugging off and on",
        "no" => "this user may not open the USB device: check the udev rules",
        "recovery" | "sideload" | "bootloader" | "rescue" => "boot the device into Android",
        _ => "not ready",
    }
}

/// The words for a device's state; `no permissions (…)` is more than a word.
const STATES: [&str; 12] = [
    "device",
    "offline",
    "unauthorized",
    "authorizing",
    "connecting",
    "recovery",
    "bootloader",
    "sideload",
    "rescue",
    "host",
    "detached",
    "unknown",
];

/// The keys of what follows the state.
const KEYS: [&str; 5] = ["product", "model", "device", "transport_id", "usb"];

/// Reads a list; lines that are none are left out. Names are for the book to give.
pub(super) fn read_entries(list: &str) -> Vec<DeviceEntry> {
    list.lines().filter_map(read_entry).collect()
}

fn read_entry(line: &str) -> Option<DeviceEntry> {
    let line = line.trim();
    let (serial, rest) = line.rsplit_once('\t').or_else(|| split_at_state(line))?;
    let mut entry = DeviceEntry { serial: serial.trim().to_owned(), ..DeviceEntry::default() };
    let mut state: Vec<&str> = Vec::new();
    for word in rest.split_whitespace() {
        match field(word) {
            Some(("product", value)) => entry.product = value.to_owned(),
            Some(("model", value)) => entry.model = value.to_owned(),
            Some(("device", value)) => entry.device = value.to_owned(),
            Some(("transport_id", value)) => entry.transport_id = value.parse().ok(),
            Some(_) => entry.port = word.to_owned(),
            None => state.push(word),
        }
    }
    entry.state = state.join(" ");
    (!entry.serial.is_empty() && !entry.state.is_empty()).then_some(entry)
}

/// The serial and the rest of a long line: before the first state that only fields follow, or else after the first word.
fn split_at_state(line: &str) -> Option<(&str, &str)> {
    let begins = |(at, before): (usize, char)| {
        let rest = line.get(at + before.len_utf8()..)?;
        let word = before.is_whitespace() && !rest.starts_with(char::is_whitespace);
        (word && begins_with_state(rest)).then(|| Some((line.get(..at)?, rest))).flatten()
    };
    line.char_indices().find_map(begins).or_else(|| line.split_once(char::is_whitespace))
}

fn begins_with_state(text: &str) -> bool {
    if text.starts_with("no permissions") {
        return true;
    }
    let mut words = text.split_whitespace();
    words.next().is_some_and(|word| STATES.contains(&word)) && words.all(|word| field(word).is_some())
}

fn field(word: &str) -> Option<(&str, &str)> {
    word.split_once(':').filter(|(key, _)| KEYS.contains(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_devices_are_read() {
        let permissions = "no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html]";
        let refused = format!("0a38               {permissions} usb:1-1 transport_id:9");
        // Serial, state, model, port, transport id, ready.
        type Read<'a> = (&'a str, &'a str, &'a str, &'a str, Option<u64>, bool);
        let cases: [(&str, Option<Read<'_>>); 14] = [
            (
                "emulator-5554          device product:sdk model:Pixel_7 device:emu64 transport_id:3",
                Some(("emulator-5554", "device", "Pixel_7", "", Some(3), true)),
            ),
            ("R58M\toffline", Some(("R58M", "offline", "", "", None, false))),
            (&refused, Some(("0a38", permissions, "", "usb:1-1", Some(9), false))),
            ("", None),
            ("broken", None),
            (
                "HT6 unauthorized usb:3-4 transport_id:x",
                Some(("HT6", "unauthorized", "", "usb:3-4", None, false)),
            ),
            (
                "adb-R5CT (2)._adb-tls-connect._tcp device product:p model:SM device:d transport_id:4",
                Some(("adb-R5CT (2)._adb-tls-connect._tcp", "device", "SM", "", Some(4), true)),
            ),
            (
                "adb-R5CT (2) [b]._adb-tls-connect._tcp\tdevice",
                Some(("adb-R5CT (2) [b]._adb-tls-connect._tcp", "device", "", "", None, true)),
            ),
            (
                "Ann's device  (spare)  offline usb:2-1 transport_id:5",
                Some(("Ann's device  (spare)", "offline", "", "usb:2-1", Some(5), false)),
            ),
            (
                "my device            device transport_id:6",
                Some(("my device", "device", "", "", Some(6), true)),
            ),
            (
                "[fe80::1%eth0]:5555    device transport_id:7",
                Some(("[fe80::1%eth0]:5555", "device", "", "", Some(7), true)),
            ),
            ("tëst ☎  recovery transport_id:8", Some(("tëst ☎", "recovery", "", "", Some(8), false))),
            ("R58M  resting in peace", Some(("R58M", "resting in peace", "", "", None, false))),
            ("\tdevice", None),
        ];
        for (line, expected) in cases {
            let read = read_entries(line);
            let read = read.first().map(|e| {
                let (serial, state, model, port) = (&*e.serial, &*e.state, &*e.model, &*e.port);
                (serial, state, model, port, e.transport_id, e.is_ready())
            });
            assert_eq!(read, expected, "{line}");
        }
    }
}
