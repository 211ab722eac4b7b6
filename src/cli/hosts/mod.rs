//! Hosts beside this one: how the NATS server between them is reached, this host offered to others, their phones listed.

pub(super) mod list;
pub(super) mod offer;
pub(super) mod way;
