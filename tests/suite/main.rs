//! The tests that cross modules or need real recordings, as one program.

mod architecture;
mod corpus;
mod dumps;
mod store;
