//! Widgets on the screen.

use super::icon;
use droidmux_gui::Bounds;
use droidmux_paint::{Canvas, Color, Type, text_width};
use droidmux_sim_toolkit::TextSize;
use droidmux_sim_toolkit::platform::{
    CELL, Control, Frame, Node, Scene, columns, dot_pixels, scramble, wrapped,
};

/// Draws a window.
pub(super) fn draw(canvas: &mut Canvas, scene: &Scene, frame: Frame) {
    for node in &scene.nodes {
        canvas.clip(node.bounds);
        let list = node.parent.and_then(|parent| scene.nodes.get(parent)).filter(|parent| is_list(parent));
        Painter { canvas, node, frame }.paint();
        // Rows as wide as their list have a line between them.
        if list.is_some_and(|list| node.rect.width() * 10 > list.rect.width() * 9) {
            let line = Bounds { top: node.rect.bottom - (frame.px(1) / 2).max(1), ..node.rect };
            canvas.fill(line, Color::LINE);
        }
    }
    canvas.unclip();
}

fn is_list(node: &Node) -> bool {
    node.class.ends_with("RecyclerView") || node.class.ends_with("ListView")
}

struct Painter<'a> {
    canvas: &'a mut Canvas,
    node: &'a Node,
    frame: Frame,
}

const ACCENT: Color = Color::AMBER;

impl Painter<'_> {
    fn paint(&mut self) {
        let (rect, style) = (self.node.rect, self.node.style);
        if let Some(color) = style.background {
            self.background(color);
        }
        match style.control {
            Control::None => self.content(0),
            Control::Button => self.button(),
            Control::Field => self.field(),
            Control::Spinner => self.spinner(),
            Control::CheckBox => self.check_box(),
            Control::Radio => self.radio(),
            Control::Switch => self.switch(),
            Control::Tab if self.node.flags.selected => {
                let line = Bounds { top: rect.bottom - self.frame.px(2), ..rect };
                self.canvas.fill(line, Color::INK);
            }
            Control::Tab => {}
            Control::Divider => self.canvas.fill(rect, Color::LINE),
            Control::Picture(seed) => self.picture(seed),
            Control::Shortcut(color) => self.shortcut(color),
        }
    }

    /// A background rounded to its full height floats over the page and casts a shadow.
    fn background(&mut self, color: Color) {
        let (rect, radius) = (self.node.rect, self.frame.px(self.node.style.corner));
        if radius > 0 && radius * 2 >= rect.height() && self.node.style.icon.is_some() {
            let fall = self.frame.px(2);
            let shadow = Bounds { top: rect.top + fall, bottom: rect.bottom + fall, ..rect };
            self.canvas.clip(self.node.bounds.grown(fall));
            self.canvas.rounded(shadow, radius, Color::FAINT.mixed(Color::LINE, 50));
        }
        self.canvas.rounded(rect, radius, color);
    }

    /// The text in a box that is a little less tall than the touchable area.
    fn button(&mut self) {
        let (rect, inset) = (self.node.rect, self.frame.px(5));
        let face = Bounds { top: rect.top + inset, bottom: rect.bottom - inset, ..rect };
        if self.node.style.background.is_none() {
            self.canvas.rounded(face, self.frame.px(4), Color::LINE.mixed(Color::WHITE, 20));
        }
        self.content(0);
    }

    fn spinner(&mut self) {
        let (rect, side) = (self.node.rect, self.frame.px(5));
        let (x, y) = (rect.right - 4 * side, rect.center().y);
        self.canvas
            .polygon(&[(x - side, y - side / 2), (x + side, y - side / 2), (x, y + side / 2)], Color::FAINT);
    }

    fn dot(&self) -> i32 {
        dot_pixels(self.node.style.size.dot(), self.frame.text_density())
    }

    /// The type of its text: page headings and chosen items are bold.
    fn kind(&self) -> Type {
        let heads = matches!(self.node.style.size, TextSize::Title | TextSize::Large);
        let chosen = self.node.flags.checked && self.node.class.ends_with("CheckedTextView");
        Type { bold: heads || chosen, ..Type::plain(self.dot() * 10) }
    }

    /// The type of one line: smaller where the letters are wider than the cells they are laid out in.
    fn fitting(&self, line: &str, room: i32) -> Type {
        let kind = self.kind();
        let cells = i32::try_from(columns(line)).unwrap_or(i32::MAX).saturating_mul(CELL.0 * self.dot());
        let wide = text_width(line, kind);
        // Titles may be laid out a little too narrow.
        if wide <= room || cells > room + self.frame.px(4) {
            return kind;
        }
        Type { bold: kind.bold, ..Type::plain(i32::from(kind.size) * room / wide) }
    }

    fn ink(&self) -> Color {
        let ink = self.node.style.ink;
        if self.node.flags.enabled { ink } else { ink.mixed(Color::WHITE, 60) }
    }

    /// Icon and text, the text `indent` pixels from the left.
    fn content(&mut self, indent: i32) {
        let (rect, inner, ink) = (self.node.rect, self.node.inner, self.ink());
        if let Some(kind) = self.node.style.icon {
            let side = self.frame.px(24).min(rect.width()).min(rect.height());
            icon::draw(self.canvas, kind, rect, side, ink);
        }
        if !self.node.text.is_empty() {
            self.lines(inner, indent, ink);
        }
    }

    /// The text, broken into lines where the widget takes several, centred vertically.
    fn lines(&mut self, rect: Bounds, indent: i32, ink: Color) {
        let dot = self.dot();
        let (cell, high) = (CELL.0 * dot, CELL.1 * dot);
        let room = (rect.width() - indent).max(0);
        let lines = if self.node.flags.multiline {
            wrapped(&self.node.text, usize::try_from(room / cell).unwrap_or(1))
        } else {
            vec![self.node.text.clone()]
        };
        let total = i32::try_from(lines.len()).unwrap_or(1) * high;
        let mut y = rect.top + (rect.height() - total).max(0) / 2 + 2 * dot;
        for line in lines {
            let kind = self.fitting(&line, room);
            let width = text_width(&line, kind);
            let start = if self.node.style.centered { (room - width).max(0) / 2 } else { indent };
            self.canvas.text((rect.left + start, y + 7 * dot), &line, kind, room, ink);
            y += high;
        }
    }

    fn field(&mut self) {
        let (rect, flags) = (self.node.rect, self.node.flags);
        let thick = self.frame.px(if flags.focused { 2 } else { 1 });
        let color = if flags.focused { ACCENT } else { Color::FAINT };
        self.canvas.fill(Bounds { top: rect.bottom - thick, ..rect }, color);
        let ink = if flags.hinting { Color::FAINT.mixed(Color::WHITE, 30) } else { self.ink() };
        self.lines(self.node.inner, 0, ink);
        if flags.focused {
            let (dot, text) = (self.dot(), if flags.hinting { "" } else { &self.node.text });
            let last = text.rsplit('\n').next().unwrap_or_default();
            let x = (self.node.inner.left + text_width(last, self.kind()) - thick).min(rect.right - thick);
            let middle = rect.center().y;
            self.canvas.fill(Bounds::new(x, middle - 5 * dot, x + thick, middle + 5 * dot), ACCENT);
        }
    }

    fn check_box(&mut self) {
        let (rect, side) = (self.node.rect, self.frame.px(18));
        let left = rect.left + self.frame.px(8);
        let top = rect.center().y - side / 2;
        let square = Bounds::new(left, top, left + side, top + side);
        if self.node.flags.checked {
            self.canvas.rounded(square, self.frame.px(2), ACCENT);
            icon::draw(self.canvas, droidmux_sim_toolkit::Icon::Check, square, side, Color::WHITE);
        } else {
            self.canvas.outline(square, self.frame.px(2), Color::FAINT);
        }
        self.content(self.frame.px(32));
    }

    fn radio(&mut self) {
        let (rect, radius) = (self.node.rect, self.frame.px(9));
        let (x, y) = (rect.left + self.frame.px(17), rect.center().y);
        let color = if self.node.flags.checked { ACCENT } else { Color::FAINT };
        self.canvas.ring(x, y, radius, self.frame.px(2), color);
        if self.node.flags.checked {
            self.canvas.disc(x, y, radius / 2, ACCENT);
        }
        self.content(self.frame.px(32));
    }

    fn switch(&mut self) {
        let (rect, on) = (self.node.rect, self.node.flags.checked);
        let middle = rect.center();
        let (half, radius) = (self.frame.px(16), self.frame.px(7));
        let track = Bounds::new(middle.x - half, middle.y - radius, middle.x + half, middle.y + radius);
        self.canvas.rounded(track, radius, if on { ACCENT.mixed(Color::WHITE, 50) } else { Color::LINE });
        let x = if on { track.right - radius } else { track.left + radius };
        self.canvas.disc(x, middle.y, self.frame.px(10), if on { ACCENT } else { Color::FAINT });
    }

    /// A made-up landscape: sky, sun and two hills, by the number.
    fn picture(&mut self, seed: u64) {
        let rect = self.node.rect;
        let part = |n: u32, most: i32| {
            let byte = u8::try_from(scramble(scramble(seed)) >> (n * 8) & 0xff).unwrap_or(0);
            i32::from(byte) * most / 256
        };
        let nth = |n: i32| Color::nth(usize::try_from(n).unwrap_or(0));
        self.canvas.fill(rect, nth(part(0, 7)).mixed(Color::WHITE, 60));
        let radius = rect.width() / 8;
        let x = rect.left + radius + part(1, rect.width() - 2 * radius);
        self.canvas.disc(x, rect.top + rect.height() / 4, radius, Color(255, 235, 130));
        for (n, color) in [(2, nth(part(3, 7))), (4, nth(part(5, 7)).mixed(Color::INK, 30))] {
            let x = rect.left + part(n, rect.width());
            self.canvas.disc(x, rect.bottom + rect.height() / 8, rect.width() / 2, color);
        }
    }

    fn shortcut(&mut self, color: Color) {
        let (rect, kind) = (self.node.rect, self.kind());
        let radius = self.frame.px(28);
        let (x, y) = (rect.center().x, rect.top + radius + self.frame.px(6));
        self.canvas.disc(x, y, radius, color);
        let letter: String = self.node.text.chars().take(1).collect();
        let disc = Bounds::new(x, y, x, y).grown(radius);
        self.canvas.centered(disc, &letter, Type::bold(self.frame.px(28)), Color::WHITE);
        let below = Bounds { top: disc.bottom, bottom: disc.bottom + self.frame.px(24), ..rect };
        self.canvas.centered(below, &self.node.text, kind, Color::WHITE);
    }
}
