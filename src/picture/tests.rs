//! Complete pictures, from sound and from hostile input.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use image::{ImageFormat, RgbaImage};

use super::*;
use droidmux_gui::{Bounds, Flags, Interaction, Layout, LayoutBuilder, LayoutHash, NewWidget};
use droidmux_paint::{Canvas, Color};
use droidmux_record::{Frame, Mark};

/// Screenshots and layouts in memory.
#[derive(Default)]
struct Album {
    screenshots: HashMap<BlobHash, Vec<u8>>,
    layouts: HashMap<LayoutHash, Arc<Layout>>,
    /// How often a screenshot was read.
    read: AtomicUsize,
}

/// An album that is read without being counted.
struct Uncounted<'a>(&'a Album);

impl Layouts for Uncounted<'_> {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.layout(hash)
    }
}

impl Source for Uncounted<'_> {
    fn screenshot(&self, hash: BlobHash) -> Option<Vec<u8>> {
        self.0.screenshots.get(&hash).cloned()
    }
}

impl Layouts for Album {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.layouts.get(&hash).cloned()
    }
}

impl Source for Album {
    fn screenshot(&self, hash: BlobHash) -> Option<Vec<u8>> {
        self.read.fetch_add(1, Ordering::Relaxed);
        self.screenshots.get(&hash).cloned()
    }
}

impl Album {
    fn screen(&mut self, screenshot: Vec<u8>, widgets: &[(Flags, Bounds)]) -> Frame {
        let mut builder = LayoutBuilder::new();
        for (flags, bounds) in widgets {
            let flags = flags.with(Flags::ENABLED, true);
            builder.open(NewWidget { class: "a.View", flags, bounds: *bounds, ..NewWidget::default() });
            builder.close();
        }
        let (layout, hash) = (Arc::new(builder.finish()), BlobHash::of(&screenshot));
        self.screenshots.insert(hash, screenshot);
        let frame = Frame::marked(hash, &layout);
        self.layouts.insert(layout.hash(), layout);
        frame
    }
}

/// A plain white screen.
fn white(width: i32, height: i32) -> Vec<u8> {
    encoded(Canvas::new(width, height, Color::WHITE).image())
}

fn encoded(image: &RgbaImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).expect("a PNG");
    bytes.into_inner()
}

fn read(png: &[u8]) -> RgbaImage {
    image::load_from_memory_with_format(png, ImageFormat::Png).expect("a PNG").into_rgba8()
}

fn click() -> Flags {
    Flags::default().with(Flags::CLICKABLE, true)
}

fn password() -> Flags {
    Flags::default().with(Flags::PASSWORD, true)
}

/// Pixels of roughly this colour.
fn count(image: &RgbaImage, [r, g, b]: [u8; 3]) -> usize {
    let near = |pixel: &&image::Rgba<u8>| {
        pixel.0.iter().zip([r, g, b]).all(|(byte, wanted)| byte.abs_diff(wanted) < 24)
    };
    image.pixels().filter(near).count()
}

#[test]
fn screens_are_scaled_and_marked_in_the_colour_of_the_interaction() {
    let mut album = Album::default();
    let frame = album.screen(white(1080, 2400), &[(click(), Bounds::new(100, 300, 700, 450))]);
    let png = draw(&Picture::Screen(frame.clone()), &album, 800).expect("drawn");
    let image = read(&png);
    assert_eq!(image.dimensions(), (360, 800));
    assert!(count(&image, Interaction::Click.color().rgb) > 800, "box and tag");
    assert_eq!(count(&image, Interaction::Type.color().rgb), 0);
    assert_eq!(draw(&Picture::Screen(frame.clone()), &album, 800).expect("drawn"), png, "the same bytes");
    let small = draw(&Picture::Screen(frame), &album, 4_000).expect("drawn");
    assert_eq!(read(&small).dimensions(), (1080, 2400), "never enlarged");
}

/// Across a red bar from the left: bar, light line, box, light line.
#[test]
fn a_red_box_is_seen_on_a_red_bar() {
    let mut album = Album::default();
    let [r, g, b] = Interaction::Click.color().rgb;
    let canvas = Canvas::new(600, 900, Color(r, g, b));
    let frame = album.screen(encoded(canvas.image()), &[(click(), Bounds::new(100, 300, 500, 450))]);
    let image = read(&draw(&Picture::Screen(frame), &album, 900).expect("drawn"));
    let light = |x: u32| image.get_pixel(x, 400).0.iter().all(|part| *part > 200);
    let mut changes = (50..150).map(light).collect::<Vec<_>>();
    changes.dedup();
    assert_eq!(changes, [false, true, false, true, false]);
}

/// The number on a white tag is measured: rows between its first and last dark one.
#[test]
fn numbers_are_high_enough_whatever_the_scale() {
    for (size, longest) in
        [((1080, 2400), 1568), ((1080, 2400), 512), ((480, 800), 1568), ((1440, 3200), 300)]
    {
        let mut album = Album::default();
        let bounds = Bounds::new(0, 0, size.0, size.1);
        let mut frame = album.screen(white(size.0, size.1), &[(click(), bounds)]);
        frame.marks = vec![Mark { bounds, interaction: Interaction::Click, label: "1".into() }];
        let image = read(&draw(&Picture::Screen(frame), &album, longest).expect("drawn"));
        let [r, g, b] = Interaction::Click.color().rgb;
        // Inside the tag, which lies in the corner, the digit is the only white.
        let digit = |y: u32| {
            let row = (4..60.min(image.width())).map(|x| image.get_pixel(x, y).0);
            let row: Vec<[u8; 4]> = row.collect();
            let tag = row
                .iter()
                .rposition(|p| p[0].abs_diff(r) < 40 && p[1].abs_diff(g) < 40 && p[2].abs_diff(b) < 40);
            tag.is_some_and(|end| row.iter().take(end).any(|p| p[1] > 150 && p[2] > 150))
        };
        let rows = (4..60).filter(|y| digit(*y)).count();
        assert!(rows >= usize::try_from(SMALLEST).expect("positive"), "{size:?} to {longest}: {rows} rows");
    }
}

#[test]
fn passwords_are_painted_over_in_every_picture() {
    let secret = [255, 0, 255];
    let mut canvas = Canvas::new(600, 900, Color::WHITE);
    canvas.fill(Bounds::new(100, 200, 500, 300), Color::from(secret));
    let screenshot = encoded(canvas.image());
    // As it is, inverted, and larger than the screen.
    for bounds in
        [Bounds::new(100, 200, 500, 300), Bounds::new(500, 300, 100, 200), Bounds::new(-9, 100, 9_999, 800)]
    {
        let mut album = Album::default();
        let frame = album.screen(screenshot.clone(), &[(password(), bounds)]);
        let cut = Bounds::new(50, 150, 550, 350);
        let pictures = [
            Picture::Screen(frame.clone()),
            Picture::History(vec![frame.clone(), frame.clone()]),
            Picture::Icon { frame: frame.clone(), bounds: cut },
        ];
        for picture in pictures {
            let image = read(&draw(&picture, &album, 600).expect("drawn"));
            assert_eq!(count(&image, secret), 0, "{} {bounds}", picture.name());
        }
        album.layouts.clear();
        let unknown = draw(&Picture::Screen(frame.clone()), &album, 600);
        assert_eq!(unknown, Err(PictureError::NoLayout(frame.layout)));
    }
}

#[test]
fn histories_leave_room_for_captions_and_blanks() {
    let mut album = Album::default();
    let mut frame = album.screen(white(300, 600), &[(click(), Bounds::new(10, 10, 200, 90))]);
    frame.caption = "Adding an entry: pressed Save".into();
    let missing = Frame { screenshot: BlobHash::of(b"?"), ..frame.clone() };
    let image =
        read(&draw(&Picture::History(vec![frame.clone(), missing.clone()]), &album, 700).expect("drawn"));
    assert!(
        image.width() <= 700 && image.height() <= 700 && image.height() > 600,
        "{:?}",
        image.dimensions()
    );
    assert!(count(&image, [200, 200, 200]) > 50_000, "a blank for the one that is missing");
    assert_eq!(draw(&Picture::History(Vec::new()), &album, 700), Err(PictureError::Empty));
    let none = draw(&Picture::History(vec![missing.clone()]), &album, 700);
    assert_eq!(none, Err(PictureError::NoScreenshot(missing.screenshot)));
}

/// What a session asks, question by question: the history so far, the icons of the screen and the screen.
fn questions(album: &mut Album, screens: i32, size: i32) -> Vec<Vec<Picture>> {
    let frames: Vec<Frame> = (0..screens)
        .map(|n| {
            let mut canvas = Canvas::new(9 * size, 20 * size, Color::WHITE);
            canvas.fill(Bounds::new(20 * n, 30 * n, 20 * n + 200, 30 * n + 90), Color::INK);
            let widgets =
                [(click(), Bounds::new(20, 20, 300, 90)), (password(), Bounds::new(9, 900, 500, 990))];
            Frame { caption: format!("step {n}"), ..album.screen(encoded(canvas.image()), &widgets) }
        })
        .collect();
    let pictures = |n: usize| {
        let icon =
            |top| Picture::Icon { frame: frames[n].clone(), bounds: Bounds::new(0, top, 90, top + 90) };
        let history = Picture::History(frames[n.saturating_sub(8)..=n].to_vec());
        vec![history, icon(0), icon(200), Picture::Screen(frames[n].clone())]
    };
    (0..frames.len()).map(pictures).collect()
}

#[test]
fn a_darkroom_draws_the_same_and_decodes_each_screen_once() {
    let mut album = Album::default();
    let questions = questions(&mut album, 12, 50);
    let room = Darkroom::default();
    for (n, question) in (1..).zip(&questions) {
        for picture in question.iter().chain(question) {
            let drawn = room.draw(picture, &album, 600).expect("drawn");
            let alone = draw(picture, &Uncounted(&album), 600).expect("drawn");
            assert!(*drawn == *alone, "{} of question {n}", picture.name());
        }
        assert_eq!(album.read.load(Ordering::Relaxed), n, "screenshots read until question {n}");
    }
    let other = room.draw(&questions[11][0], &album, 500).expect("drawn");
    assert!(*other == *draw(&questions[11][0], &album, 500).expect("drawn"), "of another size");
}

#[test]
fn icons_are_cut_out_and_large_enough_to_see() {
    let mut album = Album::default();
    let frame = album.screen(white(600, 900), &[]);
    let cases = [
        (Bounds::new(10, 10, 58, 34), Some((96, 48))),
        (Bounds::new(-50, -50, 200, 100), Some((200, 100))),
        (Bounds::new(0, 0, 600, 900), Some((267, 400))),
        (Bounds::new(700, 0, 800, 50), None),
        (Bounds::new(50, 50, 20, 60), None),
        (Bounds::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX), Some((267, 400))),
    ];
    for (bounds, expected) in cases {
        let drawn = draw(&Picture::Icon { frame: frame.clone(), bounds }, &album, 400);
        assert_eq!(drawn.map(|png| read(&png).dimensions()).ok(), expected, "{bounds}");
    }
}

#[test]
fn hostile_screenshots_and_layouts() {
    let wild = [
        Bounds::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX),
        Bounds::new(i32::MAX - 1, i32::MAX - 1, i32::MAX, i32::MAX),
        Bounds::new(90, 90, 10, 10),
        Bounds::new(-5, -5, 5, 5),
        Bounds::new(0, 0, 1, 1),
        Bounds::new(50, 0, 50, 100),
    ];
    let mut album = Album::default();
    let marks: Vec<Mark> = (0..3_000)
        .map(|n| Mark {
            bounds: wild[n % wild.len()],
            interaction: Interaction::Swipe,
            label: "9".repeat(n % 40),
        })
        .collect();
    let widgets = wild.map(|bounds| (click().with(Flags::PASSWORD, true), bounds));
    for size in [(1, 1), (2, 300), (300, 3), (100, 100)] {
        let mut frame = album.screen(white(size.0, size.1), &widgets);
        draw(&Picture::Screen(frame.clone()), &album, 64).expect("drawn");
        frame.marks = marks.iter().take(if size == (100, 100) { 400 } else { 40 }).cloned().collect();
        frame.caption = "\u{202e}\u{7}語".repeat(500);
        draw(&Picture::Screen(frame.clone()), &album, 64).expect("drawn");
        draw(&Picture::History(vec![frame; 40]), &album, 64).expect("drawn");
    }
    // Width and height of a PNG are in its header: 65,535 by 65,535 without the pixels.
    let mut huge = white(1, 1);
    huge.splice(16..24, [0, 0, 255, 255, 0, 0, 255, 255]);
    for bytes in
        [Vec::new(), b"GIF89a".to_vec(), b"\x89PNG\r\n\x1a\n".to_vec(), huge, white(9, 9)[..40].to_vec()]
    {
        let frame = album.screen(bytes.clone(), &[]);
        let drawn = draw(&Picture::Screen(frame), &album, 600);
        assert!(matches!(drawn, Err(PictureError::Unreadable { .. })), "{bytes:?}: {drawn:?}");
    }
}
