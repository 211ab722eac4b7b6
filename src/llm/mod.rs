//! Language models and what belongs to them: generated code, word vectors, examples.

pub mod sandbox;
