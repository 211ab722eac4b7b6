//! The lab server as people use it: started, left alone, attached to, talked through, killed.

mod attach;
mod commands;
mod connections;
mod far;
mod first_frame;
mod fixture;
mod mcp;
mod questions;
pub mod sshd;
mod start;
mod terminal;
mod watching;
