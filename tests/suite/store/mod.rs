//! The store from outside: what is written reads back, what is acknowledged is durable.

mod durable;
mod fixture;
mod kill;
mod records;
mod space;
mod upkeep;
