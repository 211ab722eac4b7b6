//! Icons, as strokes on a grid of 24 by 24.

use droidmux_gui::Bounds;
use droidmux_paint::{Canvas, Color};
use droidmux_sim_toolkit::Icon;

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
    /// The corners of what is filled.
    Area(&'static [(i32, i32)]),
}

use Stroke::{Area, Block, Disc, Frame, Line, Ring};

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
            Area(corners) => {
                let corners: Vec<(i32, i32)> = corners.iter().map(|(cx, cy)| (x(*cx), y(*cy))).collect();
                canvas.polygon(&corners, color);
            }
            Ring(cx, cy, r) => canvas.ring(x(cx), y(cy), r * side / 24, thick, color),
        }
    }
}

const STAR: [(i32, i32); 10] =
    [(12, 1), (15, 9), (23, 9), (17, 14), (19, 22), (12, 17), (5, 22), (7, 14), (1, 9), (9, 9)];

const STAR_LINES: [Stroke; 10] = {
    let mut lines = [Line(0, 0, 0, 0); 10];
    let mut n = 0;
    while n < 10 {
        let (from, to) = (STAR[n], STAR[(n + 1) % 10]);
        lines[n] = Line(from.0, from.1, to.0, to.1);
        n += 1;
    }
    lines
};

fn strokes(icon: Icon) -> &'static [Stroke] {
    match icon {
        Icon::Menu => &[Block(3, 5, 21, 7), Block(3, 11, 21, 13), Block(3, 17, 21, 19)],
        Icon::Back => &[Line(4, 12, 20, 12), Line(4, 12, 11, 5), Line(4, 12, 11, 19)],
        Icon::Close => &[Line(5, 5, 19, 19), Line(19, 5, 5, 19)],
        Icon::Search => &[Ring(10, 10, 7), Line(15, 15, 21, 21)],
        Icon::Add => &[Block(11, 4, 13, 20), Block(4, 11, 20, 13)],
        Icon::Check => &[Line(4, 13, 9, 18), Line(9, 18, 20, 6)],
        Icon::Delete => {
            &[Block(4, 4, 20, 6), Block(9, 2, 15, 4), Area(&[(5, 8), (19, 8), (17, 22), (7, 22)])]
        }
        Icon::Camera => &[Frame(2, 6, 22, 21), Block(8, 3, 16, 7), Ring(12, 13, 5)],
        Icon::Pencil => &[
            Area(&[(3, 21), (3, 17), (14, 6), (18, 10), (7, 21)]),
            Area(&[(15, 5), (18, 2), (22, 6), (19, 9)]),
        ],
        Icon::More => &[Disc(12, 5, 2), Disc(12, 12, 2), Disc(12, 19, 2)],
        Icon::Folder => &[Block(2, 5, 10, 8), Block(2, 8, 22, 20)],
        Icon::File => &[Frame(5, 2, 19, 22), Line(8, 9, 16, 9), Line(8, 13, 16, 13), Line(8, 17, 13, 17)],
        Icon::Refresh => &[Ring(12, 13, 8), Area(&[(12, 0), (12, 10), (19, 5)])],
        Icon::Shuffle => &[Line(3, 6, 20, 18), Line(3, 18, 20, 6), Line(20, 6, 15, 6), Line(20, 18, 15, 18)],
        Icon::Repeat => &[Frame(3, 7, 21, 18), Line(17, 3, 21, 7), Line(21, 7, 17, 11)],
        Icon::Book => &[Frame(4, 3, 20, 21), Block(7, 3, 9, 21), Line(12, 8, 17, 8)],
        Icon::Home => &[
            Area(&[(1, 12), (12, 2), (23, 12)]),
            Block(5, 12, 10, 21),
            Block(14, 12, 19, 21),
            Block(5, 12, 19, 15),
        ],
        Icon::Play => &[Area(&[(7, 3), (21, 12), (7, 21)])],
        Icon::Pause => &[Block(6, 4, 10, 20), Block(14, 4, 18, 20)],
        Icon::Next => &[Area(&[(4, 4), (15, 12), (4, 20)]), Block(16, 4, 19, 20)],
        Icon::Star => &[Area(&STAR)],
        Icon::NoStar => &STAR_LINES,
        Icon::Attach => &[Line(7, 8, 7, 17), Line(7, 17, 12, 21), Line(12, 21, 17, 17), Line(17, 17, 17, 5)],
        Icon::Globe => &[Ring(12, 12, 9), Line(3, 12, 21, 12), Line(12, 3, 12, 21)],
        Icon::Sort => &[Block(3, 5, 21, 7), Block(3, 11, 15, 13), Block(3, 17, 9, 19)],
        Icon::Swap => &[Line(3, 8, 20, 8), Line(20, 8, 16, 4), Line(21, 16, 4, 16), Line(4, 16, 8, 20)],
    }
}
