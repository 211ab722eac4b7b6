//! Whose crashes count: those of the app under test, since the session took the device.

use droidmux::lab::SessionEnd;
use droidmux::sim::{Condition, SimLab, SimOptions, apps};

use super::ward::{Ward, small};

const APP: &str = "org.droidmux.diary";

/// What happens because of a crash.
struct Case {
    name: &'static str,
    package: &'static str,
    /// While the session runs; before it, on a phone that an earlier session has worked on.
    meanwhile: bool,
    counts: bool,
}

const CASES: [Case; 4] = [
    Case { name: "the app's own", package: APP, meanwhile: true, counts: true },
    Case { name: "the market's", package: "com.android.vending", meanwhile: true, counts: false },
    Case {
        name: "of an app called almost the same",
        package: "org.droidmux.diary2",
        meanwhile: true,
        counts: false,
    },
    Case { name: "between two sessions", package: APP, meanwhile: false, counts: false },
];

#[tokio::test(flavor = "multi_thread")]
async fn only_the_app_under_test_crashes_and_only_while_it_is_tested() {
    for case in CASES {
        let options =
            SimOptions { devices: 1, steady: true, strict: true, ..SimOptions::with_apps(apps::all()) };
        let sim = SimLab::start(options).await.unwrap();
        let ward = Ward::new(&sim).await;
        let crash = Condition::CrashDialog { package: case.package.into() };
        if !case.meanwhile {
            ward.run(&small(60), async {}).await;
            sim.devices()[0].suffer(&crash);
        }
        let suffering = async {
            if case.meanwhile {
                for steps in [15, 25, 35] {
                    ward.steps(steps).await;
                    sim.devices()[0].suffer(&crash);
                }
            }
        };
        let outcome = ward.run(&small(120), suffering).await;
        assert_eq!(outcome.end, SessionEnd::Complete, "{}", case.name);
        let crashes = outcome.findings.iter().filter(|found| found.verdict.oracle == "crash").count();
        assert_eq!(crashes > 0, case.counts, "{}: {:?}", case.name, outcome.findings);
    }
}
