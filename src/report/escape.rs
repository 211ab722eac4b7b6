//! External texts made harmless for the formats of reports.

use droidmux_words::printable;

/// For HTML and XML, in texts and in attributes. Control characters, which XML does not allow, are replaced by their
/// pictures.
pub(super) fn markup(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for char in printable(text).chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Neither is a valid XML character.
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            char => safe.push(char),
        }
    }
    safe
}

/// For running text in Markdown: nothing in it begins a link, a picture, markup or a mention.
pub(super) fn markdown(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for char in printable(text).chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            // An address or a person's name would become a link.
            '@' => safe.push_str("@\u{200b}"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '!' | '|' | '~' => {
                safe.push('\\');
                safe.push(char);
            }
            char => safe.push(char),
        }
    }
    safe.replace("://", ":\u{200b}//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_apps_are_harmless() {
        for (text, html, marked) in [
            ("plain Größe", "plain Größe", "plain Größe"),
            (
                "<script>alert('x')</script>",
                "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;",
                "&lt;script&gt;alert\\('x'\\)&lt;/script&gt;",
            ),
            ("a\u{1b}[31m\n\"b\" & c", "a␛[31m␊&quot;b&quot; &amp; c", "a␛\\[31m␊\"b\" &amp; c"),
            ("\u{202e}x\u{ffff}", "\u{fffd}x\u{fffd}", "\u{fffd}x\u{ffff}"),
            (
                "# ![a](http://x) @all",
                "# ![a](http://x) @all",
                "\\# \\!\\[a\\]\\(http:\u{200b}//x\\) @\u{200b}all",
            ),
        ] {
            assert_eq!((markup(text), markdown(text)), (html.to_owned(), marked.to_owned()), "{text:?}");
        }
    }
}
