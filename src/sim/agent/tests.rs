use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};

use super::*;
use crate::{Fault as Injury, Latency, SimLab, SimOptions};
use droidmux_sim_apps as apps;

const JAR: &str = "/data/local/tmp/u2.jar";

async fn lab() -> SimLab {
    SimLab::start(SimOptions::with_apps(apps::all())).await.expect("a lab")
}

fn start(line: &str) -> Start {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let variables = BTreeMap::from([("CLASSPATH".to_owned(), JAR.to_owned())]);
    Start::read(&words, &variables).expect("an app_process")
}

fn push(device: &SimDevice, bytes: &'static [u8]) {
    device.files().write(JAR, Bytes::from_static(bytes), 0o644, false).expect("room");
}

async fn ask(device: &Arc<SimDevice>, body: &str) -> Value {
    let running = device.agent_on(DEFAULT_PORT).expect("an agent");
    serde_json::from_slice(&rpc::answer(device, &running, body.as_bytes()).await).expect("JSON")
}

async fn result(device: &Arc<SimDevice>, method: &str, params: Value) -> Value {
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let answer = ask(device, &call.to_string()).await;
    answer.get("result").cloned().unwrap_or_else(|| panic!("{method}: {answer}"))
}

#[tokio::test]
async fn one_agent_at_a_time_and_only_from_a_jar() {
    let lab = lab().await;
    let device = lab.device("sim-1").expect("a device").clone();
    let main = "app_process / com.wetest.uia2.Main";
    let failed = |start: Start| start.run(&device).expect_err("it must not start");
    assert!(failed(start(main)).contains("Could not find class"), "no file");
    push(&device, b"garbage");
    assert!(failed(start(main)).contains("Could not find class"), "no jar");
    push(&device, b"PK\x03\x04");
    assert!(failed(start("app_process / some.Other")).contains("some.Other"));
    for port in ["0", "x", "65536"] {
        assert!(failed(start(&format!("{main} -p {port}"))).starts_with("Invalid port"), "{port}");
    }
    let first = start(&format!("{main} -p 9009")).run(&device).expect("it starts");
    assert!(failed(start(main)).contains("already registered"));
    assert!(device.agent_on(9_009).is_some() && device.agent_on(9_008).is_none());
    drop(first);
    assert!(!device.has_agent());
    let killed = start(main).run(&device).expect("it starts again");
    assert!(device.kill_agent() && !device.kill_agent());
    let next = start(main).run(&device).expect("and again");
    drop(killed);
    assert!(device.has_agent(), "the end of a killed one leaves its successor alone");
    drop(next);
}

#[tokio::test]
async fn calls_come_alone_or_in_batches() {
    let lab = lab().await;
    let device = lab.device("sim-1").expect("a device").clone();
    push(&device, b"PK\x03\x04");
    let _process = start("app_process / com.wetest.uia2.Main").run(&device).expect("it starts");
    let cases = [
        ("nonsense", json!(-32700)),
        ("7", json!(-32600)),
        (r#"{"id":1,"method":"fly"}"#, json!(-32601)),
        (r#"{"id":1,"method":"click","params":[]}"#, json!(-32602)),
        (r#"{"id":1,"method":"objInfo","params":[{"text":"nowhere"}]}"#, json!(-32001)),
        (r#"{"id":1,"method":"objInfo","params":[{"textMatches":"["}]}"#, json!(-32602)),
        (r#"{"id":1,"method":"objInfo","params":[{"instance":"two"}]}"#, json!(-32602)),
        (r#"{"id":1,"method":"injectInputEvent","params":[0, 1, 2]}"#, json!(-32602)),
        (r#"{"id":1,"method":"swipePoints","params":[[1, 2, 3], 5]}"#, json!(-32602)),
    ];
    for (body, code) in cases {
        assert_eq!(ask(&device, body).await.pointer("/error/code"), Some(&code), "{body}");
    }
    let batch =
        r#"[{"id":1,"method":"waitForIdle","params":[10]},{"id":2,"method":"deviceInfo","params":{}}]"#;
    let answers = ask(&device, batch).await;
    assert_eq!(answers.pointer("/0/id"), Some(&json!(1)));
    assert_eq!(answers.pointer("/1/result/displayWidth"), Some(&json!(1080)));
}

#[tokio::test]
async fn a_field_is_found_filled_and_read() {
    let lab = lab().await;
    let device = lab.device("sim-1").expect("a device").clone();
    push(&device, b"PK\x03\x04");
    let _process = start("app_process / com.wetest.uia2.Main").run(&device).expect("it starts");
    let launcher = device.phone().launcher_of("org.droidmux.notes").expect("an app");
    device.phone().launch(&launcher).expect("it starts");
    let all = result(&device, "dumpWindowHierarchy", json!([false, 50])).await;
    assert!(all.as_str().is_some_and(|xml| xml.contains("com.android.systemui")), "all windows");
    let active = result(&device, "dumpWindowHierarchy", json!([false, 50, true])).await;
    assert!(active.as_str().is_some_and(|xml| !xml.contains("com.android.systemui")), "{active}");
    let roots = result(&device, "dumpWindowHierarchy", json!([false, 0, true])).await;
    assert_eq!(roots.as_str().map(|xml| xml.matches("<node ").count()), Some(1), "only the root");
    let buttons = json!([{"clickable": true, "mask": 4096}]);
    assert!(result(&device, "count", buttons.clone()).await.as_u64() > Some(1));
    let first = result(&device, "objInfo", buttons).await;
    assert!(first.pointer("/visibleBounds/right").is_some_and(Value::is_i64), "{first}");
    let picture = result(&device, "takeScreenshot", json!([1, 80])).await;
    assert!(picture.as_str().is_some_and(|text| text.starts_with("/9j/")), "a JPEG in base64");
}

#[tokio::test]
async fn selectors_take_scalars_as_texts() {
    let lab = lab().await;
    let device = lab.device("sim-1").expect("a device").clone();
    push(&device, b"PK\x03\x04");
    let _process = start("app_process / com.wetest.uia2.Main").run(&device).expect("it starts");
    let launcher = device.phone().launcher_of("org.droidmux.notes").expect("an app");
    device.phone().launch(&launcher).expect("it starts");
    let clickable = json!([{"clickable": true}]);
    let all = result(&device, "objInfoOfAllInstances", clickable).await;
    assert!(all.as_array().is_some_and(|all| all.len() > 1), "{all}");
    for (selector, expected) in [
        (json!({"clickable": "true", "instance": "1"}), all.get(1)),
        (json!({"clickable": 1, "instance": 1}), all.get(1)),
        (json!({"clickable": true, "instance": "0"}), all.get(0)),
        (json!({"clickable": true, "classNameMatches": ".*"}), all.get(0)),
    ] {
        let found = result(&device, "objInfo", json!([selector])).await;
        assert_eq!(Some(&found), expected, "{selector}");
    }
    for (selector, there) in [
        (json!({"packageNameMatches": "org\\.droidmux\\.n.*s"}), true),
        (json!({"packageNameMatches": "droidmux"}), false),
        (json!({"index": "0"}), true),
        (json!({"index": "900"}), false),
    ] {
        assert_eq!(result(&device, "exist", json!([selector])).await, json!(there), "{selector}");
    }
}

#[tokio::test]
async fn a_finger_goes_down_moves_and_goes_up() {
    let lab = lab().await;
    let device = lab.device("sim-1").expect("a device").clone();
    push(&device, b"PK\x03\x04");
    let _process = start("app_process / com.wetest.uia2.Main").run(&device).expect("it starts");
    let launcher = device.phone().launcher_of("org.droidmux.notes").expect("an app");
    device.phone().launch(&launcher).expect("it starts");
    let window = || device.phone().focus().window;
    let inject = |action: i32, x: i32, y: i32| result(&device, "injectInputEvent", json!([action, x, y, 0]));
    // From the top edge down: the shade.
    for (action, y, told) in [(1, 5, false), (2, 5, false), (0, 5, true), (2, 400, true), (1, 900, true)] {
        assert_eq!(inject(action, 500, y).await, json!(told), "{action} at {y}");
    }
    assert_eq!(window(), "NotificationShade");
    device.phone().close_shade();
    let pulled = result(&device, "swipePoints", json!([[500, 5, 500, 300, 500, 900], 20])).await;
    assert_eq!((pulled, window().as_str()), (json!(true), "NotificationShade"));
    device.phone().close_shade();
    result(&device, "swipePoints", json!([[500, 5, 500, 900, 500, 5], 20])).await;
    assert_ne!(window(), "NotificationShade", "there and back again is nothing");
    assert_eq!(result(&device, "openQuickSettings", json!([])).await, json!(true));
    assert!(result(&device, "exist", json!([{"text": "Bluetooth"}])).await == json!(true));
    result(&device, "pressKey", json!(["back"])).await;
    // A tap on the navigation bar's middle: home.
    inject(0, 540, 1_900).await;
    inject(1, 540, 1_900).await;
    assert_ne!(device.phone().focus().package, "org.droidmux.notes");
}

#[tokio::test]
async fn times_to_wait_are_read_and_set() {
    let lab = lab().await;
    let device = lab.device("sim-1").expect("a device").clone();
    push(&device, b"PK\x03\x04");
    let _process = start("app_process / com.wetest.uia2.Main").run(&device).expect("it starts");
    let known = result(&device, "getConfigurator", json!([])).await;
    assert_eq!(known.pointer("/waitForIdleTimeout"), Some(&json!(10_000)), "{known}");
    let set = result(&device, "setConfigurator", json!([{"waitForIdleTimeout": 0}])).await;
    assert_eq!(set.pointer("/waitForIdleTimeout"), Some(&json!(0)));
    assert_eq!(set.pointer("/actionAcknowledgmentTimeout"), Some(&json!(3_000)), "the rest stays");
    assert_eq!(result(&device, "getConfigurator", json!([])).await, set);
    for wrong in [json!([{"patience": 1}]), json!([7]), json!([])] {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "setConfigurator", "params": wrong});
        let answer = ask(&device, &call.to_string()).await;
        assert_eq!(answer.pointer("/error/code"), Some(&json!(-32602)), "{call}");
    }
}

#[tokio::test]
async fn an_update_is_a_change_that_comes_after_the_call() {
    let lab = lab().await;
    let device = lab.device("sim-1").expect("a device").clone();
    push(&device, b"PK\x03\x04");
    let _process = start("app_process / com.wetest.uia2.Main").run(&device).expect("it starts");
    let launcher = device.phone().launcher_of("org.droidmux.notes").expect("an app");
    device.phone().launch(&launcher).expect("it starts");
    let notes = "org.droidmux.notes";
    for (package, limit) in
        [(None, 0), (None, 20), (Some(notes), 20), (Some("org.other"), 60_000), (Some(""), 60_000)]
    {
        let updated = result(&device, "waitForWindowUpdate", json!([package, limit])).await;
        assert_eq!(updated, json!(false), "{package:?}, {limit}");
    }
    // The same as before, then another page.
    type Doing = fn(&mut crate::Phone);
    let cases: [(Doing, bool); 2] =
        [(|phone| phone.set_rotation(0), false), (|phone| phone.open_quick_settings(), true)];
    for (doing, expected) in cases {
        let limit = if expected { 60_000 } else { 50 };
        let (updated, ()) =
            tokio::join!(result(&device, "waitForWindowUpdate", json!([null, limit])), async {
                device.with_phone(doing)
            });
        assert_eq!(updated, json!(expected));
    }
}

#[tokio::test]
async fn each_stage_of_a_moving_screen_is_an_update() {
    let latency = Latency { reaction: Duration::from_millis(250), ..Latency::ZERO };
    let lab =
        SimLab::start(SimOptions { latency, ..SimOptions::with_apps(apps::all()) }).await.expect("a lab");
    let device = lab.device("sim-1").expect("a device").clone();
    push(&device, b"PK\x03\x04");
    let _process = start("app_process / com.wetest.uia2.Main").run(&device).expect("it starts");
    let dump = async || result(&device, "dumpWindowHierarchy", json!([false, 50, true])).await;
    let home = dump().await;
    let launcher = device.phone().launcher_of("org.droidmux.notes").expect("an app");
    device.phone().launch(&launcher).expect("it starts");
    let mut updates = 0;
    while !device.is_settled() {
        // Longer than any stage, and no longer than a test may wait if the last one ends before the call.
        let updated = result(&device, "waitForWindowUpdate", json!(["org.droidmux.notes", 3_000])).await;
        updates += u32::from(updated == json!(true));
    }
    assert!(updates >= 1);
    let page = dump().await;
    assert_ne!(page, home);
    assert_eq!(result(&device, "waitForWindowUpdate", json!([null, 300])).await, json!(false));
    assert_eq!(dump().await, page, "it rests");
}

#[tokio::test]
async fn agents_die_dawdle_lack_methods_and_lie() {
    let lab = lab().await;
    let device = lab.device("sim-1").expect("a device").clone();
    push(&device, b"PK\x03\x04");
    let process = start("app_process / com.wetest.uia2.Main").run(&device).expect("it starts");
    let code = async |method: &str, params: Value| {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        ask(&device, &call.to_string()).await.pointer("/error/code").and_then(Value::as_i64)
    };
    device.inject(Injury::AgentLacks("waitForWindowUpdate".into()), None);
    device.inject(Injury::AgentLacks("dumpWindowHierarchy/3".into()), None);
    for (method, params, expected) in [
        ("waitForWindowUpdate", json!([null, 0]), Some(-32_601)),
        ("dumpWindowHierarchy", json!([false, 50, true]), Some(-32_602)),
        ("dumpWindowHierarchy", json!([false, 50]), None),
        ("waitForIdle", json!([0]), None),
    ] {
        assert_eq!(code(method, params).await, expected, "{method}");
    }
    device.heal();
    device.inject(Injury::AgentLies, None);
    assert_eq!(result(&device, "waitForWindowUpdate", json!([null, 60_000])).await, json!(false));
    device.heal();
    device.inject(Injury::AgentSlow(Duration::from_millis(30)), Some(1));
    let began = Instant::now();
    assert_eq!(result(&device, "ping", json!([])).await, json!("pong"));
    assert!(began.elapsed() >= Duration::from_millis(30));
    device.inject(Injury::AgentDies, None);
    let asked = device.clone();
    let call = tokio::spawn(async move { result(&asked, "ping", json!([])).await });
    process.ended.cancelled().await;
    assert!(!device.has_agent());
    call.abort();
}
