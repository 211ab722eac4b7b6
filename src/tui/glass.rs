//! The near end of the terminal: drawings go in, bytes go out as the link takes them.
//!
//! In: drawings, images, bytes that stand outside of drawings, the terminal's answers, the time. Out: writes, the
//! most urgent first; how long until more can be done.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::app::Msg;
use super::options::TuiOptions;
use super::terminal::{ARE_YOU_READY, Answer, Canvas, Heard, Input, Link, Pace, Room, Urgency, Writer};

const FRAMES: u32 = 30;
const FRAMES_OVER_SSH: u32 = 12;
/// How long the last bytes may take to be written when the cockpit ends.
const FAREWELL: Duration = Duration::from_millis(500);
/// How long the terminal may take to answer the last questions: the shell would take the answers for keys.
const LAST_ANSWERS: Duration = Duration::from_millis(1_500);

pub(super) struct Glass {
    canvas: Canvas,
    writer: Writer,
    link: Link,
    pace: Pace,
    /// What goes out before anything else: questions, clipboard, bell.
    extra: Vec<u8>,
    uploads: VecDeque<Upload>,
    /// The last piece of what is not urgent belonged to an upload.
    uploaded: bool,
    /// Messages whose images the terminal has.
    done: VecDeque<(usize, Msg)>,
}

/// An image on its way, and what is to be told when it is there.
struct Upload {
    pieces: VecDeque<Vec<u8>>,
    then: (usize, Msg),
}

/// What comes after checking what is to be written.
pub(super) enum Next {
    /// A write is under way.
    Busy,
    /// The link takes more after this long, or after an answer.
    After(Duration),
    /// Everything is out.
    Rest,
}

impl Glass {
    /// On standard output, of this size.
    pub(super) fn new(area: Rect, options: &TuiOptions) -> io::Result<Self> {
        Ok(Self {
            canvas: Canvas::new(area),
            writer: Writer::stdout()?,
            link: Link::new(options.budget, Instant::now()),
            pace: Pace::new(if options.ssh { FRAMES_OVER_SSH } else { FRAMES }),
            extra: Vec::new(),
            uploads: VecDeque::new(),
            uploaded: false,
            done: VecDeque::new(),
        })
    }

    /// When a drawing of what moves may be made; zero for now. `calm` for a screen of figures side by side.
    pub(super) fn due(&self, now: Instant, calm: bool) -> Duration {
        self.pace.wait(now, calm)
    }

    /// True while a drawing is not out: another one of what moves would only cut it short.
    pub(super) fn is_drawing(&mut self) -> bool {
        self.canvas.urgency().is_some()
    }

    /// Takes a drawing; what differs from the one before is this urgent.
    pub(super) fn show(&mut self, drawn: Buffer, cursor: Option<Position>, urgency: Urgency) {
        self.canvas.show(drawn, cursor, urgency);
    }

    /// A drawing of what moves was made.
    pub(super) fn drawn(&mut self, now: Instant) {
        self.pace.drawn(now);
    }

    /// Every cell is to be written again.
    pub(super) fn repaint(&mut self) {
        self.canvas.repaint();
    }

    /// Bytes outside of the drawing.
    pub(super) fn extra(&mut self) -> &mut Vec<u8> {
        &mut self.extra
    }

    /// Sends an image in pieces; the message comes back from [`Glass::done`] when the last one is out.
    pub(super) fn upload(&mut self, pieces: VecDeque<Vec<u8>>, number: usize, msg: Msg) {
        match pieces.is_empty() {
            true => self.done.push_back((number, msg)),
            false => self.uploads.push_back(Upload { pieces, then: (number, msg) }),
        }
    }

    /// A message whose image the terminal has.
    pub(super) fn done(&mut self) -> Option<(usize, Msg)> {
        self.done.pop_front()
    }

    /// Writes what the link takes.
    pub(super) fn write(&mut self, now: Instant) -> Next {
        if self.writer.is_busy() {
            return Next::Busy;
        }
        let wanted = match (self.canvas.urgency(), self.uploads.is_empty()) {
            (Some(Urgency::Moves) | None, false) => Some(Urgency::Moves),
            (urgency, _) => urgency,
        };
        let Some(urgency) = wanted else {
            if self.extra.is_empty() {
                return Next::Rest;
            }
            self.writer.write(std::mem::take(&mut self.extra));
            return Next::Busy;
        };
        let most = match self.link.room(urgency, now) {
            Room::After(wait) => return Next::After(wait),
            Room::Bytes(most) => most,
        };
        let mut bytes = std::mem::take(&mut self.extra);
        bytes.extend(self.next_bytes(most, urgency));
        if urgency == Urgency::Moves {
            self.pace.spent(bytes.len());
        }
        if self.link.wrote(bytes.len() + ARE_YOU_READY.len(), urgency, now) {
            bytes.extend_from_slice(ARE_YOU_READY);
        }
        self.writer.write(bytes);
        Next::Busy
    }

    /// Waits until a write is out; for ever when none is under way.
    pub(super) async fn written(&mut self) -> io::Result<()> {
        self.writer.written().await
    }

    /// The terminal has taken in the oldest write.
    pub(super) fn answered(&mut self, now: Instant) {
        self.link.answered(now);
    }

    /// Something else used the terminal meanwhile.
    pub(super) fn forget(&mut self, now: Instant) {
        self.link.forget(now);
        // What was sent of an image is worth nothing; it is made anew.
        self.done.extend(self.uploads.drain(..).map(|upload| upload.then));
    }

    /// Lets the last bytes out and the last answers in, within a deadline.
    pub(super) async fn farewell(&mut self, input: &mut Input) {
        let flushed = async { while self.writer.is_busy() && self.writer.written().await.is_ok() {} };
        if tokio::time::timeout(FAREWELL, flushed).await.is_err() {
            return;
        }
        let answered = async {
            while self.link.waits() {
                match input.next().await {
                    Some(Ok(Heard::Answer(Answer::Ready))) => self.link.answered(Instant::now()),
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return,
                }
            }
        };
        // A terminal that does not answer is left all the same.
        let _ = tokio::time::timeout(LAST_ANSWERS, answered).await;
    }

    /// A piece of an image or of the drawing: they take turns if neither is urgent.
    fn next_bytes(&mut self, most: usize, urgency: Urgency) -> Vec<u8> {
        let is_drawn = self.canvas.urgency().is_none();
        self.uploaded = urgency == Urgency::Moves && !self.uploads.is_empty() && (is_drawn || !self.uploaded);
        if !self.uploaded {
            return self.canvas.take(most, urgency);
        }
        let Some(mut upload) = self.uploads.pop_front() else { return Vec::new() };
        let piece = upload.pieces.pop_front().unwrap_or_default();
        match upload.pieces.is_empty() {
            true => self.done.push_back(upload.then),
            false => self.uploads.push_front(upload),
        }
        piece
    }
}
