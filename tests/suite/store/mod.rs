//! The store from outside: what is written reads back, what is acknowledged is durable.

mod archive;
mod command;
mod durable;
mod earlier;
pub mod fixture;
mod gc;
mod kill;
mod records;
mod rederive;
mod space;
mod steps;
mod upkeep;
