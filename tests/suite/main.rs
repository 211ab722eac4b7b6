//! The tests that cross modules or need real recordings, as one program.

mod architecture;
mod cli;
mod corpus;
mod device;
mod dumps;
mod sessions;
mod store;
mod oracle;
mod trial_app;
mod trouble;
