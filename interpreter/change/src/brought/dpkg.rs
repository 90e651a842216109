//! Simulates dpkg: unpacking and removing files of a package, the package database (`/var/lib/dpkg`), and configuration file handling.

use super::Coming;
use super::command::named;
use crate::archive::read::{self, Kind};
use crate::shell::status_entry;
use crate::{ChangeError, Command, LARGE, Result, lossy};
use openssl::hash::MessageDigest;
use rchef_host::compose::{self, Finish};
use rchef_host::queries::ServiceState;
use rchef_host::{Files, OverlayHost, Processes, Stdio, WaitTarget, files};
use rchef_text::digest::hex;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// Directory of the package database with a file per package and kind.
const INFO: &str = "/var/lib/dpkg/info";

/// The control files that dpkg keeps of an installed package.
const KEPT: [&str; 5] = ["preinst", "postinst", "prerm", "postrm", "conffiles"];

/// Most bytes of an archive that are kept in memory. Of the files after these only those up to [`SMALL`] bytes get their content.
const HELD: usize = 64 << 20;
const SMALL: usize = 64 << 10;

/// The path of a package's file in the database. For `Multi-Arch: same` packages its name contains the architecture.
fn record(overlay: &OverlayHost, name: &str, kind: &str) -> Vec<u8> {
    let plain = format!("{INFO}/{name}.{kind}").into_bytes();
    if compose::exists(overlay, &plain) {
        return plain;
    }
    let begin = format!("{name}:");
    let entries = overlay.readdir(INFO.as_bytes()).unwrap_or_default();
    let found = entries.iter().map(|entry| lossy(&entry.name)).find(|file| {
        file.strip_prefix(&begin).and_then(|rest| rest.split_once('.')).is_some_and(|(_, of_file)| of_file == kind)
    });
    found.map_or(plain, |file| format!("{INFO}/{file}").into_bytes())
}

/// A file of an installed package in the database: its `list`, its `conffiles`, one of its scripts.
pub(super) fn kept(overlay: &OverlayHost, name: &str, kind: &str) -> Option<Vec<u8>> {
    compose::read_file(overlay, &record(overlay, name, kind)).ok()
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
}

/// Paths of packages' files that `dpkg-divert` has moved: original path, new path, diverting package.
struct Diversions(Vec<(Vec<u8>, Vec<u8>, Vec<u8>)>);

impl Diversions {
    fn of(overlay: &OverlayHost) -> Self {
        let text = compose::read_file(overlay, b"/var/lib/dpkg/diversions").unwrap_or_default();
        let rows: Vec<&[u8]> = lines(&text).collect();
        Self(rows.chunks_exact(3).map(|row| (row[0].into(), row[1].into(), row[2].into())).collect())
    }

    fn place(&self, package: &str, path: &[u8]) -> Vec<u8> {
        let found = self.0.iter().find(|(from, _, by)| from == path && by != package.as_bytes());
        found.map_or(path, |(_, to, _)| to).to_vec()
    }
}

/// Removes the files of a package; if purged, also its configuration files and database files.
pub(super) fn remove_files(overlay: &OverlayHost, name: &str, purges: bool) {
    let listed = kept(overlay, name, "list").unwrap_or_default();
    let configuration = kept(overlay, name, "conffiles").unwrap_or_default();
    let configuration: Vec<&[u8]> = lines(&configuration).collect();
    let diversions = Diversions::of(overlay);
    let mut gone = Vec::new();
    for file in lines(&listed).filter(|file| file.len() > 2) {
        if !configuration.contains(&file) || purges {
            let path = diversions.place(name, file);
            take_away(overlay, &path);
            gone.push(path);
        }
    }
    take_directories(overlay, name, gone);
    if purges {
        for kind in ["list", "conffiles", "postrm"] {
            let _ = overlay.unlink(&record(overlay, name, kind));
        }
    }
}

/// Removes a file unless it is a directory; a unit goes with its file.
fn take_away(overlay: &OverlayHost, path: &[u8]) {
    if !overlay.lstat(path).is_ok_and(|stat| !stat.is_dir()) || overlay.unlink(path).is_err() {
        return;
    }
    let unit = lossy(files::basename(path));
    if unit.ends_with(".service") {
        let gone = ServiceState {
            load: "not-found".into(),
            active: "inactive".into(),
            sub: "dead".into(),
            ..ServiceState::default()
        };
        overlay.assume_service(&unit, gone);
    }
}

/// Visits the entries of a part of an archive, extracted with `dpkg-deb`.
fn each_of(overlay: &OverlayHost, part: &str, archive: &[u8], visit: read::Visit<'_>) -> Result<()> {
    let shown = lossy(archive);
    let mut spec = Command::system(["dpkg-deb", part, &shown]).spec(overlay)?;
    spec.stderr = Stdio::Null;
    let spawned = overlay.spawn(&spec)?;
    // closing the pipe early ends dpkg-deb
    let result = spawned.stdout.map_or(Ok(()), |pipe| read::each_entry_of(&shown, pipe, visit));
    let ended = overlay.wait(WaitTarget::Pid(spawned.pid), None)?;
    result?;
    match ended {
        Some(status) if status.success() => Ok(()),
        _ => Err(ChangeError::raise("RuntimeError", format!("dpkg-deb cannot read {shown}"))),
    }
}

/// The control files of an archive: name, content, mode.
pub(super) struct Control(Vec<(String, Vec<u8>, u32)>);

impl Control {
    pub(super) fn of(overlay: &OverlayHost, archive: &[u8]) -> Result<Self> {
        let mut found = Vec::new();
        each_of(overlay, "--ctrl-tarfile", archive, &mut |entry, content| {
            let name = lossy(entry.name.strip_prefix(b"./").unwrap_or(&entry.name));
            if entry.kind != Kind::File || name != "control" && !KEPT.contains(&name.as_str()) {
                return Ok(());
            }
            let mut data = Vec::new();
            content
                .take(LARGE)
                .read_to_end(&mut data)
                .map_err(|error| ChangeError::raise("RuntimeError", error.to_string()))?;
            found.push((name, data, entry.mode));
            Ok(())
        })?;
        Ok(Self(found))
    }

    pub(super) fn file(&self, name: &str) -> Option<&[u8]> {
        self.0.iter().find(|(known, ..)| known == name).map(|(_, data, _)| data.as_slice())
    }

    /// Writes the control files and the list of `paths` into the database.
    fn keep(&self, overlay: &OverlayHost, package: &Coming, paths: &[Vec<u8>]) -> Result<()> {
        let fields = lossy(self.file("control").unwrap_or_default());
        let of_many = fields.lines().any(|row| row.replace(' ', "") == "Multi-Arch:same");
        let name = if of_many { format!("{}:{}", package.name, package.architecture) } else { package.name.clone() };
        compose::create_dir_all(overlay, INFO.as_bytes(), 0o755)?;
        for kind in KEPT {
            let path = format!("{INFO}/{name}.{kind}").into_bytes();
            match self.0.iter().find(|(known, ..)| known == kind) {
                Some((_, data, mode)) => {
                    compose::write_file(overlay, &path, data, 0o644)?;
                    compose::set_access(overlay, &path, Finish { mode: Some(*mode), ..Finish::default() }, true)?;
                }
                None if compose::exists(overlay, &path) => overlay.unlink(&path)?,
                None => {}
            }
        }
        let mut list = b"/.\n".to_vec();
        paths.iter().for_each(|path| list.extend([path, b"\n".as_slice()].concat()));
        Ok(compose::write_file(overlay, format!("{INFO}/{name}.list").as_bytes(), &list, 0o644)?)
    }
}

/// The MD5 checksum of some content in hexadecimal; None where OpenSSL forbids MD5 (FIPS).
pub(super) fn sum(content: &[u8]) -> Option<String> {
    openssl::hash::hash(MessageDigest::md5(), content).ok().map(|digest| hex(&digest))
}

/// The configuration files of the installed version of a package, with the checksums of what it shipped (`Conffiles` in dpkg's status).
fn shipped(overlay: &OverlayHost, package: &str) -> BTreeMap<Vec<u8>, String> {
    let entry = status_entry(overlay, package).unwrap_or_default();
    let rows = entry.lines().filter_map(|row| row.strip_prefix(" /")?.rsplit_once(' '));
    rows.map(|(name, sum)| (format!("/{name}").into_bytes(), sum.to_string())).collect()
}

/// What dpkg does with a configuration file of a new version.
#[derive(Debug, PartialEq)]
enum Configured {
    Replaced,
    Stays,
    NotKnown,
}

/// `brought` is the checksum of what the installed version shipped.
fn configured(overlay: &OverlayHost, path: &[u8], brought: Option<&String>, new: &[u8]) -> Configured {
    let there = match compose::read_opt(overlay, path) {
        Ok(there) => there,
        Err(_) => return Configured::NotKnown,
    };
    match (there, brought) {
        (Some(there), _) if there == new => Configured::Stays,
        (None, None) => Configured::Replaced,
        // replaced if unmodified; kept if the new version ships the same content as the old one
        (Some(there), Some(brought)) if sum(&there).as_ref() == Some(brought) => Configured::Replaced,
        (_, Some(brought)) if sum(new).as_ref() == Some(brought) => Configured::Stays,
        _ => Configured::NotKnown,
    }
}

/// Owner and mode of a path by `dpkg-statoverride`; `Err` if a name is unknown.
fn overridden(overlay: &OverlayHost, rows: &str, path: &[u8]) -> std::result::Result<Option<Finish>, ()> {
    let Some(row) = rows.lines().find(|row| row.splitn(4, ' ').nth(3).is_some_and(|name| name.as_bytes() == path))
    else {
        return Ok(None);
    };
    let words: Vec<&str> = row.splitn(4, ' ').collect();
    named(overlay, words[0], words[1], words[2]).ok().flatten().map(Some).ok_or(())
}

/// Unpacks an archive onto the overlay, replaces the old version's files and updates the database. Gives whether the result is fully known; adds
/// the paths of the files to `brought`.
pub(super) fn unpack(
    overlay: &OverlayHost,
    archive: &[u8],
    control: &Control,
    package: &Coming,
    brought: &mut BTreeSet<Vec<u8>>,
) -> Result<bool> {
    let conffiles: Vec<&[u8]> = lines(control.file("conffiles").unwrap_or_default()).collect();
    let shipped = if conffiles.is_empty() { BTreeMap::new() } else { shipped(overlay, &package.name) };
    let diversions = Diversions::of(overlay);
    let overrides = lossy(&compose::read_file(overlay, b"/var/lib/dpkg/statoverride").unwrap_or_default());
    let (mut links, mut paths, mut known, mut held) = (Vec::new(), Vec::new(), true, 0);
    each_of(overlay, "--fsys-tarfile", archive, &mut |entry, content| {
        let relative = entry.name.strip_prefix(b".").unwrap_or(&entry.name);
        let named = files::lexical(&files::join(b"/", relative.strip_prefix(b"/").unwrap_or(relative)));
        if named == b"/" {
            return Ok(());
        }
        let path = diversions.place(&package.name, &named);
        paths.push(named.clone());
        brought.insert(real(overlay, &path));
        let there = compose::lstat_opt(overlay, &path)?;
        let is_dir = there.as_ref().is_some_and(|stat| stat.is_dir());
        let mut owner = Finish {
            mode: Some(entry.mode & 0o7777),
            uid: Some(entry.user.0),
            gid: Some(entry.group.0),
            ..Finish::default()
        };
        match overridden(overlay, &overrides, &named) {
            Ok(Some(told)) => owner = told,
            Ok(None) => {}
            Err(()) => known = false,
        }
        match &entry.kind {
            Kind::Directory if overlay.stat(&path).is_ok_and(|stat| stat.is_dir()) => {}
            Kind::Directory if there.is_some() => known = false,
            Kind::Directory => {
                compose::create_dir_all(overlay, &path, 0o755)?;
                compose::set_access(overlay, &path, owner, true)?;
            }
            // a directory is kept where the archive has a link; where it has a file, dpkg fails
            Kind::Symlink(_) if is_dir => {}
            Kind::File | Kind::HardLink(_) if is_dir => known = false,
            Kind::Symlink(to) => {
                clear(overlay, &path)?;
                overlay.symlink(to, &path)?;
            }
            Kind::HardLink(to) => links.push((to.clone(), path)),
            Kind::File => {
                let is_configuration = conffiles.contains(&named.as_slice());
                let checked = is_configuration.then(|| shipped.get(&named));
                known &= put_file(overlay, &path, owner, checked, content, &mut held)?;
            }
            Kind::Special => known = false,
        }
        Ok(())
    })?;
    for (to, path) in links {
        let to = files::lexical(&files::join(b"/", to.strip_prefix(b"./").unwrap_or(&to)));
        clear(overlay, &path)?;
        overlay.link(&diversions.place(&package.name, &to), &path)?;
    }
    remove_former(overlay, package, &diversions, brought);
    control.keep(overlay, package, &paths)?;
    Ok(known)
}

/// Writes a file of an archive. `configuration` is given for configuration files: the checksum of what the installed version shipped, if it had the
/// file. `held` counts the bytes that the overlay keeps of the archive. Gives whether the result is known.
fn put_file(
    overlay: &OverlayHost,
    path: &[u8],
    owner: Finish,
    configuration: Option<Option<&String>>,
    content: &mut dyn Read,
    held: &mut usize,
) -> Result<bool> {
    let most = if *held > HELD { SMALL } else { LARGE as usize };
    let mut data = Vec::new();
    if (&mut *content).take(most as u64 + 1).read_to_end(&mut data).is_err() {
        return Ok(false);
    }
    match configuration.map(|brought| configured(overlay, path, brought, &data)) {
        None | Some(Configured::Replaced) => {}
        Some(Configured::Stays) => return Ok(true),
        Some(Configured::NotKnown) => return Ok(false),
    }
    clear(overlay, path)?;
    if data.len() <= most {
        *held += data.len();
        compose::write_file(overlay, path, &data, 0o644)?;
    } else {
        write_size(overlay, path, data.len(), content)?;
    }
    compose::set_access(overlay, path, owner, true)?;
    Ok(true)
}

/// Resolves links in the directory of a path, but not a final one.
fn real(overlay: &OverlayHost, path: &[u8]) -> Vec<u8> {
    let folder = overlay.realpath(files::dirname(path)).unwrap_or_else(|_| files::dirname(path).to_vec());
    files::join(&folder, files::basename(path))
}

/// Creates the parent directory and removes an existing file.
fn clear(overlay: &OverlayHost, path: &[u8]) -> Result<()> {
    compose::create_dir_all(overlay, files::dirname(path), 0o755)?;
    if overlay.lstat(path).is_ok() {
        overlay.unlink(path)?;
    }
    Ok(())
}

/// Creates a file with a size but without content. `read` bytes of it were read already; `rest` reads what follows.
fn write_size(overlay: &OverlayHost, path: &[u8], read: usize, rest: &mut dyn Read) -> Result<()> {
    let more = std::io::copy(rest, &mut std::io::sink()).unwrap_or_default();
    compose::write_file(overlay, path, b"", 0o644)?;
    overlay.assume_size(path, read as u64 + more);
    Ok(())
}

/// Removes files of the old version that no new package ships; configuration files stay.
fn remove_former(overlay: &OverlayHost, package: &Coming, diversions: &Diversions, brought: &BTreeSet<Vec<u8>>) {
    if package.old.is_none() {
        return;
    }
    let listed = kept(overlay, &package.name, "list").unwrap_or_default();
    let configuration = kept(overlay, &package.name, "conffiles").unwrap_or_default();
    let configuration: Vec<&[u8]> = lines(&configuration).collect();
    let mut former = Vec::new();
    for file in lines(&listed).filter(|file| file.len() > 2 && !configuration.contains(file)) {
        let path = diversions.place(&package.name, file);
        if !brought.contains(&real(overlay, &path)) {
            take_away(overlay, &path);
            former.push(path);
        }
    }
    take_directories(overlay, &package.name, former);
}

/// Removes those of a package's directories that are empty and that no other package lists.
fn take_directories(overlay: &OverlayHost, package: &str, mut paths: Vec<Vec<u8>>) {
    // a directory is listed before what it contains
    paths.reverse();
    paths.retain(|path| overlay.lstat(path).is_ok_and(|stat| stat.is_dir()));
    let is_empty = |path: &Vec<u8>| overlay.readdir(path).is_ok_and(|entries| entries.is_empty());
    if !paths.iter().any(is_empty) {
        return;
    }
    let own = record(overlay, package, "list");
    let mut of_others = BTreeSet::new();
    for entry in overlay.readdir(INFO.as_bytes()).unwrap_or_default() {
        let list = files::join(INFO.as_bytes(), &entry.name);
        if list.ends_with(b".list") && list != own {
            let text = compose::read_file(overlay, &list).unwrap_or_default();
            of_others.extend(lines(&text).filter(|line| paths.iter().any(|path| path == line)).map(<[u8]>::to_vec));
        }
    }
    for path in paths.iter().filter(|path| !of_others.contains(*path)) {
        let _ = overlay.rmdir(path);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure fails the test
    use super::super::machine;
    use super::*;

    const STATUS: &str = "Package: w\nConffiles:\n /etc/x 0\n\nPackage: x\nVersion: 1\nConffiles:\n \
        /etc/x 149603e6c03516362a8da23f624db945\n /etc/deleted 149603e6c03516362a8da23f624db945\nDescription: x\n";

    #[test]
    fn configuration_that_nobody_has_changed_is_replaced() {
        let host = machine();
        let write = |path: &str, text: &str| {
            compose::create_dir_all(&host, files::dirname(path.as_bytes()), 0o755).unwrap();
            compose::write_file(&host, path.as_bytes(), text.as_bytes(), 0o644).unwrap();
        };
        write("/var/lib/dpkg/status", STATUS);
        write("/etc/x", "old");
        write("/etc/own", "own");
        let shipped = shipped(&host, "x");
        // the checksum is that of "old"
        for (path, new, wanted) in [
            ("/etc/x", "new", Configured::Replaced),
            ("/etc/x", "old", Configured::Stays),
            ("/etc/deleted", "old", Configured::Stays),
            ("/etc/deleted", "new", Configured::NotKnown),
            ("/etc/own", "own", Configured::Stays),
            ("/etc/own", "other", Configured::NotKnown),
            ("/etc/new", "new", Configured::Replaced),
        ] {
            let found = configured(&host, path.as_bytes(), shipped.get(path.as_bytes()), new.as_bytes());
            assert_eq!(found, wanted, "{path} {new}");
        }
        write("/etc/x", "own");
        let brought = shipped.get(&b"/etc/x"[..]);
        assert_eq!(configured(&host, b"/etc/x", brought, b"new"), Configured::NotKnown);
        assert_eq!(configured(&host, b"/etc/x", brought, b"old"), Configured::Stays);
    }

    #[test]
    fn files_of_a_former_version_go_with_it() {
        let host = machine();
        let write = |path: &str, text: &str| {
            compose::create_dir_all(&host, files::dirname(path.as_bytes()), 0o755).unwrap();
            compose::write_file(&host, path.as_bytes(), text.as_bytes(), 0o644).unwrap();
        };
        for path in ["/usr/share/x/gone", "/usr/share/x/stays", "/etc/x", "/usr/share/x/moved.orig"] {
            write(path, "");
        }
        write(
            "/var/lib/dpkg/info/x:amd64.list",
            "/.\n/usr/share\n/usr/share/x\n/usr/share/x/gone\n/usr/share/x/stays\n/etc/x\n/usr/share/x/moved\n",
        );
        write("/var/lib/dpkg/info/y.list", "/.\n/usr/share\n");
        write("/var/lib/dpkg/info/x:amd64.conffiles", "/etc/x\n");
        write("/var/lib/dpkg/diversions", "/usr/share/x/moved\n/usr/share/x/moved.orig\n:\n");
        let package =
            Coming { name: "x".into(), version: "2".into(), architecture: "amd64".into(), old: Some("1".into()) };
        let there = |path: &str| host.lstat(path.as_bytes()).is_ok();
        let brought = BTreeSet::from([b"/usr/share/x/stays".to_vec()]);
        remove_former(&host, &package, &Diversions::of(&host), &brought);
        assert!(!there("/usr/share/x/gone") && there("/usr/share/x/stays") && there("/etc/x"));
        assert!(!there("/usr/share/x/moved.orig"), "it was put elsewhere");
        remove_files(&host, "x", false);
        assert!(!there("/usr/share/x/stays") && there("/etc/x"));
        remove_files(&host, "x", true);
        assert!(!there("/etc/x") && !there("/var/lib/dpkg/info/x:amd64.list"));
        assert!(!there("/usr/share/x") && there("/usr/share"), "another package has /usr/share, too");
    }
}
