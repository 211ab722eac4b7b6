//! `[llm]`, which the user's configuration has, too.

use super::setting::Takes::{Amount, Count, Name, Other, Switch, Whole};
use super::setting::{Group, row};

#[rustfmt::skip]
pub(super) const LLM: Group = Group { table: "llm", settings: &[
    row("provider", Name(&["rules", "openai"]), "",
        "`rules`: fixed rules in place of a model; `openai`: a server that speaks OpenAI's chat completions"),
    row("base-url", Other("a URL"), "",
        "what comes before `/chat/completions`; needed with `openai`").unset("none"),
    row("model", Other("a name"), "",
        "the model, as the server calls it; needed with `openai`").unset("none"),
    row("key-env", Other("a variable"), "",
        "the environment variable that holds the key, where the lab runs").unset("no key"),
    row("key-header", Other("a header"), "",
        "the header that the key goes in; `Bearer` is put before it with `authorization`"),
    row("query", Other("a text"), "",
        "added to the address, such as Azure's `api-version=…`").unset("nothing"),
    row("options", Other("JSON as text"), "",
        "further members of the request: `'{\"temperature\": 0.2}'`").unset("none"),
    row("replies", Name(&["auto", "schema", "object", "text"]), "",
        "how JSON is asked for: by `schema`, as any `object`, in words (`text`), or `auto`: the first of these \
         that the server takes"),
    row("timeout", Whole(1, 3_600), "s",
        "for a reply"),
    row("retries", Whole(0, 20), "times",
        "a failed request is made again"),
    row("at-once", Whole(1, 64), "requests",
        "at the same time to the endpoint, over all sessions of the lab"),
    row("budget.calls", Count, "questions",
        "the session may ask; 0 is no limit"),
    row("budget.tokens", Count, "tokens",
        "of prompts and replies together; 0 is no limit"),
    row("budget.money", Amount, "currency of the prices",
        "the session may spend; 0 is no limit"),
    row("price-in", Amount, "per million tokens",
        "price of prompts"),
    row("price-out", Amount, "per million tokens",
        "price of replies"),
    row("mode", Name(&["live", "record", "replay"]), "",
        "`live`, `record` (live, and into a file), `replay` (from the file, without network)"),
    row("recording", Other("a path"), "",
        "the file, from the session file's folder").unset("none"),
    row("strict", Switch, "",
        "replaying ends where a prompt differs from its recording"),
    row("vectors", Other("`builtin` or a table"), "",
        "vectors of words: `builtin`, `{ file = \"PATH\" }` (word2vec), `{ endpoint = \"MODEL\" }`"),
] };
