//! When a screen counts as settled: the only place that says so.
//!
//! In: dumps in the order they were made, and how long nothing had moved before each. Out: the layout to take, and how it
//! was found to be at rest. Strictly, two dumps in a row are equal, which the agent makes after Android's own half second of
//! rest and `uiautomator` after its second. Swiftly, the first dump that shows what is expected is taken, and any other
//! before which nothing had moved for [`STILL`]: `uiautomator` waits for longer than that by itself (AOSP,
//! `DumpCommand.java`: an idle time of one second, or there is no dump).
//!
//! Stillness counts before a dump only. The agent answers one request at a time: what moves while it dumps, it does not
//! tell.
//!
//! A page that shows a turning progress indicator is not there yet, however still it keeps; it is waited for.
//!
//! Invariants: a failed dump is equal to none; what a screen showed before a gesture is never taken at once.

use std::sync::Arc;
use std::time::Duration;

use super::dump::Dumper;
use super::fault::DumpFault;
use super::readings::{Reading, ReadingKey};
use crate::{DeviceErrorKind, Manner, Settled};
use droidmux_gui::Widget;
use droidmux_record::Settling;

/// A screen on which nothing has moved for so long is taken to be at rest by a swift look: longer than the frames of an
/// animation or the steps of a page that fills itself are apart.
pub(super) const STILL: Duration = Duration::from_millis(300);

/// The same where a dump may show what is expected: longer than Android holds back events that follow one another (AOSP,
/// `ViewConfiguration.java`: 100 ms), so that a page is not dumped between two frames.
pub(super) const CALM: Duration = Duration::from_millis(120);

/// How long a swift look waits for a window to react to a gesture. A screen that has not moved by then has been
/// [still](STILL), too.
pub(super) const REACT: Duration = Duration::from_millis(300);

/// Dumps on their way to the one that is taken.
#[derive(Debug)]
pub(super) struct Settler<'a> {
    manner: &'a Manner,
    /// Somebody can tell that the screen moves.
    tells: bool,
    /// Two equal dumps in a row are all that there is to go by.
    by_equality: bool,
    /// Nothing had moved for [`STILL`] when the next dump was asked for.
    still: bool,
    last: Option<Arc<Reading>>,
    /// The last dump could be read.
    unbroken: bool,
    /// How the last dump was found to be at rest.
    found: Settling,
    /// Dumps that were tried.
    dumps: u32,
    /// Why the last failed dump failed.
    fault: Option<DumpFault>,
}

impl<'a> Settler<'a> {
    /// `tells` is whether anybody can tell that the screen moves.
    pub(super) fn new(manner: &'a Manner, tells: bool) -> Self {
        let (last, fault, by_equality) = (None, None, !tells || !manner.is_swift());
        let (still, unbroken, found) = (false, false, Settling::Restless);
        Self { manner, tells, by_equality, still, last, unbroken, found, dumps: 0, fault }
    }

    /// How many dumps are worth taking next, together.
    pub(super) fn wanted(&self) -> u32 {
        // One may be enough where what is expected, or what is still, will do.
        if self.dumps == 0 && !self.manner.is_swift() { 2 } else { 1 }
    }

    /// How long nothing should have moved before the next dump; `None` where the dumps alone tell.
    pub(super) fn stillness(&self) -> Option<Duration> {
        match self.manner {
            Manner::Strict => None,
            Manner::Swift(_) if !self.tells => None,
            Manner::Swift(expected) if self.dumps == 0 && !expected.after.is_empty() => Some(CALM),
            Manner::Swift(_) => Some(STILL),
        }
    }

    /// Before the next dump nothing moved for as long as [was asked for](Self::stillness); without that, it never stops,
    /// or nobody can tell: from now on two equal dumps must do.
    pub(super) fn kept_still(&mut self, kept: bool) {
        self.still = kept && self.stillness() == Some(STILL);
        self.by_equality |= !kept;
    }

    /// True when the bytes are identical to the last dump: then nothing needs to be read.
    pub(super) fn repeats(&mut self, key: &ReadingKey) -> bool {
        let same = self.unbroken && self.last.as_ref().is_some_and(|last| last.key.has_bytes(key));
        if same {
            self.dumps += 1;
            self.found = if self.still { Settling::Quiet } else { self.found_equal() };
        }
        same
    }

    pub(super) fn take(&mut self, reading: Arc<Reading>) {
        // Equal layouts have equal content hashes; comparing is cheaper than hashing.
        let equal = self.unbroken && self.last.as_ref().is_some_and(|last| last.layout == reading.layout);
        self.found = match self.manner {
            Manner::Swift(expected) if expected.holds(reading.layout.hash()) => Settling::Expected,
            Manner::Swift(expected)
                if has_rested(&reading) && expected.before != Some(reading.layout.hash()) =>
            {
                Settling::Quiet
            }
            _ if self.still => Settling::Quiet,
            _ if equal => self.found_equal(),
            _ => Settling::Restless,
        };
        self.dumps += 1;
        self.last = Some(reading);
        self.unbroken = true;
    }

    /// A failed dump counts as a position between its neighbours.
    pub(super) fn fail(&mut self, fault: DumpFault) {
        self.dumps += 1;
        self.unbroken = false;
        self.found = Settling::Restless;
        self.fault = Some(fault);
    }

    pub(super) fn is_settled(&self) -> bool {
        self.found.is_settled()
    }

    /// What turns on the last dump, if anything does: then the page is not there yet, however still it keeps.
    pub(super) fn spinner(&self) -> Option<Widget<'_>> {
        let last = self.last.as_ref().filter(|_| self.unbroken)?;
        last.layout.widgets().find(|widget| widget.is_spinner())
    }

    /// What was dumped so far is out of date.
    pub(super) fn begin_again(&mut self) {
        self.unbroken = false;
        self.found = Settling::Restless;
    }

    pub(super) fn failed_last(&self) -> bool {
        !self.unbroken
    }

    /// The last layout.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Answer`] with the last fault when no dump could be read.
    pub(super) fn finish(self) -> Result<Settled, DeviceErrorKind> {
        match self.last {
            Some(last) => {
                let (layout, notes) = (Arc::clone(&last.layout), last.notes.clone());
                Ok(Settled { layout, notes, settling: self.found, dumps: self.dumps })
            }
            None => {
                Err(DeviceErrorKind::Answer(self.fault.map(|fault| fault.to_string()).unwrap_or_default()))
            }
        }
    }

    /// Two equal dumps: a swift look has waited between them.
    fn found_equal(&self) -> Settling {
        match (self.by_equality, self.manner) {
            (false, _) => Settling::Restless,
            (true, Manner::Swift(_)) => Settling::Quiet,
            (true, Manner::Strict) => Settling::Strict,
        }
    }
}

/// The dump was made after the screen had rested for longer than [`STILL`].
fn has_rested(reading: &Reading) -> bool {
    reading.key.dumper == Dumper::Uiautomator
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Expectation;
    use droidmux_gui::{Dump, LayoutBuilder, NewWidget};

    fn reading(text: &str, dumper: Dumper) -> Reading {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { text, ..NewWidget::default() });
        let dump = Dump { layout: builder.finish(), notes: Vec::new() };
        Reading::new(ReadingKey::new(text.as_bytes(), dumper, 34), dump)
    }

    /// Letters are layouts, `!` is a dump that failed, `.` a time before a dump in which nothing moved, `?` one of which
    /// nobody can tell.
    fn settle(manner: &Manner, dumper: Dumper, events: &str) -> Result<(Settling, String), ()> {
        let mut settler = Settler::new(manner, dumper == Dumper::Agent);
        for event in events.chars() {
            match event {
                '!' => settler.fail(DumpFault::NoFile),
                '.' => settler.kept_still(true),
                '?' => settler.kept_still(false),
                letter => {
                    let reading = reading(&letter.to_string(), dumper);
                    if !settler.repeats(&reading.key) {
                        settler.take(Arc::new(reading));
                    }
                }
            }
        }
        let settled = settler.finish().map_err(drop)?;
        let text = settled.layout.widgets().next().map(|widget| widget.text().to_owned());
        Ok((settled.settling, text.unwrap_or_default()))
    }

    /// Each case is what happens, and how the last dump was found to be at rest.
    fn check(manner: &Manner, dumper: Dumper, cases: &[(&str, (Settling, &str))]) {
        for (events, (settling, text)) in cases {
            assert_eq!(settle(manner, dumper, events), Ok((*settling, (*text).to_owned())), "{events}");
        }
    }

    #[test]
    fn two_in_a_row_settle_strictly() {
        let cases = [
            ("a", Ok((Settling::Restless, "a"))),
            ("aa", Ok((Settling::Strict, "a"))),
            ("ab", Ok((Settling::Restless, "b"))),
            ("abb", Ok((Settling::Strict, "b"))),
            ("aba", Ok((Settling::Restless, "a"))),
            ("a!a", Ok((Settling::Restless, "a"))),
            ("!aa", Ok((Settling::Strict, "a"))),
            ("a!", Ok((Settling::Restless, "a"))),
            ("!!", Err(())),
        ];
        for (events, expected) in cases {
            let expected = expected.map(|(settling, text)| (settling, text.to_owned()));
            for dumper in [Dumper::Agent, Dumper::Uiautomator] {
                assert_eq!(settle(&Manner::Strict, dumper, events), expected, "{events}");
            }
        }
    }

    #[test]
    fn what_is_expected_or_still_settles_swiftly() {
        // Before the gesture, `a`; it has led to `b`, and to nothing.
        let hash = |text| reading(text, Dumper::Agent).layout.hash();
        let (a, b) = (hash("a"), hash("b"));
        let manner = Manner::Swift(Expectation { before: Some(a), after: [a, b].into() });
        let cases = [
            (".b", (Settling::Expected, "b")),
            (".a", (Settling::Restless, "a")),
            (".a.a", (Settling::Quiet, "a")),
            (".aa", (Settling::Restless, "a")),
            (".a?a", (Settling::Quiet, "a")),
            (".c", (Settling::Restless, "c")),
            (".c.c", (Settling::Quiet, "c")),
            (".c.d", (Settling::Quiet, "d")),
            (".c.b", (Settling::Expected, "b")),
            (".c?d", (Settling::Restless, "d")),
            (".c?dd", (Settling::Quiet, "d")),
            (".c.a", (Settling::Quiet, "a")),
            (".!.b", (Settling::Expected, "b")),
            (".!.c", (Settling::Quiet, "c")),
            ("?b", (Settling::Expected, "b")),
            ("?c", (Settling::Restless, "c")),
            (".b!", (Settling::Restless, "b")),
        ];
        check(&manner, Dumper::Agent, &cases);
        // Where nothing is expected, the first dump waits for rest.
        let manner = Manner::Swift(Expectation { before: Some(a), after: [].into() });
        let cases = [
            (".b", (Settling::Quiet, "b")),
            (".a", (Settling::Quiet, "a")),
            ("?a", (Settling::Restless, "a")),
            ("?aa", (Settling::Quiet, "a")),
        ];
        check(&manner, Dumper::Agent, &cases);
    }

    #[test]
    fn uiautomator_has_waited_for_rest_by_itself() {
        let before = Some(reading("a", Dumper::Uiautomator).layout.hash());
        let manner = Manner::Swift(Expectation { before, after: [].into() });
        let cases = [
            ("b", (Settling::Quiet, "b")),
            ("a", (Settling::Restless, "a")),
            ("aa", (Settling::Quiet, "a")),
            ("ab", (Settling::Quiet, "b")),
            ("!b", (Settling::Quiet, "b")),
            ("!a", (Settling::Restless, "a")),
        ];
        check(&manner, Dumper::Uiautomator, &cases);
    }
}
