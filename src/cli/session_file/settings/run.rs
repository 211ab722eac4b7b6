//! `[lab]` and `[run]`: what applies to every technique.

use super::group::Group;
use crate::ranges;
use droidmux_record::Takes::{Name, OffOrWhole, Other, Whole};
use droidmux_record::{Setting, Takes};

#[rustfmt::skip]
pub(super) const LAB: Group = Group { table: "lab", settings: &[
    Setting::new("kind", Name(&["adb", "sim", "apk", "hosts"]), "",
        "`adb`: the devices of the ADB server; `sim`: a simulated lab for this run; `apk`: the app in an APK without a \
         phone, in the [framework lab](apk.md); `hosts`: the devices of [other hosts](hosts.md)"),
    Setting::new("apk", Other("a path, or a list of paths"), "",
        "with `kind = \"apk\"`, the app's APK: one file, a base and its splits, or an archive of them").unset("none"),
    Setting::new("fixtures", Other("a path"), "",
        "a folder whose content is put on each device that the session takes: `contacts.vcf` as people, what lies in \
         `Download`, `Pictures`, `DCIM` and the like there, other pictures to `Pictures`, the rest to `Download`")
        .unset("none"),
    Setting::new("start-at", Other("a date and a time, as text"), "",
        "what the clock of each device is set to when the session takes it, in the device's own zone: \
         `2026-03-01T09:00`; a phone that lets nobody set it is not taken").unset("none"),
    Setting::new("network", Takes::Switch, "",
        "with `kind = \"apk\"`, whether the app's code may use this computer's network"),
    Setting::new("servers", Other("ADB servers"), "",
        "the [ADB servers](devices.md#phones-of-several-hosts) whose devices it uses, e.g. `[\"local\", \
         \"10.0.0.7:5037\", \"ssh://ann@lab2\"]`").unset("that of the lab it runs in"),
    Setting::new("devices", Takes::range(&ranges::DEVICES), "devices",
        "devices to start with `sim` and `apk`; the most at a time with `hosts`, where all are used unless it is set; \
         without effect with `adb`"),
    Setting::new("serials", Other("serials"), "",
        "the devices to use with `adb`, with or without their host (`R58M`, `R58M@lab2`), and with `hosts` (`R58M@lab2`)")
        .unset("all"),
    Setting::new("nats", Other("a URL"), "",
        "with `hosts`, the NATS server that they are at: `nats://HOST:4222`, `tls://HOST:4222`, several with commas \
         between").unset("none"),
    Setting::new("pool", Other("a name"), "", "with `hosts`, only those of this pool").unset("all"),
    Setting::new("hosts", Other("names"), "", "with `hosts`, only these").unset("all"),
    Setting::new("nats-creds", Other("a path"), "", "a file with the credentials of a NATS user").unset("none"),
    Setting::new("nats-nkey", Other("a path"), "", "a file with the seed of an NKey").unset("none"),
    Setting::new("nats-user", Other("a name"), "", "the user of the NATS server").unset("none"),
    Setting::new("nats-password-env", Other("a variable"), "",
        "the environment variable that holds that user's password, where the lab runs").unset("none"),
    Setting::new("nats-ca", Other("a path"), "",
        "a file with certificates to trust besides the system's").unset("none"),
    Setting::new("agent", Other("a path"), "",
        "the resident agent for fast dumps: `u2.jar`, or a Python installation, virtual environment or packages \
         folder that holds `uiautomator2/assets/u2.jar`; see [fast dumps](agent.md)").unset("none"),
    Setting::new("dumps", Name(&["auto", "agent", "uiautomator"]), "",
        "what dumps the screens: `auto` (the agent or `uiautomator`, whichever is faster, measured on each device \
         when the session takes it), `agent` (as long as it works), `uiautomator`"),
    Setting::new("min-battery", Whole(0, 95), "%",
        "a device with less charge rests until it has 5 more; 0 is no limit"),
    Setting::new("max-temperature", OffOrWhole(30, 90), "°C",
        "of battery or skin; a hotter device rests until it is 3 cooler; 0 is no limit"),
    Setting::new("min-space", Whole(0, 100_000), "MiB",
        "free on the data partition; a device with less rests until it has 20 more; 0 is no limit"),
] };

#[rustfmt::skip]
pub(super) const RUN: Group = Group { table: "run", settings: &[
    Setting::new("max-events", Whole(*ranges::EVENTS.start(), *ranges::EVENTS.end()), "events",
        "where the session ends; resets are not counted"),
    Setting::new("window", Whole(1, 1_000), "jobs",
        "W: job n depends only on traces up to n − W"),
    Setting::new("screens", Name(&["changed", "verdicts", "all", "never"]), "",
        "screenshots: `changed` (each layout once a session, unless it differs by three texts at most from one that was \
         photographed; each step of a replay that a person asked for or that tells of nothing happening), `verdicts` \
         (while a violation is replayed), `all`, `never`"),
    Setting::new("test-timeout", Whole(1, 86_400), "s",
        "the longest one test may take, without what it waits for a model or a person"),
    Setting::new("retries", Whole(0, 10), "times",
        "a batch with a test that timed out is run again"),
    Setting::new("dump-tries", Whole(2, 100), "dumps",
        "taken at most until two in a row are equal"),
    Setting::new("settling", Name(&["swift", "strict"]), "",
        "how long an event waits for the screen to come to rest: `swift` (not at all where it shows what the event led \
         to before, otherwise until nothing moves; strictly for whatever a finding rests on), `strict` (until two \
         dumps in a row are equal)"),
    Setting::new("reset", Name(&["clear", "restart", "snapshot"]), "",
        "the data that tests [begin with](resets.md): `clear` (none), `restart` (what the last test left, in explorations \
         of `monkey`; none elsewhere), `snapshot` (a copy of what there is after the set-up rules; with root)"),
    Setting::new("patience", Whole(0, 604_800), "s",
        "to wait for a device when none is left, and for disk space, before giving up"),
    Setting::new("time", OffOrWhole(60, 31_536_000), "s",
        "where the session ends if its events last longer, as with `--for`, which replaces it; its phases follow \
         whichever limit comes first; 0 is no limit"),
    Setting::new("grace", Whole(0, 3_600), "s",
        "tests under way may go on when `--for` or `--until` is reached"),
    Setting::new("explore-share", Whole(0, 90), "% of events",
        "random exploration that changes data: `genie`, `odin`, `neutral`"),
    Setting::new("revisit-share", Whole(0, 100), "% of explorations",
        "end by force-stopping the app, starting it with its data kept, and looking at the pages on which typed \
         texts were last seen; seeds and their mutants count as explorations here"),
    Setting::new("relations", Other("names"), "",
        "the [relations](relations.md) between screens that every trace is judged by; `[]` for none").unset("all"),
    Setting::new("experiments", Whole(0, 50), "% of events",
        "experiments on confirmed findings and the shrinking of their tests may take together"),
    Setting::new("confirm", Whole(1, 100), "replays",
        "fresh replays that must show a violation"),
    Setting::new("confirm-of", Whole(1, 100), "replays",
        "fresh replays at most; not fewer than `confirm`"),
    Setting::new("text", Name(&["own", "inputblaster"]), "",
        "where random texts come from: `own` (the technique itself), `inputblaster` (generators that a language \
         model writes for every form it meets)"),
] };
