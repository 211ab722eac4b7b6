//! How an endpoint is asked: features that servers are known to refuse are dropped one by one.

use super::fault::{Fault, Remedy};
use droidmux_record::ReplyStyle;

/// How requests to one model are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    pub form: Form,
    pub stream: bool,
    /// Asks for the tokens used at the end of a stream.
    pub usage: bool,
}

/// How JSON is asked for; the most demanding form comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// `json_schema`, as OpenAI has it.
    Schema,
    /// `json_object` with the schema beside it, as llama.cpp has it. Servers that do not know this treat it as
    /// [`Form::Object`].
    SchemaBeside,
    /// Any JSON object.
    Object,
    /// In words only.
    Text,
}

/// Names of the request member for a reply's form and of its values: an error that mentions one of them is about the
/// form, whatever the status.
const NAMES_OF_FORM: [&str; 3] = ["response_format", "json_schema", "json_object"];

/// Words for a form, as used by servers that refuse the request itself.
const WORDS_OF_FORM: [&str; 2] = ["schema", "grammar"];

/// Names of the request member for token counts and of the member inside it.
const NAMES_OF_USAGE: [&str; 2] = ["stream_options", "include_usage"];

impl Manner {
    pub(super) const FULL: Self = Self { form: Form::Schema, stream: true, usage: true };

    /// The manner without the feature that the fault names; `None` when it names nothing that can be left out. The form
    /// stays if the settings fix it.
    pub(super) fn simpler(self, fault: &Fault, fixed: bool) -> Option<Self> {
        let refused = fault.remedy == Remedy::Otherwise;
        if self.stream && self.usage && names(fault, &NAMES_OF_USAGE) {
            return Some(Self { usage: false, ..self });
        }
        if !fixed && (names(fault, &NAMES_OF_FORM) || refused && names(fault, &WORDS_OF_FORM)) {
            return Some(Self { form: self.form.simpler()?, ..self });
        }
        (self.stream && refused && names(fault, &["stream"])).then_some(self.in_one_piece())
    }

    /// The same manner of asking, without streaming.
    pub(super) fn in_one_piece(self) -> Self {
        Self { stream: false, usage: false, ..self }
    }

    /// Whether the fault names the requested form. If the form is fixed, no other try will succeed.
    pub(super) fn is_named(self, fault: &Fault) -> bool {
        self.form != Form::Text && names(fault, &NAMES_OF_FORM)
    }

    /// In words, for the list of tries.
    pub(super) fn words(self) -> &'static str {
        match (self.form, self.stream, self.usage) {
            (Form::Text, false, _) => "plainly and without streaming",
            (_, false, _) => "without streaming",
            (Form::Text, ..) => "in words only",
            (Form::Object, ..) => "for any JSON object",
            (Form::SchemaBeside, ..) => "for a JSON object, with the schema beside it",
            (Form::Schema, _, false) => "without token counts",
            (Form::Schema, ..) => "by schema",
        }
    }
}

impl Form {
    /// What the settings fix; `None` when they leave the choice to the endpoint.
    pub(super) fn fixed(style: ReplyStyle) -> Option<Self> {
        match style {
            ReplyStyle::Auto => None,
            ReplyStyle::Schema => Some(Self::Schema),
            ReplyStyle::Object => Some(Self::Object),
            ReplyStyle::Text => Some(Self::Text),
        }
    }

    fn simpler(self) -> Option<Self> {
        match self {
            Self::Schema => Some(Self::SchemaBeside),
            Self::SchemaBeside => Some(Self::Object),
            Self::Object => Some(Self::Text),
            Self::Text => None,
        }
    }
}

fn names(fault: &Fault, words: &[&str]) -> bool {
    let said = fault.said.to_ascii_lowercase();
    words.iter().any(|word| said.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::of_status;

    fn fault(status: u16, said: &str) -> Fault {
        of_status(status, None, said, jiff::Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn what_an_endpoint_refuses_is_left_out() {
        let schema = Manner::FULL;
        let beside = Manner { form: Form::SchemaBeside, ..schema };
        let object = Manner { form: Form::Object, ..schema };
        let text = Manner { form: Form::Text, ..schema };
        let uncounted = Manner { usage: false, ..schema };
        let whole = Manner { stream: false, ..uncounted };
        let cases = [
            (schema, 400, "Invalid parameter: 'response_format' of type json_schema", false, Some(beside)),
            (schema, 400, "Invalid parameter: 'response_format' of type json_schema", true, None),
            (beside, 400, "Unknown parameter: 'response_format.schema'", false, Some(object)),
            (object, 422, "response_format is not supported", false, Some(text)),
            (text, 400, "response_format is not supported", false, None),
            (schema, 400, "failed to parse grammar", false, Some(beside)),
            (schema, 400, "Unrecognized request argument: stream_options", true, Some(uncounted)),
            (uncounted, 400, "stream_options", false, Some(whole)),
            (schema, 400, "Streaming is not supported here", false, Some(whole)),
            (schema, 400, "the context is too long", false, None),
            // When a member is named, the status may be anything; other words say nothing then.
            (
                schema,
                500,
                "loc: ('body', 'response_format', 'type'), input: 'json_schema'",
                false,
                Some(beside),
            ),
            (schema, 404, r#"{"error": {"param": "response_format"}}"#, false, Some(beside)),
            (schema, 503, "include_usage", false, Some(uncounted)),
            (schema, 500, "the schema of the database is locked", false, None),
            (schema, 502, "upstream closed the stream", false, None),
        ];
        for (manner, status, said, fixed, expected) in cases {
            let simpler = manner.simpler(&fault(status, said), fixed);
            assert_eq!(simpler, expected, "{manner:?} {status} {said}");
        }
    }

    #[test]
    fn a_form_that_was_not_asked_for_is_not_refused() {
        let named = fault(500, "response_format");
        assert!(Manner::FULL.is_named(&named));
        assert!(!Manner::FULL.is_named(&fault(500, "out of memory")));
        assert!(!Manner { form: Form::Text, ..Manner::FULL }.is_named(&named));
    }
}
