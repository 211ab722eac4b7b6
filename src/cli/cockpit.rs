//! Opens the cockpit, on a lab of this process or on others.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::bring_up::Ground;
use super::config::Config;
use super::starter::Desk;
use super::{folders, questions, theme};
use droidmux_proto::ViewerEnd;
use droidmux_record::SessionId;
use droidmux_tui::{self as tui, Arrangement, Home, Theme, TuiOptions};

/// How long sessions may take to give their devices back when the cockpit is left.
const HALT: Duration = Duration::from_secs(10);

/// Shows the cockpit until the person leaves it, with the guided tour if requested; then asks the lab's sessions to
/// stop, since they live in this process.
pub(super) async fn show(
    ground: &Ground,
    home: Home,
    tour: bool,
    stop: CancellationToken,
) -> color_eyre::Result<()> {
    let lab = &ground.lab;
    lab.start_with(Arc::new(Desk { simulated: ground.is_simulated() }));
    let shown = match options() {
        Ok(options) => {
            tui::run(vec![lab.viewer()], TuiOptions { home, tour, ..options }).await.map_err(Into::into)
        }
        Err(error) => Err(error),
    };
    stop.cancel();
    // Sessions started in the cockpit belong to no command: they continue when they are resumed.
    lab.halt(HALT).await;
    shown
}

/// Shows the cockpit on these labs until the person leaves it; `read_only` if it may change nothing. `home` is where
/// the first of them lives. A session given by name is opened as soon as it appears.
pub(super) async fn watch(
    ends: Vec<ViewerEnd>,
    read_only: bool,
    home: Home,
    opens: Option<SessionId>,
) -> color_eyre::Result<()> {
    Ok(tui::run(ends, TuiOptions { read_only, home, opens, ..options()? }).await?)
}

/// A lab of this process that keeps its store.
pub(super) fn home_here(store: &Path) -> Home {
    Home::Here { store: named(store) }
}

/// The lab of a server on this host.
pub(super) fn home_in_server(store: &Path) -> Home {
    named(store).map_or(Home::Server, Home::ServerOf)
}

/// How `--store` names a store; `None` for the usual one, which needs no name.
fn named(store: &Path) -> Option<String> {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let store = whole(store);
    let usual = folders::store().is_ok_and(|usual| whole(&usual) == store);
    (!usual).then(|| store.display().to_string())
}

/// What the person chose, and what the environment specifies.
pub(super) fn options() -> color_eyre::Result<TuiOptions> {
    let config = Config::read()?;
    let from_env = TuiOptions::from_env();
    let themes = theme::folder()?;
    let kept = folders::state()?.join("cockpit.toml");
    Ok(TuiOptions {
        arrangement: Arrangement::read(&kept),
        arrangement_file: Some(kept),
        picture_folder: questions::picture_folder().ok(),
        folder: std::env::current_dir().map(|folder| folder.display().to_string()).unwrap_or_default(),
        budget: config.budget(from_env.budget),
        theme: config.theme,
        own_themes: Theme::names(Some(&themes)),
        theme_folder: Some(themes),
        ascii: config.ascii.unwrap_or(from_env.ascii),
        images: config.images.unwrap_or(from_env.images),
        mouse: config.mouse.unwrap_or(from_env.mouse),
        announce: config.announce.unwrap_or(from_env.announce),
        keys: config.keys,
        places: config.places,
        ..from_env
    })
}
