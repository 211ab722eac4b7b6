//! Turns as earlier versions stored them.

/// A screen had settled or not, and there was one way to find out.
pub(crate) mod v1 {
    use serde::{Deserialize, Serialize};

    use droidmux_gui::Resolution;
    use droidmux_record as record;
    use droidmux_record::{Act, Answer, BlobHash, Failure, Screen, Settling, SetupReport, Signal};

    #[derive(Serialize, Deserialize)]
    pub struct Turn {
        act: Act,
        observation: Observation,
        at_ms: u64,
        took_ms: u32,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Observation {
        Started,
        Seen(Box<Seen>),
        Failed(Failure),
        Ended,
        Answered(Box<Answer>),
    }

    #[derive(Serialize, Deserialize)]
    pub struct Seen {
        screen: Screen,
        settled: bool,
        resolution: Option<Resolution>,
        signals: Vec<Signal>,
        setup: Vec<SetupReport>,
        dialogs: Vec<String>,
        screenshot: Option<BlobHash>,
    }

    /// The turns of one value.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct Turns(Vec<Turn>);

    /// The same, as they are now.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct Now(pub Vec<record::Turn>);

    impl From<Turns> for Now {
        fn from(old: Turns) -> Self {
            Self(old.0.into_iter().map(record::Turn::from).collect())
        }
    }

    impl From<Turn> for record::Turn {
        fn from(old: Turn) -> Self {
            let observation = match old.observation {
                Observation::Started => record::Observation::Started,
                Observation::Seen(seen) => record::Observation::Seen(Box::new((*seen).into())),
                Observation::Failed(failure) => record::Observation::Failed(failure),
                Observation::Ended => record::Observation::Ended,
                Observation::Answered(answer) => record::Observation::Answered(answer),
            };
            Self { act: old.act, observation, at_ms: old.at_ms, took_ms: old.took_ms }
        }
    }

    impl From<Seen> for record::Seen {
        fn from(old: Seen) -> Self {
            Self {
                screen: old.screen,
                settling: Settling::strict(old.settled),
                dumps: 0,
                resolution: old.resolution,
                signals: old.signals,
                toast: None,
                setup: old.setup,
                dialogs: old.dialogs,
                screenshot: old.screenshot,
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use droidmux_gui::LayoutBuilder;
        use droidmux_record::Ending;

        fn screen() -> Screen {
            Screen {
                layout: LayoutBuilder::new().finish().hash(),
                package: "org.notes".into(),
                activity: "org.notes.Main".into(),
                in_app: true,
                rotation: 1,
                keyboard: false,
            }
        }

        #[test]
        fn every_observation_is_the_one_it_was() {
            let seen = |settled| {
                Observation::Seen(Box::new(Seen {
                    screen: screen(),
                    settled,
                    resolution: Some(Resolution::NotFound),
                    signals: Vec::new(),
                    setup: Vec::new(),
                    dialogs: vec!["woken".into()],
                    screenshot: None,
                }))
            };
            let now = |settling| {
                record::Observation::Seen(Box::new(record::Seen {
                    screen: screen(),
                    settling,
                    dumps: 0,
                    resolution: Some(Resolution::NotFound),
                    signals: Vec::new(),
                    toast: None,
                    setup: Vec::new(),
                    dialogs: vec!["woken".into()],
                    screenshot: None,
                }))
            };
            let cases = [
                (Observation::Started, record::Observation::Started),
                (seen(true), now(Settling::Strict)),
                (seen(false), now(Settling::Restless)),
                (Observation::Failed(Failure::NotFound), record::Observation::Failed(Failure::NotFound)),
                (Observation::Ended, record::Observation::Ended),
            ];
            for (observation, expected) in cases {
                let act = Act::Finish(Ending::Complete);
                let old = Turn { act: act.clone(), observation, at_ms: 7, took_ms: 8 };
                let expected = record::Turn { act, observation: expected, at_ms: 7, took_ms: 8 };
                assert_eq!(record::Turn::from(old), expected);
            }
        }
    }
}
