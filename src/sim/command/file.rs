//! Files: `cat ls rm mkdir rmdir touch mv cp stat df chmod restorecon readlink`.

use std::hash::{DefaultHasher, Hash, Hasher};

use bytes::Bytes;

use super::{Call, Command, light};
use crate::files::{FileError, Files, Node};

pub(super) const COMMANDS: &[Command] = &[
    light("cat", cat),
    light("ls", ls),
    light("rm", rm),
    light("mkdir", mkdir),
    light("rmdir", rmdir),
    light("touch", touch),
    light("mv", mv),
    light("cp", cp),
    light("stat", stat),
    light("df", df),
    light("chmod", chmod),
    light("sync", chmod),
    light("restorecon", chmod),
];

/// The date of everything in a simulated file system.
const DATE: &str = "2023-11-14 22:13";

/// Operands, and the letters of all options together.
fn split(call: &Call) -> (Vec<String>, String) {
    let (options, operands): (Vec<&String>, Vec<&String>) =
        call.words.iter().skip(1).partition(|word| word.len() > 1 && word.starts_with('-'));
    let letters = options.iter().map(|option| option.trim_start_matches('-')).collect();
    (operands.into_iter().cloned().collect(), letters)
}

fn cat(call: &mut Call) -> i32 {
    let (mut files, _) = split(call);
    if files.is_empty() {
        files.push("-".to_owned());
    }
    let mut code = 0;
    for file in files {
        if file == "-" {
            let input = call.input.clone();
            call.write(&input);
            continue;
        }
        let path = call.path(&file);
        if path == "/dev/null" {
            continue;
        }
        let read = special(call, &path).map_or_else(|| call.device.files().read(&path), Ok);
        match read {
            Ok(bytes) => call.write(&bytes),
            Err(error) => {
                call.complain(&format!("cat: {file}: {error}"));
                code = 1;
            }
        }
    }
    code
}

/// The few files of `/proc` that tools look at.
fn special(call: &Call, path: &str) -> Option<Bytes> {
    if path == "/proc/sys/kernel/random/boot_id" {
        // A different one for every phone, wherever it is simulated, and after every start.
        let mut hasher = DefaultHasher::new();
        (call.device.serial(), std::process::id()).hash(&mut hasher);
        let (phone, boots) = (hasher.finish(), call.device.phone().boots());
        let (first, second) = (phone >> 32, phone >> 16 & 0xffff);
        return Some(Bytes::from(format!("{first:08x}-{second:04x}-4000-8000-{boots:012x}\n")));
    }
    let text: &'static str = match path {
        "/proc/uptime" => "1000.00 4000.00\n",
        "/proc/version" => "Linux version 5.10.0-sim\n",
        "/proc/meminfo" => {
            "MemTotal:        3894608 kB\nMemFree:         1947304 kB\nMemAvailable:    2921000 kB\n"
        }
        _ => return None,
    };
    Some(Bytes::from_static(text.as_bytes()))
}

fn ls(call: &mut Call) -> i32 {
    let (mut paths, letters) = split(call);
    if paths.is_empty() {
        paths.push(".".to_owned());
    }
    let long = letters.contains('l');
    let itself = letters.contains('d');
    let several = paths.len() > 1;
    let mut code = 0;
    for shown in paths {
        let path = call.path(&shown);
        let listed = {
            let files = call.device.files();
            match files.get(&path) {
                Ok(Node::Directory) if !itself => files.list(&path).map(|inside| {
                    inside.into_iter().map(|(name, node)| entry(name, node, long)).collect::<Vec<_>>()
                }),
                Ok(node) => Ok(vec![entry(&shown, node, long)]),
                Err(error) => Err(error),
            }
        };
        match listed {
            Ok(lines) => {
                if several && !itself {
                    call.line(&format!("{shown}:"));
                } else if long && !itself && lines.len() != 1 {
                    call.line(&format!("total {}", lines.len() * 4));
                }
                for line in lines {
                    call.line(&line);
                }
            }
            Err(error) => {
                call.complain(&format!("ls: {shown}: {error}"));
                code = 1;
            }
        }
    }
    code
}

fn entry(name: &str, node: &Node, long: bool) -> String {
    if !long {
        return name.to_owned();
    }
    let mode = node.mode();
    let kind = if matches!(node, Node::Directory) { 'd' } else { '-' };
    let bits: String = (0..9)
        .map(|n| {
            let letter = ['r', 'w', 'x'][n % 3];
            if mode & (0o400 >> n) != 0 { letter } else { '-' }
        })
        .collect();
    format!("{kind}{bits} 1 shell shell {:>8} {DATE} {name}", node.size())
}

fn rm(call: &mut Call) -> i32 {
    let (paths, letters) = split(call);
    let force = letters.contains('f');
    let recursive = letters.contains(['r', 'R']);
    if paths.is_empty() && !force {
        call.complain("rm: Needs 1 argument (see \"rm --help\")");
        return 1;
    }
    let mut code = 0;
    for shown in paths {
        let path = call.path(&shown);
        let removed = call.device.files().remove(&path, recursive);
        match removed {
            Ok(()) => {}
            Err(FileError::Missing) if force => {}
            Err(error) => {
                call.complain(&format!("rm: {shown}: {error}"));
                code = 1;
            }
        }
    }
    code
}

fn mkdir(call: &mut Call) -> i32 {
    let (paths, letters) = split(call);
    each(call, "mkdir", paths, |call, path| call.device.files().make_directory(path, letters.contains('p')))
}

fn rmdir(call: &mut Call) -> i32 {
    let (paths, _) = split(call);
    each(call, "rmdir", paths, |call, path| {
        let mut files = call.device.files();
        if !files.list(path)?.is_empty() {
            return Err(FileError::NotEmpty);
        }
        files.remove(path, true)
    })
}

fn touch(call: &mut Call) -> i32 {
    let (paths, _) = split(call);
    each(call, "touch", paths, |call, path| {
        let mut files = call.device.files();
        match files.get(path) {
            Err(FileError::Missing) => files.write(path, Bytes::new(), 0o644, false),
            other => other.map(|_| ()),
        }
    })
}

fn each(
    call: &mut Call,
    name: &str,
    paths: Vec<String>,
    work: impl Fn(&Call, &str) -> Result<(), FileError>,
) -> i32 {
    let mut code = 0;
    for shown in paths {
        let path = call.path(&shown);
        if let Err(error) = work(call, &path) {
            call.complain(&format!("{name}: '{shown}': {error}"));
            code = 1;
        }
    }
    code
}

fn cp(call: &mut Call) -> i32 {
    copy(call, "cp", false)
}

fn mv(call: &mut Call) -> i32 {
    copy(call, "mv", true)
}

fn copy(call: &mut Call, name: &str, and_remove: bool) -> i32 {
    let (paths, letters) = split(call);
    let [from, to] = paths.as_slice() else {
        call.complain(&format!("{name}: Needs 2 arguments (see \"{name} --help\")"));
        return 1;
    };
    let (source, mut target) = (call.path(from), call.path(to));
    let deep = letters.contains(['a', 'r', 'R']) && !and_remove;
    let outcome = {
        let mut files = call.device.files();
        // `cp -a folder/. there` copies what is in the folder.
        let content = from.ends_with("/.");
        if matches!(files.get(&target), Ok(Node::Directory)) && !content {
            let file = source.rsplit('/').next().unwrap_or_default();
            target = format!("{target}/{file}");
        }
        let copied = match files.get(&source) {
            Ok(Node::Directory) if deep => copy_folder(&mut files, &source, &target),
            _ => files.input(&source).and_then(|bytes| files.write(&target, bytes, 0o644, false)),
        };
        match copied {
            Ok(()) if and_remove => files.remove(&source, false),
            other => other,
        }
    };
    if let Err(error) = outcome {
        call.complain(&format!("{name}: bad '{from}': {error}"));
        return 1;
    }
    0
}

fn copy_folder(files: &mut Files, source: &str, target: &str) -> Result<(), FileError> {
    let source = source.trim_end_matches("/.");
    let nodes: Vec<(String, Node)> =
        files.below(source)?.into_iter().map(|(at, node)| (at.to_owned(), node.clone())).collect();
    let root = nodes.first().map_or(0, |(at, _)| at.len());
    for (at, node) in nodes {
        let to = format!("{target}{}", at.get(root..).unwrap_or_default());
        match node {
            Node::Directory => files.make_directory(&to, true)?,
            Node::File { bytes, mode } => files.write(&to, bytes, mode, false)?,
        }
    }
    Ok(())
}

/// `stat [-c FORMAT] FILE…`: of the formats name, size, owner, group and permissions. Everything is the shell's.
fn stat(call: &mut Call) -> i32 {
    let format = call.option("-c").map(str::to_owned);
    let (files, _) = split(call);
    let mut code = 0;
    for file in files.into_iter().filter(|file| Some(file) != format.as_ref()) {
        let path = call.path(&file);
        let found = call.device.files().get(&path).cloned();
        match found {
            Ok(node) => {
                let size = node.size().to_string();
                let text = match &format {
                    Some(format) => format
                        .replace("%s", &size)
                        .replace("%u", "2000")
                        .replace("%g", "2000")
                        .replace("%a", &format!("{:o}", node.mode() & 0o777))
                        .replace("%n", &file),
                    None => format!(
                        "  File: {file}\n  Size: {size}\t Blocks: 8\t IO Blocks: 512\t{}",
                        if node == Node::Directory { "directory" } else { "regular file" }
                    ),
                };
                call.line(&text);
            }
            Err(error) => {
                call.complain(&format!("stat: '{file}': {error}"));
                code = 1;
            }
        }
    }
    code
}

/// `df [PATH…]` in blocks of 1 KiB: the data partition, which `/sdcard` lies on too.
fn df(call: &mut Call) -> i32 {
    const BLOCKS: u64 = 32 << 20;
    const SYSTEM: u64 = 8 << 20;
    let (mut paths, _) = split(call);
    if paths.is_empty() {
        paths.extend(["/data".to_owned(), "/sdcard".to_owned()]);
    }
    call.line("Filesystem       1K-blocks    Used Available Use% Mounted on");
    let used =
        if call.device.files().is_full() { BLOCKS } else { SYSTEM + call.device.files().used() / 1_024 };
    let used = used.min(BLOCKS);
    let percent = (used * 100).div_ceil(BLOCKS);
    let mut code = 0;
    for shown in paths {
        let path = call.path(&shown);
        let (device, mounted) = match path.as_str() {
            path if path == "/data" || path.starts_with("/data/") => ("/dev/block/dm-5", "/data"),
            path if path.starts_with("/sdcard") || path.starts_with("/storage") => {
                ("/dev/fuse", "/storage/emulated")
            }
            _ => {
                call.complain(&format!("df: {shown}: No such file or directory"));
                code = 1;
                continue;
            }
        };
        call.line(&format!(
            "{device:<16} {BLOCKS:>9} {used:>7} {:>9} {percent:>3}% {mounted}",
            BLOCKS - used
        ));
    }
    code
}

/// Permissions mean nothing here: one user, one process.
fn chmod(_: &mut Call) -> i32 {
    0
}
