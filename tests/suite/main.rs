//! The tests that cross modules or need real recordings, as one program.

mod adb_genuine;
mod architecture;
mod baseline;
mod bench;
mod by_hand;
mod cli;
mod corpus;
mod device;
mod dumps;
mod masks;
mod odin;
mod offline;
mod oracle;
mod program;
mod properties;
mod recheck;
mod recordings;
mod sessions;
mod shrink;
mod sim_command;
mod sim_doors;
mod specification_commands;
mod specifications;
mod store;
mod trial_app;
mod trouble;
