//! What a viewer and a lab say to each other.
//!
//! In: the lab's state as views, and a viewer's requests. Out: the same as data. A viewer sees
//! lab state in three ways: the latest [`LabView`] (older ones are skipped), append-only logs
//! pulled by (session, sequence, limit), and blobs by hash.
//!
//! Invariants: nothing here waits; no type holds anything but data; every text in a view may
//! come from a device and is made printable only where it is drawn.

mod link;
mod message;
mod view;

pub use link::{LabEnd, Link, ViewerEnd};
pub use message::{FindingDetail, Reply, Request};
pub use view::{
    DeviceHealth, DeviceView, FindingView, LabView, LogLevel, LogView, SessionState, SessionView, StepView,
    VerdictView,
};
