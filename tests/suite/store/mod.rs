//! The store from outside: what is written reads back, what is acknowledged is durable.

mod command;
mod durable;
mod fixture;
mod kill;
mod records;
mod rederive;
mod space;
mod steps;
mod upkeep;
