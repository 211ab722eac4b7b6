//! What a confined process may do: handed from the program that starts it to itself.

use std::path::PathBuf;
use std::{fs, io};

use serde::{Deserialize, Serialize};

/// Read by each Java and each C library, and by neither's user alone.
const SYSTEM: [&str; 24] = [
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/lib",
    "/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/pki/java",
    "/etc/ssl/certs",
    "/usr/share/zoneinfo",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/cgroups",
    "/sys/fs/cgroup",
    "/sys/devices/system/cpu",
    "/dev/random",
    "/dev/urandom",
];
/// Who looks for a computer on the network reads these as well.
const NETWORK: [&str; 8] = [
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/resolv.conf",
    "/etc/nsswitch.conf",
    "/etc/gai.conf",
    "/etc/services",
    "/etc/ssl",
    "/usr/share/ca-certificates",
];
/// Java's heap where nobody says otherwise: more than either script gives it.
const USUAL_HEAP: u64 = 1 << 30;
/// What Java takes besides its heap: code, classes, stacks, pictures.
const BESIDE_HEAP: u64 = 3 << 30;

/// What a confined process may do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Policy {
    /// Its working directory and home.
    pub folder: PathBuf,
    /// Files and folders that it may read.
    pub readable: Vec<PathBuf>,
    /// Folders that it may change.
    pub writable: Vec<PathBuf>,
    /// Whom it reaches.
    pub network: Network,
    /// Bytes that it may allocate.
    pub memory: u64,
    /// The program that gives it namespaces of its own, unless it has them.
    pub bubblewrap: Option<PathBuf>,
}

/// Whom a confined process reaches by sockets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Network {
    /// Nobody: it opens no sockets.
    Closed,
    /// Itself, in a network of its own.
    Own,
    /// The same; bubblewrap has made it.
    Given,
    /// Whom the computer reaches.
    Open,
}

/// What is read whatever is run: what is not there is left out.
pub(super) fn system(network: bool) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    if network {
        paths.extend(NETWORK.iter().map(PathBuf::from));
    }
    // Where distributions put Java's settings: /etc/java-17-openjdk, /etc/java.
    let settings = fs::read_dir("/etc").into_iter().flatten().filter_map(io::Result::ok);
    paths.extend(settings.filter(|e| e.file_name().to_string_lossy().starts_with("java")).map(|e| e.path()));
    paths
}

/// Bytes that a Java with the largest of these heaps, in its own notation, may take.
pub(super) fn heap(given: impl Iterator<Item = String>) -> u64 {
    let bytes = |text: &str| {
        let (number, unit) = match text.char_indices().next_back()? {
            (at, 'k' | 'K') => (text.get(..at)?, 10),
            (at, 'm' | 'M') => (text.get(..at)?, 20),
            (at, 'g' | 'G') => (text.get(..at)?, 30),
            _ => (text, 0),
        };
        number.parse::<u64>().ok()?.checked_mul(1 << unit)
    };
    let largest = given.filter_map(|text| bytes(&text)).fold(USUAL_HEAP, u64::max);
    largest.saturating_add(BESIDE_HEAP)
}
