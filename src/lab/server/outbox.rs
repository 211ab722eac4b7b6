//! The outbox of a connection: what is written to it, a frame at a time.
//!
//! There is no deadline here: to the writer, a slow link and a dead one look alike. Whether a viewer is alive is known
//! from what it says.

use std::fmt;
use std::io;
use std::time::Duration;

use futures_util::SinkExt;
use tokio::net::unix::OwnedWriteHalf;
use tokio_util::codec::{FramedWrite, LengthDelimitedCodec};

use droidmux_proto::{MOST_FROM_LAB, ToViewer, codec, encode};

/// A viewer that says nothing for this long is dead.
pub(super) const DEAD: Duration = Duration::from_secs(5);

/// How a connection ended.
#[derive(Debug)]
pub(super) enum Ended {
    Left,
    Stopping,
    Dead,
    Broke(String),
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Left => f.write_str("the viewer closed the connection"),
            Self::Stopping => f.write_str("the server is stopping"),
            Self::Dead => write!(f, "no word for {} s", DEAD.as_secs()),
            Self::Broke(why) => f.write_str(why),
        }
    }
}

pub(super) struct Outbox {
    frames: FramedWrite<OwnedWriteHalf, LengthDelimitedCodec>,
}

impl Outbox {
    pub(super) fn new(half: OwnedWriteHalf) -> Self {
        Self { frames: FramedWrite::new(half, codec(MOST_FROM_LAB)) }
    }

    /// Writes one message. The caller watches for signs of life while this waits.
    pub(super) async fn put(&mut self, message: &ToViewer) -> Result<(), Ended> {
        let content = encode(message).map_err(|error| Ended::Broke(error.to_string()))?;
        self.frames.send(content).await.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => Ended::Left,
            _ => Ended::Broke(error.to_string()),
        })
    }
}
