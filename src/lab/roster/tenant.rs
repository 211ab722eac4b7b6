//! Who leases a device: a session, or a person who records a function.

use std::fmt;

use droidmux_record::SessionId;

/// The holder of a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tenant {
    Session(SessionId),
    Recorder,
    Installer,
    Doctor,
}

impl Tenant {
    pub(crate) fn session(self) -> Option<SessionId> {
        match self {
            Self::Session(session) => Some(session),
            Self::Recorder | Self::Installer | Self::Doctor => None,
        }
    }
}

impl fmt::Display for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Session(session) => session.fmt(f),
            Self::Recorder => f.write_str("recorder"),
            Self::Installer => f.write_str("installer"),
            Self::Doctor => f.write_str("doctor"),
        }
    }
}
