//! The device for a single action, without a session.

use color_eyre::eyre::eyre;

use droidmux_device::Patience;
use droidmux_device::adb::{AdbDevice, Server};

/// The device with this serial, or the only one that is ready.
///
/// # Errors
///
/// When the server does not answer, or has no such device.
pub(super) async fn device_of(server: &Server, serial: Option<&str>) -> color_eyre::Result<AdbDevice> {
    let entries = server.devices(&Patience::default()).await?;
    let ready: Vec<&str> =
        entries.iter().filter(|entry| entry.is_ready()).map(|entry| entry.name.as_str()).collect();
    let chosen = match (serial, ready.as_slice()) {
        (Some(serial), ready) if ready.contains(&serial) => serial,
        (Some(serial), _) => {
            let listed = entries.iter().find(|entry| entry.name == serial);
            let why =
                listed.map_or("the ADB server does not know it".into(), |it| format!("it is {}", it.state));
            return Err(eyre!("device {serial} cannot be used: {why}; ready are: {}", ready.join(", ")));
        }
        (None, [only]) => only,
        (None, []) => {
            return Err(eyre!("the ADB server has no device that is ready; `droidmux devices` says why"));
        }
        (None, several) => {
            return Err(eyre!("several devices are ready; choose one with --device: {}", several.join(", ")));
        }
    };
    Ok(AdbDevice::new(server.clone(), chosen))
}
