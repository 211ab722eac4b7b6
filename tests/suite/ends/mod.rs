//! How sessions end: by a panic, by the clock, by a signal, for want of devices, in vain.

mod losses;
mod panics;
mod signals;
mod time;
mod vain;
