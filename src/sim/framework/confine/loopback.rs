//! A network of its own for a confined process: it reaches itself, as an app on a phone does that serves its own pages, and
//! nobody else.
//!
//! In: this process, which has one thread. Out: the same in namespaces of its own, whose only interface is up.

use std::fs;
use std::io::{Error, ErrorKind, Result};

use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with};
use rustix::process::{getegid, geteuid};
use rustix::thread::{UnshareFlags, unshare_unsafe};

/// Who it is within its namespaces: nobody with rights over them.
const INSIDE: u32 = 1000;
/// The first interface of each network.
const LOOPBACK: i32 = 1;
/// `RTM_NEWLINK`, `NLM_F_REQUEST | NLM_F_ACK`, `NLMSG_ERROR`, `IFF_UP` (linux/netlink.h, linux/rtnetlink.h, linux/if.h).
const NEW_LINK: u16 = 16;
const REQUEST_WITH_ANSWER: u16 = 5;
const ANSWER: u16 = 2;
const UP: u32 = 1;

/// Leaves the computer's network for one of its own.
pub(super) fn enter() -> Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    // SAFETY: files stay shared; what else the two flags change is this thread's alone, and there is no other.
    unsafe { unshare_unsafe(UnshareFlags::NEWUSER | UnshareFlags::NEWNET) }?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{INSIDE} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{INSIDE} {group} 1"))?;
    raise()
}

/// Until it is up, the interface has no address.
fn raise() -> Result<()> {
    let link = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    let mut request = Vec::with_capacity(32);
    request.extend(32_u32.to_ne_bytes());
    request.extend(NEW_LINK.to_ne_bytes());
    request.extend(REQUEST_WITH_ANSWER.to_ne_bytes());
    // Its number, and who asks.
    request.extend([0; 8]);
    // Family and kind, of whatever it is.
    request.extend([0; 4]);
    request.extend(LOOPBACK.to_ne_bytes());
    request.extend(UP.to_ne_bytes());
    request.extend(UP.to_ne_bytes());
    send(&link, &request, SendFlags::empty())?;
    let mut answer = [0_u8; 512];
    let (length, _) = recv(&link, &mut answer[..], RecvFlags::empty())?;
    let answer = answer.get(..length).unwrap_or_default();
    let kind = answer.get(4..6).and_then(|kind| kind.try_into().ok()).map(u16::from_ne_bytes);
    let code = answer.get(16..20).and_then(|code| code.try_into().ok()).map(i32::from_ne_bytes);
    match (kind, code) {
        (Some(ANSWER), Some(0)) => Ok(()),
        (Some(ANSWER), Some(code)) => Err(Error::from_raw_os_error(code.saturating_neg())),
        _ => Err(Error::new(ErrorKind::InvalidData, "the kernel's answer about its network was none")),
    }
}
