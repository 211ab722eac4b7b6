//! The tests that cross modules or need real recordings, as one program.

mod architecture;
mod corpus;
mod device;
mod dumps;
mod recordings;
mod trial_app;
