//! Hardware and network, as tools look at them: `getevent ip ifconfig dd`.

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] =
    &[light("getevent", getevent), light("ip", ip), light("ifconfig", ifconfig), light("dd", dd)];

/// The most that `dd` copies.
const MAX_COPIED: u64 = 64 << 20;

/// `getevent -p [-l]` and `-i`: what the input devices are.
fn getevent(call: &mut Call) -> i32 {
    let (letters, device) = getevent_words(&call.words);
    let known = letters.chars().all(|letter| "pil".contains(letter)) && letters.contains(['p', 'i']);
    if !known || device.as_ref().is_some_and(|device| device != TOUCH && device != KEYS) {
        call.unknown();
        call.complain("getevent: not simulated with these arguments");
        return 1;
    }
    let (width, height) = call.device.phone().options().size;
    let named = letters.contains('l');
    let text = format!("{}{}", keys(named, &device), touch(named, width, height, &device));
    call.print(&text);
    0
}

/// What `getevent` prints before it waits for events; `None` for other commands and for forms that end.
/// No finger touches a simulated screen, and `input` reaches no kernel device: no event ever comes.
pub(crate) fn awaits_events(words: &[String]) -> Option<String> {
    if !matches!(words.first()?.as_str(), "getevent" | "/system/bin/getevent") {
        return None;
    }
    let (letters, device) = getevent_words(words);
    if !letters.chars().all(|letter| "ltnqr".contains(letter)) {
        return None;
    }
    match device {
        Some(device) => (device == TOUCH || device == KEYS).then(String::new),
        None => Some(format!(
            "add device 1: {KEYS}\n  name:     \"gpio-keys\"\nadd device 2: {TOUCH}\n  name:     \"sim_touchscreen\"\n"
        )),
    }
}

/// The letters of all options, and the device.
fn getevent_words(words: &[String]) -> (String, Option<String>) {
    let letters = words.iter().skip(1).filter_map(|word| word.strip_prefix('-')).collect();
    (letters, words.iter().skip(1).find(|word| !word.starts_with('-')).cloned())
}

const TOUCH: &str = "/dev/input/event1";
const KEYS: &str = "/dev/input/event0";

fn keys(named: bool, only: &Option<String>) -> String {
    if only.as_ref().is_some_and(|only| only != KEYS) {
        return String::new();
    }
    let keys =
        if named { "KEY_VOLUMEDOWN        KEY_VOLUMEUP          KEY_POWER" } else { "0072  0073  0074" };
    format!(
        "add device 1: {KEYS}\n  name:     \"gpio-keys\"\n  events:\n    KEY (0001): {keys}\n  input props:\n    <none>\n"
    )
}

fn touch(named: bool, width: u32, height: u32, only: &Option<String>) -> String {
    if only.as_ref().is_some_and(|only| only != TOUCH) {
        return String::new();
    }
    let axes = [
        ("002f", "ABS_MT_SLOT", 9),
        ("0030", "ABS_MT_TOUCH_MAJOR", 255),
        ("0035", "ABS_MT_POSITION_X", width.saturating_sub(1)),
        ("0036", "ABS_MT_POSITION_Y", height.saturating_sub(1)),
        ("0039", "ABS_MT_TRACKING_ID", 65_535),
        ("003a", "ABS_MT_PRESSURE", 255),
    ];
    let mut text = format!("add device 2: {TOUCH}\n  name:     \"sim_touchscreen\"\n  events:\n");
    text += &format!("    KEY (0001): {}\n", if named { "BTN_TOUCH" } else { "014a" });
    for (n, (code, name, most)) in axes.into_iter().enumerate() {
        let head = if n == 0 { "    ABS (0003): " } else { "                " };
        let axis = if named { format!("{name:<20} ") } else { format!("{code} ") };
        text += &format!("{head}{axis} : value 0, min 0, max {most}, fuzz 0, flat 0, resolution 0\n");
    }
    text + "  input props:\n    INPUT_PROP_DIRECT\n"
}

/// `ip [-4|-6|-o] addr|address|route [show] [NAME]`: the wireless network of every simulated phone.
fn ip(call: &mut Call) -> i32 {
    let mut words = call.args(1);
    let v4 = !words.iter().any(|word| word == "-6");
    let v6 = !words.iter().any(|word| word == "-4");
    let told = words
        .iter()
        .find(|word| word.starts_with('-') && !["-4", "-6", "-f", "inet"].contains(&word.as_str()));
    if let Some(option) = told.cloned() {
        call.unknown();
        call.complain(&format!("Option \"{option}\" is unknown, try \"ip -help\"."));
        return 255;
    }
    words.retain(|word| {
        !word.starts_with('-') && !["inet", "show", "list", "dev", "ls"].contains(&word.as_str())
    });
    let what = words.first().cloned().unwrap_or_default();
    let name = words.get(1).cloned();
    let address = address(call);
    match what.as_str() {
        "a" | "ad" | "addr" | "address" => {
            let mut text = String::new();
            let wanted = |known: &str| name.as_deref().is_none_or(|name| name == known);
            if !wanted("lo") && !wanted("wlan0") {
                let text = format!("Device \"{}\" does not exist.", name.unwrap_or_default());
                call.complain(&text);
                return 1;
            }
            if wanted("lo") {
                text += "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000\n    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n";
                text += if v4 {
                    "    inet 127.0.0.1/8 scope host lo\n       valid_lft forever preferred_lft forever\n"
                } else {
                    ""
                };
                text += if v6 {
                    "    inet6 ::1/128 scope host \n       valid_lft forever preferred_lft forever\n"
                } else {
                    ""
                };
            }
            if wanted("wlan0") {
                text += "2: wlan0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 3000\n    link/ether 02:15:b2:00:00:00 brd ff:ff:ff:ff:ff:ff\n";
                if v4 {
                    text += &format!(
                        "    inet {address}/24 brd 10.0.2.255 scope global wlan0\n       valid_lft forever preferred_lft forever\n"
                    );
                }
                text += if v6 {
                    "    inet6 fe80::15:b2ff:fe00:0/64 scope link \n       valid_lft forever preferred_lft forever\n"
                } else {
                    ""
                };
            }
            call.print(&text);
            0
        }
        "r" | "route" if v4 => {
            call.line(&format!("10.0.2.0/24 dev wlan0 proto kernel scope link src {address} "));
            0
        }
        other => {
            call.unknown();
            call.complain(&format!("Object \"{other}\" is unknown, try \"ip help\"."));
            1
        }
    }
}

/// The phone's own address.
fn address(call: &Call) -> String {
    format!("10.0.2.{}", 15 + call.device.number % 200)
}

/// `ifconfig [wlan0]`.
fn ifconfig(call: &mut Call) -> i32 {
    let name = call.arg(1).to_owned();
    if !matches!(name.as_str(), "" | "wlan0" | "-a") || call.words.len() > 2 {
        call.complain(&format!("ifconfig: {name}: No such device"));
        return 1;
    }
    let text = format!(
        "wlan0     Link encap:Ethernet  HWaddr 02:15:b2:00:00:00\n          inet addr:{}  Bcast:10.0.2.255  \
         Mask:255.255.255.0 \n          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1",
        address(call)
    );
    call.line(&text);
    0
}

/// `dd [if=FILE] [of=FILE] [bs=N] [count=N] [skip=N] [seek=N] [conv=notrunc] [status=none]`.
fn dd(call: &mut Call) -> i32 {
    let copied = copy(call);
    match copied {
        Ok((records, partial, bytes, silent)) => {
            if !silent {
                let tail = u8::from(partial);
                call.complain(&format!(
                    "{records}+{tail} records in\n{records}+{tail} records out\n{bytes} bytes copied, 0.001 s"
                ));
            }
            0
        }
        Err(error) => {
            call.unknown();
            call.complain(&format!("dd: {error}"));
            1
        }
    }
}

fn copy(call: &mut Call) -> Result<(u64, bool, u64, bool), String> {
    let (mut from, mut to) = (None, None);
    let (mut block, mut count, mut skip, mut seek) = (512_u64, None, 0, 0);
    let (mut truncate, mut silent) = (true, false);
    for word in call.args(1) {
        let (name, value) = word.split_once('=').ok_or_else(|| format!("unknown operand '{word}'"))?;
        match name {
            "if" => from = Some(value.to_owned()),
            "of" => to = Some(value.to_owned()),
            "bs" => block = number(value)?,
            "count" => count = Some(number(value)?),
            "skip" => skip = number(value)?,
            "seek" => seek = number(value)?,
            "conv" if value == "notrunc" => truncate = false,
            "conv" if value == "fsync" || value == "sync" => {}
            "status" => silent = value == "none",
            _ => return Err(format!("unknown operand '{word}'")),
        }
    }
    if block == 0 {
        return Err("bad bs=0".to_owned());
    }
    let most = count.map(|count| count.saturating_mul(block));
    let offset = skip.saturating_mul(block);
    let source = match from.as_deref() {
        None => call.input.clone(),
        Some("/dev/zero") => {
            let size =
                most.filter(|most| *most <= MAX_COPIED).ok_or("/dev/zero: count is missing or too large")?;
            vec![0; place(size + offset.min(MAX_COPIED))].into()
        }
        Some(path @ ("/dev/urandom" | "/dev/random")) => return Err(format!("{path}: not simulated")),
        Some(file) => {
            let path = call.path(file);
            call.device.files().input(&path).map_err(|error| format!("{file}: {error}"))?
        }
    };
    let from = place(offset).min(source.len());
    let to_end = most.map_or(source.len(), |most| from.saturating_add(place(most)).min(source.len()));
    let piece = source.slice(from..to_end.max(from));
    let bytes = piece.len() as u64;
    match to {
        None => call.write(&piece),
        Some(file) if file == "/dev/null" => {}
        Some(file) => {
            let path = call.path(&file);
            let start = seek.saturating_mul(block);
            if start > MAX_COPIED {
                return Err(format!("{file}: No space left on device"));
            }
            let start = place(start);
            let mut files = call.device.files();
            let mut whole = files.read(&path).map(|bytes| bytes.to_vec()).unwrap_or_default();
            if truncate {
                whole.truncate(start);
            }
            if whole.len() < start + piece.len() {
                whole.resize(start + piece.len(), 0);
            }
            if let Some(target) = whole.get_mut(start..start + piece.len()) {
                target.copy_from_slice(&piece);
            }
            files.write(&path, whole.into(), 0o644, false).map_err(|error| format!("{file}: {error}"))?;
        }
    }
    Ok((bytes / block, !bytes.is_multiple_of(block), bytes, silent))
}

/// A number with a unit: `4k`, `1M`, `512`.
fn number(text: &str) -> Result<u64, String> {
    let bad = || format!("bad number '{text}'");
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let unit = match unit {
        "" | "c" => 1,
        "w" => 2,
        "b" => 512,
        "k" | "K" => 1 << 10,
        "m" | "M" => 1 << 20,
        "g" | "G" => 1 << 30,
        _ => return Err(bad()),
    };
    digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit)).ok_or_else(bad)
}

fn place(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
