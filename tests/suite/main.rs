//! The tests that cross modules or need real recordings, as one program.

mod adb_genuine;
mod architecture;
mod corpus;
mod device;
mod dumps;
mod sessions;
mod sim_doors;
mod trial_app;
