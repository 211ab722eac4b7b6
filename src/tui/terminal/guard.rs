//! Setting the terminal up, and restoring it whatever happens.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::queue;
use crossterm::style::ResetColor;
use crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Presses and the wheel (1000), reported in digits (1006). Movements are not asked for: over a slow link each would be
/// a message for nothing.
const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l";

/// The cockpit has the terminal.
static ACTIVE: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

/// Has the terminal from [`Guard::enter`] until dropped.
pub struct Guard {
    mouse: bool,
}

impl Guard {
    /// Raw mode, alternate screen, bracketed paste, and the mouse if wanted.
    pub fn enter(mouse: bool) -> io::Result<Self> {
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                // A report that cannot be written would panic in turn, which ends the process at once.
                if !is_gone() {
                    before(panic);
                }
            }));
        });
        let guard = Self { mouse };
        guard.take()?;
        Ok(guard)
    }

    /// Takes the terminal again after [`Guard::release`], or after a panic elsewhere or another
    /// program changed it.
    pub fn take(&self) -> io::Result<()> {
        ACTIVE.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        let mut bytes = Vec::new();
        queue!(bytes, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
        if self.mouse {
            bytes.extend_from_slice(MOUSE_ON);
        }
        write(&bytes)
    }

    /// Gives the terminal back for a while.
    pub fn release(&self) {
        restore();
    }

    /// False after a panic gave the terminal back.
    pub fn is_held(&self) -> bool {
        ACTIVE.load(Ordering::SeqCst)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores what the shell expects; has no effect if the cockpit does not have the terminal.
fn restore() {
    if !ACTIVE.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut bytes = Vec::new();
    // Into a vector: this cannot fail. Errors of the terminal leave nothing that could be done.
    let _ = queue!(bytes, EndSynchronizedUpdate);
    bytes.extend_from_slice(MOUSE_OFF);
    let _ = queue!(bytes, DisableBracketedPaste, ResetColor, LeaveAlternateScreen, Show);
    let _ = write(&bytes);
    let _ = disable_raw_mode();
}

/// True if nobody could read standard error, because the terminal was hung up.
fn is_gone() -> bool {
    let stderr = io::stderr();
    let mut watched = [PollFd::new(&stderr, PollFlags::OUT)];
    let at_once = Timespec::default();
    poll(&mut watched, Some(&at_once)).is_ok()
        && watched.iter().any(|fd| fd.revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL))
}

fn write(bytes: &[u8]) -> io::Result<()> {
    let mut terminal = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    terminal.write_all(bytes)
}
