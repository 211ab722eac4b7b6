//! How values are encoded: postcard.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Damage;

/// Encodes a value.
///
/// # Errors
/// For types that cannot be serialised at all.
pub(super) fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, Damage> {
    // Into a growing buffer, which is never full.
    postcard::to_extend(value, Vec::new()).map_err(Damage::Encoding)
}

/// Decodes a value's bytes; nothing may be left over.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Damage> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(Damage::LeftOver(rest.len())),
        Err(error) => Err(Damage::Decoding(error)),
    }
}
