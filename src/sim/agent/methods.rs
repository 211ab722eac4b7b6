//! The agent's methods, each a form of `AutomatorService` of the genuine jar.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::DynamicImage;
use image::codecs::jpeg::JpegEncoder;
use serde_json::{Value, json};

use super::objects::{device_info, widget_info};
use super::params::Params;
use super::rpc::Fault;
use super::selector::Selector;
use super::{Finger, Running, configurator, rest};
use crate::SimDevice;
use crate::device::lock;
use crate::fault::{Fault as Mishap, Occasion};
use crate::mishap::Dumping;
use crate::phone::DumpFault;
use droidmux_gui::Point;
use droidmux_sim_toolkit::platform::Scene;

/// Levels of widgets when the client names no depth.
const DEFAULT_DEPTH: usize = 50;
/// One step of a swipe.
const STEP_MS: u32 = 5;
/// The dump of a screen whose active window shows nothing.
const NO_ROOT: &str =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<hierarchy rotation=\"0\" />";
/// From this time on a touch is a long press.
const LONG_PRESS_MS: u32 = 500;
/// How often to check for a widget that is waited for.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The longest wait a client may ask for.
pub(super) const MAX_WAIT_MS: u32 = 60_000;

/// Carries out one call.
pub(super) async fn call(
    device: &Arc<SimDevice>,
    running: &Running,
    method: &str,
    params: Params<'_>,
) -> Result<Value, Fault> {
    if let Some(answer) = spoiled(device, method, params).await {
        return answer;
    }
    let answer = carried_out(device, running, method, params).await;
    if let Err(Fault::NoMethod | Fault::Parameters) = &answer {
        device.note_unknown(&format!("agent: {method} with {} parameters", params.len()));
    }
    answer
}

async fn carried_out(
    device: &Arc<SimDevice>,
    running: &Running,
    method: &str,
    params: Params<'_>,
) -> Result<Value, Fault> {
    match method {
        "dumpWindowHierarchy" => dump(device, params).await,
        "waitForIdle" if params.len() == 1 => rest::idle(device, params.count(0)?).await,
        "waitForWindowUpdate" if params.len() == 2 => {
            rest::window_update(device, params.word(0)?, params.count(1)?).await
        }
        "takeScreenshot" if params.len() == 2 => screenshot(device, params.count(1)?).await,
        "waitForExists" | "waitUntilGone" => {
            wait(device, &params.selector(0)?, params.count(1)?, method == "waitForExists").await
        }
        _ => at_once(device, running, method, params),
    }
}

/// What comes of a call that goes wrong; `None` if it is carried out, if late.
async fn spoiled(device: &SimDevice, method: &str, params: Params<'_>) -> Option<Result<Value, Fault>> {
    // The faults are not held on to while the agent takes its time.
    let struck = device.faults().at(Occasion::Call);
    for one in struck {
        match one.fault {
            Mishap::AgentDies => {
                device.kill_agent();
                return std::future::pending().await;
            }
            Mishap::AgentSlow(time) => tokio::time::sleep(time).await,
            Mishap::AgentLacks(name) if name == method => return Some(Err(Fault::NoMethod)),
            Mishap::AgentLacks(form) if form == format!("{method}/{}", params.len()) => {
                return Some(Err(Fault::Parameters));
            }
            Mishap::AgentLies => match method {
                "waitForIdle" => return Some(Ok(Value::Null)),
                "waitForWindowUpdate" => return Some(Ok(json!(false))),
                _ => {}
            },
            _ => {}
        }
    }
    None
}

/// Takes as long as a real phone would.
async fn take(device: &SimDevice, time: Duration) {
    device.waits(time);
    tokio::time::sleep(time).await;
}

/// The methods that never wait.
fn at_once(device: &SimDevice, running: &Running, method: &str, params: Params<'_>) -> Result<Value, Fault> {
    match method {
        "ping" => Ok(json!("pong")),
        "deviceInfo" => Ok(device_info(&device.phone())),
        "isScreenOn" => Ok(json!(device.phone().is_screen_on())),
        "click" | "longClick" | "swipe" | "drag" | "swipePoints" => touch(device, method, params),
        "injectInputEvent" => finger(device, running, params),
        "openQuickSettings" => {
            device.phone().open_quick_settings();
            Ok(json!(true))
        }
        "pressKey" | "pressKeyCode" | "wakeUp" | "sleep" | "clearInputText" | "openNotification" => {
            press(device, method, params)
        }
        "exist"
        | "count"
        | "objInfo"
        | "objInfoOfAllInstances"
        | "getText"
        | "setText"
        | "clearTextField" => widgets(device, method, params),
        "setClipboard" => {
            *lock(&running.clipboard) = Some(params.text(1)?.to_owned());
            Ok(Value::Null)
        }
        "getClipboard" => Ok(json!(lock(&running.clipboard).clone())),
        "pasteClipboard" => {
            let text = lock(&running.clipboard).clone().unwrap_or_default();
            device.phone().commit_text(&text);
            Ok(Value::Null)
        }
        "setOrientation" => {
            let turns = match params.text(0)?.get(..1) {
                Some("l") => 1,
                Some("r") => 3,
                _ => 0,
            };
            device.phone().set_rotation(turns);
            Ok(Value::Null)
        }
        "freezeRotation" => {
            let free = if params.bool(0)? { "0" } else { "1" };
            device.phone().set_setting("system", "accelerometer_rotation", Some(free));
            Ok(Value::Null)
        }
        "getConfigurator" => Ok(json!(*lock(&running.configurator))),
        "setConfigurator" => {
            let mut known = lock(&running.configurator);
            *known = configurator::Configurator::read(params.value(0)?, *known)?;
            Ok(json!(*known))
        }
        "getLastToast" => Ok(json!(device.phone().last_toast())),
        "clearLastToast" => {
            device.phone().forget_toast();
            Ok(Value::Null)
        }
        "getLastTraversedText" | "clearLastTraversedText" => Ok(Value::Null),
        _ => Err(Fault::NoMethod),
    }
}

/// `(compressed[, depth[, only the active window]])`: characters that XML cannot hold become dots;
/// the idle wait is up to the client.
async fn dump(device: &SimDevice, params: Params<'_>) -> Result<Value, Fault> {
    params.bool(0)?;
    let depth = match params.len() {
        1 => DEFAULT_DEPTH,
        _ => usize::try_from(params.count(1)?).map_err(|_| Fault::Parameters)?,
    };
    let active = params.len() > 2 && params.bool(2)?;
    take(device, device.latency.resident).await;
    let xml = match device.dump_by_agent(depth, active) {
        Dumping::Done { xml, .. } => xml,
        Dumping::Failed(DumpFault::NoRoot) => return Ok(json!(NO_ROOT)),
        // The agent waits for rest in a separate call, and never gives up a dump for lack of it.
        Dumping::Failed(DumpFault::NotIdle) => device.phone().dumped_by_agent(depth, active),
        Dumping::Killed => {
            device.kill_agent();
            return std::future::pending().await;
        }
    };
    Ok(json!(String::from_utf8_lossy(&xml)))
}

async fn screenshot(device: &Arc<SimDevice>, quality: u32) -> Result<Value, Fault> {
    take(device, device.latency.raw_screen).await;
    let source = Arc::clone(device);
    let drawn = tokio::task::spawn_blocking(move || {
        let screen = DynamicImage::from(source.phone().screenshot()).into_rgb8();
        let mut jpeg = Vec::new();
        let quality = u8::try_from(quality.clamp(1, 100)).unwrap_or(100);
        let encoded = screen.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, quality));
        encoded.ok().map(|()| STANDARD.encode(&jpeg))
    });
    // Null is the genuine agent's word for a screen that could not be taken.
    Ok(json!(drawn.await.ok().flatten()))
}

async fn wait(device: &SimDevice, selector: &Selector, limit: u32, there: bool) -> Result<Value, Fault> {
    let deadline = tokio::time::Instant::now() + Duration::from_millis(limit.min(MAX_WAIT_MS).into());
    loop {
        let found = scene(device).is_some_and(|scene| !selector.find(&scene).is_empty());
        if found == there || tokio::time::Instant::now() >= deadline {
            return Ok(json!(found == there));
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Fingers, at places or on widgets.
fn touch(device: &SimDevice, method: &str, params: Params<'_>) -> Result<Value, Fault> {
    if params.is_selector(0) {
        let (_, at) = target(device, &params.selector(0)?)?;
        match method {
            "click" => device.phone().tap(at),
            "longClick" => device.phone().long_press(at),
            _ => return Err(Fault::Parameters),
        }
        return Ok(json!(true));
    }
    match (method, params.len()) {
        ("click", 2) => device.phone().tap(params.point(0)?),
        ("click", 3) if params.count(2)? >= LONG_PRESS_MS => device.phone().long_press(params.point(0)?),
        ("click", 3) => device.phone().tap(params.point(0)?),
        ("swipe", 5) => {
            let ms = params.count(4)?.saturating_mul(STEP_MS);
            device.phone().swipe(params.point(0)?, params.point(2)?, ms);
        }
        // A finger rests before it drags, which no simulated widget tells apart from a swipe.
        ("drag", 5) => device.phone().swipe(params.point(0)?, params.point(2)?, LONG_PRESS_MS),
        ("swipePoints", 2) => path(device, &params.ints(0)?, params.count(1)?)?,
        _ => return Err(Fault::Parameters),
    }
    Ok(json!(true))
}

/// A finger along a path of points, with this many steps from each to the next. What a simulated
/// widget makes of it depends only on its ends.
fn path(device: &SimDevice, numbers: &[i32], steps: u32) -> Result<(), Fault> {
    let points: Vec<Point> = numbers
        .chunks_exact(2)
        .filter_map(|pair| Some(Point { x: *pair.first()?, y: *pair.get(1)? }))
        .collect();
    let (Some(first), Some(last), true) = (points.first(), points.last(), numbers.len().is_multiple_of(2))
    else {
        return Err(Fault::Parameters);
    };
    let segments = u32::try_from(points.len() - 1).unwrap_or(u32::MAX);
    let ms = steps.saturating_mul(STEP_MS).saturating_mul(segments);
    // One that comes back to where it began is neither a tap nor a long press.
    if first != last || points.iter().all(|point| point == first) {
        device.phone().swipe(*first, *last, ms);
    }
    Ok(())
}

/// `(action, x, y, meta state)`: a finger goes down, moves, goes up. What it did counts when it goes up.
fn finger(device: &SimDevice, running: &Running, params: Params<'_>) -> Result<Value, Fault> {
    const DOWN: i32 = 0;
    const UP: i32 = 1;
    const MOVE: i32 = 2;
    if params.len() != 4 {
        return Err(Fault::Parameters);
    }
    let (action, at) = (params.int(0)?, params.point(1)?);
    params.int(3)?;
    let mut finger = lock(&running.finger);
    match (action, finger.as_mut()) {
        (DOWN, None) => *finger = Some(Finger { from: at, since: Instant::now(), at, moved: false }),
        (MOVE, Some(finger)) => {
            finger.moved |= finger.at != at;
            finger.at = at;
        }
        (UP, Some(down)) => {
            let Finger { from, since, moved, .. } = *down;
            *finger = None;
            let ms = u32::try_from(since.elapsed().as_millis()).unwrap_or(u32::MAX);
            if at != from || !moved {
                device.phone().swipe(from, at, ms);
            }
        }
        // The system drops events that do not follow from the previous ones.
        _ => return Ok(json!(false)),
    }
    Ok(json!(true))
}

/// Keys, by the agent's own names or by number.
fn press(device: &SimDevice, method: &str, params: Params<'_>) -> Result<Value, Fault> {
    let mut phone = device.phone();
    let key = match method {
        "wakeUp" => "WAKEUP".to_owned(),
        "sleep" => "SLEEP".to_owned(),
        "openNotification" => "NOTIFICATION".to_owned(),
        // Ctrl+A and the delete key.
        "clearInputText" => {
            phone.select_all();
            "DEL".to_owned()
        }
        "pressKeyCode" => params.count(0)?.to_string(),
        _ => match params.text(0)?.to_lowercase().as_str() {
            "left" | "right" | "up" | "down" | "center" => {
                format!("DPAD_{}", params.text(0)?.to_uppercase())
            }
            "delete" | "del" => "DEL".to_owned(),
            "recent" => "APP_SWITCH".to_owned(),
            other => other.to_uppercase(),
        },
    };
    Ok(json!(phone.key(&key).is_ok()))
}

/// Questions and texts for widgets.
fn widgets(device: &SimDevice, method: &str, params: Params<'_>) -> Result<Value, Fault> {
    let selector = params.selector(0)?;
    let found = |scene: &Scene| selector.find(scene);
    match method {
        "exist" => Ok(json!(scene(device).is_some_and(|scene| !found(&scene).is_empty()))),
        "count" => Ok(json!(scene(device).map_or(0, |scene| found(&scene).len()))),
        "objInfoOfAllInstances" => {
            let all = scene(device).map(|scene| {
                found(&scene).into_iter().filter_map(|place| widget_info(&scene, place)).collect::<Vec<_>>()
            });
            Ok(json!(all.unwrap_or_default()))
        }
        "objInfo" | "getText" => {
            let missing = || Fault::NotFound(selector.said.clone());
            let scene = scene(device).ok_or_else(missing)?;
            let place = found(&scene).first().copied().ok_or_else(missing)?;
            let info = widget_info(&scene, place).ok_or_else(missing)?;
            Ok(if method == "getText" { info.get("text").cloned().unwrap_or_default() } else { info })
        }
        _ => {
            let text = if method == "setText" { params.text(1)? } else { "" };
            let (is_field, at) = target(device, &selector)?;
            // The genuine one clicks, then sets the text of the widget it clicked.
            let mut phone = device.phone();
            phone.tap(at);
            Ok(json!(is_field && phone.set_field_text(text)))
        }
    }
}

/// The first matching widget: whether it is a text field, and where a finger touches it.
fn target(device: &SimDevice, selector: &Selector) -> Result<(bool, Point), Fault> {
    let missing = || Fault::NotFound(selector.said.clone());
    let scene = scene(device).ok_or_else(missing)?;
    let place = selector.find(&scene).first().copied().ok_or_else(missing)?;
    let node = scene.nodes.get(place).ok_or_else(missing)?;
    Ok((node.field.is_some(), node.bounds.center()))
}

fn scene(device: &SimDevice) -> Option<Scene> {
    device.phone().active_scene().ok()
}
