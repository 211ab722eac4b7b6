//! Reading an APK: what its manifest declares.
//!
//! In: the bytes of a package. Out: an [`Apk`], plain data: names, version, label, activities, permissions, services.
//! Its code is not examined. Builds are read before devices get them; simulated phones read what clients install.
//!
//! Invariants: the archive is hostile. Only the manifest and the resource table are unpacked, each up to a limit,
//! whatever the archive says about their sizes; every offset and count is checked against the bytes that exist;
//! references are followed a limited number of times; names that Android would not accept are refused, and a label is
//! cut and has no control characters.

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

mod archive;
mod chunk;
mod manifest;
mod permission;
mod resources;
mod string_pool;

#[cfg(test)]
mod tests;

use thiserror::Error;

pub use permission::is_dangerous;

/// What a package says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apk {
    /// Application id.
    pub package: String,
    /// Its label; its package's name when it has none.
    pub label: String,
    /// As shown to people.
    pub version_name: String,
    /// Newer builds have a higher one.
    pub version_code: u32,
    /// The oldest API level it runs on.
    pub min_sdk: u32,
    /// The API level it was made for.
    pub target_sdk: u32,
    /// Somebody signed it; phones accept nothing else. By whom, and whether correctly, is not checked.
    pub signed: bool,
    /// Installed only when a client says that it wants a test package.
    pub test_only: bool,
    /// The name of a part of an app; empty for the app itself.
    pub split: String,
    /// Full class names, in the order of the manifest.
    pub activities: Vec<String>,
    /// The first activity with a launcher icon.
    pub launcher: Option<String>,
    /// Those it requests, as the manifest lists them.
    pub permissions: Vec<String>,
    /// Full class names of services that are input methods.
    pub input_methods: Vec<String>,
    /// Full class names of services that watch the screen for their user.
    pub accessibility: Vec<String>,
}

/// Why a package is refused, in the words of the package manager.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ApkFault {
    /// Not an archive, or a broken one.
    #[error("INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk: {0}")]
    NotApk(String),
    /// The archive contains no manifest that can be unpacked.
    #[error("INSTALL_PARSE_FAILED_BAD_MANIFEST: Failed to parse base.apk: {0}")]
    NoManifest(String),
    /// The manifest is broken.
    #[error("INSTALL_PARSE_FAILED_MANIFEST_MALFORMED: Failed to parse base.apk: AndroidManifest.xml: {0}")]
    Malformed(&'static str),
    /// Its package has a name that no package can have.
    #[error("INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME: Failed to parse base.apk: {0:?} is no package's name")]
    PackageName(String),
}

/// Reads a package.
///
/// # Errors
/// When it is not an archive, has no manifest, or its manifest is not one that a phone would accept.
pub fn read(bytes: &[u8]) -> Result<Apk, ApkFault> {
    let archive = archive::open(bytes)?;
    let (mut apk, label) = manifest::read(&archive.manifest)?;
    apk.signed = archive.signed;
    let said = match label {
        manifest::ManifestLabel::None => None,
        manifest::ManifestLabel::Text(text) => Some(text),
        manifest::ManifestLabel::Resource(id) => {
            archive.resources.as_deref().and_then(|table| resources::text(table, id))
        }
    };
    apk.label =
        said.map(|text| shown(&text)).filter(|text| !text.is_empty()).unwrap_or_else(|| apk.package.clone());
    Ok(apk)
}

/// A label as a launcher shows it: one line, not too long.
fn shown(text: &str) -> String {
    const LONGEST: usize = 100;
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    plain.take(LONGEST).collect::<String>().trim().to_owned()
}
