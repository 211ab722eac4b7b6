//! Turns as earlier versions stored them.

/// Nothing said whether a toast would have been told.
pub(crate) mod v2 {
    use serde::{Deserialize, Serialize};

    use droidmux_gui::Resolution;
    use droidmux_record as record;
    use droidmux_record::{Act, Answer, BlobHash, Failure, Screen, Settling, SetupReport, Signal};

    #[derive(Serialize, Deserialize)]
    pub struct Turn {
        pub(super) act: Act,
        pub(super) observation: Observation,
        pub(super) at_ms: u64,
        pub(super) took_ms: u32,
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
        pub(super) screen: Screen,
        pub(super) settling: Settling,
        pub(super) dumps: u32,
        pub(super) resolution: Option<Resolution>,
        pub(super) signals: Vec<Signal>,
        pub(super) toast: Option<String>,
        pub(super) setup: Vec<SetupReport>,
        pub(super) dialogs: Vec<String>,
        pub(super) screenshot: Option<BlobHash>,
    }

    /// The turns of one value.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct Turns(pub(super) Vec<Turn>);

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
                settling: old.settling,
                dumps: old.dumps,
                resolution: old.resolution,
                signals: old.signals,
                hears_toasts: old.toast.is_some(),
                toast: old.toast,
                setup: old.setup,
                dialogs: old.dialogs,
                screenshot: old.screenshot,
            }
        }
    }
}

/// A screen had settled or not, and there was one way to find out.
pub(crate) mod v1 {
    use serde::{Deserialize, Serialize};

    use super::v2;
    use droidmux_gui::Resolution;
    use droidmux_record::{Act, Answer, BlobHash, Failure, Screen, Settling, SetupReport, Signal};

    #[derive(Serialize, Deserialize)]
    pub struct Turn {
        pub(super) act: Act,
        pub(super) observation: Observation,
        pub(super) at_ms: u64,
        pub(super) took_ms: u32,
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
        pub(super) screen: Screen,
        pub(super) settled: bool,
        pub(super) resolution: Option<Resolution>,
        pub(super) signals: Vec<Signal>,
        pub(super) setup: Vec<SetupReport>,
        pub(super) dialogs: Vec<String>,
        pub(super) screenshot: Option<BlobHash>,
    }

    /// The turns of one value.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct Turns(Vec<Turn>);

    impl From<Turns> for v2::Turns {
        fn from(old: Turns) -> Self {
            Self(old.0.into_iter().map(v2::Turn::from).collect())
        }
    }

    impl From<Turn> for v2::Turn {
        fn from(old: Turn) -> Self {
            let observation = match old.observation {
                Observation::Started => v2::Observation::Started,
                Observation::Seen(seen) => v2::Observation::Seen(Box::new((*seen).into())),
                Observation::Failed(failure) => v2::Observation::Failed(failure),
                Observation::Ended => v2::Observation::Ended,
                Observation::Answered(answer) => v2::Observation::Answered(answer),
            };
            Self { act: old.act, observation, at_ms: old.at_ms, took_ms: old.took_ms }
        }
    }

    impl From<Seen> for v2::Seen {
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
}

#[cfg(test)]
mod tests {
    use super::{v1, v2};
    use droidmux_gui::{LayoutBuilder, Resolution};
    use droidmux_record::{
        Act, Ending, Failure, Observation as Now, Screen, Seen, Settling, SetupReport, Turn,
    };

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

    fn setup() -> Vec<SetupReport> {
        vec![SetupReport { rule: 2, matched: true, detail: "Main".into() }]
    }

    /// What a turn of today with this observation is.
    fn turn(observation: Now) -> Turn {
        Turn { act: Act::Finish(Ending::Complete), observation, at_ms: 7, took_ms: 8 }
    }

    fn seen(settling: Settling, dumps: u32, toast: Option<&str>) -> Now {
        Now::Seen(Box::new(Seen {
            screen: screen(),
            settling,
            dumps,
            resolution: Some(Resolution::NotFound),
            signals: Vec::new(),
            toast: toast.map(str::to_owned),
            hears_toasts: toast.is_some(),
            setup: setup(),
            dialogs: vec!["woken".into()],
            screenshot: None,
        }))
    }

    #[test]
    fn every_observation_of_the_first_version_is_the_one_it_was() {
        use v1::Observation;
        let old = |settled| {
            Observation::Seen(Box::new(v1::Seen {
                screen: screen(),
                settled,
                resolution: Some(Resolution::NotFound),
                signals: Vec::new(),
                setup: setup(),
                dialogs: vec!["woken".into()],
                screenshot: None,
            }))
        };
        for (observation, expected) in [
            (Observation::Started, Now::Started),
            (old(true), seen(Settling::Strict, 0, None)),
            (old(false), seen(Settling::Restless, 0, None)),
            (Observation::Failed(Failure::NotFound), Now::Failed(Failure::NotFound)),
            (Observation::Ended, Now::Ended),
        ] {
            let old = v1::Turn { act: Act::Finish(Ending::Complete), observation, at_ms: 7, took_ms: 8 };
            assert_eq!(Turn::from(v2::Turn::from(old)), turn(expected));
        }
    }

    #[test]
    fn a_device_that_told_a_toast_tells_them() {
        use v2::Observation;
        let old = |toast: Option<&str>| {
            Observation::Seen(Box::new(v2::Seen {
                screen: screen(),
                settling: Settling::Quiet,
                dumps: 3,
                resolution: Some(Resolution::NotFound),
                signals: Vec::new(),
                toast: toast.map(str::to_owned),
                setup: setup(),
                dialogs: vec!["woken".into()],
                screenshot: None,
            }))
        };
        for (observation, expected) in [
            (Observation::Started, Now::Started),
            (old(Some("Saved")), seen(Settling::Quiet, 3, Some("Saved"))),
            (old(None), seen(Settling::Quiet, 3, None)),
            (Observation::Failed(Failure::TimedOut), Now::Failed(Failure::TimedOut)),
            (Observation::Ended, Now::Ended),
        ] {
            let old = v2::Turn { act: Act::Finish(Ending::Complete), observation, at_ms: 7, took_ms: 8 };
            assert_eq!(Turn::from(old), turn(expected));
        }
    }
}
