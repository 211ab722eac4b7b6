//! Where a lab server listens: a Unix socket in the state folder, one for each store.
//!
//! Not in the runtime folder, which vanishes with the last login.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use thiserror::Error;
use tokio::net::{UnixListener, UnixStream};

/// The most bytes of a socket's path (`sun_path`, less one for the zero at its end).
const LONGEST: usize = 107;

/// Magic numbers of file systems of other hosts (`statfs(2)`).
const REMOTE: [(u32, &str); 8] = [
    (0x6969, "NFS"),
    (0x517b, "SMB"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB"),
    (0x5346_414f, "AFS"),
    (0x0102_1997, "9P"),
    (0x00c3_6400, "Ceph"),
    (0x7375_7245, "Coda"),
];
const FUSE: u32 = 0x6573_5546;

/// Where a folder is, as far as its file system tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disk {
    /// On this host, or on a file system not known here.
    Local,
    /// On another host: a socket there would be seen by processes that it does not lead to.
    Remote(&'static str),
    /// On FUSE, behind which there may be anything: an encrypted home, the root of a container, another host. Only
    /// trying shows whether sockets work.
    Fuse,
}

impl Disk {
    /// By the `f_type` of `statfs`, whose width and sign differ between platforms: only 32 bits count.
    fn of(magic: i64) -> Self {
        let magic = magic & i64::from(u32::MAX);
        match REMOTE.iter().find(|(remote, _)| i64::from(*remote) == magic) {
            Some((_, name)) => Self::Remote(name),
            None if magic == i64::from(FUSE) => Self::Fuse,
            None => Self::Local,
        }
    }
}

/// Why there can be no server for a store.
#[derive(Debug, Error)]
pub enum EndpointError {
    /// A socket cannot have a path this long.
    #[error(
        "the lab's socket {path} has a path of {length} bytes, the system allows {LONGEST}; set XDG_STATE_HOME \
         to a shorter folder"
    )]
    TooLong {
        /// The socket.
        path: PathBuf,
        /// Bytes of the path.
        length: usize,
    },
    /// A process of another host could find a socket there that leads nowhere.
    #[error(
        "{path} is on {kind}, where sockets do not work; set XDG_STATE_HOME to a folder on a disk of this host"
    )]
    Remote {
        /// The socket's folder.
        path: PathBuf,
        /// The file system: `NFS`, `SMB` …
        kind: &'static str,
    },
    /// Whatever is behind this FUSE does not support sockets.
    #[error(
        "cannot listen on {path}: {source}; its folder is on FUSE, where sockets need not work: set \
         XDG_STATE_HOME to a folder on a disk of this host"
    )]
    Fuse {
        /// The socket.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Whoever made the folder could listen in the server's place.
    #[error("{path} belongs to another user; nothing is put there")]
    Foreign {
        /// The socket's folder.
        path: PathBuf,
    },
    /// Anything else that the system refused.
    #[error("{what} {path}: {source}")]
    Io {
        /// What failed, as the message begins.
        what: &'static str,
        /// The socket.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The place of one store's lab server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    folder: PathBuf,
    socket: PathBuf,
}

impl Endpoint {
    /// The place for the server of this store; `state` is `$XDG_STATE_HOME/droidmux`.
    ///
    /// # Errors
    /// `TooLong`.
    pub fn of(state: &Path, store: &Path) -> Result<Self, EndpointError> {
        let store = std::path::absolute(store).unwrap_or_else(|_| store.to_owned());
        let store = fs::canonicalize(&store).unwrap_or(store);
        let hash = blake3::hash(store.as_os_str().as_encoded_bytes()).to_hex();
        let folder = state.join("lab");
        let socket = folder.join(format!("{}.sock", &hash[..16]));
        let length = socket.as_os_str().len();
        if length > LONGEST {
            return Err(EndpointError::TooLong { path: socket, length });
        }
        Ok(Self { folder, socket })
    }

    /// The full path; nothing need exist there.
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// Listens. Only the holder of the store may call this: what is left of an earlier server is removed.
    ///
    /// # Errors
    /// When the folder is another user's, on another host's disk or cannot be made.
    pub fn listen(&self) -> Result<UnixListener, EndpointError> {
        let disk = self.prepare()?;
        if let Err(source) = fs::remove_file(&self.socket)
            && source.kind() != io::ErrorKind::NotFound
        {
            return Err(self.failed("cannot remove the old socket", source));
        }
        let listener = UnixListener::bind(&self.socket);
        if disk == Disk::Fuse {
            let path = self.socket.clone();
            tracing::warn!(path = %path.display(), "the lab's socket is on FUSE; it may be seen on other hosts");
            return listener.map_err(|source| EndpointError::Fuse { path, source });
        }
        listener.map_err(|source| self.failed("cannot listen on", source))
    }

    /// Connects to the server.
    ///
    /// # Errors
    /// `NotFound` or `ConnectionRefused` when none runs; `PermissionDenied` when what listens there
    /// is not this user's.
    pub async fn connect(&self) -> io::Result<UnixStream> {
        let stream = UnixStream::connect(&self.socket).await?;
        if !is_ours(&stream)? {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(stream)
    }

    /// The process that listens here; `None` where the system does not tell.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub async fn process(&self) -> io::Result<Option<i32>> {
        Ok(self.connect().await?.peer_cred()?.pid())
    }

    /// Takes the socket away, so that nobody waits for a server that is ending.
    pub fn remove(&self) {
        // Gone already, or the next server removes it.
        let _ = fs::remove_file(&self.socket);
    }

    /// Makes the folder, and tells where it is.
    fn prepare(&self) -> Result<Disk, EndpointError> {
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder);
        made.map_err(|source| self.failed("cannot make the folder of", source))?;
        let about =
            fs::symlink_metadata(&self.folder).map_err(|source| self.failed("cannot read", source))?;
        if !about.is_dir() || about.uid() != rustix::process::getuid().as_raw() {
            return Err(EndpointError::Foreign { path: self.folder.clone() });
        }
        fs::set_permissions(&self.folder, fs::Permissions::from_mode(0o700))
            .map_err(|source| self.failed("cannot close to others the folder of", source))?;
        let kind = rustix::fs::statfs(&self.folder)
            .map_err(|source| self.failed("cannot tell the file system of", source.into()))?
            .f_type;
        #[allow(clippy::useless_conversion, reason = "the type differs between platforms")]
        match Disk::of(i64::from(kind)) {
            Disk::Remote(kind) => Err(EndpointError::Remote { path: self.folder.clone(), kind }),
            disk => Ok(disk),
        }
    }

    fn failed(&self, what: &'static str, source: io::Error) -> EndpointError {
        EndpointError::Io { what, path: self.socket.clone(), source }
    }
}

/// Whether the other side is a process of this user, or of root.
pub(super) fn is_ours(stream: &UnixStream) -> io::Result<bool> {
    let uid = stream.peer_cred()?.uid();
    Ok(uid == rustix::process::getuid().as_raw() || uid == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_store_has_one_place_closed_to_others() {
        let state = tempfile::tempdir().expect("a folder");
        let store = tempfile::tempdir().expect("a folder");
        let place = Endpoint::of(state.path(), store.path()).expect("a place");
        assert_eq!(Endpoint::of(state.path(), &store.path().join(".")).expect("a place"), place);
        assert_ne!(Endpoint::of(state.path(), state.path()).expect("a place"), place);
        assert!(place.connect().await.is_err());
        for _ in 0..2 {
            let listener = place.listen().expect("listening, also over what a dead server left");
            let mode = fs::metadata(state.path().join("lab")).expect("its folder").permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
            let process = place.process().await.expect("connected");
            assert_eq!(process, i32::try_from(std::process::id()).ok());
            drop(listener);
        }
    }

    #[test]
    fn file_systems_of_other_hosts_are_refused_and_fuse_is_tried() {
        let cases = [
            (0xef53, Disk::Local, "ext4"),
            (0x0102_1994, Disk::Local, "tmpfs"),
            (0x9123_683e, Disk::Local, "btrfs"),
            (0x794c_7630, Disk::Local, "overlayfs"),
            (0x2fc1_2fc1, Disk::Local, "ZFS"),
            (0x6573_5546, Disk::Fuse, "FUSE"),
            (0x6969, Disk::Remote("NFS"), "NFS"),
            (0xff53_4d42, Disk::Remote("CIFS"), "CIFS"),
            (i64::from(0xff53_4d42_u32.cast_signed()), Disk::Remote("CIFS"), "CIFS where f_type has 32 bits"),
            (0xfe53_4d42, Disk::Remote("SMB"), "SMB 2"),
            (0x0102_1997, Disk::Remote("9P"), "9P"),
            (0x00c3_6400, Disk::Remote("Ceph"), "Ceph"),
        ];
        for (magic, disk, name) in cases {
            assert_eq!(Disk::of(magic), disk, "{name}");
        }
    }

    #[test]
    fn a_path_that_no_socket_can_have_is_told() {
        let state = PathBuf::from("/").join("x".repeat(120));
        let error = Endpoint::of(&state, Path::new("/data")).expect_err("too long").to_string();
        assert!(error.contains("XDG_STATE_HOME"), "{error}");
    }

    #[test]
    fn a_file_in_the_folders_place_is_not_taken_for_it() {
        let state = tempfile::tempdir().expect("a folder");
        fs::write(state.path().join("lab"), "").expect("written");
        let place = Endpoint::of(state.path(), Path::new("/data")).expect("a place");
        assert!(place.listen().is_err());
    }
}
