//! The table of contents: sessions with the number of findings to read in them, and what is reported.

use crate::HeadSession;
use crate::escape::markup;

/// Links to all sessions and to everything that is reported; empty when there is nothing to choose from.
pub(super) fn table(sessions: &[HeadSession]) -> String {
    let links = sessions.len() + sessions.iter().map(|session| session.reported.len()).sum::<usize>();
    if links < 2 {
        return String::new();
    }
    let mut html = String::from(
        "<nav class=\"contents\" aria-labelledby=\"contents\">\n<h2 id=\"contents\">Contents</h2>\n<ul>\n",
    );
    for session in sessions {
        html += &format!(
            "<li><a href=\"#{0}\">{0}: {1} on {2}</a> <span class=\"quiet\">{3}</span>",
            session.id,
            markup(&session.technique),
            markup(&session.app),
            session.counts.words()
        );
        if !session.reported.is_empty() {
            let reported = session.reported.iter();
            let reported: String = reported
                .map(|(id, title)| format!("<li><a href=\"#f-{id}\">{}</a></li>\n", markup(title)))
                .collect();
            html += &format!("\n<ul>\n{reported}</ul>\n");
        }
        html += "</li>\n";
    }
    html + "</ul>\n</nav>\n"
}
