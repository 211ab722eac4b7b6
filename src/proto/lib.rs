//! What a viewer and a lab say to each other.
//!
//! In: the lab's state as views, and a viewer's requests. Out: the same as data. A viewer sees the lab's state in three
//! ways: the latest [`LabView`] (older ones are skipped), append-only logs pulled by (session, sequence, limit), and
//! blobs by hash.
//!
//! The same data goes through channels in one process ([`Link`]) and over a stream between two ([`connect`]): a
//! [`greeting`], then length-delimited postcard frames.
//!
//! Invariants: no part of the lab ever waits for anything here; only data is sent; every text in a view may come from a
//! device and is made printable only where it is drawn.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

mod client;
mod digest;
mod doctor;
mod exchange;
mod finding_detail;
mod finding_mark;
mod frame;
pub mod greeting;
mod host;
mod lens;
mod link;
mod log;
mod map;
mod message;
mod question;
mod recheck_view;
mod recorder;
mod start;
mod stepper;
mod view;
mod wire;

pub use client::{Reach, Wire, connect, connect_later};
pub use digest::Digest;
pub use doctor::{CheckVerdict, CheckView, DoctorView, Subject};
pub use exchange::{AskingView, ExchangeDetail, ExchangeView, ModelView, SuspicionView};
pub use finding_detail::FindingDetail;
pub use finding_mark::FindingMark;
pub use frame::{FrameError, MOST_FROM_LAB, MOST_FROM_VIEWER, codec, decode, encode};
pub use host::{HostState, HostView};
pub use lens::{Lens, Sought};
pub use link::{Connection, LabEnd, Link, ViewerEnd};
pub use log::{LogLens, LogRow};
pub use map::{Growth, MapView, StateView, TransitionView};
pub use message::{Reply, Request};
pub use question::{Taking, WaitingDetail, WaitingPart, WaitingView};
pub use recheck_view::RecheckView;
pub use recorder::{RecorderOpening, RecorderOrder, RecorderPhase, RecorderView, RehearsalView};
pub use start::{FilePlace, SessionFileView, Start, StartFault};
pub use stepper::{
    NextStep, RowOrigin, RowState, SeedEffect, Shows, StepRow, StepSubject, StepperView, ViolationNote,
    ViolationPart,
};
pub use view::{
    BudgetKind, BudgetView, DeviceHealth, DeviceView, FindingView, LabView, LogLevel, LogView, SessionState,
    SessionView, StepView, VerdictView,
};
pub use wire::{ToLab, ToViewer};
