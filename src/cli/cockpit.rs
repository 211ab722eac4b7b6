//! interim
use crate::lab::Lab;
use tokio_util::sync::CancellationToken;
pub(super) async fn show(_lab: &Lab, stop: CancellationToken) -> color_eyre::Result<()> {
    stop.cancelled().await;
    Ok(())
}
