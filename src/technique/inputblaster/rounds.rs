//! Rounds: a mutation rule, its generator, and a filling for each input it yields.

use super::answer::{self, GeneratorReply};
use super::driver::{Doing, FormDriver, Yielded};
use super::errand::{FormRound, Reaction};
use super::fill::{End, Fill};
use super::prompt;
use crate::mix;
use crate::text::{Demands, random_text};
use droidmux_record::{Act, Consultation, Ending, ExampleKind, Generation, Layouts, Recall};

/// Inputs taken from a generator for each one that is to be tried.
const SPARES: u16 = 2;

/// Examples looked at for each one that is told.
const EXAMPLES: u8 = 4;

/// Questions without an input in a row before a job ends.
const MOST_BARREN: u32 = 3;

impl FormDriver {
    /// Another rule and its generator.
    pub(super) fn round(&mut self) -> Act {
        if self.attempts == 0 || self.barren >= MOST_BARREN || self.history.known.is_none() {
            return self.finish(Ending::Complete);
        }
        // A field that was not tested goes before another round; a question for a handful of inputs costs more than
        // they tell.
        let few = self.attempts < self.terms.settings.worth_asking();
        if self.fruitful && (few || self.history.untested(self.fields) > 0) {
            return self.finish(Ending::Complete);
        }
        if self.terms.random {
            self.history.begin_round(FormRound { field: self.test.field, ..FormRound::default() });
            self.draw();
            return self.trial();
        }
        // More than are told: most are about fields of another kind.
        let most = self.terms.settings.examples.saturating_mul(EXAMPLES);
        let Some(page) = self.page.as_ref().filter(|_| most > 0) else { return self.ask_generator() };
        let words =
            page.fields.get(self.field()).map(|field| field.words(&page.activity)).unwrap_or_default();
        let recall = Recall { kind: ExampleKind::Input, words, not_app: self.terms.app.clone(), most };
        self.ask(Consultation::Recall(recall), Doing::Recall)
    }

    pub(super) fn ask_generator(&mut self) -> Act {
        let (Some(page), Some(known)) = (&self.page, &self.history.known) else {
            return self.finish(Ending::Stuck);
        };
        let settings = &self.terms.settings;
        let inputs = self.attempts.min(settings.batch.into());
        let twins = self.twins(&known.valid);
        let asked = prompt::Asked { field: self.field(), twins: &twins, inputs, examples: settings.examples };
        let question = prompt::test_generator(page, &asked, known, &self.examples);
        self.ask(Consultation::Ask(question), Doing::AskGenerator)
    }

    pub(super) fn generate(&mut self, reply: &str) -> Act {
        let field = u16::try_from(self.field()).unwrap_or(u16::MAX);
        let Some(reply) = answer::test_generator(reply) else {
            self.history.begin_round(FormRound { field, ..FormRound::default() });
            self.history.tally.in_vain += 1;
            self.history.failed("the reply held no code".into());
            return self.take(Vec::new());
        };
        let GeneratorReply { rule, code, expected, ground } = reply;
        self.history.begin_round(FormRound { field, rule, expected, ground, ..FormRound::default() });
        let rounds = self.history.known.as_ref().map_or(0, |known| known.rounds.len() as u64);
        // More than are tried: one that the device cannot type costs no question, and what is left over is told.
        let most = self.terms.settings.batch.saturating_mul(SPARES).clamp(1, Generation::MOST);
        let generation = Generation { code, rng: mix(self.seed, rounds), most };
        self.ask(Consultation::Generate(generation), Doing::Generate)
    }

    /// Inputs to be tried, each once and none that is the valid one.
    pub(super) fn take(&mut self, inputs: Vec<Yielded>) -> Act {
        let valid = self.valid().get(self.field()).cloned().unwrap_or_default();
        self.inputs.clear();
        for input in inputs.into_iter().filter(|input| input.text != valid) {
            if !self.inputs.iter().any(|taken| taken.text == input.text) {
                self.inputs.push(input);
            }
        }
        self.inputs.reverse();
        self.barren = if self.inputs.is_empty() { self.barren + 1 } else { 0 };
        self.fruitful |= !self.inputs.is_empty();
        self.trial()
    }

    /// The next input of the round; another round when there is none.
    pub(super) fn trial(&mut self) -> Act {
        let valid = self.valid().to_vec();
        self.trial_with(valid)
    }

    pub(super) fn trial_with(&mut self, mut texts: Vec<String>) -> Act {
        if self.attempts == 0 {
            return self.finish(Ending::Complete);
        }
        let Some(input) = self.inputs.pop() else { return self.round() };
        for field in self.twins(&texts) {
            if let Some(text) = texts.get_mut(field) {
                text.clone_from(&input.text);
            }
        }
        let filling = self.filling(Some(texts));
        self.fill(filling, |fill| Doing::Trial(fill, input))
    }

    /// The fields that get the text under test.
    fn twins(&self, texts: &[String]) -> Vec<usize> {
        let fields = self.page.iter().flat_map(|page| &page.fields);
        let passwords: Vec<bool> = fields.map(|field| field.is_password).collect();
        twins(self.field(), &passwords, texts)
    }

    pub(super) fn trial_ended(
        &mut self,
        fill: &Fill,
        end: End,
        input: &Yielded,
        layouts: &dyn Layouts,
    ) -> Act {
        let number = self.number();
        let landing = fill.landing(&self.terms.app, layouts);
        let (reaction, bug) = match (end, &landing) {
            (End::Crashed, _) => (Reaction::Crashed, String::new()),
            (End::Landed, Some(landing)) => self.history.reaction(landing, input.expected),
            (End::Untypable, _) => (Reaction::Untypable, String::new()),
            _ => (Reaction::Strayed, String::new()),
        };
        // A text that could not be typed costs no attempt, only its events.
        if reaction != Reaction::Untypable {
            self.attempts = self.attempts.saturating_sub(1);
        }
        self.history.note(number, input, (reaction, bug), landing.as_ref());
        let texts = fill.filling().texts.clone().unwrap_or_default();
        match self.history.known {
            Some(_) => self.trial(),
            None => self.trial_with(texts),
        }
    }

    /// Random texts in place of what a generator yields.
    pub(super) fn draw(&mut self) {
        self.inputs = (0..self.attempts).map(|_| Yielded { text: self.random(), expected: None }).collect();
        self.inputs.reverse();
    }

    pub(super) fn random(&mut self) -> String {
        let demands = Demands { known: &[], conflict: true, ascii: false };
        random_text(demands, &mut self.rng)
    }
}

/// A field, and the password fields after it that hold the same text: the repetition of a password follows it, and is
/// changed alone when it is the field under test.
fn twins(own: usize, passwords: &[bool], texts: &[String]) -> Vec<usize> {
    let is_password = |field: usize| passwords.get(field).copied().unwrap_or(false);
    let repeats = |field: usize| {
        field > own && is_password(own) && is_password(field) && texts.get(field) == texts.get(own)
    };
    (0..texts.len()).filter(|&field| field == own || repeats(field)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repetition_follows_its_password_and_is_changed_alone() {
        let texts = ["a", "Secret1", "Secret1", "Other2"].map(str::to_owned);
        let passwords = [false, true, true, true];
        for (own, expected) in [(0, &[0][..]), (1, &[1, 2]), (2, &[2]), (3, &[3])] {
            assert_eq!(twins(own, &passwords, &texts), expected, "{own}");
        }
        assert_eq!(twins(0, &[false, false], &["a".into(), "a".into()]), [0], "only passwords are repeated");
    }
}
