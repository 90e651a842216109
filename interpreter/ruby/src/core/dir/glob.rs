//! `Dir.glob`: a walk that reads each directory once for all patterns that reach it, in MRI's order. Braces are expanded where the walk reaches them:
//! all that follows, for each directory anew; after `**/` they are patterns for names.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::path::{to_path, to_path_str};
use crate::error::Res;
use crate::string::RString;
use crate::value::Value;
use rchef_host::{FileKind, Host};
use rchef_text::encoding::Encoding;
use rchef_text::fnmatch::{DOTMATCH, EXTGLOB, NOESCAPE, PATHNAME, brace_expand, fnmatch};
use std::rc::Rc;

/// A part of a pattern.
enum Segment {
    /// A literal name.
    Plain(Vec<u8>),
    /// A pattern for names.
    Magic(Vec<u8>),
    /// A part with braces.
    Brace {
        /// The patterns for names that it is short for.
        names: Vec<Vec<u8>>,
        /// The pattern from it on.
        rest: Vec<u8>,
    },
    Recursive,
    /// The end of a pattern: matches anything.
    All,
    /// The end of a pattern after a slash: matches directories.
    Directory,
}

struct Walk {
    host: Rc<dyn Host>,
    base: Vec<u8>,
    flags: u32,
    segments: Vec<Segment>,
    sort: bool,
    found: Vec<Vec<u8>>,
}

/// Whether a part has one of these characters, not escaped.
fn has(part: &[u8], wanted: &[u8], flags: u32) -> bool {
    let mut bytes = part.iter();
    while let Some(&byte) = bytes.next() {
        if wanted.contains(&byte) {
            return true;
        }
        if byte == b'\\' && flags & NOESCAPE == 0 {
            bytes.next();
        }
    }
    false
}
fn unescape(part: &[u8], flags: u32) -> Vec<u8> {
    if flags & NOESCAPE != 0 {
        return part.to_vec();
    }
    let mut out = Vec::with_capacity(part.len());
    let mut bytes = part.iter();
    while let Some(&byte) = bytes.next() {
        if byte == b'\\' {
            out.extend(bytes.next());
        } else {
            out.push(byte);
        }
    }
    out
}
/// The length of the first part of a pattern: up to a slash that is not within brackets or braces.
fn part_len(pattern: &[u8], flags: u32) -> usize {
    let (mut at, mut open) = (0, false);
    while let Some(&byte) = pattern.get(at) {
        match byte {
            b'[' | b'{' => open = true,
            b']' | b'}' => open = false,
            b'/' if !open => return at,
            b'\\' if flags & NOESCAPE == 0 => at += 1,
            _ => {}
        }
        at += 1;
    }
    pattern.len()
}
fn segments(pattern: &[u8], flags: u32) -> Vec<Segment> {
    let mut out = Vec::new();
    let mut rest = pattern;
    loop {
        if rest.is_empty() {
            out.push(Segment::Directory);
            return out;
        }
        if rest.starts_with(b"**/") {
            while rest.starts_with(b"**/") {
                rest = &rest[3..];
                while rest.first() == Some(&b'/') {
                    rest = &rest[1..];
                }
            }
            out.push(Segment::Recursive);
            continue;
        }
        let end = part_len(rest, flags);
        let part = &rest[..end];
        out.push(if has(part, b"{", flags) {
            Segment::Brace { names: brace_expand(part, flags), rest: rest.to_vec() }
        } else if has(part, b"*?[", flags) {
            Segment::Magic(part.to_vec())
        } else {
            Segment::Plain(unescape(part, flags))
        });
        if end == rest.len() {
            out.push(Segment::All);
            return out;
        }
        // further slashes are kept in what matches: the parts between them are empty names
        rest = &rest[end + 1..];
    }
}

/// What is known about a path.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    Unknown,
    Kind(FileKind),
}

/// A path that was reached.
struct Path {
    bytes: Vec<u8>,
    /// Whether a slash comes before the next name: not at the start and not after the root.
    sep: bool,
}
impl Path {
    fn joined(path: &[u8], sep: bool, name: &[u8]) -> Path {
        let slash: &[u8] = if sep { b"/" } else { b"" };
        Path { bytes: [path, slash, name].concat(), sep: true }
    }
}

impl Walk {
    fn real(&self, path: &[u8]) -> Vec<u8> {
        if self.base.is_empty() || path.first() == Some(&b'/') {
            return if path.is_empty() { b".".to_vec() } else { path.to_vec() };
        }
        if path.is_empty() { self.base.clone() } else { rchef_host::files::join(&self.base, path) }
    }
    /// Handles a path that the patterns reach at these positions; `listed` says whether a directory has been read on the way.
    fn at(&mut self, path: &Path, known: Known, list: &[usize], listed: bool) {
        let (path, sep) = (path.bytes.as_slice(), path.sep);
        let mut magic = false;
        let mut recursive = false;
        let mut plain = false;
        let (mut all, mut directory) = (false, false);
        let mut brace = false;
        for &position in list {
            let mut position = position;
            if matches!(self.segments[position], Segment::Recursive) {
                recursive = true;
                position += 1;
            }
            match self.segments[position] {
                Segment::Plain(_) => plain = true,
                Segment::Magic(_) => magic = true,
                Segment::Brace { .. } => brace |= !recursive,
                Segment::All => all = true,
                Segment::Directory => directory = true,
                Segment::Recursive => {}
            }
        }
        if brace && let Some(Segment::Brace { rest, .. }) = list.first().map(|&first| &self.segments[first]) {
            let patterns = brace_expand(rest, self.flags);
            return self.expanded((path, sep), known, &patterns, listed);
        }
        if !path.is_empty() {
            let kind = match known {
                Known::Kind(kind) => Some(kind),
                Known::Unknown if all || directory => self.host.lstat(&self.real(path)).ok().map(|stat| stat.kind()),
                Known::Unknown => None,
            };
            if all && kind.is_some() {
                self.found.push(path.to_vec());
            }
            if directory {
                let is_directory = match kind {
                    Some(FileKind::Symlink | FileKind::Unknown) => {
                        self.host.stat(&self.real(path)).is_ok_and(|stat| stat.is_dir())
                    }
                    kind => kind == Some(FileKind::Directory),
                };
                if is_directory {
                    self.found.push(Path::joined(path, sep, b"").bytes);
                }
            }
        }
        if magic || recursive {
            self.directory((path, sep), list, recursive, listed);
        } else if plain {
            self.plain((path, sep), list, listed);
        }
    }
    /// Handles a path with these patterns for what follows it, one after the other.
    fn expanded(&mut self, (path, sep): (&[u8], bool), known: Known, patterns: &[Vec<u8>], listed: bool) {
        for pattern in patterns {
            let next = if pattern.is_empty() { vec![Segment::All] } else { segments(pattern, self.flags) };
            let around = std::mem::replace(&mut self.segments, next);
            self.at(&Path { bytes: path.to_vec(), sep }, known, &[0], listed);
            self.segments = around;
        }
    }
    fn plain(&mut self, (path, sep): (&[u8], bool), list: &[usize], listed: bool) {
        let mut done: Vec<Vec<u8>> = Vec::new();
        for &position in list {
            let Segment::Plain(name) = &self.segments[position] else { continue };
            if done.contains(name) {
                continue;
            }
            let name = name.clone();
            let next: Vec<usize> = list
                .iter()
                .copied()
                .filter(|&other| matches!(&self.segments[other], Segment::Plain(known) if *known == name))
                .map(|other| other + 1)
                .collect();
            let joined = Path::joined(path, sep, &name);
            done.push(name);
            self.at(&joined, Known::Unknown, &next, listed);
        }
    }
    fn directory(&mut self, (path, sep): (&[u8], bool), list: &[usize], recursive: bool, listed: bool) {
        let Ok(entries) = self.host.readdir(&self.real(path)) else { return };
        let dots = self.flags & DOTMATCH != 0;
        let mut names: Vec<(Vec<u8>, FileKind)> = entries.into_iter().map(|entry| (entry.name, entry.kind)).collect();
        // as in MRI 3.1, `.` for the directory itself, only in the first that is read
        if !listed && (!recursive || dots) {
            names.insert(0, (b".".to_vec(), FileKind::Directory));
        }
        if self.sort {
            names.sort_by(|a, b| a.0.cmp(&b.0));
        }
        for (name, kind) in names {
            let own = name == b".";
            let hidden = name.first() == Some(&b'.');
            let mut next: Vec<usize> = Vec::new();
            for &position in list {
                let mut position = position;
                if matches!(self.segments[position], Segment::Recursive) {
                    let enter = kind == FileKind::Directory && !own && (!hidden || dots);
                    if enter && !next.contains(&position) {
                        next.push(position);
                    }
                    position += 1;
                }
                let matched = match &self.segments[position] {
                    Segment::Plain(plain) => *plain == name && !(own && recursive),
                    Segment::Magic(pattern) => fnmatch(pattern, &name, self.flags & !EXTGLOB | PATHNAME),
                    Segment::Brace { names, .. } => {
                        names.iter().any(|pattern| fnmatch(pattern, &name, self.flags & !EXTGLOB | PATHNAME))
                    }
                    _ => false,
                };
                if matched && !next.contains(&(position + 1)) {
                    next.push(position + 1);
                }
            }
            if !next.is_empty() {
                let joined = Path::joined(path, sep, &name);
                let known = if kind == FileKind::Unknown { Known::Unknown } else { Known::Kind(kind) };
                self.at(&joined, known, &next, true);
            }
        }
    }
}

/// The paths that a pattern matches, in MRI's order. `base` is empty for the working directory.
pub fn matches(host: &Rc<dyn Host>, pattern: &[u8], flags: u32, base: &[u8], sort: bool) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let patterns = if pattern.first() == Some(&b'{') { brace_expand(pattern, flags) } else { vec![pattern.to_vec()] };
    for pattern in patterns {
        if pattern.is_empty() {
            // the base itself
            if !base.is_empty() && host.lstat(base).is_ok() {
                found.push(Vec::new());
            }
            continue;
        }
        let absolute = pattern.first() == Some(&b'/');
        let rest = &pattern[usize::from(absolute)..];
        let mut walk = Walk {
            host: host.clone(),
            base: base.to_vec(),
            flags,
            segments: segments(rest, flags),
            sort,
            found: Vec::new(),
        };
        let (root, known): (&[u8], Known) =
            if absolute { (b"/", Known::Kind(FileKind::Directory)) } else { (b"", Known::Unknown) };
        walk.at(&Path { bytes: root.to_vec(), sep: false }, known, &[0], false);
        found.append(&mut walk.found);
    }
    found
}

fn pattern_arg(vm: &mut Vm, value: &Value) -> Res<RString> {
    let text = match value {
        Value::Str(text) => text.get(vm).clone(),
        other => to_path_str(vm, other)?,
    };
    if !text.encoding().is_ascii_compatible() {
        let name = text.encoding().name();
        return Err(
            vm.error(ClassId::COMPATIBILITY_ERROR, format!("incompatible character encodings: {name} and US-ASCII"))
        );
    }
    if text.bytes().contains(&0) {
        return Err(vm.argument_error("nul-separated glob pattern is deprecated"));
    }
    Ok(text)
}
fn run(vm: &mut Vm, patterns: &[Value], flags: u32, base: Option<Value>, sort: bool) -> Res<Vec<Value>> {
    let base = match base.filter(|base| !base.is_nil()) {
        Some(base) => match vm.data::<super::DirData>(&base).and_then(|data| data.path.clone()) {
            Some(path) => path,
            None => to_path(vm, &base)?,
        },
        None => Vec::new(),
    };
    let host = vm.host.clone();
    let mut found = Vec::new();
    for pattern in patterns {
        let pattern = pattern_arg(vm, pattern)?;
        let encoding = if pattern.encoding() == Encoding::UsAscii { Encoding::Utf8 } else { pattern.encoding() };
        found.extend(
            matches(&host, pattern.bytes(), flags, &base, sort)
                .into_iter()
                .map(|path| Value::string(RString::new(path, encoding))),
        );
    }
    Ok(found)
}
fn sort_arg(vm: &mut Vm, value: Option<Value>) -> Res<bool> {
    match value {
        None | Some(Value::True) => Ok(true),
        Some(Value::False) => Ok(false),
        Some(other) => {
            let shown = vm.inspect(&other)?;
            Err(vm.argument_error(format!("expected true or false as sort: {shown}")))
        }
    }
}
/// `Dir.glob(pattern, flags = 0, flags: 0, base: nil, sort: true)`
pub(super) fn glob(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let names = [Symbol::intern_static("flags"), rchef_syntax::symbol::sym::BASE, Symbol::intern_static("sort")];
    let (pos, [flags, base, sort]) = args.take_keywords(vm, names)?;
    if pos.is_empty() || pos.len() > 2 {
        return Err(vm.arity_error(pos.len(), "1..2"));
    }
    let flags = match flags.or_else(|| pos.get(1).cloned()) {
        Some(flags) => vm.to_int(&flags)? as u32,
        None => 0,
    };
    let sort = sort_arg(vm, sort)?;
    let patterns = match vm.check_ary(&pos[0])? {
        Some(array) => array.get(vm).items.clone(),
        None => vec![pos[0].clone()],
    };
    let found = run(vm, &patterns, flags, base, sort)?;
    match args.block {
        Some(block) => {
            for path in found {
                vm.yield1(block, path)?;
            }
            Ok(Value::Nil)
        }
        None => Ok(Value::array(found)),
    }
}
/// `Dir[pattern, …]`
pub(super) fn aref(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, [base, sort]) =
        args.take_keywords(vm, [rchef_syntax::symbol::sym::BASE, Symbol::intern_static("sort")])?;
    let sort = sort_arg(vm, sort)?;
    let mut patterns = Vec::new();
    for value in pos {
        match vm.check_ary(value)? {
            Some(array) => patterns.extend(array.get(vm).items.clone()),
            None => patterns.push(value.clone()),
        }
    }
    Ok(Value::array(run(vm, &patterns, 0, base, sort)?))
}
