//! A line that a person fills in.
//!
//! In: requests from the keyboard. Out: the text. The text that was there before is offered: the first character typed
//! replaces it, while a key that moves the cursor keeps it.

use std::ops::Deref;

use tui_input::{Input, InputRequest};

/// The line being typed.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    input: Input,
    /// The text is offered, and nothing was done with it yet.
    offered: bool,
}

impl Prompt {
    /// Whether the next character typed replaces the text.
    pub fn is_offered(&self) -> bool {
        self.offered
    }

    /// Carries out a key.
    pub fn handle(&mut self, request: InputRequest) {
        use InputRequest::{
            DeleteFromStart, DeleteLine, DeleteNextChar, DeleteNextWord, DeletePrevChar, DeletePrevWord,
            DeleteTillEnd, InsertChar,
        };
        let replaces = matches!(
            request,
            InsertChar(_)
                | DeletePrevChar
                | DeleteNextChar
                | DeletePrevWord
                | DeleteNextWord
                | DeleteLine
                | DeleteFromStart
                | DeleteTillEnd
        );
        if std::mem::take(&mut self.offered) && replaces {
            self.input = Input::default();
        }
        self.input.handle(request);
    }
}

impl From<String> for Prompt {
    fn from(text: String) -> Self {
        Self { offered: !text.is_empty(), input: text.into() }
    }
}

impl Deref for Prompt {
    type Target = Input;

    fn deref(&self) -> &Input {
        &self.input
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_offered_gives_way_to_what_is_typed_and_stays_where_the_cursor_moves() {
        use InputRequest::{DeletePrevChar, GoToPrevChar, InsertChar};
        // (text before, keys) and what stands there then.
        let cases: [(&str, &[InputRequest], &str); 6] = [
            ("rename", &[InsertChar('x'), InsertChar('y')], "xy"),
            ("rename", &[GoToPrevChar, InsertChar('x')], "renamxe"),
            ("rename", &[DeletePrevChar], ""),
            ("rename", &[GoToPrevChar, DeletePrevChar], "renae"),
            ("rename", &[], "rename"),
            ("", &[InsertChar('x'), DeletePrevChar, InsertChar('y')], "y"),
        ];
        for (before, keys, expected) in cases {
            let mut prompt = Prompt::from(before.to_owned());
            keys.iter().for_each(|key| prompt.handle(*key));
            assert_eq!(prompt.value(), expected, "{before} {keys:?}");
        }
    }
}
