//! The accessibility service of DroidBot's helper app, as its client meets it on a port of the device.
//!
//! In: a stream. Out: a packet with the widgets of the active window whenever they change, and one
//! whenever the screen is turned: a head of six bytes, the last four being the length, then
//! `AccEvent >>> ` and JSON, or `rotation >>> ` and the quarter turns.
//!
//! Invariants: it only reports, and ends when the client or the service is gone.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::SimDevice;
use super::service::Duplex;
use droidmux_sim_toolkit::platform::{Node, Scene};

/// How often the screen is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Serves one client.
pub(super) async fn serve(device: &Arc<SimDevice>, stream: &mut Box<dyn Duplex>) -> io::Result<()> {
    let mut told: Option<(String, u8)> = None;
    let mut ignored = [0; 256];
    loop {
        let (seen, rotation) = {
            let phone = device.phone();
            if !phone.is_watched_by_droidbot() {
                return Ok(());
            }
            let seen = phone.active_scene().map_or(Value::Null, |scene| tree(&scene));
            (json!({ "root_node": seen }).to_string(), phone.rotation())
        };
        if let Some((_, before)) = &told
            && *before != rotation
        {
            send(stream, &format!("rotation >>> {rotation}")).await?;
        }
        if told.as_ref().is_none_or(|(before, _)| *before != seen) {
            send(stream, &format!("AccEvent >>> {seen}")).await?;
        }
        told = Some((seen, rotation));
        tokio::select! {
            read = stream.read(&mut ignored) => if read? == 0 { return Ok(()) },
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

async fn send(stream: &mut Box<dyn Duplex>, text: &str) -> io::Result<()> {
    let length = u32::try_from(text.len()).map_err(io::Error::other)?;
    let packet = [&[1, 0], &length.to_be_bytes()[..], text.as_bytes()].concat();
    stream.write_all(&packet).await?;
    stream.flush().await
}

/// The window's widgets as a tree; null when it has none.
fn tree(scene: &Scene) -> Value {
    let mut children: Vec<Vec<Value>> = scene.nodes.iter().map(|_| Vec::new()).collect();
    // Parents come before their children, so going backwards each already has all of its own.
    for (number, node) in scene.nodes.iter().enumerate().rev() {
        let mut own = children.get_mut(number).map(std::mem::take).unwrap_or_default();
        own.reverse();
        let told = widget(scene, node, own);
        match node.parent.and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(told),
            None if number == 0 => return told,
            None => {}
        }
    }
    Value::Null
}

fn widget(scene: &Scene, node: &Node, children: Vec<Value>) -> Value {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let (flags, bounds) = (node.flags, node.bounds);
    json!({
        "package": scene.package,
        "visible": true,
        "checkable": flags.checkable,
        "child_count": children.len(),
        "editable": node.field.is_some(),
        "clickable": node.is_clickable(),
        "is_password": flags.password,
        "focusable": node.is_focusable(),
        "enabled": flags.enabled,
        "content_description": some(&node.description),
        "children": children,
        "focused": flags.focused,
        "bounds": [bounds.left, bounds.top, bounds.right, bounds.bottom],
        "resource_id": some(&node.id),
        "checked": flags.checked,
        "text": some(&node.text),
        "class": node.class,
        "scrollable": node.is_scrollable(),
        "selected": flags.selected,
        "long_clickable": node.is_long_clickable(),
    })
}
