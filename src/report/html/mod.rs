//! The page: one HTML file that needs nothing else.
//!
//! Each picture is in it once, as a symbol that every place refers to; the boxes over the pictures are drawn by the
//! browser. There is no script: switching the theme and enlarging pictures are done by style sheets with check boxes.

mod chart;
mod contents;
mod finding;
mod session;
mod steps;

use std::collections::BTreeMap;
use std::io::{self, Write};

pub(super) use session::{device_words, moment};

use super::escape::markup;
use super::{FindingPart, Format, Head, SessionPart, Shots};
use droidmux_gui::LayoutHash;
use droidmux_record::{BlobHash, Tier};
use droidmux_words::figure::count;

const STYLE: &str = include_str!("style.css");

/// Nothing is loaded and nothing runs, whatever a text turns into.
const POLICY: &str =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

/// Writes the page.
pub struct Page<W: Write> {
    out: W,
    /// Pictures that are in the page, with the sizes of their screens.
    shown: BTreeMap<(LayoutHash, Option<BlobHash>), (u32, u32)>,
    /// The explanation shared by the last findings written.
    group: Option<String>,
    /// The number of check boxes so far.
    boxes: u64,
}

impl<W: Write> Page<W> {
    /// Writes into this writer, which should be buffered.
    pub fn new(out: W) -> Self {
        Self { out, shown: BTreeMap::new(), group: None, boxes: 0 }
    }

    fn put(&mut self, html: &str) -> io::Result<()> {
        self.out.write_all(html.as_bytes())
    }
}

impl<W: Write> Format for Page<W> {
    fn begin(&mut self, head: &Head) -> io::Result<()> {
        let sessions = count(head.sessions, "session");
        let (counts, version) = (head.counts.words(), markup(&head.version));
        self.put(&format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>droidmux: {counts}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n\
             <body>\n<header class=\"top\">\n<div><h1>Findings</h1>\n\
             <p class=\"quiet\">{sessions}: {counts}. Written by droidmux {version}.</p></div>\n\
             <fieldset class=\"theme\"><legend>Theme</legend>\
             <label><input type=\"radio\" name=\"theme\" id=\"theme-auto\" checked> auto</label>\
             <label><input type=\"radio\" name=\"theme\" id=\"theme-light\"> light</label>\
             <label><input type=\"radio\" name=\"theme\" id=\"theme-dark\"> dark</label></fieldset>\n\
             </header>\n<main>\n"
        ))?;
        self.put(&contents::table(&head.contents))
    }

    fn session(&mut self, session: &SessionPart) -> io::Result<()> {
        self.group = None;
        self.put(&session::head(session))
    }

    fn finding(&mut self, _session: &SessionPart, part: &FindingPart, shots: &dyn Shots) -> io::Result<()> {
        let tier = part.finding().tier;
        if self.group.as_deref() != Some(tier.name()) {
            self.group = Some(tier.name().to_owned());
            self.put(&format!("<h3 class=\"tier {}\">{}</h3>\n", tier.name(), finding::heading(tier)))?;
        }
        self.put(&finding::open(part))?;
        // Explained findings are described in words.
        if tier != Tier::Explained {
            steps::write(self, part, shots)?;
        }
        self.put(&finding::close(part))
    }

    fn session_end(&mut self, _session: &SessionPart) -> io::Result<()> {
        self.put("</section>\n")
    }

    fn end(&mut self) -> io::Result<()> {
        self.put("</main>\n</body>\n</html>\n")?;
        self.out.flush()
    }
}
