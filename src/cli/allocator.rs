//! What glibc keeps of the memory that is free.
//!
//! In: how many cores there are. Out: parameters of the allocator; nothing with another C library. Invariant: they are
//! set before the first thread is made, for a thread keeps the heap that it began with.

/// Blocks of this many bytes or more are given back once they are free: a picture takes ten million, nothing else that
/// comes and goes with a step takes one.
#[cfg(target_env = "gnu")]
const LARGE_BLOCK: i32 = 4 << 20;
/// Free bytes that stay at the end of a heap.
#[cfg(target_env = "gnu")]
const FREE_END: i32 = 4 << 20;

/// Tells glibc what to keep.
///
/// Threads share one heap per core. glibc makes eight per core, and a heap keeps whatever it once took: with 64 devices,
/// whose screens are packed on whichever thread is free, that is twice what the program needs.
///
/// Blocks as large as pictures are given back to the system as soon as they are free. glibc would raise the limit with
/// the first of them, to 32 MiB, and a heap then keeps a gap as large as any picture that was ever in it. What is taken
/// again and again keeps its memory itself. A fixed limit also fixes how much may lie free at the end of a heap, at a
/// mere 128 KiB: that is set as well, or every other step would ask the system for memory.
pub(super) fn set() {
    #[cfg(target_env = "gnu")]
    {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let parameters = [
            (libc::M_ARENA_MAX, i32::try_from(cores).unwrap_or(i32::MAX)),
            (libc::M_MMAP_THRESHOLD, LARGE_BLOCK),
            (libc::M_TRIM_THRESHOLD, FREE_END),
        ];
        for (parameter, value) in parameters {
            // SAFETY: sets an allocator parameter, under the allocator's lock; a value that makes no sense is refused.
            unsafe { libc::mallopt(parameter, value) };
        }
    }
}
