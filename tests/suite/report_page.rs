//! The HTML page of a report in a real browser: what is shown, what runs, what is loaded, on screens of all widths and
//! in both themes. Reported as skipped if no Chromium is installed.

use std::path::{Path, PathBuf};

use droidmux::record::Evidence;
use droidmux::store::Store;

use crate::chromium::Chromium;
use crate::program::droidmux;
use crate::shrink::padded;
use crate::store::fixture::options;

/// Texts that would be more than texts in a carelessly made page.
const HOSTILE: [&str; 5] = [
    "<script>document.title='x'</script>",
    "\"><img src=x onerror=\"document.title='x'\"><svg/onload=document.title='x'>",
    "</style></title></svg></details></main><iframe src='https://example.org/'></iframe>",
    "' onmouseover='document.title=1' href='javascript:document.title=1'",
    "widewidewidewidewidewidewidewidewidewidewidewidewidewidewidewidewidewidewidewidewidewidewidewide",
];

/// The page of a session with a finding in which every text is hostile.
async fn hostile_page(folder: &Path) -> PathBuf {
    let (session, finding) = padded(folder).await;
    // The session that shrinks it takes the pictures.
    let (code, said) = droidmux(folder, &["shrink", &finding, "--lab", "sim", "--steady"]);
    assert_eq!(code, 1, "{said}");
    {
        let store = Store::open(&folder.join("store"), options()).unwrap();
        let mut found = store.findings(Some(session)).unwrap().remove(0);
        found.verdict.title = HOSTILE.join(" ");
        found.because = HOSTILE.join(" ");
        found.note = HOSTILE.join(" ");
        if let Evidence::Effects(effects) = &mut found.verdict.evidence {
            for note in
                effects.iter_mut().flat_map(|effect| effect.before.iter_mut().chain(&mut effect.after))
            {
                (note.text, note.resource_id) = (HOSTILE[0].into(), HOSTILE[1].into());
            }
        }
        store.put_finding(&found).unwrap();
    }
    let out = folder.join("out");
    let (code, said) =
        droidmux(folder, &["report", "--all", "-o", &out.to_string_lossy(), "--format", "html"]);
    assert!(code <= 1, "{said}");
    out.join("report.html")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_sound_in_a_browser_at_every_width_and_in_both_themes() {
    let Some(mut browser) = Chromium::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = hostile_page(folder.path()).await;
    let mut grounds = Vec::new();
    for width in [1_280, 390] {
        for theme in ["light", "dark"] {
            browser.show(&page, width, theme);
            let wrong = browser.evaluate(include_str!("report_page.js"));
            assert_eq!(wrong, serde_json::json!([]), "at {width} px, {theme}");
            quiet(&browser);
            grounds.push(browser.evaluate("getComputedStyle(document.body).backgroundColor"));
        }
    }
    assert_eq!((&grounds[0], &grounds[1]), (&grounds[2], &grounds[3]), "themes do not depend on the width");
    assert_ne!(grounds[0], grounds[1], "dark is another theme than light");

    browser.show(&page, 390, "light");
    browser.evaluate("document.getElementById('theme-dark').click()");
    let ground = browser.evaluate("getComputedStyle(document.body).backgroundColor");
    assert_eq!(ground, grounds[1], "the switch chooses a theme");
    let enlarged = "const box = document.querySelector('.step input'); box.click();
                    getComputedStyle(box.nextElementSibling).position";
    assert_eq!(browser.evaluate(enlarged), "fixed", "a tap enlarges a picture");
}

/// Nothing was loaded except the page itself, and there were no complaints.
fn quiet(browser: &Chromium) {
    for event in &browser.events {
        match event["method"].as_str().unwrap_or_default() {
            "Network.requestWillBeSent" => {
                let url = event["params"]["request"]["url"].as_str().unwrap_or_default();
                assert!(
                    url.starts_with("file://") && url.ends_with("/report.html") || url.starts_with("data:"),
                    "{url}"
                );
            }
            "Log.entryAdded" | "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" => panic!("{event}"),
            _ => {}
        }
    }
}
