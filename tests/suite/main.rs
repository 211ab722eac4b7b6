//! The tests that cross modules or need real recordings, as one program.

mod architecture;
mod cli;
mod corpus;
mod device;
mod dumps;
mod offline;
mod oracle;
mod recordings;
mod sessions;
mod store;
mod trial_app;
mod trouble;
