//! The steps of a finding on the page: pictures with boxes, one lane or two.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Page;
use crate::cell::{BoxKind, Boxed, Cell};
use crate::escape::markup;
use crate::lanes::{Lanes, lanes};
use crate::{FindingPart, Shots};
use droidmux_gui::{Layout, LayoutHash, short_class};
use droidmux_record::{BlobHash, SessionId};

/// The most widgets drawn if there is no screenshot, and the most characters of their texts.
const MOST_DRAWN: usize = 300;
const MOST_LETTERS: usize = 60;

pub(super) fn write<W: Write>(page: &mut Page<W>, part: &FindingPart, shots: &dyn Shots) -> io::Result<()> {
    let lanes = lanes(part, shots);
    if lanes.rows.is_empty() {
        return page.put("<p class=\"quiet\">Its run is no longer stored.</p>\n");
    }
    page.put(&head(&lanes, part))?;
    for row in &lanes.rows {
        let named =
            |lane: usize| if row.cells.len() > 1 { lanes.names.get(lane).map(String::as_str) } else { None };
        let cells: Vec<_> =
            (0..).zip(&row.cells).filter_map(|(lane, cell)| Some((named(lane), cell.as_ref()?))).collect();
        let shape = if cells.len() > 1 { "pair" } else { "single" };
        let inserted = if row.inserted { " inserted" } else { "" };
        page.put(&format!("<div class=\"row {shape}{inserted}\">"))?;
        for (lane, cell) in cells {
            figure(page, lane, cell, shots)?;
        }
        page.put("</div>\n")?;
    }
    page.put("</div>\n")
}

fn head(lanes: &Lanes, part: &FindingPart) -> String {
    let shrunk = match &part.shown {
        Some(shown) if shown.shrunk => ", shrunk",
        _ => "",
    };
    let mut html = format!("<h5>Steps{shrunk}</h5>\n<p class=\"quiet key\"><i></i>acted on");
    html += "<i class=\"violation\"></i>what the violation is about";
    if lanes.rows.iter().any(|row| row.inserted) {
        html += "<i class=\"inserted\"></i>inserted";
    }
    html += "</p>\n";
    if lanes.cut > 0 {
        html += &format!("<p class=\"quiet\">{} earlier steps are left out.</p>\n", lanes.cut);
    }
    if let [left, right] = lanes.names.as_slice() {
        html += &format!(
            "<p class=\"quiet\">Side by side: {} and {}. What only one of them does stands alone.</p>\n",
            markup(left),
            markup(right)
        );
    }
    html + "<div class=\"lanes\">\n"
}

/// A screen with what is done on it, under the name of its lane if there are two.
fn figure<W: Write>(
    page: &mut Page<W>,
    lane: Option<&str>,
    cell: &Cell,
    shots: &dyn Shots,
) -> io::Result<()> {
    let words = match &cell.event {
        Some(event) => format!("{}. {}", cell.number, event),
        None => "in the end".to_owned(),
    };
    let picture = match cell.screen {
        Some((layout, taken)) => picture(page, cell.session, layout, taken, shots)?,
        None => None,
    };
    let mut html = String::from("<figure class=\"step\">");
    if let Some(lane) = lane {
        html += &format!("<p class=\"lane\">{}</p>", markup(lane));
    }
    match picture {
        Some((inner, (width, height))) => {
            page.boxes += 1;
            let boxes: String = cell.boxes.iter().map(boxed).collect();
            html += &format!(
                "<label><input type=\"checkbox\" aria-label=\"enlarge\" id=\"z{}\"><svg viewBox=\"0 0 {width} {height}\" \
                 role=\"img\" aria-label=\"{}\">{inner}{boxes}</svg></label>",
                page.boxes,
                markup(&format!("{} before {words}", short_class(&cell.activity)))
            );
        }
        None => html += "<p class=\"note\">no screen</p>",
    }
    html += &format!("<figcaption>{}", markup(&words));
    if !cell.failed.is_empty() {
        html += &format!(" <span class=\"mark\">({})</span>", cell.failed);
    }
    for mark in &cell.marks {
        html += &format!("<br><span class=\"mark\">{}</span>", markup(mark));
    }
    for signal in &cell.signals {
        html += &format!("<br><span class=\"mark\">{}</span>", markup(signal));
    }
    html += "</figcaption></figure>\n";
    page.put(&html)
}

/// What shows a screen, and its size; the picture itself is put into the page at its first use.
fn picture<W: Write>(
    page: &mut Page<W>,
    session: SessionId,
    hash: LayoutHash,
    taken: Option<BlobHash>,
    shots: &dyn Shots,
) -> io::Result<Option<(String, (u32, u32))>> {
    let name = match taken {
        Some(taken) => format!("p{hash}-{}", taken.to_string().get(..8).unwrap_or_default()),
        None => format!("p{hash}"),
    };
    if let Some(size) = page.shown.get(&(hash, taken)) {
        return Ok(Some((format!("<use href=\"#{name}\"/>"), *size)));
    }
    let Some(shot) = shots.shot(session, hash, taken) else {
        return Ok(shots.layout(hash).map(|layout| drawn(&layout)));
    };
    let (width, height) = shot.size;
    page.put(&format!(
        "<svg class=\"pictures\" aria-hidden=\"true\"><defs><image id=\"{name}\" width=\"{width}\" height=\"{height}\" \
         href=\"data:image/png;base64,"
    ))?;
    page.put(&STANDARD.encode(&shot.png))?;
    page.put("\"/></defs></svg>")?;
    page.shown.insert((hash, taken), shot.size);
    Ok(Some((format!("<use href=\"#{name}\"/>"), shot.size)))
}

fn boxed(boxed: &Boxed) -> String {
    let class = match boxed.kind {
        BoxKind::Acted => "box",
        BoxKind::Violation => "box violation",
    };
    let bounds = boxed.bounds;
    format!(
        "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>",
        bounds.left,
        bounds.top,
        bounds.width().max(1),
        bounds.height().max(1),
        markup(&boxed.title)
    )
}

/// A screen without a screenshot, drawn from its layout.
fn drawn(layout: &Layout) -> (String, (u32, u32)) {
    let most = |edge: fn(droidmux_gui::Bounds) -> i32| {
        layout.widgets().map(|widget| edge(widget.bounds())).max().and_then(|edge| u32::try_from(edge).ok())
    };
    let size = |edge: Option<u32>| edge.unwrap_or(0).clamp(100, 8_192);
    let (width, height) = (size(most(|bounds| bounds.right)), size(most(|bounds| bounds.bottom)));
    let mut svg = String::from("<g class=\"drawn\">");
    for widget in layout.widgets().filter(|widget| !widget.bounds().is_empty()).take(MOST_DRAWN) {
        let bounds = widget.bounds();
        svg += &format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            bounds.left,
            bounds.top,
            bounds.width(),
            bounds.height()
        );
        let label = match (widget.has(droidmux_gui::Flags::PASSWORD), widget.text()) {
            (true, _) => "•••",
            (false, "") => widget.description(),
            (false, text) => text,
        };
        if !label.is_empty() {
            let label: String = label.chars().take(MOST_LETTERS).collect();
            let (x, y) = (bounds.left.saturating_add(8), bounds.center().y.saturating_add(12));
            svg += &format!("<text x=\"{x}\" y=\"{y}\">{}</text>", markup(&label));
        }
    }
    (svg + "</g>", (width, height))
}
