//! Mutants that wait for their turn, in little memory: a session generates tens of thousands and runs some hundreds.
//!
//! In: inserted traces. Out: the same events again. Invariants: events come out as they went in; what mutants have in
//! common (events, texts) is kept once; numbers depend on the order of the mutants alone.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use super::mutants::Inserted;
use droidmux_gui::Event;
use droidmux_words::number::count;

/// The events and texts of all mutants, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    /// Without their texts.
    events: Numbered<Arc<Event>>,
    texts: Numbered<Arc<str>>,
    /// The numbers of an event and of its text.
    texted: Numbered<(u32, u32)>,
}

/// What the mutants of a seed insert, one mutant's events after the other's.
#[derive(Clone, Debug, Default)]
pub(super) struct Phrases(Vec<Word>);

/// Different things, and their numbers.
#[derive(Clone, Debug)]
pub(super) struct Numbered<K> {
    all: Vec<K>,
    numbers: HashMap<K, u32>,
}

/// An event of a mutant: its number among those without texts, or, above [`TEXTED`], among those with one.
#[derive(Clone, Copy, Debug)]
struct Word(u32);

const TEXTED: u32 = 1 << 31;

/// A mutant that waits: 24 bytes, and four for each event.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// Its first event among its seed's phrases.
    start: u32,
    length: u32,
    /// What it tries, among what mutants of its seed try.
    pub(super) tries: u32,
    /// See [`Inserted::likelihood`].
    pub(super) likelihood: f64,
}

impl Vocabulary {
    /// Notes a mutant that tries this, and its events among its seed's.
    pub(super) fn waiting(&mut self, inserted: &Inserted, tries: u32, phrases: &mut Phrases) -> Waiting {
        let start = count(phrases.0.len());
        phrases.0.extend(inserted.events.iter().map(|event| self.word(event)));
        Waiting { start, length: count(phrases.0.len()) - start, tries, likelihood: inserted.likelihood }
    }

    /// The events of a mutant, whose seed has these phrases.
    pub(super) fn events<'a>(
        &'a self,
        mutant: &Waiting,
        phrases: &'a Phrases,
    ) -> impl Iterator<Item = Event> + 'a {
        let words = phrases.0.iter().skip(mutant.start as usize).take(mutant.length as usize);
        words.filter_map(|word| self.event(*word))
    }

    fn event(&self, Word(number): Word) -> Option<Event> {
        if number < TEXTED {
            return self.events.get(number).map(|event| Event::clone(event));
        }
        let (event, text) = *self.texted.get(number - TEXTED)?;
        let text = self.texts.get(text)?.as_ref().to_owned();
        let event = self.events.get(event)?;
        Some(Event { data: Some(text), ..Event::clone(event) })
    }

    fn word(&mut self, event: &Arc<Event>) -> Word {
        match event.data.as_deref() {
            None => Word(self.events.number(Arc::clone(event))),
            Some(text) => {
                let without = Event { data: None, ..Event::clone(event) };
                let pair = (self.events.number(Arc::new(without)), self.texts.number(text.into()));
                Word(TEXTED.saturating_add(self.texted.number(pair)))
            }
        }
    }
}

impl Phrases {
    /// Gives back what no further mutant will need.
    pub(super) fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }
}

impl Waiting {
    /// How many events it inserts.
    pub(super) fn len(&self) -> usize {
        self.length as usize
    }
}

impl<K> Default for Numbered<K> {
    fn default() -> Self {
        Self { all: Vec::new(), numbers: HashMap::new() }
    }
}

impl<K: Clone + Eq + Hash> Numbered<K> {
    /// The number of something, the next one when it is new.
    pub(super) fn number(&mut self, thing: K) -> u32 {
        if let Some(&known) = self.numbers.get(&thing) {
            return known;
        }
        let next = count(self.all.len());
        self.all.push(thing.clone());
        self.numbers.insert(thing, next);
        next
    }

    /// What has this number.
    pub(super) fn get(&self, number: u32) -> Option<&K> {
        self.all.get(number as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::EventKind;

    #[test]
    fn events_come_out_as_they_went_in_and_are_kept_once() {
        let event = |kind, data: Option<&str>| {
            Arc::new(Event { data: data.map(str::to_owned), ..Event::global(kind) })
        };
        let mutants = [
            vec![event(EventKind::Back, None), event(EventKind::Edit, Some("a"))],
            vec![event(EventKind::Edit, Some("b")), event(EventKind::Edit, Some(""))],
            vec![event(EventKind::Edit, Some("a")), event(EventKind::Edit, None)],
        ];
        let (mut vocabulary, mut phrases) = (Vocabulary::default(), Phrases::default());
        let inserted = |events: &[Arc<Event>]| Inserted {
            events: events.to_vec(),
            kind: Box::default(),
            shapes: Box::default(),
            likelihood: 1.0,
        };
        let mut wait = |events: &Vec<_>| vocabulary.waiting(&inserted(events), 0, &mut phrases);
        let waiting: Vec<_> = mutants.iter().map(&mut wait).collect();
        for (mutant, events) in waiting.iter().zip(&mutants) {
            let out: Vec<_> = vocabulary.events(mutant, &phrases).map(Arc::new).collect();
            assert_eq!((&out, mutant.len()), (events, events.len()));
        }
        assert_eq!((vocabulary.events.all.len(), vocabulary.texts.all.len()), (2, 3));
        assert_eq!((vocabulary.texted.all.len(), phrases.0.len()), (3, 6));
    }
}
