//! The tests that cross modules or need real recordings, as one program.

mod architecture;
mod adb_genuine;
mod corpus;
mod dumps;
mod sim_doors;
