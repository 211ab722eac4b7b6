//! What a terminal sends: a person's keys, mouse and pastes, and the terminal's own answers.
//!
//! In: bytes as they are read, cut anywhere. Out: what they say, in order. Anything that has no meaning here is
//! dropped; a sequence without an end is given up at a limit. Answers to questions arrive between the keys, so both are
//! read in one place.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::answers::Answer;

const ESCAPE: u8 = 0x1b;
const ESCAPE_ALONE: Duration = Duration::from_millis(40);
const REST: Duration = Duration::from_millis(1_000);
/// A paste is cut here.
const MOST_PASTED: usize = 1 << 20;
/// Anything longer is not a sequence.
const MOST_SEQUENCE: usize = 4 << 10;
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// Something that came from the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A person did something.
    Event(Event),
    /// The terminal answered a question.
    Answer(Answer),
}

/// Turns bytes into what they say.
#[derive(Debug, Default)]
pub struct Parser {
    /// The beginning of a sequence.
    begun: Vec<u8>,
    /// A paste under way.
    pasted: Option<Vec<u8>>,
}

/// What the beginning of the bytes is.
enum Head {
    /// This many bytes are one report: what it says, if that concerns the cockpit.
    Said(usize, Option<Heard>),
    /// A paste begins after this many bytes.
    Paste(usize),
    /// More bytes are needed to tell.
    Unfinished,
}

impl Parser {
    /// Takes in bytes; gives what is complete.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Heard> {
        self.begun.extend_from_slice(bytes);
        self.drain(false)
    }

    /// How long the rest of what has begun may take; `None` when nothing has. Escape by itself is a key; nobody
    /// types the longer beginnings, and over a slow link their rest may come late.
    pub fn patience(&self) -> Option<Duration> {
        match (self.begun.len(), &self.pasted) {
            (0, _) | (_, Some(_)) => None,
            (1, None) => Some(ESCAPE_ALONE),
            (_, None) => Some(REST),
        }
    }

    /// Takes what has begun as all that will come.
    pub fn finish(&mut self) -> Vec<Heard> {
        self.drain(true)
    }

    fn drain(&mut self, last: bool) -> Vec<Heard> {
        let mut heard = Vec::new();
        let mut bytes = std::mem::take(&mut self.begun);
        let mut at = 0;
        while at < bytes.len() {
            let rest = bytes.get(at..).unwrap_or_default();
            if let Some(pasted) = &mut self.pasted {
                let Some(end) = find(rest, PASTE_ENDS) else {
                    // The end may be cut: as many bytes are kept as could be the beginning of one.
                    let keep = rest.len().min(PASTE_ENDS.len() - 1);
                    let (text, kept) = rest.split_at(rest.len() - keep);
                    paste(pasted, text);
                    bytes = kept.to_vec();
                    at = 0;
                    break;
                };
                paste(pasted, rest.get(..end).unwrap_or_default());
                let text = String::from_utf8_lossy(&self.pasted.take().unwrap_or_default()).into_owned();
                heard.push(Heard::Event(Event::Paste(text)));
                at += end + PASTE_ENDS.len();
                continue;
            }
            match head(rest) {
                Head::Said(length, said) => {
                    heard.extend(said);
                    at += length.max(1);
                }
                Head::Paste(length) => {
                    self.pasted = Some(Vec::new());
                    at += length;
                }
                Head::Unfinished if last => {
                    let (length, said) = cut_off(rest);
                    heard.extend(said);
                    at += length;
                }
                Head::Unfinished if rest.len() > MOST_SEQUENCE => at = bytes.len(),
                Head::Unfinished => break,
            }
        }
        self.begun = bytes.split_off(at.min(bytes.len()));
        heard
    }
}

fn paste(pasted: &mut Vec<u8>, text: &[u8]) {
    let room = MOST_PASTED.saturating_sub(pasted.len()).min(text.len());
    pasted.extend_from_slice(text.get(..room).unwrap_or_default());
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// A key, if it is one, and this many bytes.
fn key(length: usize, code: Option<KeyCode>, modifiers: KeyModifiers) -> Head {
    Head::Said(length, code.map(|code| Heard::Event(Event::Key(KeyEvent::new(code, modifiers)))))
}

fn head(bytes: &[u8]) -> Head {
    match bytes {
        [ESCAPE] | [] => Head::Unfinished,
        [ESCAPE, b'[', ..] => control_sequence(bytes),
        [ESCAPE, b'O'] => Head::Unfinished,
        [ESCAPE, b'O', last, ..] => key(3, named(*last), KeyModifiers::NONE),
        [ESCAPE, b'_' | b'P' | b']' | b'^' | b'X', ..] => string(bytes),
        [ESCAPE, ESCAPE, ..] => key(1, Some(KeyCode::Esc), KeyModifiers::NONE),
        [ESCAPE, rest @ ..] => match character(rest) {
            Head::Said(length, said) => Head::Said(length + 1, said.map(with_alt)),
            other => other,
        },
        _ => character(bytes),
    }
}

/// What a sequence is when nothing more comes: Escape, Alt with a key, or nothing.
fn cut_off(bytes: &[u8]) -> (usize, Option<Heard>) {
    let said = match bytes {
        [ESCAPE] => Some(Heard::Event(Event::Key(KeyCode::Esc.into()))),
        [ESCAPE, key] => match character(&[*key]) {
            Head::Said(_, said) => said.map(with_alt),
            _ => None,
        },
        _ => None,
    };
    (bytes.len(), said)
}

fn with_alt(heard: Heard) -> Heard {
    match heard {
        Heard::Event(Event::Key(key)) => {
            Heard::Event(Event::Key(KeyEvent::new(key.code, key.modifiers | KeyModifiers::ALT)))
        }
        other => other,
    }
}

/// One character or control key.
fn character(bytes: &[u8]) -> Head {
    let Some(&first) = bytes.first() else { return Head::Unfinished };
    let control = |c: u8| key(1, Some(KeyCode::Char(char::from(c))), KeyModifiers::CONTROL);
    match first {
        b'\r' => key(1, Some(KeyCode::Enter), KeyModifiers::NONE),
        b'\t' => key(1, Some(KeyCode::Tab), KeyModifiers::NONE),
        0x7f => key(1, Some(KeyCode::Backspace), KeyModifiers::NONE),
        0 => control(b' '),
        0x01..=0x1a => control(first - 1 + b'a'),
        0x1c..=0x1f => control(first - 0x1c + b'4'),
        _ => {
            let length = match first {
                0x00..=0x7f => 1,
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf7 => 4,
                _ => return Head::Said(1, None),
            };
            let Some(whole) = bytes.get(..length) else { return Head::Unfinished };
            match std::str::from_utf8(whole).ok().and_then(|text| text.chars().next()) {
                Some(c) if c.is_uppercase() => key(length, Some(KeyCode::Char(c)), KeyModifiers::SHIFT),
                Some(c) => key(length, Some(KeyCode::Char(c)), KeyModifiers::NONE),
                None => Head::Said(1, None),
            }
        }
    }
}

/// A string that ends with ST or BEL: an answer, or nothing that means something here.
fn string(bytes: &[u8]) -> Head {
    let bell = bytes.iter().position(|byte| *byte == 7).map(|at| (at, 1));
    let st = find(bytes.get(2..).unwrap_or_default(), b"\x1b\\").map(|at| (at + 2, 2));
    let end = match (bell, st) {
        (Some(bell), Some(st)) => Some(bell.min(st)),
        (bell, st) => bell.or(st),
    };
    match end {
        Some((at, length)) => {
            let answer = Answer::of_string(bytes.get(1..at).unwrap_or_default());
            Head::Said(at + length, answer.map(Heard::Answer))
        }
        None => Head::Unfinished,
    }
}

/// `ESC [` and what follows up to its last byte.
fn control_sequence(bytes: &[u8]) -> Head {
    let body = bytes.get(2..).unwrap_or_default();
    match body {
        // The console of Linux.
        [b'[', last, ..] => {
            let n = last.checked_sub(b'A').filter(|n| *n < 5);
            return key(4, n.map(|n| KeyCode::F(n + 1)), KeyModifiers::NONE);
        }
        [b'['] => return Head::Unfinished,
        [b'M', button, column, row, ..] => {
            let place = |byte: u8| u16::from(byte.saturating_sub(33));
            let event = mouse(u16::from(button.saturating_sub(32)), place(*column), place(*row), false);
            return Head::Said(6, event);
        }
        [b'M', ..] => return Head::Unfinished,
        _ => {}
    }
    let Some(end) = body.iter().position(|byte| !(0x20..=0x3f).contains(byte)) else {
        return Head::Unfinished;
    };
    let (parameters, last) = (body.get(..end).unwrap_or_default(), body.get(end).copied().unwrap_or(0));
    let length = end + 3;
    if !(0x40..=0x7e).contains(&last) {
        // Something else begins in the middle.
        return Head::Said(length - 1, None);
    }
    if parameters == b"200" && last == b'~' {
        return Head::Paste(length);
    }
    if let Some(answer) = Answer::of_sequence(parameters, last) {
        return Head::Said(length, Some(Heard::Answer(answer)));
    }
    if let Some(place) = parameters.strip_prefix(b"<") {
        let said = match numbers(place).as_slice() {
            [button, column, row] if matches!(last, b'M' | b'm') => {
                mouse(*button, column.saturating_sub(1), row.saturating_sub(1), last == b'm')
            }
            _ => None,
        };
        return Head::Said(length, said);
    }
    let numbers = numbers(parameters);
    let modifiers = modifiers(numbers.get(1).copied().unwrap_or(1));
    let first = numbers.first().copied().unwrap_or(0);
    match last {
        b'I' => Head::Said(length, Some(Heard::Event(Event::FocusGained))),
        b'O' => Head::Said(length, Some(Heard::Event(Event::FocusLost))),
        b'Z' => key(length, Some(KeyCode::BackTab), KeyModifiers::SHIFT),
        b'~' => key(length, numbered(first), modifiers),
        b'u' => key(length, char::from_u32(first.into()).map(coded), modifiers),
        _ => key(length, named(last), modifiers),
    }
}

fn numbers(parameters: &[u8]) -> Vec<u16> {
    let fields = parameters.split(|byte| *byte == b';');
    fields.map(|field| std::str::from_utf8(field).ok().and_then(|n| n.parse().ok()).unwrap_or(0)).collect()
}

fn modifiers(number: u16) -> KeyModifiers {
    let bits = number.saturating_sub(1);
    let all = [(1, KeyModifiers::SHIFT), (2, KeyModifiers::ALT), (4, KeyModifiers::CONTROL)];
    all.iter().filter(|(bit, _)| bits & bit != 0).fold(KeyModifiers::NONE, |all, (_, one)| all | *one)
}

/// Keys by the letter that ends their sequence.
fn named(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'H' => KeyCode::Home,
        b'F' => KeyCode::End,
        b'M' => KeyCode::Enter,
        b'P'..=b'S' => KeyCode::F(last - b'P' + 1),
        _ => return None,
    })
}

/// Keys by the number before `~`.
fn numbered(number: u16) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(u8::try_from(number - 10).ok()?),
        17..=21 => KeyCode::F(u8::try_from(number - 11).ok()?),
        23..=24 => KeyCode::F(u8::try_from(number - 12).ok()?),
        _ => return None,
    })
}

/// Keys given by their character.
fn coded(c: char) -> KeyCode {
    match c {
        '\r' => KeyCode::Enter,
        '\t' => KeyCode::Tab,
        '\u{1b}' => KeyCode::Esc,
        '\u{7f}' => KeyCode::Backspace,
        c => KeyCode::Char(c),
    }
}

/// A report of the mouse: its button with flags, and the place from 0.
fn mouse(code: u16, column: u16, row: u16, released: bool) -> Option<Heard> {
    let button = match code & 3 {
        0 => Some(MouseButton::Left),
        1 => Some(MouseButton::Middle),
        2 => Some(MouseButton::Right),
        _ => None,
    };
    let kind = match (code & 64 != 0, code & 32 != 0, button) {
        (true, _, _) => match code & 3 {
            0 => MouseEventKind::ScrollUp,
            1 => MouseEventKind::ScrollDown,
            2 => MouseEventKind::ScrollLeft,
            _ => MouseEventKind::ScrollRight,
        },
        (_, true, Some(button)) => MouseEventKind::Drag(button),
        (_, true, None) => MouseEventKind::Moved,
        (_, false, Some(button)) if released => MouseEventKind::Up(button),
        (_, false, Some(button)) => MouseEventKind::Down(button),
        (_, false, None) => MouseEventKind::Up(MouseButton::Left),
    };
    let flags = [(4, KeyModifiers::SHIFT), (8, KeyModifiers::ALT), (16, KeyModifiers::CONTROL)];
    let modifiers =
        flags.iter().filter(|(bit, _)| code & bit != 0).fold(KeyModifiers::NONE, |all, (_, one)| all | *one);
    Some(Heard::Event(Event::Mouse(MouseEvent { kind, column, row, modifiers })))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What was heard, in few words.
    fn words(heard: &[Heard]) -> String {
        let word = |heard: &Heard| match heard {
            Heard::Event(Event::Key(key)) => {
                let modifiers = match key.modifiers {
                    KeyModifiers::NONE => String::new(),
                    modifiers => format!("{modifiers:?}+"),
                };
                format!("{modifiers}{:?}", key.code)
            }
            Heard::Event(Event::Mouse(mouse)) => format!("{:?}@{},{}", mouse.kind, mouse.column, mouse.row),
            Heard::Event(other) => format!("{other:?}"),
            Heard::Answer(answer) => format!("{answer:?}"),
        };
        heard.iter().map(word).collect::<Vec<_>>().join(" ").replace("KeyModifiers", "")
    }

    const CASES: [(&[u8], &str); 24] = [
        (b"jK", "Char('j') (SHIFT)+Char('K')"),
        ("ä€😀".as_bytes(), "Char('ä') Char('€') Char('😀')"),
        (b"\r\t\x7f\x03\x0a", "Enter Tab Backspace (CONTROL)+Char('c') (CONTROL)+Char('j')"),
        (b"\x1b", "Esc"),
        (b"\x1bx", "(ALT)+Char('x')"),
        (b"\x1b_", "(ALT)+Char('_')"),
        (b"\x1b[A\x1bOB\x1b[1;5C", "Up Down (CONTROL)+Right"),
        (b"\x1b[5~\x1b[6~\x1b[H\x1b[4~", "PageUp PageDown Home End"),
        (b"\x1bOP\x1b[15~\x1b[24~\x1b[[A", "F(1) F(5) F(12) F(1)"),
        (b"\x1b[Z", "(SHIFT)+BackTab"),
        (b"\x1b[I\x1b[O", "FocusGained FocusLost"),
        (b"\x1b[<0;10;5M\x1b[<0;10;5m", "Down(Left)@9,4 Up(Left)@9,4"),
        (b"\x1b[<64;1;1M\x1b[<65;1;1M", "ScrollUp@0,0 ScrollDown@0,0"),
        (b"\x1b[<32;3;4M\x1b[<35;3;4M", "Drag(Left)@2,3 Moved@2,3"),
        (b"\x1b[M !!", "Down(Left)@0,0"),
        (b"\x1b[200~a\x1b[Ab\x1b[201~c", "Paste(\"a\\u{1b}[Ab\") Char('c')"),
        (b"\x1b[0n", "Ready"),
        (b"j\x1b[0nk", "Char('j') Ready Char('k')"),
        (b"\x1b[?62;4;22c", "Attributes { sixel: true }"),
        (b"\x1b[?6c", "Attributes { sixel: false }"),
        (b"\x1b[6;20;10t", "CellSize { width: 10, height: 20 }"),
        (b"\x1b_Gi=31;OK\x1b\\", "Kitty"),
        (b"\x1b_Gi=31;ENOENT\x1b\\x", "Char('x')"),
        (b"\x1b]11;rgb:0/0/0\x07y", "Char('y')"),
    ];

    #[test]
    fn bytes_are_what_they_say_wherever_they_are_cut() {
        for (bytes, expected) in CASES {
            for cut in 0..=bytes.len() {
                let mut parser = Parser::default();
                let mut heard = parser.feed(&bytes[..cut]);
                heard.extend(parser.feed(&bytes[cut..]));
                heard.extend(parser.finish());
                assert_eq!(words(&heard), expected, "{:?} cut at {cut}", String::from_utf8_lossy(bytes));
            }
        }
    }

    #[test]
    fn what_never_ends_is_given_up() {
        let mut parser = Parser::default();
        assert!(parser.feed(b"\x1b_").is_empty());
        assert!(parser.feed(&vec![b'x'; 3 * MOST_SEQUENCE]).is_empty());
        assert_eq!(words(&parser.feed(b"j")), "Char('j')");
        parser.feed(b"\x1b[200~");
        parser.feed(&vec![b'p'; MOST_PASTED + 9]);
        let heard = parser.feed(PASTE_ENDS);
        assert!(matches!(&heard[..], [Heard::Event(Event::Paste(text))] if text.len() == MOST_PASTED));
    }

    proptest! {
        #[test]
        fn anything_is_taken_in(chunks in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40), 0..8)) {
            let mut parser = Parser::default();
            for chunk in chunks {
                parser.feed(&chunk);
            }
            parser.finish();
            prop_assert_eq!(parser.patience(), None);
        }
    }
}
