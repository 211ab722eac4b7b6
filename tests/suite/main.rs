//! The tests that cross modules or need real recordings, as one program.

mod architecture;
mod corpus;
mod device;
mod dumps;
mod offline;
mod recordings;
mod sessions;
mod trial_app;
