//! Where the devices of a session come from.

use super::bring_up::{ApkDevices, Devices};
use super::framework_lab::FrameworkLab;
use super::sim::defects;
use droidmux_record::{LabKind, SessionDefinition, SimTerms};
use droidmux_sim::SimOptions;
use droidmux_sim_apps as apps;
use droidmux_technique::uses;

/// The devices that a session file asks for.
///
/// # Errors
/// `Usage` for unknown defects, or without a host for the framework lab.
pub(super) fn source(definition: &SessionDefinition, sim: &SimTerms) -> color_eyre::Result<Devices> {
    Ok(match definition.lab.kind {
        LabKind::Adb => match definition.lab.servers.as_slice() {
            [] => Devices::Adb,
            servers => Devices::Servers(servers.to_vec()),
        },
        LabKind::Hosts => Devices::Hosts(Box::new(definition.lab.hosts.clone())),
        LabKind::Sim => Devices::Sim(Box::new(SimOptions {
            devices: u16::try_from(definition.lab.devices).unwrap_or(1),
            steady: sim.steady,
            adb_keyboard: uses(definition).unusual_texts,
            defects: defects(&sim.defects)?,
            ..SimOptions::with_apps(apps::all())
        })),
        LabKind::Apk => Devices::Apk(Box::new(ApkDevices {
            lab: FrameworkLab::find(None)?.with_network(definition.lab.network),
            package: definition.app.clone(),
            apks: definition.lab.apk.clone(),
            options: SimOptions {
                devices: u16::try_from(definition.lab.devices).unwrap_or(1),
                adb_keyboard: uses(definition).unusual_texts,
                ..SimOptions::default()
            },
        })),
    })
}
