//! Dumps by `uiautomator dump`.

use super::fault::DumpFault;
use super::sections::{Script, Sections, find};

/// Where a dump is written. `/dev/tty` is unreliable, and the default path on the shared storage does not exist on
/// every device.
const FILE: &str = "/data/local/tmp/droidmux-dump.xml";

/// Which tool made the dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Dumper {
    #[default]
    Uiautomator,
    Agent,
}

/// Adds one dump. The old file is removed first and the new one is read only after a success, so a dump that failed in
/// any way leaves an empty section, never an old screen. By itself the tool dumps the main display, 0; for another one it
/// dumps the windows of all.
pub(super) fn add_dump(script: &mut Script, display: u32) {
    let all = if display == 0 { "" } else { " --windows" };
    script.section("said", &format!("rm -f {FILE} && uiautomator dump{all} {FILE} 2>&1"));
    script.section("dump", &format!("cat {FILE} 2>/dev/null"));
}

/// The dumps of a script's output, each the XML of the display's window or what went wrong.
pub(super) fn read_dumps<'a>(
    sections: &Sections<'a>,
    stderr: &[u8],
    display: u32,
) -> Vec<Result<&'a [u8], DumpFault>> {
    let pair = |(said, dump): (&'a [u8], &'a [u8])| {
        if dump.is_empty() {
            Err(fault(&String::from_utf8_lossy(said), &String::from_utf8_lossy(stderr)))
        } else if display == 0 {
            Ok(dump)
        } else {
            window_of(dump, display)
        }
    };
    sections.all("said").zip(sections.all("dump")).map(pair).collect()
}

/// The tree of the window that a display shows: the active one, or else the topmost one of an app. Systems before Android
/// 11 know no windows, and dump what is active.
fn window_of(dump: &[u8], display: u32) -> Result<&[u8], DumpFault> {
    if find(dump, b"<displays>").is_none() {
        return Ok(dump);
    }
    let id = format!("\"{display}\"");
    let displays = elements(dump, "display");
    let here = displays.into_iter().find(|(head, _)| attribute(head, "id") == Some(id.as_bytes()));
    let windows = here.map(|(_, content)| elements(content, "window")).unwrap_or_default();
    let is = |head: &[u8], name: &str, value: &[u8]| attribute(head, name) == Some(value);
    let rank = |(head, _): &(&[u8], &[u8])| {
        let layer = attribute(head, "layer").and_then(|layer| std::str::from_utf8(layer).ok());
        let layer: i64 = layer.and_then(|layer| layer.trim_matches('"').parse().ok()).unwrap_or_default();
        let active = is(head, "active", b"\"true\"") || is(head, "focused", b"\"true\"");
        (active, is(head, "type", b"\"TYPE_APPLICATION\""), layer)
    };
    let shown = windows.into_iter().max_by_key(rank);
    let tree = shown.and_then(|(_, content)| {
        let end = b"</hierarchy>";
        let from = find(content, b"<hierarchy")?;
        content.get(from..memchr::memmem::rfind(content, end)? + end.len())
    });
    tree.ok_or(DumpFault::NoDisplay(display))
}

/// The elements of this name, each with the inside of its tag and its content. None is inside another of its name.
fn elements<'a>(text: &'a [u8], name: &str) -> Vec<(&'a [u8], &'a [u8])> {
    let (open, close) = (format!("<{name} "), format!("</{name}>"));
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, inside)) =
        find(rest, open.as_bytes()).and_then(|at| rest.split_at_checked(at + open.len()))
    {
        let Some((head, content)) = find(inside, b">").and_then(|at| inside.split_at_checked(at)) else {
            break;
        };
        let end = find(content, close.as_bytes()).unwrap_or(content.len());
        let (content, behind) = content.split_at(end);
        found.push((head, content));
        rest = behind;
    }
    found
}

/// The value of an attribute in a tag, with its quotes.
fn attribute<'a>(head: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let named = format!(" {name}=");
    let value = match head.strip_prefix(format!("{name}=").as_bytes()) {
        Some(first) => first,
        None => find(head, named.as_bytes()).and_then(|at| head.get(at + named.len()..))?,
    };
    let end = value.iter().skip(1).position(|byte| *byte == b'"')?;
    value.get(..end + 2)
}

/// Why there is no dump: the tool's own words, or the shell's (`Killed`), or that it claimed to
/// have written a file that is not there.
fn fault(said: &str, stderr: &str) -> DumpFault {
    let lines = || said.lines().chain(stderr.lines()).map(str::trim);
    let telling =
        lines().find(|line| line.contains("ERROR") || line.contains("Killed") || line.contains("Exception"));
    let line = telling.or_else(|| lines().find(|line| !line.is_empty() && !line.contains(" dumped to")));
    line.map_or(DumpFault::NoFile, |line| DumpFault::Uiautomator(line.chars().take(300).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_display_shows_a_window() {
        let window = |attributes: &str, text: &str| {
            format!(
                "<window index=\"0\" {attributes}><hierarchy rotation=\"0\"><node text=\"{text}\"/></hierarchy></window>"
            )
        };
        let bar = window("active=\"false\" id=\"2\" layer=\"9\" type=\"TYPE_SYSTEM\"", "bar");
        let app = window("active=\"false\" layer=\"4\" type=\"TYPE_APPLICATION\"", "app");
        let below = window("active=\"false\" layer=\"3\" type=\"TYPE_APPLICATION\"", "below");
        let asks = window("layer=\"8\" type=\"TYPE_SYSTEM\" active=\"true\"", "asks");
        let dump = format!(
            "<?xml version='1.0'?><displays><display id=\"0\">{bar}{below}</display><display id=\"2\">{bar}{below}{app}\
             </display><display id=\"20\">{app}{asks}</display><display id=\"3\"></display></displays>"
        );
        let tree = |text: &str| Ok(format!("<hierarchy rotation=\"0\"><node text=\"{text}\"/></hierarchy>"));
        let cases = [
            (dump.as_str(), 0, tree("below")),
            (&dump, 2, tree("app")),
            (&dump, 20, tree("asks")),
            (&dump, 3, Err(DumpFault::NoDisplay(3))),
            (&dump, 9, Err(DumpFault::NoDisplay(9))),
            ("<hierarchy/>", 9, Ok("<hierarchy/>".to_owned())),
            ("<displays><display id=\"9", 9, Err(DumpFault::NoDisplay(9))),
        ];
        for (dump, display, expected) in cases {
            let shown = window_of(dump.as_bytes(), display);
            let shown = shown.map(|tree| String::from_utf8_lossy(tree).into_owned());
            assert_eq!(shown, expected, "{display}");
        }
    }

    #[test]
    fn faults_are_named() {
        let cases = [
            ("ERROR: could not get idle state.", "", "uiautomator: ERROR: could not get idle state."),
            (
                "",
                "ERROR: null root node returned by UiTestAutomationBridge.",
                "uiautomator: ERROR: null root node returned by UiTestAutomationBridge.",
            ),
            ("", "Killed \n", "uiautomator: Killed"),
            ("UI hierchary dumped to: /x\n", "", "uiautomator: it said it was done, but wrote no file"),
            (
                "/system/bin/sh: uiautomator: not found",
                "",
                "uiautomator: /system/bin/sh: uiautomator: not found",
            ),
            (
                "java.lang.IllegalStateException: UiAutomationService already registered!\n\tat x",
                "",
                "uiautomator: java.lang.IllegalStateException: UiAutomationService already registered!",
            ),
        ];
        for (said, stderr, expected) in cases {
            assert_eq!(fault(said, stderr).to_string(), expected, "{said} {stderr}");
        }
    }
}
