//! Packing: a device's picture in the form of [`super::packed`].
//!
//! In: PNGs and raw pixels. Out: packed pictures. Invariants: the result depends on the pixels and the colour profile
//! alone; at most [`MOST_AT_ONCE`] pictures are packed at once, further ones wait; the memory is kept from one picture
//! to the next. A screen takes ten megabytes or twenty, and having the system clear them again would take as long as the
//! packing itself.

use std::io::Cursor;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use image::codecs::png::PngDecoder;
use image::{ColorType, ImageDecoder, Limits};
use zstd::bulk::Compressor;

use super::colours::{Colours, Rgba, bands};
use super::packed::{MAGIC, MOST_PIXELS, MOST_PROFILE, OTHER, ScreenPixels, area, difference, promised};

/// zstd's level: three times as fast as the levels that would save a tenth.
const LEVEL: i32 = 3;
/// Pictures packed at once: some two hundred a second, which many devices do not take.
const MOST_AT_ONCE: usize = 2;
/// Room for all that comes before the pixels but a colour profile: sizes and the list of colours.
const HEAD: usize = 2048;
/// The most pixels of a picture whose memory is kept: a large phone's.
const MOST_KEPT: usize = 1 << 23;

/// Packs screenshots, a few at once.
#[derive(Default)]
pub struct ScreenPacker {
    room: Mutex<Room>,
    freed: Condvar,
}

#[derive(Default)]
struct Room {
    idle: Vec<Workspace>,
    taken: usize,
}

impl ScreenPacker {
    /// A device's PNG as the store keeps it: all of its pixels in fewer bytes, the same bytes for the same pixels.
    /// `None` for one that cannot be packed without loss or would not get smaller; that one is stored as it is. Takes a
    /// few milliseconds.
    pub fn pack(&self, png: &[u8]) -> Option<Vec<u8>> {
        let packed = self.take().workspace.pack(png);
        packed.filter(|packed| packed.len() < png.len())
    }

    /// The same for rows of pixels from the top, three bytes for each (red, green, blue) or four (and alpha). `None` also
    /// if they do not fill a picture of this size.
    pub fn pack_pixels(&self, width: u32, height: u32, pixels: &[u8]) -> Option<Vec<u8>> {
        let packed = self.take().workspace.pack_pixels(width, height, pixels);
        packed.filter(|packed| packed.len() < pixels.len())
    }

    /// Waits until there is room.
    fn take(&self) -> Taken<'_> {
        let mut room = self.room();
        while room.taken >= MOST_AT_ONCE {
            room = self.freed.wait(room).unwrap_or_else(PoisonError::into_inner);
        }
        room.taken += 1;
        Taken { workspace: room.idle.pop().unwrap_or_default(), packer: self }
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A workspace in use.
struct Taken<'a> {
    workspace: Workspace,
    packer: &'a ScreenPacker,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let workspace = std::mem::take(&mut self.workspace);
        let mut room = self.packer.room();
        room.taken -= 1;
        if workspace.decoded.capacity().max(workspace.told.capacity()) <= MOST_KEPT * size_of::<Rgba>() {
            room.idle.push(workspace);
        }
        self.packer.freed.notify_one();
    }
}

/// The memory that packing one picture needs.
#[derive(Default)]
pub(super) struct Workspace {
    /// As in the PNG, three or four bytes per pixel.
    decoded: Vec<u8>,
    /// The three-byte pixels with alpha added.
    widened: Vec<Rgba>,
    /// What goes into the zstd frame.
    told: Vec<u8>,
    /// The end of it: the pixels whose colour is not in the list.
    others: Vec<u8>,
    zstd: Option<Compressor<'static>>,
}

/// The properties of a picture besides its pixels.
struct Head {
    width: u32,
    height: u32,
    /// Bytes of a decoded pixel.
    each: usize,
    profile: Vec<u8>,
}

impl Workspace {
    /// Even when that is more than the PNG.
    pub(super) fn pack(&mut self, png: &[u8]) -> Option<Vec<u8>> {
        let head = self.decode(png)?;
        let decoded = std::mem::take(&mut self.decoded);
        let packed = self.pack_decoded(&head, &decoded);
        self.decoded = decoded;
        packed
    }

    /// Even when that is more than the pixels.
    fn pack_pixels(&mut self, width: u32, height: u32, pixels: &[u8]) -> Option<Vec<u8>> {
        let area = area(width, height).filter(|pixels| (1..=MOST_PIXELS).contains(pixels))?;
        let each = [3, 4].into_iter().find(|each| area.checked_mul(*each) == Some(pixels.len()))?;
        self.pack_decoded(&Head { width, height, each, profile: Vec::new() }, pixels)
    }

    fn pack_decoded(&mut self, head: &Head, decoded: &[u8]) -> Option<Vec<u8>> {
        let pixels = if head.each == 4 {
            decoded.as_chunks().0
        } else {
            let opaque =
                decoded.as_chunks().0.iter().map(|[red, green, blue]| [*red, *green, *blue, u8::MAX]);
            self.widened.clear();
            self.widened.extend(opaque);
            &self.widened
        };
        tell(head, pixels, &mut self.told, &mut self.others)?;
        if self.zstd.is_none() {
            self.zstd = Compressor::new(LEVEL).ok();
        }
        let frame = self.zstd.as_mut()?.compress(&self.told).ok()?;
        Some([MAGIC, &frame].concat())
    }

    fn decode(&mut self, png: &[u8]) -> Option<Head> {
        let mut limits = Limits::default();
        limits.max_alloc = Some(u64::try_from(MOST_PIXELS * size_of::<Rgba>()).ok()?);
        let mut decoder = PngDecoder::with_limits(Cursor::new(png), limits).ok()?;
        let (width, height) = decoder.dimensions();
        let each = match decoder.color_type() {
            ColorType::Rgb8 => 3,
            ColorType::Rgba8 => 4,
            _ => return None,
        };
        if decoder.original_color_type() != decoder.color_type().into() || decoder.is_apng().ok()? {
            return None;
        }
        let profile = decoder.icc_profile().ok()?.unwrap_or_default();
        let size = area(width, height).filter(|pixels| *pixels <= MOST_PIXELS)?.checked_mul(each)?;
        self.decoded.resize(size, 0);
        decoder.read_image(&mut self.decoded).ok()?;
        (profile.len() <= MOST_PROFILE).then_some(Head { width, height, each, profile })
    }
}

impl ScreenPixels {
    /// The pixels of a PNG; `None` where packing would lose something of it.
    pub(super) fn of_png(png: &[u8]) -> Option<Self> {
        let mut workspace = Workspace::default();
        let Head { width, height, each, profile } = workspace.decode(png)?;
        Some(Self { width, height, each, bytes: workspace.decoded, profile })
    }
}

/// Writes what goes into the frame.
fn tell(head: &Head, pixels: &[Rgba], told: &mut Vec<u8>, others: &mut Vec<u8>) -> Option<()> {
    // An alpha channel without information is left out.
    let each = if pixels.iter().all(|[.., alpha]| *alpha == u8::MAX) { 3 } else { 4 };
    let width = usize::try_from(head.width).ok()?;
    let colours = Colours::most_frequent(pixels, width);
    told.clear();
    others.clear();
    // Most pixels are told in a byte each; doubled as it grows, this would take twice as much.
    told.reserve(pixels.len() + HEAD);
    told.extend(head.width.to_le_bytes());
    told.extend(head.height.to_le_bytes());
    told.push(u8::try_from(each).ok()?);
    told.extend(u32::try_from(head.profile.len()).ok()?.to_le_bytes());
    told.push(u8::try_from(colours.list().len()).ok()?);
    told.extend(&head.profile);
    told.extend(colours.list().iter().flat_map(|colour| colour.iter().take(each)));
    let mut at = 0;
    for (row, times) in bands(pixels, width) {
        let numbers = told.len()..told.len() + row.len();
        for nth in 0..times {
            // A row of listed colours is encoded like the one above; other pixels depend on their neighbours.
            let is_listed = !told.get(numbers.clone()).unwrap_or_default().contains(&OTHER);
            if nth > 0 && is_listed {
                told.extend_from_within(numbers.clone());
            } else {
                tell_row(row, &colours, told, |column| {
                    let difference = difference(row[column], promised(pixels, at + column, width));
                    others.extend(difference.iter().take(each));
                });
            }
            at += row.len();
        }
    }
    told.extend_from_slice(others);
    Some(())
}

/// Adds the indices of a row's colours, and calls back with every column whose colour has none.
fn tell_row(row: &[Rgba], colours: &Colours, told: &mut Vec<u8>, mut other: impl FnMut(usize)) {
    let mut column = 0;
    for run in row.chunk_by(|a, b| a == b) {
        let number = run.first().and_then(|colour| colours.number(*colour));
        told.resize(told.len() + run.len(), number.unwrap_or(OTHER));
        if number.is_none() {
            (column..column + run.len()).for_each(&mut other);
        }
        column += run.len();
    }
}
