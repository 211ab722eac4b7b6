//! The tests that cross modules or need real recordings, as one program.

mod architecture;
mod corpus;
mod device;
mod dumps;
mod genie;
mod phones;
mod trial_app;
