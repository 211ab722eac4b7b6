use super::*;

/// Answers according to the set of defects that is on, written as their ids with `+` between: one letter for each
/// replay on one phone, `s`hown, `g`one or `l`ost, the last one for all further replays.
struct Script {
    answers: fn(&str) -> &'static str,
    on: String,
    asked: usize,
    replays: usize,
    phones: Vec<String>,
    /// The answers of the shorter test, if there is one.
    shorter: Option<fn(&str) -> &'static str>,
    rests_on_more: bool,
}

impl Experiment for Script {
    async fn set_up(&mut self, on: &BTreeSet<String>) -> Result<(), BenchError> {
        self.on = on.iter().map(String::as_str).collect::<Vec<_>>().join("+");
        self.phones.push(self.on.clone());
        self.asked = 0;
        Ok(())
    }

    async fn suspects(&mut self, present: &[String]) -> Result<Vec<String>, BenchError> {
        Ok(present.to_vec())
    }

    async fn shorten(&mut self, _: &[String]) -> Result<bool, BenchError> {
        let Some(answers) = self.shorter.take() else { return Ok(false) };
        self.answers = answers;
        self.phones.clear();
        Ok(true)
    }

    fn rests_on_more(&self) -> bool {
        self.rests_on_more
    }

    async fn replay(&mut self) -> Result<Replay, BenchError> {
        let answers = (self.answers)(&self.on);
        let answer = answers.chars().nth(self.asked).or(answers.chars().last());
        self.asked += 1;
        self.replays += 1;
        Ok(match answer {
            Some('s') => Replay::Shown,
            Some('g') => Replay::Absent,
            _ => Replay::Unfaithful,
        })
    }
}

impl Script {
    fn new(answers: fn(&str) -> &'static str) -> Self {
        Self {
            answers,
            on: String::new(),
            asked: 0,
            replays: 0,
            phones: Vec::new(),
            shorter: None,
            rests_on_more: false,
        }
    }
}

fn words(ruling: &Ruling) -> String {
    match ruling {
        Ruling::FalseAlarm => "false alarm".into(),
        Ruling::True { defects } => format!("shows {}", defects.join(" and ")),
        Ruling::Undecided { why } => format!("undecided: {why}"),
    }
}

#[tokio::test]
async fn rulings_follow_from_what_replays_show() {
    let cases: [(&str, fn(&str) -> &'static str, &str, usize); 11] = [
        ("still there with all off", |_| "s", "false alarm", 1),
        (
            "there once of two times with all off",
            |on| if on.is_empty() { "gs" } else { "s" },
            "false alarm",
            2,
        ),
        ("not faithful, twice", |_| "l", "undecided: its replay with all defects off could not follow it", 4),
        ("faithful at the second try", |on| if on.is_empty() { "ls" } else { "g" }, "false alarm", 2),
        ("one defect", |on| if on.contains('b') { "s" } else { "g" }, "shows b", 6),
        (
            "one defect, once of two times",
            |on| if on.contains('b') { "sg" } else { "g" },
            "undecided: with one defect on it shows in some replays only",
            6,
        ),
        (
            "one defect, and another now and then",
            |on| match on {
                "a" => "sg",
                "c" => "s",
                _ => "g",
            },
            "shows c",
            7,
        ),
        (
            "either of two",
            |on| if on.contains('a') || on.contains('c') { "s" } else { "g" },
            "shows a and c",
            7,
        ),
        (
            "two together",
            |on| if on.contains('a') && on.contains('c') { "s" } else { "g" },
            "undecided: it takes several defects to show it",
            7,
        ),
        (
            "never again",
            |_| "g",
            "undecided: it shows neither with all defects off nor, each time, with all on",
            6,
        ),
        (
            "lost with one alone",
            |on| if on.is_empty() { "g" } else { "l" },
            "undecided: it shows neither with all defects off nor, each time, with all on",
            10,
        ),
    ];
    let present = ["a", "b", "c"].map(str::to_owned);
    for (name, answers, expected, replays) in cases {
        let mut script = Script::new(answers);
        let ruling = rule(&mut script, &present).await.expect("no replay fails");
        assert_eq!(words(&ruling), expected, "{name}");
        assert_eq!(script.replays, replays, "{name}: {:?}", script.phones);
        assert_eq!(script.phones[0], "", "{name}: all off comes first");
        let different: BTreeSet<&String> = script.phones.iter().collect();
        assert_eq!(different.len(), script.phones.len(), "{name}: one fresh phone for each setting");
    }
}

#[tokio::test]
async fn what_cannot_be_followed_is_judged_by_what_it_needs() {
    let present = ["a", "b"].map(str::to_owned);
    let lost = "undecided: its replay with all defects off could not follow it";
    let slipped =
        "undecided: what is left of its test shows with all defects off, perhaps for another reason";
    let cases: [(&str, fn(&str) -> &'static str, bool, &str); 5] = [
        ("it is clear then", |on| if on.contains('b') { "s" } else { "g" }, false, "shows b"),
        (
            "the same of one that rests on more",
            |on| if on.contains('b') { "s" } else { "g" },
            true,
            "shows b",
        ),
        ("it shows without a defect then", |_| "s", false, "false alarm"),
        ("the same of one that rests on more", |_| "s", true, slipped),
        ("still lost", |_| "l", false, lost),
    ];
    for (name, shorter, rests_on_more, expected) in cases {
        let mut script = Script { shorter: Some(shorter), rests_on_more, ..Script::new(|_| "l") };
        let ruling = rule(&mut script, &present).await.expect("no replay fails");
        assert_eq!(words(&ruling), expected, "{name}");
    }
}

#[tokio::test]
async fn what_cannot_be_followed_at_all_is_judged_by_what_it_cannot_do_without() {
    let present = ["a", "b", "c"].map(str::to_owned);
    let lost = "undecided: its replay with all defects off could not follow it";
    let cases: [(&str, fn(&str) -> &'static str, &str); 6] = [
        (
            "one that nothing else shows",
            |on| match on {
                "a+b+c" | "a+b" | "b+c" => "s",
                "a+c" => "g",
                _ => "l",
            },
            "shows b",
        ),
        (
            "one, where others are lost without",
            |on| match on {
                "a+b+c" => "s",
                "a+c" => "g",
                _ => "l",
            },
            "shows b",
        ),
        (
            "one without which it goes once of two times",
            |on| match on {
                "a+b+c" => "s",
                "a+c" => "gs",
                _ => "l",
            },
            lost,
        ),
        (
            "two together",
            |on| match on {
                "a+b+c" | "a+b" => "s",
                "a+c" | "b+c" => "g",
                _ => "l",
            },
            "undecided: it takes several defects to show it",
        ),
        (
            "none by itself",
            |on| match on {
                "" => "l",
                _ => "s",
            },
            lost,
        ),
        (
            "now and then with all of them",
            |on| match on {
                "a+b+c" => "sg",
                "a+c" => "g",
                _ => "l",
            },
            lost,
        ),
    ];
    for (name, answers, expected) in cases {
        let mut script = Script::new(answers);
        let ruling = rule(&mut script, &present).await.expect("no replay fails");
        assert_eq!(words(&ruling), expected, "{name}");
    }
}

#[tokio::test]
async fn an_app_without_defects_can_only_give_false_alarms() {
    let mut script = Script::new(|_| "g");
    assert_eq!(rule(&mut script, &[]).await.expect("nothing fails"), Ruling::FalseAlarm);
    assert!(script.phones.is_empty());
}
