//! The doctor's round through a running lab.
//!
//! Every device that nobody leases is leased for it, so no session is given one in the middle of a dump; the others
//! stay with their sessions and are only asked how they are.

use std::sync::Arc;

use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use super::device::{Bed, authorised, examine_device};
use super::store::examine_open;
use super::{examine_servers, programs};
use crate::roster::{Patient, Tenant};
use crate::{Hub, Lab};
use droidmux_proto::{CheckVerdict, CheckView, Subject};
use droidmux_record::LabChoice;

impl Lab {
    /// Begins a round, unless one is under way; what it finds shows in the hub piece by piece.
    pub fn examine(&self) {
        if self.hub.doctor_begins() {
            let lab = self.clone();
            let under_way = UnderWay(self.hub.clone());
            tokio::spawn(async move {
                let _under_way = under_way;
                tokio::select! {
                    () = lab.closing.cancelled() => {}
                    () = go_round(&lab) => {}
                }
            });
        }
    }
}

/// Whatever becomes of a round, it ends.
struct UnderWay(Arc<Hub>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.doctor_found(Vec::new(), true);
    }
}

async fn go_round(lab: &Lab) {
    let hub = &lab.hub;
    let choice = choice(lab).await;
    let server = async {
        let servers: Vec<_> = lab.roster.servers().into_iter().map(Ok).collect();
        if servers.is_empty() {
            let words = "this lab was given no ADB server";
            return hub.doctor_found(vec![CheckView::skipped(&Subject::Adb, "server", words)], false);
        }
        hub.doctor_found(examine_servers(&servers, &programs().await).await.0, false);
    };
    let devices = join_all(lab.roster.patients().into_iter().map(|patient| {
        let choice = &choice;
        async move { hub.doctor_found(examine_patient(lab, &patient, choice).await, false) }
    }));
    let store = async {
        let store = lab.store.clone();
        let checks = tokio::task::spawn_blocking(move || examine_open(&store)).await;
        hub.doctor_found(checks.unwrap_or_default(), false);
    };
    let _ = tokio::join!(server, devices, store);
    let words = "not asked from here, since it costs: `droidmux doctor SESSION.toml` asks it one question";
    hub.doctor_found(vec![CheckView::skipped(&Subject::Model, "endpoint", words)], false);
    let found = hub.doctor();
    let count = |verdict| found.count(verdict);
    hub.info(
        "doctor",
        &format!(
            "{} good, {} doubtful, {} bad, {} skipped",
            count(CheckVerdict::Good),
            count(CheckVerdict::Doubtful),
            count(CheckVerdict::Bad),
            count(CheckVerdict::Skipped)
        ),
    );
}

async fn examine_patient(lab: &Lab, patient: &Patient, choice: &LabChoice) -> Vec<CheckView> {
    let Patient { serial, state, device, why } = patient;
    if state != "device" {
        return vec![authorised(&Subject::Device(serial.clone()), state)];
    }
    // A session may have been quicker.
    let lease = match why {
        Some(why) => Err(why.clone()),
        None => lab
            .roster
            .lend(Tenant::Doctor, |candidate| candidate == serial)
            .ok_or_else(|| "a session waits for it".to_owned()),
    };
    let (lease, bed) = match lease {
        Err(why) => (None, Bed::Shared(why)),
        Ok(lease) => match lease.sign(&CancellationToken::new()).await {
            Ok(()) => (Some(lease), Bed::Own),
            Err(error) => (Some(lease), Bed::Shared(error.kind.to_string())),
        },
    };
    let checks = examine_device(&**device, &bed, choice).await;
    if let Some(lease) = lease {
        lease.give_back().await;
    }
    checks
}

/// Limits and agent as in the latest session that names an agent; the usual ones if none does.
async fn choice(lab: &Lab) -> LabChoice {
    let store = lab.store.clone();
    let sessions = tokio::task::spawn_blocking(move || store.sessions().unwrap_or_default()).await;
    let mut choices = sessions.unwrap_or_default().into_iter().rev().map(|(_, record)| record.definition.lab);
    choices.find(|lab| lab.agent.is_some()).unwrap_or_default()
}
