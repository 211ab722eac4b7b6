//! Consultations in JSON Lines: exchanges with language models, generator runs, examples.

use serde_json::{Value, json};

use droidmux_record::{Answer, Consultation, Example, Exchange, Generated, JobRun, Question, Turn};

/// The line of a turn that consults a model.
pub(super) fn consultation_json(
    run: &JobRun,
    number: usize,
    turn: &Turn,
    asked: &Consultation,
) -> Option<Value> {
    let mut line = match (asked, turn.observation.answer()?) {
        (Consultation::Ask(question), Answer::Reply(reply)) => {
            exchange(question, &reply.exchange, json!({"reply": reply.text, "failed": null}))
        }
        (Consultation::Ask(question), Answer::None(none)) => {
            let mut line =
                exchange(question, &none.exchange, json!({"reply": null, "failed": none.why.name()}));
            // What an endpoint said may name times and numbers of its own.
            line["t"]["detail"] = json!(none.detail);
            line
        }
        (Consultation::Generate(generation), Answer::Inputs(generated)) => json!({
            "type": "generation",
            "code": hash(&generation.code),
            "inputs": generated.inputs.iter().map(|units| String::from_utf16_lossy(units)).collect::<Vec<_>>(),
            "failed": failure(generated),
            "t": {},
        }),
        (Consultation::Recall(recall), Answer::Examples(examples)) => json!({
            "type": "examples",
            "kind": recall.kind.name(),
            "words": recall.words,
            "found": examples.iter().map(Example::words).collect::<Vec<_>>(),
            "t": {},
        }),
        _ => return None,
    };
    line["app"] = json!(run.app.package);
    line["job"] = json!(run.job.slot.0);
    line["work"] = json!(run.job.work.name());
    line["turn"] = json!(number);
    line["t"]["at_ms"] = json!(turn.at_ms);
    line["t"]["took_ms"] = json!(turn.took_ms);
    line["t"]["attempt"] = json!(run.attempt);
    line["device"] = json!({"serial": run.device.serial});
    Some(line)
}

fn exchange(question: &Question, exchange: &Exchange, answer: Value) -> Value {
    json!({
        "type": "exchange",
        "agent": question.agent.name(),
        "answered_by": exchange.answered_by,
        "prompt": hash(&question.text()),
        "pictures": exchange.pictures.len(),
        "reply": answer["reply"],
        "failed": answer["failed"],
        "differs": exchange.differs,
        "tokens_in": exchange.tokens_in,
        "tokens_out": exchange.tokens_out,
        "cost": exchange.cost,
        "t": {"latency_ms": exchange.latency_ms, "tries": exchange.tries},
    })
}

fn failure(generated: &Generated) -> Option<String> {
    generated.failure.as_ref().map(droidmux_record::GeneratorFailure::words)
}

/// Enough to tell whether two texts are the same.
fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().chars().take(16).collect()
}
