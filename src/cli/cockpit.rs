//! Opens the cockpit on a lab of this process.

use tokio_util::sync::CancellationToken;

use super::folders;
use crate::lab::Lab;
use crate::tui::{self, TuiOptions};

/// Shows the cockpit until the person leaves it; then asks the lab's sessions to stop, since they
/// live in this process.
pub(super) async fn show(lab: &Lab, stop: CancellationToken) -> color_eyre::Result<()> {
    let options = TuiOptions { config: folders::config().ok(), ..TuiOptions::from_env() };
    let shown = tui::run(lab.viewer(), options).await;
    stop.cancel();
    Ok(shown?)
}
