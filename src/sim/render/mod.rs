//! Screenshots of simulated screens.
