//! Screen coordinates, in pixels of the rotation the dump was taken in.

use serde::{Deserialize, Serialize};

/// A point on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Point {
    /// Pixels from the left edge; negative left of it.
    pub x: i32,
    /// Pixels from the top edge; negative above it.
    pub y: i32,
}

/// A widget's rectangle as dumped: `[left,top][right,bottom]`.
///
/// Real dumps hold zero-sized and inverted rectangles; they are kept, and [`Bounds::is_empty`]
/// says that nothing can be tapped there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bounds {
    /// The first column inside.
    pub left: i32,
    /// The first row inside.
    pub top: i32,
    /// One past the last column inside.
    pub right: i32,
    /// One past the last row inside.
    pub bottom: i32,
}

impl Bounds {
    /// The rectangle of these edges, in the order a dump gives them; kept as it is when inverted.
    pub fn new(left: i32, top: i32, right: i32, bottom: i32) -> Self {
        Self { left, top, right, bottom }
    }

    /// Reads `[left,top][right,bottom]`; numbers may be negative.
    pub fn parse(text: &str) -> Option<Self> {
        let (first, second) = text.strip_prefix('[')?.strip_suffix(']')?.split_once("][")?;
        let (left, top) = first.split_once(',')?;
        let (right, bottom) = second.split_once(',')?;
        let number = |text: &str| text.trim().parse::<i32>().ok();
        Some(Self::new(number(left)?, number(top)?, number(right)?, number(bottom)?))
    }

    /// True when no point lies inside: zero-sized or inverted.
    pub fn is_empty(&self) -> bool {
        self.right <= self.left || self.bottom <= self.top
    }

    /// Width in pixels, 0 when inverted.
    pub fn width(&self) -> i32 {
        self.right.saturating_sub(self.left).max(0)
    }

    /// Height in pixels, 0 when inverted.
    pub fn height(&self) -> i32 {
        self.bottom.saturating_sub(self.top).max(0)
    }

    /// The middle, where a tap goes.
    pub fn center(&self) -> Point {
        let mid = |low: i32, high: i32| i32::midpoint(low, high);
        Point { x: mid(self.left, self.right), y: mid(self.top, self.bottom) }
    }

    /// What both cover; empty when they do not meet.
    #[must_use]
    pub fn intersection(&self, other: Bounds) -> Bounds {
        Bounds {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// Pixels inside.
    pub fn area(&self) -> i64 {
        i64::from(self.width()) * i64::from(self.height())
    }

    /// The rectangle moved this far outwards on each side; inwards when negative.
    #[must_use]
    pub fn grown(&self, by: i32) -> Bounds {
        Bounds {
            left: self.left.saturating_sub(by),
            top: self.top.saturating_sub(by),
            right: self.right.saturating_add(by),
            bottom: self.bottom.saturating_add(by),
        }
    }

    /// True when the point lies inside: the left and top edges do, the right and bottom ones do not.
    pub fn contains(&self, point: Point) -> bool {
        (self.left..self.right).contains(&point.x) && (self.top..self.bottom).contains(&point.y)
    }
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{},{}][{},{}]", self.left, self.top, self.right, self.bottom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_dumps_write_them() {
        let cases = [
            ("[0,1][2,3]", Some(Bounds::new(0, 1, 2, 3))),
            ("[-5,-6][7,8]", Some(Bounds::new(-5, -6, 7, 8))),
            ("[9,9][1,1]", Some(Bounds::new(9, 9, 1, 1))),
            ("[0, 1][2, 3]", Some(Bounds::new(0, 1, 2, 3))),
            ("", None),
            ("[0,1][2,3", None),
            ("[0,1,2,3]", None),
            ("[0,1][2,99999999999]", None),
            ("[[,]", None),
        ];
        for (text, expected) in cases {
            assert_eq!(Bounds::parse(text), expected, "{text}");
        }
    }
}
