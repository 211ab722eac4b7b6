//! How sessions end: by a panic, by the clock, by a signal, by a hang-up, for lack of devices, in vain.

mod hang_up;
mod last_look;
mod losses;
mod panics;
mod signals;
mod time;
mod vain;
