//! Devices of other hosts.
