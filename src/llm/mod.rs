//! Language models and what belongs to them: generated code, word vectors, examples.

pub mod library;
pub mod sandbox;
pub mod vectors;
