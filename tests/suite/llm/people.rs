//! People in place of a model: what waits for them, for how long, and which replies are taken.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use droidmux::llm::{Client, Endpoints, NotTaken, People, Setup};
use droidmux::record::{
    Answer, BlobHash, Budget, LlmMode, LlmSettings, NoReply, Provider, Question, Reply, SessionId, Spent,
    Unanswered,
};

use super::{Echo, place, question, seeing_question};

const GOOD: &str = r#"{"action": "back"}"#;

fn settings() -> LlmSettings {
    LlmSettings {
        provider: Provider::People,
        timeout: 30,
        retries: 0,
        price_in: 2.0,
        ..LlmSettings::default()
    }
}

fn client(settings: &LlmSettings, people: &Arc<People>, recording: &std::path::Path) -> Client {
    let client = Client::new(Setup {
        settings,
        key: None,
        endpoints: &Endpoints::default().with_people(people.clone()),
        rules: Arc::new(Echo),
        recording,
        technique: "visiondroid",
        app: "org.example",
        resumed: false,
    });
    client.expect("a client").of(SessionId(4))
}

fn live(settings: &LlmSettings, people: &Arc<People>) -> Client {
    client(settings, people, std::path::Path::new(""))
}

/// Asks at the same time as somebody does something; what both come to.
async fn with<T>(client: &Client, question: &Question, somebody: impl Future<Output = T>) -> (Answer, T) {
    let cancel = CancellationToken::new();
    let ask = client.ask(place(2, 0), question, &[], &|_| {}, &cancel);
    let (answer, done) = tokio::join!(ask, somebody);
    (answer.expect("no recording").expect("not cancelled"), done)
}

/// Waits until so many questions wait.
async fn until(people: &People, count: usize) {
    let mut changes = people.changes();
    while people.waiting().len() != count {
        changes.changed().await.expect("a board");
    }
}

#[tokio::test]
async fn the_first_fitting_reply_is_taken_and_no_other() {
    let people = Arc::new(People::default());
    let client = live(&settings(), &people);
    let (answer, ()) = with(&client, &question("What next?"), async {
        until(&people, 1).await;
        let waiting = people.waiting().remove(0);
        assert_eq!((waiting.number, waiting.session, waiting.slot.0), (1, SessionId(4), 2));
        assert_eq!((waiting.technique.as_str(), waiting.app.as_str()), ("visiondroid", "org.example"));
        assert_eq!(waiting.until_ms - waiting.since_ms, 30_000);
        assert_eq!(waiting.question, question("What next?"));
        let refused = [
            (1, "", NotTaken::Unfit(vec!["the reply is empty".into()])),
            (1, "[]", NotTaken::Unfit(vec!["the reply is a list, not an object".into()])),
            (0, GOOD, NotTaken::Unknown(0)),
            (2, GOOD, NotTaken::Unknown(2)),
        ];
        for (number, reply, why) in refused {
            assert_eq!(people.answer(number, reply), Err(why), "{number} {reply}");
        }
        let long = format!("\"{}\"", "x".repeat(Reply::MOST_BYTES));
        assert_eq!(
            people.answer(1, &long),
            Err(NotTaken::Unfit(vec!["the reply has more than 256 KiB".into()]))
        );
        let [one, other] = [people.answer(1, &format!("  {GOOD}\n")), people.answer(1, r#"{"action": "x"}"#)];
        assert_eq!((one, other), (Ok(()), Err(NotTaken::Answered(1))));
    })
    .await;
    let Answer::Reply(Reply { text, exchange }) = answer else { panic!("{answer:?}") };
    assert_eq!((text.as_str(), exchange.answered_by.as_str()), (GOOD, "people"));
    let tokens = exchange.tokens_in;
    assert!(tokens > 20 && exchange.tokens_out == 5, "{exchange:?}");
    assert_eq!(client.spent(), Spent { calls: 1, tokens_in: tokens, tokens_out: 5, cost: 2 * tokens });
    assert!(people.waiting().is_empty());
}

#[tokio::test]
async fn pictures_can_be_had_while_their_question_waits() {
    let people = Arc::new(People::default());
    let client = live(&settings(), &people);
    let (question, sent) = seeing_question("What is wrong?", b"a picture");
    let (cancel, hash) = (CancellationToken::new(), BlobHash::of(b"a picture"));
    let ask = client.ask(place(0, 0), &question, &sent, &|_| {}, &cancel);
    let answered = async {
        until(&people, 1).await;
        assert_eq!(people.picture(hash).as_deref(), Some(&b"a picture"[..]));
        people.answer(1, GOOD)
    };
    let (answer, done) = tokio::join!(ask, answered);
    assert!(matches!(answer, Ok(Some(Answer::Reply(_)))) && done.is_ok(), "{answer:?} {done:?}");
    assert_eq!(people.picture(hash), None);
}

/// As a server's replies: a limit for each try, and so many tries. A second is the shortest limit there is.
#[tokio::test]
async fn a_question_waits_as_long_and_as_often_as_for_a_server() {
    let people = Arc::new(People::default());
    let impatient = LlmSettings { timeout: 1, retries: 1, ..settings() };
    let client = live(&impatient, &people);
    let began = Instant::now();
    let (answer, number) = with(&client, &question("?"), async {
        until(&people, 1).await;
        people.waiting()[0].number
    })
    .await;
    let Answer::None(Unanswered { why, detail, exchange }) = answer else { panic!("{answer:?}") };
    assert_eq!((why, began.elapsed() >= Duration::from_secs(2)), (NoReply::Unreachable, true));
    assert_eq!(detail, "people: nobody answered within 1 s (try 2, the last)");
    assert_eq!(exchange.tries, ["nobody answered within 1 s"]);
    assert_eq!(people.answer(number, GOOD), Err(NotTaken::Withdrawn(number)));
    assert_eq!(client.spent(), Spent { calls: 1, ..Spent::default() });
}

#[tokio::test]
async fn a_question_that_is_cancelled_waits_no_longer() {
    let people = Arc::new(People::default());
    let client = live(&settings(), &people);
    let (cancel, question) = (CancellationToken::new(), question("?"));
    let ask = client.ask(place(0, 0), &question, &[], &|_| {}, &cancel);
    let (answer, ()) = tokio::join!(ask, async {
        until(&people, 1).await;
        cancel.cancel();
        until(&people, 0).await;
    });
    assert!(matches!(answer, Ok(None)), "{answer:?}");
    assert_eq!(people.answer(1, GOOD), Err(NotTaken::Withdrawn(1)));
}

#[tokio::test]
async fn budgets_hold() {
    let budgets = [Budget { calls: 1, tokens: 0, money: 0.0 }, Budget { tokens: 600, ..Budget::default() }];
    for budget in budgets {
        // What was answered in the same place is not asked again.
        let people = Arc::new(People::default());
        let client = live(&LlmSettings { budget, ..settings() }, &people);
        let first = question("one");
        let answered = with(&client, &first, async {
            until(&people, 1).await;
            people.answer(people.waiting()[0].number, &format!("{{\"action\": \"{}\"}}", "x".repeat(400)))
        });
        assert!(matches!(answered.await, (Answer::Reply(_), Ok(()))), "{budget:?}");
        let (second, ()) = with(&client, &question("two"), async {}).await;
        let Answer::None(Unanswered { why, detail, .. }) = second else { panic!("{second:?}") };
        assert_eq!(why, NoReply::Budget, "{detail}");
    }
}

/// A job that runs again asks again; only what differs is asked of people.
#[tokio::test]
async fn what_was_answered_before_is_not_asked_twice() {
    let people = Arc::new(People::default());
    let client = live(&settings(), &people);
    let answer = |reply: &'static str| {
        let people = people.clone();
        async move {
            until(&people, 1).await;
            people.answer(people.waiting()[0].number, reply).expect("taken");
        }
    };
    let text = |answer: Answer| match answer {
        Answer::Reply(reply) => reply.text,
        other => panic!("{other:?}"),
    };
    let same = question("same");
    assert_eq!(text(with(&client, &same, answer(GOOD)).await.0), GOOD);
    assert_eq!(text(with(&client, &same, async {}).await.0), GOOD);
    assert_eq!(client.spent().calls, 2, "as the store counts them");
    let other = r#"{"action": "other"}"#;
    assert_eq!(text(with(&client, &question("other"), answer(other)).await.0), other);
    // After a restart, the replies come from the store.
    let again = Arc::new(People::default());
    again.remember(SessionId(4), place(2, 0), &same, &[], GOOD);
    assert_eq!(text(with(&live(&settings(), &again), &same, async {}).await.0), GOOD);
}

#[tokio::test]
async fn what_people_said_is_recorded_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("talk.jsonl");
    let people = Arc::new(People::default());
    let mode = |mode| LlmSettings { mode, recording: path.display().to_string(), ..settings() };
    let recorded = client(&mode(LlmMode::Record), &people, &path);
    let (first, _) = with(&recorded, &question("?"), async {
        until(&people, 1).await;
        people.answer(1, GOOD)
    })
    .await;
    let replayed = client(&mode(LlmMode::Replay), &people, &path);
    let (again, ()) = with(&replayed, &question("?"), async {}).await;
    assert_eq!(first, again);
    assert!(std::fs::read_to_string(&path).expect("text").contains(r#""model":"people""#));
}
