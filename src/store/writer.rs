//! Group commit: one thread takes writes from a queue, commits everything that is waiting as one batch with one fsync,
//! and only then acknowledges it.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::StoreError;
use super::core::{Core, Reserve};
use super::engine::{Engine, Write};
use super::key::Key;
use super::numbering::{NewEntries, Numbering};
use super::value::Packed;
use droidmux_gui::{Layout, LayoutHash};

/// The most requests and bytes of one commit.
const GROUP: usize = 256;
const GROUP_BYTES: usize = 8 << 20;

/// One request: either all of it becomes durable or none of it.
pub(super) struct Commit {
    pub writes: Vec<Write>,
    /// Stored if they are not stored yet.
    pub layouts: Vec<NewLayout>,
    /// Layouts that must be stored once this is.
    pub named: BTreeSet<LayoutHash>,
    /// Get the next numbers of their session's logs.
    pub entries: Option<NewEntries>,
    pub room: Reserve,
    /// Called when it is durable, with the number of the first entry, or when it will not become durable.
    pub done: Box<dyn FnOnce(Result<u64, StoreError>) + Send>,
}

/// A layout that may be new to the store.
pub(super) struct NewLayout {
    pub hash: LayoutHash,
    pub layout: Arc<Layout>,
    /// `None` when it was already stored when the request was made, or appeared to be.
    pub packed: Option<Packed>,
}

/// The writer's thread; ends when dropped, after finishing the queue.
pub(super) struct Writer {
    queue: Mutex<Option<Sender<Commit>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub fn start(core: Arc<Core>) -> std::io::Result<Self> {
        let (sender, queue) = channel();
        let thread = thread::Builder::new().name("store writer".to_owned());
        let thread = thread.spawn(move || run(&core, &queue))?;
        Ok(Self { queue: Mutex::new(Some(sender)), thread: Mutex::new(Some(thread)) })
    }

    /// Queues a request. Callers bound the queue: each waits for its own.
    pub fn send(&self, commit: Commit) {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let unsent = match &*queue {
            Some(sender) => sender.send(commit).err().map(|unsent| unsent.0),
            None => Some(commit),
        };
        drop(queue);
        if let Some(commit) = unsent {
            (commit.done)(Err(StoreError::Closed));
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

fn run(core: &Core, queue: &Receiver<Commit>) {
    let mut numbering = Numbering::default();
    while let Ok(first) = queue.recv() {
        let mut bytes = first.size();
        let mut group = vec![first];
        while group.len() < GROUP && bytes < GROUP_BYTES {
            let Ok(next) = queue.try_recv() else { break };
            bytes += next.size();
            group.push(next);
        }
        commit(core, &mut numbering, group);
    }
}

/// Commits a group; every request is answered.
fn commit(core: &Core, numbering: &mut Numbering, group: Vec<Commit>) {
    let mut writes = Vec::new();
    let mut waiting = Vec::new();
    let mut bytes = 0;
    // Layouts this batch adds.
    let mut added = BTreeSet::new();
    for mut request in group {
        let size = request.size();
        let admitted = core.room(request.room, bytes + size).and_then(|()| {
            let missing = core.with(|engine| missing_layouts(engine, &request, &added))?;
            let writes = pack(&mut request, &missing)?;
            let numbered = request.entries.as_ref().map(|new| numbering.number(core, new)).transpose()?;
            Ok((writes, numbered.unwrap_or_default()))
        });
        match admitted {
            Ok((mut more, (first, mut entries))) => {
                bytes += size;
                added.extend(request.layouts.iter().map(|new| new.hash));
                writes.append(&mut more);
                writes.append(&mut entries);
                waiting.push((request.done, first));
            }
            Err(error) => (request.done)(Err(error)),
        }
    }
    if waiting.is_empty() {
        return;
    }
    let result = catch_unwind(AssertUnwindSafe(|| core.commit(writes))).unwrap_or_else(|_| {
        Err(StoreError::Database { path: core.folder.clone(), why: "the commit panicked".to_owned() })
    });
    numbering.settle(result.is_ok());
    waiting.into_iter().for_each(|(done, first)| done(result.clone().map(|()| first)));
}

/// Which layouts of a request have to be stored with it; an error when it names one that would then be missing.
fn missing_layouts(
    engine: &Engine,
    request: &Commit,
    added: &BTreeSet<LayoutHash>,
) -> Result<BTreeSet<LayoutHash>, StoreError> {
    let mut missing = BTreeSet::new();
    for new in &request.layouts {
        if !added.contains(&new.hash) && !engine.contains(&Key::Layout(new.hash))? {
            missing.insert(new.hash);
        }
    }
    let given = |hash: &LayoutHash| request.layouts.iter().any(|new| new.hash == *hash);
    for hash in request.named.iter().filter(|hash| !given(hash) && !added.contains(hash)) {
        if !engine.contains(&Key::Layout(*hash))? {
            let why = format!("turns name layout {hash}, which is neither given nor stored");
            return Err(StoreError::Misuse(why));
        }
    }
    Ok(missing)
}

/// The writes of a request, including those of its layouts that are missing.
fn pack(request: &mut Commit, missing: &BTreeSet<LayoutHash>) -> Result<Vec<Write>, StoreError> {
    let mut writes = std::mem::take(&mut request.writes);
    for new in request.layouts.iter_mut().filter(|new| missing.contains(&new.hash)) {
        let packed = match new.packed.take() {
            Some(packed) => packed,
            None => pack_layout(new.hash, &new.layout)?,
        };
        writes.push(Write::Put(Key::Layout(new.hash), packed));
    }
    Ok(writes)
}

pub(super) fn pack_layout(hash: LayoutHash, layout: &Layout) -> Result<Packed, StoreError> {
    Packed::raw(&Key::Layout(hash), layout.encode())
}

impl Commit {
    fn size(&self) -> usize {
        let writes = self.writes.iter().map(|write| match write {
            Write::Put(_, packed) => packed.size(),
            Write::Remove(_) => 0,
        });
        let layouts = self.layouts.iter().filter_map(|new| new.packed.as_ref()).map(Packed::size);
        writes.sum::<usize>() + layouts.sum::<usize>()
    }
}
