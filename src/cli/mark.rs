//! `droidmux mark`: a screenshot with the marks that models are shown on it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use color_eyre::eyre::eyre;
use serde_json::{Value, json};

use super::Usage;
use super::one_device::device_of;
use super::output::{json_block, print};
use droidmux_device::adb::Server;
use droidmux_device::{Device, Patience};
use droidmux_file as file;
use droidmux_gui::dump::MAX_BYTES;
use droidmux_gui::{Flags, Interaction, Layout, LayoutHash, Operable, Widget, read_dump};
use droidmux_import::read_state;
use droidmux_picture::{Source, draw};
use droidmux_record::{BlobHash, Frame, Layouts, Picture};
use droidmux_technique::VisiondroidSettings;
use droidmux_words::printable;

/// How long a device may take to deliver its screen.
const WITHIN: Duration = Duration::from_secs(60);

/// Dumps until two in a row are equal, at most.
const TRIES: u32 = 5;

/// The most bytes of a screenshot.
const MAX_SCREENSHOT: u64 = 64 << 20;

#[derive(Debug, Args)]
pub struct MarkArgs {
    /// The device whose screen is marked
    #[arg(long, value_name = "SERIAL", conflicts_with_all = ["layout", "screenshot"])]
    #[arg(required_unless_present = "layout")]
    device: Option<String>,
    /// A UI dump, or a state of DroidBot or Genie
    #[arg(long, value_name = "FILE", requires = "screenshot")]
    layout: Option<PathBuf>,
    /// The screenshot that belongs to the layout, PNG or JPEG
    #[arg(long, value_name = "FILE", requires = "layout")]
    screenshot: Option<PathBuf>,
    /// Where the picture goes
    #[arg(short, long, value_name = "PNG")]
    output: PathBuf,
    /// Longest side of the picture, in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = VisiondroidSettings::default().picture)]
    #[arg(value_parser = super::ranges::picture)]
    longest: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A screen, with its screenshot.
struct Shown {
    layout: Arc<Layout>,
    screenshot: Vec<u8>,
}

impl Layouts for Shown {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        (self.layout.hash() == hash).then(|| self.layout.clone())
    }
}

impl Source for Shown {
    fn screenshot(&self, hash: BlobHash) -> Option<Vec<u8>> {
        (BlobHash::of(&self.screenshot) == hash).then(|| self.screenshot.clone())
    }
}

/// Writes the picture and prints the numbered widgets.
///
/// # Errors
///
/// `Usage` for files that cannot be read or written or are of the wrong kind; another error when the device does not
/// deliver its screen.
pub fn run(args: MarkArgs) -> color_eyre::Result<ExitCode> {
    let shown = match (&args.device, &args.layout, &args.screenshot) {
        (Some(serial), ..) => of_device(serial)?,
        (None, Some(layout), Some(screenshot)) => of_files(layout, screenshot)?,
        _ => return Err(Usage::new("give --device, or --layout and --screenshot").into()),
    };
    let frame = Frame::marked(BlobHash::of(&shown.screenshot), &shown.layout);
    let png =
        draw(&Picture::Screen(frame), &shown, args.longest).map_err(|error| Usage::new(error.to_string()))?;
    let written = file::create(&args.output).and_then(|mut file| file.write_all(&png));
    written.map_err(|error| unusable(&args.output, &error))?;
    let operable = shown.layout.operable();
    let text = match args.json {
        true => json_block(&as_json(&shown.layout, &operable)),
        false => as_text(&shown.layout, &operable),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn of_device(serial: &str) -> color_eyre::Result<Shown> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let shown: color_eyre::Result<_> = runtime.block_on(async {
        let device = device_of(&Server::from_env()?, Some(serial)).await?;
        let patience = Patience::of(WITHIN);
        let layout = device.layout(TRIES, &patience).await?.layout;
        Ok((layout, device.screenshot(&patience).await?))
    });
    let (layout, screenshot) = shown?;
    Ok(Shown { layout, screenshot: screenshot.into_png().map_err(|why| eyre!("{serial}: {why}"))? })
}

fn of_files(layout: &Path, screenshot: &Path) -> Result<Shown, Usage> {
    let bytes = read(layout, MAX_BYTES as u64)?;
    let name = printable(&layout.to_string_lossy()).into_owned();
    let layout = if bytes.trim_ascii_start().starts_with(b"{") {
        read_state(&name, &bytes).map_err(|error| Usage::new(error.to_string()))?
    } else {
        Arc::new(read_dump(&bytes).map_err(|error| Usage::new(format!("{name}: {error}")))?.layout)
    };
    Ok(Shown { layout, screenshot: read(screenshot, MAX_SCREENSHOT)? })
}

fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Usage> {
    file::read(path, limit).map_err(|error| unusable(path, &error))
}

fn unusable(path: &Path, why: &dyn std::fmt::Display) -> Usage {
    Usage::new(format!("{}: {why}", printable(&path.to_string_lossy())))
}

fn as_text(layout: &Layout, operable: &[Operable]) -> String {
    let lines = listed(layout, operable).map(|(operable, widget)| {
        let name = [text_of(widget), widget.description(), widget.hint()].into_iter().find(|s| !s.is_empty());
        let id = [" #", widget.short_id()].concat();
        let parts = [
            format!("{:>3}  {:<20}", operable.number, names(operable).join(", ")),
            format!("  {}", widget.short_class()),
            if widget.short_id().is_empty() { String::new() } else { id },
            name.map_or(String::new(), |name| format!(" \"{}\"", name.chars().take(60).collect::<String>())),
        ];
        format!("{} {}\n", printable(&parts.concat()), widget.bounds())
    });
    format!("{}\n{}\n", lines.collect::<String>(), Interaction::legend())
}

fn as_json(layout: &Layout, operable: &[Operable]) -> Value {
    let widgets = listed(layout, operable).map(|(operable, widget)| {
        let bounds = widget.bounds();
        json!({
            "number": operable.number,
            "widget": operable.widget.0,
            "interactions": names(operable),
            "color": operable.interactions.first().map(|interaction| interaction.color().name),
            "class": widget.class(),
            "resource-id": widget.resource_id(),
            "text": text_of(widget),
            "content-desc": widget.description(),
            "hint": widget.hint(),
            "bounds": [bounds.left, bounds.top, bounds.right, bounds.bottom],
        })
    });
    json!({
        "layout": layout.hash(),
        "legend": Interaction::legend(),
        "widgets": widgets.collect::<Vec<Value>>(),
    })
}

fn listed<'a>(
    layout: &'a Layout,
    operable: &'a [Operable],
) -> impl Iterator<Item = (&'a Operable, Widget<'a>)> {
    operable.iter().filter_map(|operable| Some((operable, layout.get(operable.widget)?)))
}

fn names(operable: &Operable) -> Vec<&'static str> {
    operable.interactions.iter().map(|interaction| interaction.name()).collect()
}

fn text_of(widget: Widget<'_>) -> &str {
    if widget.has(Flags::PASSWORD) { "" } else { widget.text() }
}
