//! Word vectors: what makes two texts similar.
//!
//! In: texts. Out: a vector per text, the mean of its words' vectors; the similarity of two is their [`cosine`]. Words
//! come from a word2vec file that the user names, whole texts from an embeddings endpoint, or, with neither, from
//! hashed character n-grams.
//!
//! Invariants: the same texts have the same vectors on every machine, except for an endpoint's answers; a text about
//! which nothing is known has an empty vector, similar to nothing; files and endpoints are not trusted.

mod endpoint;
mod ngrams;
mod word2vec;
mod words;

use std::path::PathBuf;

use thiserror::Error;

use super::{Client, Endpoints, LlmError, Secret, UsedUp};
use droidmux_record::{LlmSettings, Vectors};

pub use endpoint::Embeddings;
pub use word2vec::Word2vec;
pub use words::words;

/// The most numbers in a vector.
const MOST_DIMENSIONS: usize = 8_192;

/// Where vectors come from.
#[derive(Debug)]
pub enum WordVectors {
    /// Computed from hashed character n-grams, on the spot.
    Ngrams,
    /// Looked up in a word2vec file that was read completely.
    File(Word2vec),
    /// Asked for over HTTP.
    Endpoint(Box<Embeddings>),
}

/// Why there are no vectors.
#[derive(Debug, Error)]
pub enum VectorsError {
    /// The file cannot be read, or is not a word2vec file.
    #[error("the word vectors in {path} cannot be used: {place}: {why}")]
    File {
        /// The file.
        path: PathBuf,
        /// The line or the word where it shows.
        place: String,
        /// What is wrong there.
        why: String,
    },
    /// The endpoint refuses the request, or its answer makes no sense.
    #[error("the embeddings endpoint {url} gave no vectors: {why}")]
    Endpoint {
        /// Its address, as the settings give it.
        url: String,
        /// What it said, or what is wrong with it.
        why: String,
    },
    /// All tries failed; later ones may succeed.
    #[error("the embeddings endpoint {url} gave no vectors: {why}")]
    Unreachable {
        /// Its address, as the settings give it.
        url: String,
        /// What the last try came to.
        why: String,
    },
    /// The session may ask no more.
    #[error("no vectors were asked for: {0}")]
    Budget(UsedUp),
    /// The settings for it cannot be used.
    #[error(transparent)]
    Llm(#[from] LlmError),
}

impl WordVectors {
    /// What the settings name, an endpoint with this key and a budget of its own. Reads a file to its
    /// end: not for async workers.
    ///
    /// # Errors
    /// When a file cannot be read or is no word2vec file, or an endpoint cannot be asked at all.
    pub fn open(
        settings: &LlmSettings,
        key: Option<&Secret>,
        endpoints: &Endpoints,
    ) -> Result<Self, VectorsError> {
        match &settings.vectors {
            Vectors::Builtin => Ok(Self::Ngrams),
            Vectors::File(path) => Word2vec::read(path.as_ref()).map(Self::File),
            Vectors::Endpoint(model) => {
                Ok(Self::Endpoint(Box::new(Embeddings::new(settings, model, key, endpoints)?)))
            }
        }
    }

    /// The same vectors, charged to a client's budget.
    #[must_use]
    pub fn charged_to(self, client: &Client) -> Self {
        match self {
            Self::Endpoint(endpoint) => Self::Endpoint(Box::new(endpoint.charged_to(client))),
            other => other,
        }
    }

    /// A vector for each text, in their order.
    ///
    /// # Errors
    /// When an endpoint returns none, after all tries, and when the budget is used up.
    pub async fn of(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, VectorsError> {
        match self {
            Self::Ngrams => {
                Ok(texts.iter().map(|text| mean(text, |word| Some(ngrams::vector(word)))).collect())
            }
            Self::File(file) => Ok(texts.iter().map(|text| mean(text, |word| file.vector(word))).collect()),
            Self::Endpoint(endpoint) => endpoint.vectors(texts).await,
        }
    }
}

/// The cosine of the angle between two vectors, −1 to 1; 0 when one is empty or zero, or they are
/// of different kinds.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    if a.len() != b.len() {
        return 0.0;
    }
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths > 0.0 && lengths.is_finite() { dot(a, b) / lengths } else { 0.0 }
}

/// What the names of all pages end with, which makes none of them more similar to another.
const SAYS_NOTHING: &str = "activity";

/// The mean of the vectors of a text's words; those without one are skipped.
fn mean<V: AsRef<[f32]>>(text: &str, vector: impl Fn(&str) -> Option<V>) -> Vec<f32> {
    let mut words = words(text);
    if words.iter().any(|word| word != SAYS_NOTHING) {
        words.retain(|word| word != SAYS_NOTHING);
    }
    let mut sum: Vec<f32> = Vec::new();
    let mut count = 0.0_f32;
    for vector in words.iter().filter_map(|word| vector(word)) {
        sum.resize(vector.as_ref().len(), 0.0);
        sum.iter_mut().zip(vector.as_ref()).for_each(|(sum, part)| *sum += part);
        count += 1.0;
    }
    sum.iter_mut().for_each(|part| *part /= count);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nearer_texts_have_larger_cosines() {
        // A text, a similar one, and a less similar one.
        let cases = [
            ("departure city", "DepartureCityField", "blood pressure"),
            ("txt_user_name", "Username", "price per liter"),
            ("confirm password", "password again", "Trip date"),
            ("SettingsActivity", "settings page", "PlayerActivity"),
            ("Gewicht in kg", "gewichte", "Name"),
        ];
        for case in cases {
            let (text, near, far) = case;
            let vectors = WordVectors::Ngrams.of(&[text, near, far]).await.expect("no endpoint");
            let [text, near, far] = &vectors[..] else { panic!("three vectors") };
            assert!(text.iter().all(|part| part.is_finite()) && text.len() == 300);
            let (near, far) = (cosine(text, near), cosine(text, far));
            assert!(near > far + 0.1, "{case:?}: {near} and {far}");
        }
    }

    #[tokio::test]
    async fn nothing_is_near_to_nothing() {
        let vectors = WordVectors::Ngrams.of(&["", " ;.- ", "word"]).await.expect("no endpoint");
        assert_eq!(vectors[0], Vec::<f32>::new());
        assert_eq!(vectors[1], Vec::<f32>::new());
        let cases: [(&[f32], &[f32], f64); 6] = [
            (&[], &[], 0.0),
            (&[], &[1.0], 0.0),
            (&[0.0, 0.0], &[1.0, 0.0], 0.0),
            (&[2.0, 0.0], &[5.0, 0.0], 1.0),
            (&[1.0, 0.0], &[0.0, 1.0], 0.0),
            (&[1.0, -1.0], &[-1.0, 1.0], -1.0),
        ];
        for (a, b, expected) in cases {
            assert!((cosine(a, b) - expected).abs() < 1e-6, "{a:?} {b:?}");
        }
    }
}
