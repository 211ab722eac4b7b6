//! The store from outside: what is written reads back, what is acknowledged is durable.

mod archive;
mod command;
mod durable;
mod earlier;
pub mod fixture;
mod gc;
mod kill;
mod pictures;
mod records;
mod rederive;
mod salvage;
mod space;
mod steps;
mod tiers;
mod upkeep;
