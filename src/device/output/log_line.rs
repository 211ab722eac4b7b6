//! One line of `logcat`, in any of its formats.

/// A line taken apart. A line without a header belongs to the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LogLine<'a> {
    /// `MM-DD HH:MM:SS.mmm`; empty when the format has no time.
    pub time: &'a str,
    pub pid: Option<u32>,
    /// Priority letter and tag.
    pub header: Option<(char, &'a str)>,
    pub message: &'a str,
}

impl<'a> LogLine<'a> {
    /// Reads `threadtime`, `time`, `brief` and `tag` lines, and Android Studio's variants of them.
    pub fn read(line: &'a str) -> Self {
        let line = line.trim_end_matches('\r');
        let (time, rest) = split_time(line).unwrap_or(("", line));
        let read =
            thread_time(rest).or_else(|| studio(rest)).or_else(|| slashed(rest)).or_else(|| plain(rest));
        match read {
            Some((pid, level, tag, message)) => {
                Self { time, pid, header: Some((level, tag.trim())), message }
            }
            None => Self { time: "", pid: None, header: None, message: line },
        }
    }
}

type Header<'a> = (Option<u32>, char, &'a str, &'a str);

/// `MM-DD HH:MM:SS.mmm`, with or without a year before it.
fn split_time(line: &str) -> Option<(&str, &str)> {
    let shape = |text: &str, shape: &str| {
        text.len() == shape.len()
            && text
                .bytes()
                .zip(shape.bytes())
                .all(|(b, s)| if s == b'0' { b.is_ascii_digit() } else { b == s })
    };
    let year = line.get(..5).filter(|text| shape(text, "0000-")).map_or(0, str::len);
    let time = line.get(year..year + 18).filter(|text| shape(text, "00-00 00:00:00.000"))?;
    let rest = line.get(year + 18..)?;
    Some((time, rest.strip_prefix(' ')?))
}

/// `  731   800 E ActivityManager: message`
fn thread_time(rest: &str) -> Option<Header<'_>> {
    let (pid, rest) = number(rest.trim_start())?;
    let (_tid, rest) = number(rest.trim_start())?;
    let (_, level, tag, message) = plain(rest.trim_start())?;
    Some((Some(pid), level, tag, message))
}

/// `5007-5065/net.some.app E/Tag: message`
fn studio(rest: &str) -> Option<Header<'_>> {
    let (pid, rest) = number(rest.trim_start())?;
    let (_tid, rest) = number(rest.strip_prefix('-')?)?;
    let (_process, rest) = rest.strip_prefix('/')?.split_once(' ')?;
    let (_, level, tag, message) = slashed(rest)?;
    Some((Some(pid), level, tag, message))
}

/// `E/Tag( 1261): message`, `E/Tag: message`, the latter also after a process name.
fn slashed(rest: &str) -> Option<Header<'_>> {
    let (head, message) = split_message(rest)?;
    let head = head.rsplit_once(' ').filter(|(_, h)| h.contains('/')).map_or(head, |(_, head)| head);
    let (level, tag) = head.split_once('/')?;
    let (tag, pid) = match tag.split_once('(') {
        Some((tag, pid)) => (tag, pid.trim_end_matches(')').trim().parse().ok()),
        None => (tag, None),
    };
    Some((pid, priority(level)?, tag, message))
}

/// `E Tag    : message`
fn plain(rest: &str) -> Option<Header<'_>> {
    let (head, message) = split_message(rest)?;
    let (level, tag) = head.split_once(' ')?;
    let tag = tag.trim();
    (!tag.is_empty() && tag.len() <= 64).then_some(())?;
    Some((None, priority(level)?, tag, message))
}

/// At the first `: `, or at a `:` that ends the line. `E/Tag( 12): x` has it behind the bracket.
fn split_message(rest: &str) -> Option<(&str, &str)> {
    rest.split_once(": ").or_else(|| rest.strip_suffix(':').map(|head| (head, ""))).or_else(|| {
        // A message that begins with a tab: some tools drop the space before it.
        rest.split_once(":\t")
    })
}

fn priority(letter: &str) -> Option<char> {
    let mut chars = letter.chars();
    let letter = chars.next().filter(|c| "VDIWEFA".contains(*c))?;
    chars.next().is_none().then_some(letter)
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format() {
        let line = |time, pid, header, message| LogLine { time, pid, header, message };
        let cases = [
            (
                "09-10 10:00:00.000   731   800 E ActivityManager: ANR in org.x.app",
                line("09-10 10:00:00.000", Some(731), Some(('E', "ActivityManager")), "ANR in org.x.app"),
            ),
            (
                "05-17 21:04:34.655 E/AndroidRuntime( 9089): \tat a.B.c(D.java:1)",
                line("05-17 21:04:34.655", Some(9089), Some(('E', "AndroidRuntime")), "\tat a.B.c(D.java:1)"),
            ),
            (
                "2022-05-30 12:41:07.630 5007-5065/net.gsantner.markor_test E/Google: x: y",
                line("05-30 12:41:07.630", Some(5007), Some(('E', "Google")), "x: y"),
            ),
            (
                "E/AndroidRuntime: FATAL EXCEPTION: main",
                line("", None, Some(('E', "AndroidRuntime")), "FATAL EXCEPTION: main"),
            ),
            (
                "E ACRA    : ACRA caught a X for y",
                line("", None, Some(('E', "ACRA")), "ACRA caught a X for y"),
            ),
            (
                "it.feio.foss E/ACRA: ACRA caught a X for y",
                line("", None, Some(('E', "ACRA")), "ACRA caught a X for y"),
            ),
            ("E AndroidRuntime:", line("", None, Some(('E', "AndroidRuntime")), "")),
            ("    java.lang.X: a: b", line("", None, None, "    java.lang.X: a: b")),
            ("--------- beginning of crash", line("", None, None, "--------- beginning of crash")),
            ("FATAL EXCEPTION: main", line("", None, None, "FATAL EXCEPTION: main")),
            ("", line("", None, None, "")),
        ];
        for (text, expected) in cases {
            assert_eq!(LogLine::read(text), expected, "{text}");
        }
    }
}
