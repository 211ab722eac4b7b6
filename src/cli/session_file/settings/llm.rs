//! `[llm]`, which the user's configuration has, too.

use super::group::Group;
use droidmux_record::Setting;
use droidmux_record::Takes::{Amount, Count, Name, Other, Switch, Whole};

#[rustfmt::skip]
pub(super) const LLM: Group = Group { table: "llm", settings: &[
    Setting::new("provider", Name(&["rules", "openai", "people"]), "",
        "`rules`: fixed rules in place of a model; `openai`: a server that speaks OpenAI's chat completions; \
         `people`: whoever looks at the lab"),
    Setting::new("base-url", Other("a URL"), "",
        "what comes before `/chat/completions`; needed with `openai`").unset("none"),
    Setting::new("model", Other("a name"), "",
        "the model, as the server calls it; needed with `openai`").unset("none"),
    Setting::new("key-env", Other("a variable"), "",
        "the environment variable that holds the key, where the lab runs").unset("no key"),
    Setting::new("key-header", Other("a header"), "",
        "the header that the key goes in; `Bearer` is put before it with `authorization`"),
    Setting::new("query", Other("a text"), "",
        "added to the address, such as Azure's `api-version=…`").unset("nothing"),
    Setting::new("options", Other("JSON as text"), "",
        "further members of the request: `'{\"temperature\": 0.2}'`").unset("none"),
    Setting::new("replies", Name(&["auto", "schema", "object", "text"]), "",
        "how JSON is asked for: by `schema`, as any `object`, in words (`text`), or `auto`: the first of these \
         that the server takes"),
    Setting::new("timeout", Whole(1, 3_600), "s",
        "for a reply"),
    Setting::new("retries", Whole(0, 20), "times",
        "a failed request is made again"),
    Setting::new("at-once", Whole(1, 64), "requests",
        "at the same time to the endpoint, over all sessions of the lab"),
    Setting::new("budget.calls", Count, "questions",
        "the session may ask; 0 is no limit"),
    Setting::new("budget.tokens", Count, "tokens",
        "of prompts and replies together; 0 is no limit"),
    Setting::new("budget.money", Amount, "currency of the prices",
        "the session may spend; 0 is no limit"),
    Setting::new("price-in", Amount, "per million tokens",
        "price of prompts"),
    Setting::new("price-out", Amount, "per million tokens",
        "price of replies"),
    Setting::new("mode", Name(&["live", "record", "replay"]), "",
        "`live`, `record` (live, and into a file), `replay` (from the file, without network)"),
    Setting::new("recording", Other("a path"), "",
        "the file, from the session file's folder").unset("none"),
    Setting::new("strict", Switch, "",
        "replaying ends where a prompt differs from its recording"),
    Setting::new("vectors", Other("`builtin` or a table"), "",
        "vectors of words: `builtin`, `{ file = \"PATH\" }` (word2vec), `{ endpoint = \"MODEL\" }`"),
] };
