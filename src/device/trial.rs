//! What came of trying the tools that sessions use.

use std::borrow::Cow;

use crate::DeviceErrorKind;

/// One tool of the device, tried in a way that changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The tool and the command that was tried, e.g. `settings put`.
    pub command: Cow<'static, str>,
    /// What it did, in a few words.
    pub tried: Cow<'static, str>,
    /// Sessions need it; without the others they do in other ways, or leave events out.
    pub needed: bool,
    /// Why it is of no use.
    pub outcome: Result<(), DeviceErrorKind>,
}
