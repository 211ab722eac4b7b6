//! How values are encoded: postcard.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Encodes a value.
///
/// # Errors
/// In words, for types that cannot be serialised at all.
pub(super) fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, String> {
    // Into a growing buffer, which is never full.
    postcard::to_extend(value, Vec::new()).map_err(|error| format!("it cannot be encoded: {error}"))
}

/// Decodes a value's bytes; nothing may be left over.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(format!("{} bytes are left over", rest.len())),
        Err(error) => Err(format!("it cannot be decoded: {error}")),
    }
}
