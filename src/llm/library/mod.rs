//! The library of examples: bugs worth showing to a language model, found by similarity.
//!
//! In: what a driver asks for ([`Recall`]) and the examples that people and findings added, read
//! from the store. Out: the nearest examples, those that ship with droidmux among them.
//!
//! Invariants: the answer depends on the question, the examples and the vectors alone; examples of
//! the app under test are never in it; equal distances are ordered by the examples themselves.

mod file;
mod starter;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use super::vectors::{VectorsError, WordVectors, cosine};
use droidmux_record::{Example, ExampleId, Recall};

pub use file::{ExampleFileError, complaint, read_examples, write_examples};
pub use starter::starter;

/// The most texts whose vectors are kept.
const MOST_KEPT: usize = 20_000;

/// The examples that ship, with vectors for these and others.
#[derive(Debug)]
pub struct Library {
    vectors: WordVectors,
    starter: Vec<Example>,
    /// Vectors computed earlier, by text.
    kept: Mutex<HashMap<String, Vec<f32>>>,
}

impl Library {
    /// The examples that ship, to be found by these vectors.
    pub fn new(vectors: WordVectors) -> Self {
        Self { vectors, starter: starter(), kept: Mutex::default() }
    }

    /// The examples nearest to the words asked for, the nearest first: as many as asked for, from those that ship and
    /// the `stored` ones, without duplicates.
    ///
    /// # Errors
    /// When an embeddings endpoint returns no vectors, or the budget for it is used up.
    pub async fn nearest(&self, recall: &Recall, stored: &[Example]) -> Result<Vec<Example>, VectorsError> {
        let other_app = |example: &&Example| example.app().is_empty() || example.app() != recall.not_app;
        let all = self.starter.iter().chain(stored).filter(|example| example.kind() == recall.kind);
        let mut seen = BTreeSet::<ExampleId>::new();
        let all: Vec<&Example> = all.filter(other_app).filter(|example| seen.insert(example.id())).collect();
        let texts: Vec<&str> =
            std::iter::once(recall.words.as_str()).chain(all.iter().map(|e| e.words())).collect();
        let vectors = self.vectors_of(&texts).await?;
        let Some((question, vectors)) = vectors.split_first() else { return Ok(Vec::new()) };
        let mut ranked: Vec<(f64, &Example)> =
            vectors.iter().zip(all).map(|(vector, example)| (cosine(question, vector), example)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        Ok(ranked.into_iter().take(recall.most.into()).map(|(_, example)| example.clone()).collect())
    }

    /// A vector for each text; existing ones are reused.
    async fn vectors_of(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, VectorsError> {
        let known = |text: &str| self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned();
        let found: Vec<Option<Vec<f32>>> = texts.iter().map(|text| known(text)).collect();
        let missing = texts.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(text, _)| *text);
        let missing: Vec<&str> = missing.collect::<BTreeSet<_>>().into_iter().collect();
        let made: HashMap<&str, Vec<f32>> =
            missing.iter().copied().zip(self.vectors.of(&missing).await?).collect();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() + made.len() <= MOST_KEPT {
            kept.extend(made.iter().map(|(text, vector)| ((*text).to_owned(), vector.clone())));
        }
        let vector = |(text, found): (&&str, Option<Vec<f32>>)| found.or_else(|| made.get(text).cloned());
        Ok(texts.iter().zip(found).map(vector).map(Option::unwrap_or_default).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::{BugExample, ExampleKind, InputExample};

    fn input(app: &str, context: &str, input: &str) -> Example {
        Example::Input(InputExample {
            app: app.into(),
            context: context.into(),
            rule: String::new(),
            input: input.into(),
            from: String::new(),
        })
    }

    fn recall(words: &str, not_app: &str, most: u8) -> Recall {
        Recall { kind: ExampleKind::Input, words: words.into(), not_app: not_app.into(), most }
    }

    #[tokio::test]
    async fn the_nearest_come_first_and_none_of_the_app_under_test() {
        let library = Library { starter: Vec::new(), ..Library::new(WordVectors::Ngrams) };
        let stored = [
            input("org.a", "departure city", "x"),
            input("org.b", "city of departure", "y"),
            input("org.b", "city of departure", "y"),
            input("org.b", "city of departure", "a"),
            input("", "blood pressure", "z"),
            Example::Bug(BugExample { activity: "departure city".into(), ..BugExample::default() }),
        ];
        let cases: [(&str, &str, u8, &[&str]); 5] = [
            ("departure city", "org.c", 5, &["x", "a", "y", "z"]),
            ("departure city", "org.c", 2, &["x", "a"]),
            ("departure city", "org.a", 5, &["a", "y", "z"]),
            ("diastolicBloodPressure", "org.c", 1, &["z"]),
            ("", "org.b", 0, &[]),
        ];
        for (words, not_app, most, expected) in cases {
            let found = library.nearest(&recall(words, not_app, most), &stored).await.expect("no endpoint");
            let inputs: Vec<&str> = found
                .iter()
                .map(|example| match example {
                    Example::Input(example) => example.input.as_str(),
                    Example::Bug(_) => "a bug",
                })
                .collect();
            assert_eq!(inputs, expected, "{words} without {not_app}");
        }
    }

    #[tokio::test]
    async fn what_ships_is_found_by_what_it_is_about() {
        let library = Library::new(WordVectors::Ngrams);
        let found = library.nearest(&recall("amount; Add expense; Save", "org.x", 5), &[]).await;
        let found = found.expect("no endpoint");
        assert_eq!(found.len(), 5);
        assert!(found[0].words().contains("amount"), "{}", found[0].words());
        let bug = Recall { kind: ExampleKind::Bug, ..recall("SearchActivity", "", 4) };
        let found = library.nearest(&bug, &[]).await.expect("no endpoint");
        assert_eq!(found.len(), 4);
        assert!(found[0].words().contains("Search"), "{}", found[0].words());
    }
}
