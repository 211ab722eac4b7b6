//! What makes two crashes, or two hangs, the same bug.
//!
//! In: the signal, as its device told it. Out: a key of its kind, of what was thrown and of the app's topmost frames,
//! whatever language they are in; and the name of its cluster.
//!
//! Invariants: line numbers, addresses, numbers of lambdas, threads and processes, and the folders into which a package
//! is installed are in no key: it is equal for the same bug in every build of the same code, on every device. Crashes
//! whose topmost frames in the app differ have neither key nor cluster in common.

use droidmux_record::{Signal, SignalKind, is_frame_of};

/// How many of the app's own frames belong to the key: of a hang only the topmost one, for what the app does below it
/// differs from moment to moment.
const CRASH_FRAMES: usize = 3;
const HANG_FRAMES: usize = 1;

/// Characters of a message that stands in for a class, and of a frame.
const LONGEST_WORDS: usize = 80;
const LONGEST_FRAME: usize = 160;

/// Beginnings of frames that belong to the system or to the runtime of a language, not to an app.
const FOREIGN: [&str; 33] = [
    "android.",
    "androidx.",
    "java.",
    "javax.",
    "kotlin.",
    "kotlinx.",
    "dalvik.",
    "libcore.",
    "sun.",
    "jdk.",
    "com.android.",
    "com.google.android.",
    "com.facebook.react.",
    "com.facebook.jni.",
    "com.chaquo.",
    "com.unity3d.",
    "io.flutter.",
    "mono.",
    "crc64",
    "System.",
    "Android.",
    "Java.",
    "Xamarin.",
    "Microsoft.",
    "UnityEngine.",
    "UnityEngine:",
    "runtime.",
    "panic",
    "std::",
    "core::",
    "alloc::",
    "rust_",
    "__rust",
];

/// Exceptions of Java that carry one of another language, which their message begins with.
const WRAPPERS: [&str; 4] = [
    "android.runtime.JavaProxyThrowable",
    "com.facebook.react.common.JavascriptException",
    "com.chaquo.python.PyException",
    "com.unity3d.player.UnityException",
];

/// How sure it is that a frame is the app's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    App,
    /// Neither of the system's nor, by its name, of the app's: a library, or code under another name.
    Unclear,
    System,
}

/// Kind, what was thrown and the app's topmost frames.
pub fn key(signal: &Signal, package: &str) -> String {
    let kind = match signal.kind {
        SignalKind::Crash => "crash",
        SignalKind::Anr => "anr",
        SignalKind::Ended => "ended",
    };
    let what = match signal.kind {
        SignalKind::Crash => thrown(&signal.headline),
        SignalKind::Anr => reason(&signal.headline),
        SignalKind::Ended => words(&signal.headline),
    };
    let mut chosen = top_frames(signal, package);
    if chosen.is_empty() {
        chosen
            .extend(thread_of_fatal(&signal.headline).map(|thread| format!("in {}", without_digits(thread))));
    }
    [kind.to_owned(), what].into_iter().chain(chosen).collect::<Vec<_>>().join("\n")
}

/// What crashes and hangs with one likely cause have in common: where in the app they happened. Empty for one that says
/// nothing of that, and stands for itself.
pub fn cluster(signal: &Signal, package: &str) -> String {
    match top_frames(signal, package).as_slice() {
        [] => String::new(),
        frames => format!("{:?} at\n{}", signal.kind, frames.join("\n")),
    }
}

/// The app's own topmost frames; those that may be its own where none surely is; else whatever is on top.
fn top_frames(signal: &Signal, package: &str) -> Vec<String> {
    let mut frames: Vec<(Owner, String)> =
        signal.stack.iter().filter_map(|line| frame(line, package)).collect();
    if signal.stack.iter().any(|line| is_of_python(line)) {
        // The most recent call is the last.
        frames.reverse();
    }
    let most = if signal.kind == SignalKind::Anr { HANG_FRAMES } else { CRASH_FRAMES };
    let best = frames.iter().map(|(owner, _)| *owner).min();
    let chosen = frames.into_iter().filter(|(owner, _)| Some(*owner) == best);
    chosen.take(most).map(|(_, name)| name).collect()
}

/// The class that was thrown, or the signal; the message without what differs where there is no class.
pub fn thrown(headline: &str) -> String {
    let headline = unwrapped(headline);
    if let Some(signal) = signal_name(headline) {
        return signal.to_owned();
    }
    let class = headline.split([':', ' ', '(']).next().unwrap_or_default();
    let is_class = class.contains('.')
        || ["Error", "Exception", "Throwable", "Violation"].iter().any(|end| class.ends_with(end));
    if is_class && !class.contains(['\'', '"', '/']) { class.to_owned() } else { words(headline) }
}

/// The exception of another language that one of Java's carries.
pub fn unwrapped(headline: &str) -> &str {
    let inner = WRAPPERS.iter().find_map(|class| headline.strip_prefix(class)?.strip_prefix(": "));
    inner.filter(|inner| !inner.trim().is_empty()).unwrap_or(headline)
}

/// `SIGSEGV` of `signal 11 (SIGSEGV), code 1 …` and of `Fatal signal 11 (SIGSEGV) …`.
pub fn signal_name(headline: &str) -> Option<&str> {
    let rest = headline.strip_prefix("Fatal ").unwrap_or(headline).strip_prefix("signal ")?;
    let (_, named) = rest.split_once('(')?;
    named.split(')').next().filter(|name| !name.is_empty())
}

/// `Thread-2` of `Fatal signal 11 (SIGSEGV), … in tid 4260 (Thread-2), pid 4242 (org.notes)`.
pub fn thread_of_fatal(headline: &str) -> Option<&str> {
    let (_, rest) = headline.split_once(" in tid ")?;
    let (_, name) = rest.split_once('(')?;
    name.split(')').next().filter(|name| !name.is_empty())
}

/// An ANR's reason up to its details, without numbers.
fn reason(headline: &str) -> String {
    let start = headline.split('(').next().unwrap_or_default().trim();
    without_digits(start)
}

/// A message without its quotations, numbers and addresses.
fn words(message: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    for c in message.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => {}
            None if c == '"' || (c == '\'' && !out.ends_with(char::is_alphanumeric)) => quote = Some(c),
            None => out.push(c),
        }
    }
    let is_address = |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric()).starts_with("0x");
    let kept: Vec<String> =
        out.split_whitespace().filter(|word| !is_address(word)).map(without_digits).collect();
    kept.join(" ").trim_end().chars().take(LONGEST_WORDS).collect()
}

fn without_digits(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// The name of a frame, in any of the languages that are logged, and whose it is.
fn frame(line: &str, package: &str) -> Option<(Owner, String)> {
    let line = line.trim();
    let named = |owner, name: &str| {
        let name: String = name.trim().chars().take(LONGEST_FRAME).collect();
        (!name.is_empty()).then_some((owner, name))
    };
    let by_name = |name: &str| {
        let name = name.trim();
        let owner = match FOREIGN.iter().any(|prefix| name.starts_with(prefix)) {
            _ if is_frame_of(name, package) => Owner::App,
            true => Owner::System,
            false => Owner::Unclear,
        };
        named(owner, name)
    };
    if let Some(rest) = line.strip_prefix("at ") {
        // Java, C#, scripts of Hermes, and places of Rust.
        let method = rest.split('(').next().unwrap_or(rest);
        let method = method.split(".rs:").next().unwrap_or(method);
        return by_name(&without_numbers(method));
    }
    if let Some(rest) = line.strip_prefix('#') {
        let (owner, name) = match rest.contains(" pc ") {
            true => native(rest, package)?,
            false => dart(rest)?,
        };
        return named(owner, &name);
    }
    if is_of_python(line) {
        let (path, rest) = line.strip_prefix("File \"")?.split_once('"')?;
        let file = path.rsplit('/').next().unwrap_or(path);
        let function = rest.rsplit_once(" in ").map_or("", |(_, function)| function);
        let foreign =
            ["site-packages", "/python3", "stdlib", "<frozen"].iter().any(|part| path.contains(part));
        return named(if foreign { Owner::System } else { Owner::App }, &format!("{file} {function}"));
    }
    if let Some((_, place)) = line.strip_prefix("thread '").and_then(|rest| rest.split_once(" panicked at "))
    {
        let place =
            place.rsplit_once(", ").filter(|_| place.starts_with('\'')).map_or(place, |(_, place)| place);
        return named(Owner::Unclear, place.split(':').next()?);
    }
    if let Some((number, name)) = line.split_once(": ")
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit())
    {
        // A line of Rust's backtrace, with a hash at its end.
        return by_name(
            name.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16).map_or(name, |(name, _)| name),
        );
    }
    if let Some((name, place)) = line.split_once('@')
        && place.contains(':')
        && !name.contains(' ')
    {
        // Scripts: `save@12:40`.
        return by_name(name);
    }
    // Go: `main.(*Store).save(0x1)`; Unity: `Editor:Save (Note)`.
    let whole = line.ends_with(')').then(|| line.rsplit_once('(')).flatten().map(|(name, _)| name);
    let name = whole.filter(|name| !name.trim().contains(' ')).or_else(|| Some(line.split_once('(')?.0))?;
    let is_name = !name.trim().contains(' ') && name.contains(['.', ':']);
    if is_name { by_name(&without_digits(name)) } else { None }
}

fn is_of_python(line: &str) -> bool {
    line.trim_start().starts_with("File \"") && line.contains(", line ")
}

/// `00 pc 0001a2b4  /data/app/~~x==/org.notes-y==/lib/arm64/libink.so (save+63) (BuildId: …)`: library and function.
fn native(rest: &str, package: &str) -> Option<(Owner, String)> {
    let (_, place) = rest.split_once(" pc ")?;
    let (_, place) = place.trim_start().split_once(char::is_whitespace)?;
    let place = place.trim_start();
    let path = place.split(" (").next().unwrap_or(place);
    let library = path.rsplit(['/', '!']).next().unwrap_or(path);
    let own = !package.is_empty() && (path.starts_with("/data/") || path.contains(package));
    let is_function = |part: &&str| !part.starts_with("offset ") && !part.starts_with("BuildId:");
    let function = place.split(" (").skip(1).find(is_function).map(|part| part.trim_end_matches(')'));
    let function = function.map(|name| name.rsplit_once('+').map_or(name, |(name, _)| name));
    let name = function.map_or_else(|| library.to_owned(), |function| format!("{library} ({function}"));
    Some((if own { Owner::App } else { Owner::System }, name))
}

/// `0      _EditorState.save (package:notes/main.dart:42:7)`.
fn dart(rest: &str) -> Option<(Owner, String)> {
    let name = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    let (name, place) = name.split_once(" (").unwrap_or((name, ""));
    let foreign = ["package:flutter/", "dart:"].iter().any(|of| place.starts_with(of));
    (!name.is_empty()).then(|| (if foreign { Owner::System } else { Owner::App }, name.to_owned()))
}

/// Compilers number lambdas and inner classes anew in every build: `Main$$Lambda$12`.
fn without_numbers(method: &str) -> String {
    let mut out = String::new();
    let mut after_dollar = false;
    for c in method.chars() {
        let numbered = after_dollar && c.is_ascii_digit();
        if !numbered {
            after_dollar = c == '$';
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
#[path = "crash_key_tests.rs"]
mod tests;
