//! Tokens: texts that a driver typed and that nothing in the trace said before, so that they are recognised wherever
//! they show.

use super::trail::Trail;
use droidmux_gui::EventKind;
use droidmux_words::folded;

/// A text that was typed and unique then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub text: &'a str,
    /// The shot it was typed on.
    pub typed: usize,
    /// What the field held before.
    pub replaced: String,
    /// It was typed into a search field: it asks for something and makes nothing.
    pub is_query: bool,
    /// The first shot that no longer counts: the same was typed again. Past the end when it never was.
    pub until: usize,
}

/// The fewest characters in a token: shorter ones turn up inside other words.
pub const FEWEST: usize = 3;
/// The most tokens in a trail.
const MOST: usize = 50;

/// The tokens of a trail, in order.
pub fn tokens<'a>(trail: &Trail<'a>) -> Vec<Token<'a>> {
    let mut tokens: Vec<Token<'a>> = Vec::new();
    let mut typed_before: Vec<String> = Vec::new();
    for (number, before, event, after) in trail.steps() {
        let (EventKind::Edit, Some(data)) = (event.kind, event.data.as_deref()) else { continue };
        let text = data.trim();
        let spelled = folded(text);
        let again = |token: &&mut Token<'_>| folded(token.text) == spelled && token.until > number;
        tokens.iter_mut().filter(again).for_each(|token| token.until = number);
        let known =
            typed_before.iter().any(|typed| typed.contains(&spelled) || spelled.contains(typed.as_str()));
        let shown = || trail.shots().iter().take(number).any(|shot| shot.shows(text));
        if text.chars().count() >= FEWEST && tokens.len() < MOST && !known && !shown() {
            let field = |field: &&super::look::Field| Some(field.widget) == after.receiver;
            let field = before.look().fields.iter().find(field);
            tokens.push(Token {
                text,
                typed: number - 1,
                replaced: field.map(|field| field.text.clone()).unwrap_or_default(),
                is_query: field.is_some_and(|field| field.is_search),
                until: usize::MAX,
            });
        }
        if !spelled.is_empty() {
            typed_before.push(spelled);
        }
    }
    tokens
}
