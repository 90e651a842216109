//! What packages of Debian bring: the packages that come along, the files of their archives, and what their scripts do where
//! debhelper has written them.
//!
//! A plan reads the archives that apt would fetch, from apt's own cache or from one of the plan's. What a script does beyond
//! the forms that are known here is noted as not known.

use crate::archive::read::{self, Kind};
use crate::package::{Manager, PackageChange, PackageVerb};
use crate::user::free_system_id;
use crate::{Command, Result, lossy};
use rchef_host::compose::{self, Finish};
use rchef_host::queries::{Package, ServiceState, unit_name};
use rchef_host::{DoubtKind, Files, Group, OpenFlags, OverlayHost, Purpose, Queries, User, Users, files};
use std::collections::BTreeMap;

/// Most that is downloaded to look at, in bytes.
const MOST: u64 = 150 << 20;

/// Files that are larger are there with their size, without their content.
const LARGE: usize = 1 << 20;

/// A package that will be installed.
struct Coming {
    name: String,
    version: String,
    architecture: String,
}

/// Takes what the packages of a change bring as there.
pub(crate) fn assume(change: &PackageChange, overlay: &OverlayHost) -> Result<()> {
    let before = overlay.set_purpose(Purpose::Query);
    let result = overlay.with_all_rights(|| match change.verb {
        PackageVerb::Install | PackageVerb::Upgrade => install(change, overlay),
        PackageVerb::Remove | PackageVerb::Purge => remove(change, overlay),
        _ => Ok(()),
    });
    overlay.set_purpose(before);
    result
}

/// The files of removed packages go, except for configuration.
fn remove(change: &PackageChange, overlay: &OverlayHost) -> Result<()> {
    if change.manager != Manager::Dpkg {
        overlay.doubt(DoubtKind::Contents, format!("removal of {}", change.shown).as_bytes());
        return Ok(());
    }
    for item in &change.items {
        let name = item.real.as_ref().unwrap_or(&item.name);
        let path = |suffix: &str| format!("/var/lib/dpkg/info/{name}.{suffix}").into_bytes();
        let listed = compose::read_file(overlay, &path("list")).unwrap_or_default();
        let kept = compose::read_file(overlay, &path("conffiles")).unwrap_or_default();
        let kept: Vec<&[u8]> = kept.split(|byte| *byte == b'\n').collect();
        let purges = change.verb == PackageVerb::Purge;
        for file in listed.split(|byte| *byte == b'\n').filter(|file| file.len() > 2) {
            let Ok(stat) = overlay.lstat(file) else { continue };
            if stat.is_dir() || kept.contains(&file) && !purges {
                continue;
            }
            let unit = lossy(files::basename(file));
            if unit.ends_with(".service") && overlay.unlink(file).is_ok() {
                overlay.assume_service(&unit, gone());
            } else {
                let _ = overlay.unlink(file);
            }
        }
    }
    Ok(())
}

fn gone() -> ServiceState {
    ServiceState { load: "not-found".into(), active: "inactive".into(), sub: "dead".into(), ..ServiceState::default() }
}

fn install(change: &PackageChange, overlay: &OverlayHost) -> Result<()> {
    let unknown = |what: &str| overlay.doubt(DoubtKind::Contents, what.as_bytes());
    let shown = format!("package {}", change.shown);
    let apt = change.commands.iter().find(|command| command.has_word("apt-get"));
    let apt = apt.filter(|_| change.manager == Manager::Dpkg);
    let Some((apt, coming)) = apt.and_then(|apt| Some((apt, simulate(apt, overlay)?))) else {
        unknown(&shown);
        return Ok(());
    };
    for package in &coming {
        let known = overlay.package(&package.name)?.unwrap_or_default();
        let installed = Package {
            name: package.name.clone(),
            version: package.version.clone(),
            architecture: package.architecture.clone(),
            want: "install".into(),
            flag: "ok".into(),
            state: "installed".into(),
            provides: known.provides,
        };
        overlay.assume_package(&package.name, Some(installed));
    }
    let archives = match overlay.archives() {
        Some(folder) => fetch(apt, &coming, overlay, folder),
        None => BTreeMap::new(),
    };
    let mut scripts = Vec::new();
    for package in &coming {
        let Some(archive) = archives.get(&package.name) else {
            unknown(&format!("package {}", package.name));
            continue;
        };
        unpack(overlay, archive, &package.name)?;
    }
    for package in &coming {
        let Some(archive) = archives.get(&package.name) else { continue };
        if !configure(overlay, archive)? {
            scripts.push(package.name.as_str());
        }
    }
    if !scripts.is_empty() {
        unknown(&format!("what the installation scripts of {} do", scripts.join(", ")));
    }
    Ok(())
}

/// The words of an `apt-get` command with others put in front of its own.
fn with_words(apt: &Command, words: &[&str]) -> Command {
    let mut argv: Vec<String> = apt.program.to_argv().iter().map(|word| lossy(word)).collect();
    for word in words.iter().rev() {
        argv.insert(1, (*word).to_string());
    }
    Command::system(argv)
}

/// What apt would install, by its own simulation, which needs no rights; absent where it cannot tell.
fn simulate(apt: &Command, overlay: &OverlayHost) -> Option<Vec<Coming>> {
    let output = with_words(apt, &["-s"]).query(overlay).ok().filter(|output| output.status.success())?;
    let text = lossy(&output.stdout);
    let mut coming = Vec::new();
    // Inst NAME [OLD] (VERSION SOURCE [ARCHITECTURE]) …
    for line in text.lines() {
        let Some(rest) = line.strip_prefix("Inst ") else { continue };
        let name = rest.split(' ').next()?.to_string();
        let inner = rest.split_once('(')?.1.split_once(')')?.0;
        let version = inner.split(' ').next()?.to_string();
        let architecture = inner.rsplit_once('[')?.1.trim_end_matches(']').to_string();
        coming.push(Coming { name, version, architecture });
    }
    Some(coming)
}

/// The archives by package: from apt's cache, else fetched into a folder of the plan's.
fn fetch(apt: &Command, coming: &[Coming], overlay: &OverlayHost, folder: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let look = |found: &mut BTreeMap<String, Vec<u8>>| {
        for package in coming {
            let version = package.version.replace(':', "%3a");
            let file = format!("{}_{version}_{}.deb", package.name, package.architecture);
            for place in [b"/var/cache/apt/archives".as_slice(), folder] {
                let path = files::join(place, file.as_bytes());
                if overlay.base().stat(&path).is_ok_and(|stat| stat.is_file()) {
                    found.entry(package.name.clone()).or_insert(path);
                }
            }
        }
    };
    look(&mut found);
    let lacking: Vec<&Coming> = coming.iter().filter(|package| !found.contains_key(&package.name)).collect();
    if lacking.is_empty() {
        return found;
    }
    // 'ADDRESS' FILE SIZE CHECKSUM
    let sizes =
        with_words(apt, &["--print-uris"]).query(overlay).map(|output| lossy(&output.stdout)).unwrap_or_default();
    let size: u64 = sizes.lines().filter_map(|line| line.rsplit(' ').nth(1)?.parse::<u64>().ok()).sum();
    if size > MOST || compose::create_dir_all(overlay.base(), folder, 0o755).is_err() {
        return found;
    }
    let wanted = lacking.iter().map(|package| format!("{}:{}={}", package.name, package.architecture, package.version));
    let plain = |word: String| word.replace(":all=", "=");
    let words = ["apt-get", "-q", "download"].into_iter().map(str::to_string).chain(wanted.map(plain));
    let mut download = Command::system(words);
    download.cwd = Some(folder.to_vec());
    let _ = download.query(overlay);
    look(&mut found);
    found
}

/// What `dpkg-deb` says of an archive.
fn ask(overlay: &OverlayHost, words: &[&str]) -> Option<Vec<u8>> {
    let output = Command::system(words).query(overlay).ok()?;
    output.status.success().then_some(output.stdout)
}

/// Puts the files of an archive onto the overlay. Configuration that is there stays as it is.
fn unpack(overlay: &OverlayHost, archive: &[u8], name: &str) -> Result<()> {
    let shown = lossy(archive);
    let Some(tar) = ask(overlay, &["dpkg-deb", "--fsys-tarfile", &shown]) else {
        overlay.doubt(DoubtKind::Contents, format!("package {name}").as_bytes());
        return Ok(());
    };
    let conffiles = ask(overlay, &["dpkg-deb", "-I", &shown, "conffiles"]).unwrap_or_default();
    let conffiles: Vec<&[u8]> = conffiles.split(|byte| *byte == b'\n').collect();
    // the archive reader takes a file; the overlay's temporary one is in memory
    let staged = compose::temp_file(overlay, b"/tmp", b"rchef-plan-", b".tar")?;
    compose::write_all(&*staged.1, &tar)?;
    drop(tar);
    let mut links = Vec::new();
    let result = read::each_entry(overlay, &staged.0, &mut |entry, content| {
        let relative = entry.name.strip_prefix(b".").unwrap_or(&entry.name);
        let path = files::lexical(&files::join(b"/", relative.strip_prefix(b"/").unwrap_or(relative)));
        if path == b"/" {
            return Ok(());
        }
        let there = compose::lstat_opt(overlay, &path)?;
        let owner = Finish {
            mode: Some(entry.mode & 0o7777),
            uid: Some(entry.user.0),
            gid: Some(entry.group.0),
            ..Finish::default()
        };
        match &entry.kind {
            Kind::Directory if there.is_some() => {}
            Kind::Directory => {
                compose::create_dir_all(overlay, &path, 0o755)?;
                compose::set_access(overlay, &path, owner, true)?;
            }
            Kind::Symlink(to) if there.is_none() => overlay.symlink(to, &path)?,
            Kind::HardLink(to) if there.is_none() => links.push((to.clone(), path)),
            Kind::File if there.is_some() && conffiles.contains(&path.as_slice()) => {}
            Kind::File => {
                let mut data = Vec::new();
                if content.read_to_end(&mut data).is_err() {
                    return Ok(());
                }
                compose::create_dir_all(overlay, files::dirname(&path), 0o755)?;
                if data.len() > LARGE {
                    let flags = OpenFlags::WRONLY | OpenFlags::CREAT | OpenFlags::TRUNC;
                    overlay.open(&path, flags, 0o644)?.truncate(data.len() as u64)?;
                } else {
                    compose::write_file(overlay, &path, &data, 0o644)?;
                }
                compose::set_access(overlay, &path, owner, true)?;
            }
            _ => {}
        }
        Ok(())
    });
    overlay.unlink(&staged.0)?;
    for (to, path) in links {
        let to = files::lexical(&files::join(b"/", to.strip_prefix(b"./").unwrap_or(&to)));
        let _ = overlay.link(&to, &path);
    }
    result
}

/// Takes the installation script of an archive as run; whether all of it is known.
fn configure(overlay: &OverlayHost, archive: &[u8]) -> Result<bool> {
    let Some(script) = ask(overlay, &["dpkg-deb", "-I", &lossy(archive), "postinst"]) else { return Ok(true) };
    let script = lossy(&script);
    let mut variables: Vec<(String, String)> = Vec::new();
    let mut known = true;
    let (mut generated, mut started, mut left) = (false, Vec::new(), Vec::<String>::new());
    for line in script.replace("\\\n", " ").lines() {
        let line = line.trim();
        if line.starts_with("# Automatically added by") {
            generated = true;
        } else if line.starts_with("# End automatically added section") {
            generated = false;
        }
        if let Some((name, value)) = line.split_once('=')
            && !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !value.contains(['$', '`'])
        {
            variables.push((name.into(), value.trim_matches(['"', '\'']).into()));
            continue;
        }
        let words: Vec<String> = line.split_whitespace().map(|word| plain(word, &variables)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.starts_with(['>', '|'])).collect();
        let at = |name: &str| words.iter().position(|word| *word == name);
        if line.contains("deb-systemd-helper debian-installed") {
            // a unit that is only enabled again where it was before
            left.extend(words.iter().filter(|word| word.contains('.')).map(|unit| unit.to_string()));
        } else if let Some(at) = at("deb-systemd-helper").filter(|at| words.get(at + 1) == Some(&"enable")) {
            let units = words[at + 2..].iter().filter(|unit| unit.contains('.'));
            units.filter(|unit| !left.iter().any(|left| left == *unit)).for_each(|unit| enable(overlay, unit));
        } else if let Some(at) = at("systemd-tmpfiles") {
            for name in words[at + 1..].iter().filter(|word| word.ends_with(".conf")) {
                temporary(overlay, name)?;
            }
        } else if let Some(at) = at("deb-systemd-invoke") {
            started.extend(words[at + 2..].iter().filter(|unit| unit.contains('.')).map(|unit| (*unit).to_string()));
        } else if let Some(at) = at("invoke-rc.d").filter(|_| !words.contains(&"--skip-systemd-native")) {
            started.extend(words[at + 1..].iter().find(|word| !word.starts_with('-')).map(|unit| (*unit).to_string()));
        } else if let Some(at) = words.iter().position(|word| ["adduser", "useradd"].contains(word)) {
            account(overlay, words[at], &words[at + 1..])?;
        } else if let Some(at) = words.iter().position(|word| ["addgroup", "groupadd"].contains(word)) {
            account(overlay, words[at], &words[at + 1..])?;
        } else if let Some(at) = at("mkdir").or_else(|| at("install").filter(|_| words.contains(&"-d"))) {
            for path in words[at + 1..].iter().filter(|word| word.starts_with('/')) {
                compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
            }
        } else if let Some(at) = at("ucf").or_else(|| at("cp")) {
            if let [.., from, to] = words[at + 1..]
                && to.starts_with('/')
                && from.starts_with('/')
            {
                copy(overlay, from, to)?;
            }
        } else if !generated && is_own(line) {
            known = false;
        }
    }
    if is_allowed(overlay) {
        started.iter().for_each(|unit| start(overlay, unit));
    }
    Ok(known)
}

/// Whether a line of a script does something that is not accounted for; what only steers the script does not.
fn is_own(line: &str) -> bool {
    const STEERING: &[&str] = &[
        "",
        "#",
        "if",
        "fi",
        "else",
        "elif",
        "then",
        "case",
        "esac",
        "exit",
        "set",
        "true",
        ":",
        "for",
        "done",
        "do",
        "return",
        "}",
        ";;",
        ".",
        "db_get",
        "db_stop",
        "db_input",
        "db_go",
        "db_version",
        "local",
        "echo",
        "test",
        "[",
        "while",
        "shift",
        "break",
    ];
    let first = line.split_whitespace().next().unwrap_or_default();
    !STEERING.contains(&first)
        && !first.starts_with('#')
        && !first.ends_with([')', '{'])
        && !first.ends_with("()")
        && !line.ends_with("() {")
        && !line.contains("dpkg-maintscript-helper")
}

/// A word without quotes, variables replaced by what they were last set to.
fn plain(word: &str, variables: &[(String, String)]) -> String {
    let mut word = word.replace(['"', '\''], "");
    for (name, value) in variables.iter().rev() {
        word = word.replace(&format!("${{{name}}}"), value).replace(&format!("${name}"), value);
    }
    word.trim_end_matches([';']).to_string()
}

fn copy(overlay: &OverlayHost, from: &str, to: &str) -> Result<()> {
    let Ok(content) = compose::read_file(overlay, from.as_bytes()) else { return Ok(()) };
    if compose::lstat_opt(overlay, to.as_bytes())?.is_none() {
        compose::create_dir_all(overlay, files::dirname(to.as_bytes()), 0o755)?;
        compose::write_file(overlay, to.as_bytes(), &content, 0o644)?;
    }
    Ok(())
}

/// Whether packages may start their services.
fn is_allowed(overlay: &OverlayHost) -> bool {
    overlay.stat(b"/usr/sbin/policy-rc.d").is_err()
}

fn enable(overlay: &OverlayHost, unit: &str) {
    let state = overlay.services(&[unit]).unwrap_or_default().get(unit).cloned().unwrap_or_default();
    if state.unit_file == "disabled" || state.unit_file.is_empty() {
        overlay.assume_service(unit, ServiceState { unit_file: "enabled".into(), load: "loaded".into(), ..state });
    }
}

/// A package starts a unit that is enabled, and whose conditions hold.
fn start(overlay: &OverlayHost, unit: &str) {
    let unit = unit_name(unit);
    if !overlay.systemd_running() {
        return;
    }
    let state = overlay.services(&[&unit]).unwrap_or_default().get(&unit).cloned().unwrap_or_default();
    if state.unit_file != "enabled" {
        return;
    }
    match holds(overlay, &state.fragment) {
        Some(true) => drop(overlay.assume_unit_verb("start", &unit)),
        Some(false) => {}
        None => overlay
            .doubt(DoubtKind::Effects, format!("the start of {unit}, whose conditions cannot be told,").as_bytes()),
    }
}

/// Whether the conditions of a unit hold; absent where that cannot be told.
fn holds(overlay: &OverlayHost, fragment: &str) -> Option<bool> {
    let text = compose::read_file(overlay, fragment.as_bytes()).ok()?;
    let mut holds = true;
    for line in lossy(&text).lines() {
        let Some((key, value)) = line.trim().split_once('=') else { continue };
        let (wanted, value) = value.strip_prefix('!').map_or((true, value), |value| (false, value));
        let found = match key {
            "ConditionPathExists" | "AssertPathExists" => compose::exists(overlay, value.as_bytes()),
            "ConditionPathIsDirectory" => overlay.stat(value.as_bytes()).is_ok_and(|stat| stat.is_dir()),
            "ConditionFileNotEmpty" => overlay.stat(value.as_bytes()).is_ok_and(|stat| stat.size > 0),
            "ConditionVirtualization" if value == "container" => compose::exists(overlay, b"/run/systemd/container"),
            "ConditionCapability" => has_capability(overlay, value)?,
            _ if key.starts_with("Condition") || key.starts_with("Assert") => return None,
            _ => continue,
        };
        holds &= found == wanted;
    }
    Some(holds)
}

/// Whether processes of this machine may have a capability.
fn has_capability(overlay: &OverlayHost, name: &str) -> Option<bool> {
    const NUMBERS: &[(&str, u32)] = &[
        ("CAP_NET_ADMIN", 12),
        ("CAP_SYS_MODULE", 16),
        ("CAP_SYS_ADMIN", 21),
        ("CAP_SYS_TIME", 25),
        ("CAP_AUDIT_CONTROL", 30),
    ];
    let number = NUMBERS.iter().find(|(known, _)| *known == name)?.1;
    let status = lossy(&compose::read_file(overlay, b"/proc/1/status").ok()?);
    let bound = status.lines().find_map(|line| line.strip_prefix("CapBnd:"))?.trim().to_string();
    Some(u64::from_str_radix(&bound, 16).ok()? >> number & 1 == 1)
}

/// Makes the directories of a file of tmpfiles.d.
fn temporary(overlay: &OverlayHost, name: &str) -> Result<()> {
    let Ok(text) = compose::read_file(overlay, format!("/usr/lib/tmpfiles.d/{name}").as_bytes()) else { return Ok(()) };
    for line in lossy(&text).lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [kind, path, rest @ ..] = &words[..] else { continue };
        if !kind.starts_with(['d', 'D']) || path.contains('%') {
            continue;
        }
        compose::create_dir_all(overlay, path.as_bytes(), 0o755)?;
        let mode = rest.first().and_then(|mode| u32::from_str_radix(mode, 8).ok());
        let user = rest.get(1).map(|name| overlay.user_by_name(name.as_bytes())).transpose()?.flatten();
        let group = rest.get(2).map(|name| overlay.group_by_name(name.as_bytes())).transpose()?.flatten();
        let owner =
            Finish { mode, uid: user.map(|user| user.uid), gid: group.map(|group| group.gid), ..Finish::default() };
        compose::set_access(overlay, path.as_bytes(), owner, true)?;
    }
    Ok(())
}

/// Takes an account as made that a script makes by `adduser` or `addgroup` and their like.
fn account(overlay: &OverlayHost, program: &str, words: &[&str]) -> Result<()> {
    let is_user = matches!(program, "adduser" | "useradd");
    let value = |names: &[&str]| -> Option<String> {
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            for name in names {
                if word == name {
                    return rest.next().map(|value| (*value).to_string());
                }
                if let Some(value) = word.strip_prefix(&format!("{name}=")) {
                    return Some(value.to_string());
                }
            }
        }
        None
    };
    let valued = [
        "--home",
        "--shell",
        "--gecos",
        "--ingroup",
        "--gid",
        "--uid",
        "--comment",
        "-d",
        "-s",
        "-c",
        "-g",
        "-u",
        "--home-dir",
    ];
    let mut names = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if valued.contains(word) {
            rest.next();
        } else if !word.starts_with('-')
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
        {
            names.push((*word).to_string());
        } else if !word.starts_with('-') {
            break;
        }
    }
    let Some(name) = names.first() else { return Ok(()) };
    // `adduser USER GROUP` adds a member
    if is_user && names.len() == 2 && !words.contains(&"--system") {
        if let Some(mut group) = overlay.group_by_name(names[1].as_bytes())?
            && !group.members.iter().any(|member| member == name.as_bytes())
        {
            group.members.push(name.clone().into_bytes());
            overlay.assume_group(names[1].as_bytes(), Some(&group))?;
        }
        return Ok(());
    }
    let id = free_system_id(overlay)?;
    let named_group = value(&["--ingroup", "--gid", "-g"]);
    // useradd makes a group for each user (USERGROUPS_ENAB in Debian's login.defs), adduser for a system user only when asked
    let useradd = program == "useradd";
    let own_group = match (is_user, useradd) {
        (false, _) => true,
        (true, true) => named_group.is_none() && !words.contains(&"-N") && !words.contains(&"--no-user-group"),
        (true, false) => words.contains(&"--group"),
    };
    if own_group && overlay.group_by_name(name.as_bytes())?.is_none() {
        let group = Group { name: name.clone().into_bytes(), passwd: b"x".to_vec(), gid: id, members: Vec::new() };
        overlay.assume_group(name.as_bytes(), Some(&group))?;
    }
    if !is_user || overlay.user_by_name(name.as_bytes())?.is_some() {
        return Ok(());
    }
    let group = named_group.unwrap_or_else(|| if own_group { name.clone() } else { "nogroup".into() });
    let gid = overlay.group_by_name(group.as_bytes())?.map_or(id, |group| group.gid);
    let home = value(&["--home", "--home-dir", "-d"]).unwrap_or_else(|| format!("/home/{name}"));
    let mut comment = value(&["--gecos", "--comment", "-c"]).unwrap_or_default();
    if program == "adduser" && !comment.contains(',') {
        // the fields that adduser was not told of
        comment.push_str(",,,");
    }
    let user = User {
        name: name.clone().into_bytes(),
        passwd: b"x".to_vec(),
        uid: id,
        gid,
        gecos: comment.into_bytes(),
        dir: home.clone().into_bytes(),
        shell: value(&["--shell", "-s"]).unwrap_or_else(|| "/usr/sbin/nologin".into()).into_bytes(),
    };
    overlay.assume_user(name.as_bytes(), Some(&user))?;
    crate::user::assume_locked(overlay, name, true);
    let makes_home = if useradd {
        words.contains(&"-m") || words.contains(&"--create-home")
    } else {
        !words.contains(&"--no-create-home")
    };
    if makes_home && !compose::exists(overlay, home.as_bytes()) {
        compose::create_dir_all(overlay, home.as_bytes(), 0o755)?;
        let owner = Finish { uid: Some(id), gid: Some(gid), ..Finish::default() };
        compose::set_access(overlay, home.as_bytes(), owner, true)?;
    }
    Ok(())
}
