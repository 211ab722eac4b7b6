//! The tests that cross modules or need real recordings, as one program.

mod corpus;
mod dumps;
