//! One connection to an ADB server: request framing, OKAY and FAIL.

use std::io;
use std::pin::pin;
use std::task::{Context, Waker};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

use super::stream::Stream;
use crate::DeviceErrorKind;

/// A connection that has sent no request yet, or whose last request was answered by OKAY.
#[derive(Debug)]
pub(super) struct Connection {
    stream: BufReader<Stream>,
}

impl Connection {
    /// Connects to the server at `address` (`host:port`).
    pub(super) async fn open(address: &str) -> Result<Self, DeviceErrorKind> {
        let stream = Stream::tcp(address).await;
        stream.map(Self::over).map_err(|_| DeviceErrorKind::NoServer(address.to_owned()))
    }

    /// A connection that has just been opened.
    pub(super) fn over(stream: Stream) -> Self {
        Self { stream: BufReader::with_capacity(16 * 1024, stream) }
    }

    /// Sends a service and waits for OKAY. FAIL becomes the error its message means.
    pub(super) async fn request(&mut self, service: &str) -> Result<(), DeviceErrorKind> {
        let length = u16::try_from(service.len()).map_err(|_| {
            DeviceErrorKind::Answer(format!("a request of {} bytes is too long", service.len()))
        })?;
        self.write(format!("{length:04x}{service}").as_bytes()).await?;
        let mut status = [0; 4];
        self.read_exact(&mut status).await?;
        match &status {
            b"OKAY" => Ok(()),
            b"FAIL" => {
                let message = self.block().await?;
                Err(refusal(&String::from_utf8_lossy(&message)))
            }
            other => Err(DeviceErrorKind::Answer(format!(
                "`{}` instead of OKAY or FAIL; is this an ADB server?",
                other.escape_ascii()
            ))),
        }
    }

    /// Reads one block: four hex digits of length, then that many bytes (at most 65,535).
    pub(super) async fn block(&mut self) -> Result<Vec<u8>, DeviceErrorKind> {
        let mut digits = [0; 4];
        self.read_exact(&mut digits).await?;
        let mut block = vec![0; block_length(digits)?];
        self.read_exact(&mut block).await?;
        Ok(block)
    }

    pub(super) async fn read_exact(&mut self, into: &mut [u8]) -> Result<(), DeviceErrorKind> {
        self.stream.read_exact(into).await.map(drop).map_err(lost)
    }

    /// Reads until the other side closes; more than `cap` bytes are an error.
    pub(super) async fn read_to_end(&mut self, cap: usize) -> Result<Vec<u8>, DeviceErrorKind> {
        self.read_to_end_into(Vec::new(), cap).await
    }

    /// The same, into memory that there is already; what is in it is overwritten.
    pub(super) async fn read_to_end_into(
        &mut self,
        mut bytes: Vec<u8>,
        cap: usize,
    ) -> Result<Vec<u8>, DeviceErrorKind> {
        bytes.clear();
        let limit = u64::try_from(cap).unwrap_or(u64::MAX).saturating_add(1);
        (&mut self.stream).take(limit).read_to_end(&mut bytes).await.map_err(lost)?;
        if bytes.len() > cap { Err(too_long(cap)) } else { Ok(bytes) }
    }

    /// Reads through the first occurrence of `end`, which must come within `cap` bytes.
    pub(super) async fn read_through(&mut self, end: &[u8], cap: usize) -> Result<Vec<u8>, DeviceErrorKind> {
        let mut bytes = Vec::new();
        let last = end.last().copied().unwrap_or_default();
        let limit = u64::try_from(cap).unwrap_or(u64::MAX);
        let mut limited = (&mut self.stream).take(limit);
        while !bytes.ends_with(end) {
            if limited.read_until(last, &mut bytes).await.map_err(lost)? == 0 {
                let cut = lost(io::ErrorKind::UnexpectedEof.into());
                return Err(if bytes.len() < cap { cut } else { too_long(cap) });
            }
        }
        Ok(bytes)
    }

    pub(super) async fn write(&mut self, bytes: &[u8]) -> Result<(), DeviceErrorKind> {
        self.stream.write_all(bytes).await.map_err(lost)
    }

    /// Whether the other side has neither closed nor said anything unasked, as far as is known here.
    pub(super) fn is_quiet(&mut self) -> bool {
        let looking = pin!(self.stream.fill_buf());
        looking.poll(&mut Context::from_waker(Waker::noop())).is_pending()
    }

    /// The bare stream, for reads that must survive being cut short.
    pub(super) fn into_stream(self) -> (Stream, Vec<u8>) {
        let read_ahead = self.stream.buffer().to_vec();
        (self.stream.into_inner(), read_ahead)
    }
}

/// The length at the head of a block.
pub(super) fn block_length(digits: [u8; 4]) -> Result<usize, DeviceErrorKind> {
    std::str::from_utf8(&digits)
        .ok()
        .filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()))
        .and_then(|text| usize::from_str_radix(text, 16).ok())
        .ok_or_else(|| DeviceErrorKind::Answer(format!("`{}` instead of a length", digits.escape_ascii())))
}

pub(super) fn too_long(cap: usize) -> DeviceErrorKind {
    DeviceErrorKind::Answer(format!("more than {cap} bytes"))
}

/// A stream that broke off. The ADB server closes the stream of a device that went away, so
/// this is what an unplugged cable looks like.
pub(super) fn lost(error: io::Error) -> DeviceErrorKind {
    let why = match error.kind() {
        io::ErrorKind::UnexpectedEof => "the stream ended too early".to_owned(),
        _ => error.to_string(),
    };
    DeviceErrorKind::Lost(why)
}

/// What the message of a FAIL means.
fn refusal(message: &str) -> DeviceErrorKind {
    let lower = message.to_ascii_lowercase();
    let state = ["offline", "unauthorized", "authorizing", "connecting", "no permissions"]
        .into_iter()
        .find(|state| lower.contains(state));
    match state {
        Some(_) => DeviceErrorKind::NotReady(message.trim_start_matches("device ").to_owned()),
        None if ["not found", "no device with transport id"].iter().any(|part| lower.contains(part))
            || lower.starts_with("closed") =>
        {
            DeviceErrorKind::Lost(message.to_owned())
        }
        None => DeviceErrorKind::Answer(message.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_mean_what_they_say() {
        let cases = [
            ("device 'x' not found", DeviceErrorKind::Lost("device 'x' not found".into())),
            ("closed", DeviceErrorKind::Lost("closed".into())),
            (
                "no device with transport id '7'",
                DeviceErrorKind::Lost("no device with transport id '7'".into()),
            ),
            ("device offline", DeviceErrorKind::NotReady("offline".into())),
            (
                "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set",
                DeviceErrorKind::NotReady(
                    "unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set".into(),
                ),
            ),
            (
                "more than one device/emulator",
                DeviceErrorKind::Answer("more than one device/emulator".into()),
            ),
            ("unknown host service", DeviceErrorKind::Answer("unknown host service".into())),
        ];
        for (message, expected) in cases {
            assert_eq!(refusal(message), expected, "{message}");
        }
    }

    #[test]
    fn lengths_are_four_hex_digits() {
        let cases = [
            (b"0000", Some(0)),
            (b"00ff", Some(255)),
            (b"FFFF", Some(65_535)),
            (b"+0ff", None),
            (b"12 4", None),
            (b"\xff\xff\xff\xff", None),
        ];
        for (digits, expected) in cases {
            assert_eq!(block_length(*digits).ok(), expected, "{}", digits.escape_ascii());
        }
    }
}
