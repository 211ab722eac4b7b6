//! Opens the cockpit, on a lab of this process or on others.

use tokio_util::sync::CancellationToken;

use super::config::Config;
use super::folders;
use crate::lab::Lab;
use crate::proto::ViewerEnd;
use crate::tui::{self, TuiOptions};

/// Shows the cockpit until the person leaves it; then asks the lab's sessions to stop, since they
/// live in this process.
pub(super) async fn show(lab: &Lab, stop: CancellationToken) -> color_eyre::Result<()> {
    let shown = watch(vec![lab.viewer()], false).await;
    stop.cancel();
    shown
}

/// Shows the cockpit on these labs until the person leaves it; `read_only` where they let it change
/// nothing.
pub(super) async fn watch(ends: Vec<ViewerEnd>, read_only: bool) -> color_eyre::Result<()> {
    Ok(tui::run(ends, TuiOptions { read_only, ..options()? }).await?)
}

fn options() -> color_eyre::Result<TuiOptions> {
    let folder = folders::config()?;
    let config = Config::read()?;
    let from_env = TuiOptions::from_env();
    Ok(TuiOptions {
        budget: config.budget(from_env.budget),
        theme: config.theme,
        theme_folder: Some(folder.join("themes")),
        ascii: config.ascii.unwrap_or(from_env.ascii),
        images: config.images.unwrap_or(from_env.images),
        mouse: config.mouse.unwrap_or(from_env.mouse),
        announce: config.announce.unwrap_or(from_env.announce),
        keys: config.keys,
        ..from_env
    })
}
