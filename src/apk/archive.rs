//! The two files of an APK that are read, its manifest and its resource table, and whether it is signed.

use std::io::Read;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive};

use super::ApkFault;

/// The most entries examined; the largest apps have about ten thousand.
const MAX_ENTRIES: usize = 100_000;
/// Unpacked sizes.
const MAX_MANIFEST: u64 = 4 << 20;
const MAX_RESOURCES: u64 = 64 << 20;

/// The files, unpacked.
pub(super) struct ApkFiles {
    pub(super) manifest: Vec<u8>,
    /// `None` when it has none, or one that cannot be unpacked: it only contains texts.
    pub(super) resources: Option<Vec<u8>>,
    /// Somebody signed it, in any way; the signature is not checked.
    pub(super) signed: bool,
}

/// The end of the signing block (since Android 7), which comes before the archive's directory.
const SIGNING_BLOCK: &[u8] = b"APK Sig Block 42";

/// Finds and unpacks them.
pub(super) fn open(bytes: &[u8]) -> Result<ApkFiles, ApkFault> {
    let refused = |error: rawzip::Error| ApkFault::NotApk(error.to_string());
    let archive = ZipArchive::from_slice(bytes).map_err(refused)?;
    let before =
        usize::try_from(archive.directory_offset()).ok().and_then(|directory| bytes.get(..directory));
    let mut signed = before.is_some_and(|before| before.ends_with(SIGNING_BLOCK));
    let (mut manifest, mut resources) = (None, None);
    let mut entries = archive.entries();
    for _ in 0..MAX_ENTRIES {
        let Some(entry) = entries.next_entry().map_err(refused)? else { break };
        // As on Android, the first of several with the same name counts.
        let (place, limit) = match entry.file_path().as_ref() {
            b"AndroidManifest.xml" if manifest.is_none() => (&mut manifest, MAX_MANIFEST),
            b"resources.arsc" if resources.is_none() => (&mut resources, MAX_RESOURCES),
            name => {
                signed |= is_signature(name);
                continue;
            }
        };
        let packed = archive.get_entry(entry.wayfinder()).map_err(refused)?;
        *place = Some(unpack(packed.data(), entry.compression_method(), limit));
    }
    let manifest = match manifest {
        None => return Err(ApkFault::NoManifest("it has no AndroidManifest.xml".into())),
        Some(Err(why)) => return Err(ApkFault::NoManifest(format!("AndroidManifest.xml {why}"))),
        Some(Ok(bytes)) => bytes,
    };
    Ok(ApkFiles { manifest, resources: resources.and_then(Result::ok), signed })
}

/// `META-INF/CERT.RSA`: packages signed before Android 7 have one.
fn is_signature(name: &[u8]) -> bool {
    name.strip_prefix(b"META-INF/")
        .is_some_and(|rest| [&b".RSA"[..], b".DSA", b".EC"].iter().any(|end| rest.ends_with(end)))
}

fn unpack(packed: &[u8], method: CompressionMethod, limit: u64) -> Result<Vec<u8>, &'static str> {
    const TOO_LONG: &str = "is too long";
    if method == CompressionMethod::STORE {
        let fits = u64::try_from(packed.len()).is_ok_and(|length| length <= limit);
        return if fits { Ok(packed.to_vec()) } else { Err(TOO_LONG) };
    }
    if method != CompressionMethod::DEFLATE {
        return Err("is packed in a way that Android does not know");
    }
    let mut bytes = Vec::new();
    // One byte more than allowed distinguishes a file that is too long from one that just fits.
    let read = DeflateDecoder::new(packed).take(limit + 1).read_to_end(&mut bytes);
    match read {
        Err(_) => Err("cannot be unpacked"),
        Ok(length) if u64::try_from(length).is_ok_and(|length| length <= limit) => Ok(bytes),
        Ok(_) => Err(TOO_LONG),
    }
}
