//! Icons, as strokes on a grid of 24 by 24.

use crate::gui::Bounds;
use crate::paint::{Canvas, Color};
use crate::sim::toolkit::Icon;

#[derive(Clone, Copy)]
enum Stroke {
    /// From, to.
    Line(i32, i32, i32, i32),
    /// Left, top, right, bottom, filled.
    Block(i32, i32, i32, i32),
    /// The same, only its outline.
    Frame(i32, i32, i32, i32),
    /// Middle and radius, filled.
    Disc(i32, i32, i32),
    Ring(i32, i32, i32),
}

use Stroke::{Block, Disc, Frame, Line, Ring};

/// Draws an icon in the middle of an area, `side` pixels wide.
pub(super) fn draw(canvas: &mut Canvas, icon: Icon, area: Bounds, side: i32, color: Color) {
    let middle = area.center();
    let (left, top) = (middle.x - side / 2, middle.y - side / 2);
    let x = |n: i32| left + n * side / 24;
    let y = |n: i32| top + n * side / 24;
    let thick = (side / 8).max(2);
    for stroke in strokes(icon) {
        match *stroke {
            Line(x0, y0, x1, y1) => canvas.line((x(x0), y(y0)), (x(x1), y(y1)), thick, color),
            Block(x0, y0, x1, y1) => canvas.fill(Bounds::new(x(x0), y(y0), x(x1), y(y1)), color),
            Frame(x0, y0, x1, y1) => {
                canvas.outline(Bounds::new(x(x0), y(y0), x(x1), y(y1)), thick, color);
            }
            Disc(cx, cy, r) => canvas.disc(x(cx), y(cy), r * side / 24, color),
            Ring(cx, cy, r) => canvas.ring(x(cx), y(cy), r * side / 24, thick, color),
        }
    }
}

/// The ten lines of its outline, then what fills it.
const STAR: &[Stroke] = &[
    Line(12, 2, 15, 9),
    Line(15, 9, 22, 9),
    Line(22, 9, 16, 14),
    Line(16, 14, 18, 21),
    Line(18, 21, 12, 17),
    Line(12, 17, 6, 21),
    Line(6, 21, 8, 14),
    Line(8, 14, 2, 9),
    Line(2, 9, 9, 9),
    Line(9, 9, 12, 2),
    Disc(12, 12, 6),
];

fn strokes(icon: Icon) -> &'static [Stroke] {
    match icon {
        Icon::Menu => &[Block(3, 5, 21, 7), Block(3, 11, 21, 13), Block(3, 17, 21, 19)],
        Icon::Back => &[Line(4, 12, 20, 12), Line(4, 12, 11, 5), Line(4, 12, 11, 19)],
        Icon::Close => &[Line(5, 5, 19, 19), Line(19, 5, 5, 19)],
        Icon::Search => &[Ring(10, 10, 7), Line(15, 15, 21, 21)],
        Icon::Add => &[Block(11, 4, 13, 20), Block(4, 11, 20, 13)],
        Icon::Check => &[Line(4, 13, 9, 18), Line(9, 18, 20, 6)],
        Icon::Delete => &[Block(4, 4, 20, 6), Block(9, 2, 15, 4), Block(6, 8, 18, 22)],
        Icon::Camera => &[Frame(2, 6, 22, 21), Block(8, 3, 16, 7), Ring(12, 13, 5)],
        Icon::Pencil => &[Line(6, 18, 17, 7), Line(17, 7, 19, 5), Block(3, 19, 6, 22)],
        Icon::More => &[Disc(12, 5, 2), Disc(12, 12, 2), Disc(12, 19, 2)],
        Icon::Folder => &[Block(2, 5, 10, 8), Block(2, 8, 22, 20)],
        Icon::File => &[Frame(5, 2, 19, 22), Line(8, 9, 16, 9), Line(8, 13, 16, 13), Line(8, 17, 13, 17)],
        Icon::Refresh => &[Ring(12, 12, 8), Line(20, 4, 20, 11), Line(20, 11, 14, 11)],
        Icon::Shuffle => &[Line(3, 6, 20, 18), Line(3, 18, 20, 6), Line(20, 6, 15, 6), Line(20, 18, 15, 18)],
        Icon::Repeat => &[Frame(3, 7, 21, 18), Line(17, 3, 21, 7), Line(21, 7, 17, 11)],
        Icon::Book => &[Frame(4, 3, 20, 21), Block(7, 3, 9, 21), Line(12, 8, 17, 8)],
        Icon::Home => &[Line(2, 12, 12, 3), Line(12, 3, 22, 12), Block(6, 12, 18, 21)],
        Icon::Play => &[Line(8, 4, 8, 20), Line(8, 4, 20, 12), Line(20, 12, 8, 20), Block(8, 9, 14, 15)],
        Icon::Pause => &[Block(6, 4, 10, 20), Block(14, 4, 18, 20)],
        Icon::Next => &[Line(5, 5, 14, 12), Line(14, 12, 5, 19), Block(16, 4, 19, 20)],
        Icon::Star => STAR,
        Icon::NoStar => STAR.split_at(10).0,
        Icon::Attach => &[Line(7, 8, 7, 17), Line(7, 17, 12, 21), Line(12, 21, 17, 17), Line(17, 17, 17, 5)],
        Icon::Globe => &[Ring(12, 12, 9), Line(3, 12, 21, 12), Line(12, 3, 12, 21)],
        Icon::Sort => &[Block(3, 5, 21, 7), Block(3, 11, 15, 13), Block(3, 17, 9, 19)],
        Icon::Swap => &[Line(3, 8, 20, 8), Line(20, 8, 16, 4), Line(21, 16, 4, 16), Line(4, 16, 8, 20)],
    }
}
