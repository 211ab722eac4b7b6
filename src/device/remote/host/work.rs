//! Doing on a phone what was asked.

use std::time::Duration;

use bytes::Bytes;

use droidmux_device::{
    Began, Device, DeviceError, DeviceErrorKind, Equipment, Fixtures, Noted, PackageFile, Patience,
};

use super::files::Files;
use super::{HostOptions, fault};
use crate::wire::{
    Answer, Ask, BlobFile, EquippedWire, Fault, LookWire, ObservedWire, SettledWire, TimesWire, TrialWire,
};

/// The longest that a note is looked at again after it was written.
const LONGEST_SETTLE: Duration = Duration::from_secs(5);

type Done = (Answer, Vec<Bytes>);

/// Does it, and says what came of it.
pub(super) async fn perform(
    device: &dyn Device,
    ask: &Ask,
    files: &Files,
    options: &HostOptions,
    patience: &Patience,
) -> Result<Done, Fault> {
    let plain = |answer| Ok((answer, Vec::new()));
    match ask {
        Ask::Hello | Ask::Holds { .. } | Ask::Blob { .. } => plain(Answer::Done),
        Ask::Layout { tries } => {
            let (settled, layout) = SettledWire::of(device.layout(*tries, patience).await?);
            Ok((Answer::Settled(settled), vec![layout.into()]))
        }
        Ask::Observe { look } => observe(device, look, patience).await,
        Ask::Perform { gesture, look } => {
            let Some(look) = look else {
                device.perform(gesture, patience).await?;
                return plain(Answer::Done);
            };
            let each = Patience { within: patience.within / 2, ..patience.clone() };
            device.perform(gesture, &each).await?;
            observe(device, look, &each).await.or_else(|fault| plain(Answer::Unseen(fault)))
        }
        Ask::Screenshot => {
            let picture = device.screenshot(patience).await?;
            let png = tokio::task::spawn_blocking(move || picture.into_png()).await;
            let unusable = |why: String| fault(&ask.words(), DeviceErrorKind::Answer(why));
            let png = png.map_err(|error| unusable(error.to_string()))?;
            let png = png.map_err(|error| unusable(error.to_string()))?;
            Ok((Answer::Picture, vec![png.into()]))
        }
        Ask::Install { packages } => {
            let packages = packages.iter().map(|file| package(file, files));
            let packages = packages.collect::<Result<Vec<_>, _>>();
            let packages = packages.map_err(|why| fault(&ask.words(), DeviceErrorKind::Unsupported(why)))?;
            for package in &packages {
                let name = package_name(package);
                let name = name.map_err(|why| fault(&ask.words(), DeviceErrorKind::Uninstallable(why)))?;
                if !options.policy.allows(&name) {
                    return Err(fault(&ask.words(), options.policy.not_allowed(&name, &options.name)));
                }
            }
            device.install(&packages, patience).await?;
            plain(Answer::Done)
        }
        Ask::Furnish { files: wanted, people } => {
            let mut fixtures = Fixtures::default();
            for file in wanted {
                let bytes = files.get(file);
                let bytes = bytes.map_err(|why| fault(&ask.words(), DeviceErrorKind::Unsupported(why)))?;
                fixtures.files.insert(file.name.clone(), bytes.to_vec());
            }
            fixtures.people = people.iter().cloned().map(Into::into).collect();
            device.furnish(&fixtures, patience).await?;
            plain(Answer::Done)
        }
        _ => Ok((settings(device, ask, options, patience).await?, Vec::new())),
    }
}

/// What has a short answer.
async fn settings(
    device: &dyn Device,
    ask: &Ask,
    options: &HostOptions,
    patience: &Patience,
) -> Result<Answer, DeviceError> {
    let agent = |wanted: bool| options.agent.clone().filter(|_| wanted);
    Ok(match ask {
        Ask::Info => Answer::Info(device.info(patience).await?),
        Ask::ChoosePlace { package, place } => done(device.choose_place(package, place, patience).await)?,
        Ask::App { package } => Answer::App(device.app(package, patience).await?),
        Ask::Foreground => Answer::Foreground(device.foreground(patience).await?.into()),
        Ask::Signals => Answer::Signals(device.signals(patience).await?),
        Ask::Begin { package, beginning } => {
            Answer::Began(device.begin(package, *beginning, patience).await? == Began::WithData)
        }
        Ask::Keep { package } => Answer::Kept(device.keep(package, patience).await?),
        Ask::Start { package } => done(device.start(package, patience).await)?,
        Ask::Restart { package } => done(device.restart(package, patience).await)?,
        Ask::Equip { agent: wanted, dumps, pictures } => {
            let wanted = Equipment { agent: agent(*wanted), dumps: *dumps, pictures: *pictures };
            Answer::Equipped(EquippedWire::from(device.equip(&wanted, patience).await?))
        }
        Ask::TryTools => {
            Answer::Trials(device.try_tools(patience).await?.into_iter().map(TrialWire::from).collect())
        }
        Ask::Vitals => Answer::Vitals(device.vitals(patience).await?),
        Ask::Condition => Answer::Condition(device.condition(patience).await?),
        Ask::TimeDumps { agent: wanted } => {
            let agent = agent(*wanted);
            Answer::Times(TimesWire::from(device.time_dumps(agent.as_deref(), patience).await?))
        }
        Ask::Wake => done(device.wake(patience).await)?,
        Ask::Noted => noted(device.noted(patience).await?),
        Ask::ExchangeNote { seen, new, settle } => {
            let settle = Duration::from_millis(*settle).min(LONGEST_SETTLE);
            noted(device.exchange_note(seen.as_deref(), new, settle, patience).await?)
        }
        Ask::Prepare => done(device.prepare(patience).await)?,
        Ask::SetClock { at } => done(device.set_clock(*at, patience).await)?,
        Ask::Restore => done(device.restore(patience).await)?,
        // Those with more than a short answer.
        _ => Answer::Done,
    })
}

async fn observe(device: &dyn Device, look: &LookWire, patience: &Patience) -> Result<Done, Fault> {
    let observed = device.observe(&look.clone().manner(), look.tries, patience).await?;
    let (observed, layout) = ObservedWire::of(observed);
    Ok((Answer::Observed(observed), vec![layout.into()]))
}

fn done(done: Result<(), DeviceError>) -> Result<Answer, DeviceError> {
    done.map(|()| Answer::Done)
}

fn noted(noted: Noted) -> Answer {
    let Noted { clock, text } = noted;
    Answer::Noted { clock, text }
}

fn package(file: &BlobFile, files: &Files) -> Result<PackageFile, String> {
    let bytes = files.get(file)?;
    Ok(PackageFile { name: file.name.clone(), bytes: bytes.to_vec() })
}

/// Which app a package belongs to, by its manifest.
fn package_name(package: &PackageFile) -> Result<String, String> {
    droidmux_apk::read(&package.bytes).map(|apk| apk.package).map_err(|fault| fault.to_string())
}
