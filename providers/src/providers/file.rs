//! `file`, and the common algorithm of the resources that write a file (SPEC-converge 3.1).

use super::access;
use super::support::*;
use rchef_host::{FileKind, SetTime, Stat, compose, files};
use rchef_recipe::events::RAW;
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_recipe::run::chef_error;
use rchef_ruby::{Res, Symbol, Value, Vm};
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// Provider of `file`.
pub(crate) struct File;

/// Actions of the family.
pub(crate) const ACTIONS: &[&str] = &["create", "create_if_missing", "delete", "touch"];

impl Provider for File {
    fn actions(&self) -> &'static [&'static str] {
        ACTIONS
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, action: Symbol) -> Res<Plan> {
        plan(vm, resource, action, |vm| {
            let content = get(vm, resource, "content")?;
            if content.is_nil() { Ok(None) } else { bytes(vm, &content).map(Some) }
        })
    }
}

/// SHA-256 in hexadecimal.
pub(crate) fn checksum(data: &[u8]) -> String {
    openssl::sha::sha256(data).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Plans an action; `content` is asked for only when it is needed.
pub(crate) fn plan(
    vm: &mut Vm,
    resource: &Value,
    action: Symbol,
    content: impl FnOnce(&mut Vm) -> Res<Option<Vec<u8>>>,
) -> Res<Plan> {
    let path = text(vm, resource, "path")?;
    let there = on(vm, |host| compose::lstat_opt(host, path.as_bytes()))?;
    match action.as_str() {
        "delete" => delete(vm, resource, action, &path, there.as_ref()),
        "create_if_missing" => {
            if on(vm, |host| Ok(compose::exists(host, path.as_bytes())))? {
                return Ok(Vec::new());
            }
            create(vm, resource, action, path, there, content)
        }
        "touch" => {
            let mut plan = create(vm, resource, action, path.clone(), there, content)?;
            plan.push(step(format!("update utime on file {path}"), move |vm, _| {
                on(vm, |host| host.set_times(path.as_bytes(), SetTime::Now, SetTime::Now, true))
            }));
            Ok(plan)
        }
        _ => create(vm, resource, action, path, there, content),
    }
}

fn delete(vm: &mut Vm, resource: &Value, action: Symbol, path: &str, there: Option<&Stat>) -> Res<Plan> {
    if !on(vm, |host| Ok(compose::exists(host, path.as_bytes())))? {
        return Ok(Vec::new());
    }
    let writable = on(vm, |host| Ok(host.access(path.as_bytes(), rchef_host::Access::WRITE, true).is_ok()))?;
    require(
        vm,
        resource,
        action,
        writable,
        "InsufficientPermissions",
        &format!("File {path} exists but is not writable so it cannot be deleted"),
        &[],
    )?;
    let keep = there.is_some_and(|stat| !stat.is_symlink());
    let path = path.to_string();
    Ok(vec![step(format!("delete file {path}"), move |vm, resource| {
        if keep {
            backup(vm, resource, &path)?;
        }
        on(vm, |host| host.unlink(path.as_bytes()))
    })])
}

fn kind_name(kind: FileKind) -> &'static str {
    match kind {
        FileKind::BlockDevice => "block device",
        FileKind::CharDevice => "char device",
        FileKind::Directory => "directory",
        FileKind::Fifo => "pipe",
        FileKind::Socket => "socket",
        FileKind::Symlink => "symlink",
        FileKind::File | FileKind::Unknown => "unknown filetype",
    }
}

/// What is at the path: error class, message and assumption when it is in the way.
fn in_the_way(vm: &mut Vm, resource: &Value, path: &str, there: &Stat) -> Res<Option<(&'static str, String, String)>> {
    if there.is_file() {
        return Ok(None);
    }
    let manage = get(vm, resource, "manage_symlink_source")?;
    if there.is_symlink() && (manage.is_nil() || manage.truthy()) {
        let target = on(vm, |host| host.readlink(path.as_bytes())).map(|bytes| lossy(&bytes))?;
        let host = vm.host.clone();
        let real = match host.realpath(path.as_bytes()) {
            Ok(real) => real,
            Err(error) => {
                let (how, assume) = match error.name() {
                    Some("ELOOP") => ("creates a loop", "Assuming symlink loop would be fixed by a previous resource"),
                    _ => (
                        "leads to a nonexistent file",
                        "Assuming symlink source would be created by a previous resource",
                    ),
                };
                let message =
                    format!("Symlink at {path} (pointing to {target}) exists but attempting to resolve it {how}");
                return Ok(Some(("InvalidSymlink", message, assume.into())));
            }
        };
        if manage.is_nil() {
            let shown = vm.to_s_text(resource)?;
            log(
                vm,
                "warn",
                &format!(
                    "File {path} managed by {shown} is really a symlink (to {}). Managing the source file instead.",
                    lossy(&real)
                ),
            )?;
            log(vm, "warn", "Disable this warning by setting `manage_symlink_source true` on the resource")?;
            log(vm, "warn", "In a future release, 'manage_symlink_source' will not be enabled by default")?;
        }
        let stat = on(vm, |host| host.stat(&real))?;
        if stat.is_file() {
            return Ok(None);
        }
        let (real, kind) = (lossy(&real), kind_name(stat.kind()));
        return Ok(Some((
            "FileTypeMismatch",
            format!(
                "File {path} exists, but is a symlink to {real} which is a {kind}. Disable manage_symlink_source and set force_unlink to remove it."
            ),
            format!("Assuming symlink {path} or source file {real} would have been fixed by a previous resource"),
        )));
    }
    if flag(vm, resource, "force_unlink")? {
        return Ok(None);
    }
    let kind = kind_name(there.kind());
    Ok(Some((
        "FileTypeMismatch",
        format!("File {path} exists, but is a {kind}, set force_unlink to true to remove"),
        format!("Assuming {kind} at {path} would have been removed by a previous resource"),
    )))
}

fn create(
    vm: &mut Vm,
    resource: &Value,
    action: Symbol,
    path: String,
    there: Option<Stat>,
    content: impl FnOnce(&mut Vm) -> Res<Option<Vec<u8>>>,
) -> Res<Plan> {
    let access = access::wanted(vm, resource, action)?;
    let parent = lossy(files::dirname(path.as_bytes()));
    let has_parent = on(vm, |host| Ok(host.stat(parent.as_bytes()).is_ok_and(|stat| stat.is_dir())))?;
    require(
        vm,
        resource,
        action,
        has_parent,
        "EnclosingDirectoryDoesNotExist",
        &format!("Parent directory {parent} does not exist."),
        &[format!("Assuming directory {parent} would have been created")],
    )?;
    if let Some(stat) = &there
        && let Some((class, message, assume)) = in_the_way(vm, resource, &path, stat)?
    {
        require(vm, resource, action, false, class, &message, &[assume])?;
        return Ok(Vec::new());
    }
    let content = content(vm)?;
    check_checksum(vm, resource, content.as_deref())?;
    let followed = there.as_ref().is_some_and(Stat::is_symlink) && {
        let manage = get(vm, resource, "manage_symlink_source")?;
        manage.is_nil() || manage.truthy()
    };
    let unlink = there.as_ref().filter(|stat| !stat.is_file() && !followed).map(Stat::kind);
    let target = if followed { lossy(&on(vm, |host| host.realpath(path.as_bytes()))?) } else { path.clone() };
    let now = if unlink.is_some() { None } else { on(vm, |host| compose::stat_opt(host, target.as_bytes()))? };
    let old = match (&now, &content) {
        (Some(_), Some(_)) => Some(on(vm, |host| compose::read_file(host, target.as_bytes()))?),
        _ => None,
    };
    let differs = content.is_some() && old != content;
    if differs {
        super::verify::check(vm, resource, &target, content.as_deref().unwrap_or_default())?;
    }
    let mut plan: Plan = Vec::new();
    if let Some(kind) = unlink {
        let path = path.clone();
        plan.push(step(format!("unlink {} at {path}", kind_name(kind)), move |vm, _| {
            on(vm, |host| compose::remove_dir_all(host, path.as_bytes()))
        }));
    }
    let finish = compose::Finish { mode: access.mode, uid: access.uid(), gid: access.gid(), sync: false };
    if now.is_none() {
        // with content to come, the file appears complete, with its owner and mode
        let (file, touch) = (target.clone(), content.is_none());
        plan.push(step(format!("create new file {path}"), move |vm, _| {
            if touch { on(vm, |host| compose::atomic_write(host, file.as_bytes(), b"", finish)) } else { Ok(()) }
        }));
    }
    if let Some(content) = content
        && (differs || now.is_none())
        && !(now.is_none() && why_run(vm))
    {
        let change = content_change(vm, resource, &path, target, old, content, now.is_none().then_some(finish))?;
        plan.push(change);
    }
    plan.extend(access.plan(vm, &path, now.as_ref(), false)?);
    Ok(plan)
}

fn check_checksum(vm: &mut Vm, resource: &Value, content: Option<&[u8]>) -> Res<()> {
    let (Some(wanted), Some(content)) = (text_opt(vm, resource, "checksum")?, content) else { return Ok(()) };
    let found = checksum(content);
    if wanted.eq_ignore_ascii_case(&found) {
        return Ok(());
    }
    let short = |sum: &str| sum.chars().take(6).collect::<String>();
    Err(chef_error(
        vm,
        "ChecksumMismatch",
        format!(
            "Checksum on resource ({}...) does not match checksum on content ({}...)",
            short(&wanted),
            short(&found)
        ),
    ))
}

/// The step that replaces the content; `new` tells how a file that is not there is finished.
fn content_change(
    vm: &mut Vm,
    resource: &Value,
    path: &str,
    target: String,
    old: Option<Vec<u8>>,
    content: Vec<u8>,
    new: Option<compose::Finish>,
) -> Res<Box<dyn rchef_recipe::provider::native::Change>> {
    let sum = checksum(&content);
    let before = old.as_deref().map_or("none".to_string(), |old| checksum(old)[..6].to_string());
    let mut lines = vec![format!("update content in file {path} from {before} to {}", &sum[..6])];
    if flag(vm, resource, "sensitive")? {
        lines.push("suppressed sensitive resource".into());
    } else {
        lines.extend(diff(vm, &target, old.as_deref(), &content)?.into_iter().map(|line| format!("{RAW}{line}")));
    }
    let atomic = flag(vm, resource, "atomic_update")?;
    Ok(steps(lines, move |vm, resource| {
        if new.is_none() {
            backup(vm, resource, &target)?;
        }
        on(vm, |host| match new {
            Some(finish) => compose::atomic_write(host, target.as_bytes(), &content, finish),
            None if atomic => compose::atomic_write(host, target.as_bytes(), &content, compose::Finish::default()),
            None => compose::write_file(host, target.as_bytes(), &content, 0o666),
        })?;
        vm.ivar_set(resource, Symbol::intern_static("@final_checksum"), Value::str(&sum));
        Ok(())
    }))
}

/// "Is a directory", as Linux numbers it.
const EISDIR: i32 = 21;

/// Keeps a copy under `file_backup_path` and removes the oldest above the number of `backup`.
fn backup(vm: &mut Vm, resource: &Value, path: &str) -> Res<()> {
    let keep = match get(vm, resource, "backup")? {
        Value::Int(number) if number > 0 => number as usize,
        _ => return Ok(()),
    };
    let root = crate::coerce::config(vm, "file_backup_path")?;
    let root = if root.is_nil() { String::new() } else { vm.to_s_text(&root)? };
    let now = vm.host.wall_ns();
    let zone = vm.host.local_zone(now.div_euclid(1_000_000_000)).offset;
    let time = civil(now.div_euclid(1_000_000_000) + i64::from(zone));
    let stamp = format!(
        "{:04}{:02}{:02}{:02}{:02}{:02}.{:06}",
        time.0,
        time.1,
        time.2,
        time.3,
        time.4,
        time.5,
        now.rem_euclid(1_000_000_000) / 1000
    );
    let prefix = format!("{root}{path}.chef-");
    on(vm, |host| {
        let stat = host.stat(path.as_bytes())?;
        if stat.is_dir() {
            // as the copy fails that Chef makes
            return Err(rchef_host::HostError::at(EISDIR, "read", b"read"));
        }
        let dir = files::dirname(prefix.as_bytes()).to_vec();
        compose::create_dir_all(host, &dir, 0o777)?;
        let data = compose::read_file(host, path.as_bytes())?;
        let copy = format!("{prefix}{stamp}");
        // the owner is kept where the process may
        let exact = compose::Finish { mode: Some(stat.perm()), uid: Some(stat.uid), gid: Some(stat.gid), sync: false };
        if compose::atomic_write(host, copy.as_bytes(), &data, exact).is_err() {
            compose::atomic_write(
                host,
                copy.as_bytes(),
                &data,
                compose::Finish { mode: Some(stat.perm()), ..compose::Finish::default() },
            )?;
        }
        host.set_times(copy.as_bytes(), SetTime::At(stat.atime), SetTime::At(stat.mtime), true)?;
        let base = files::basename(prefix.as_bytes()).to_vec();
        let mut old: Vec<Vec<u8>> =
            host.readdir(&dir)?.into_iter().map(|entry| entry.name).filter(|name| name.starts_with(&base)).collect();
        old.sort();
        let extra = old.len().saturating_sub(keep);
        for name in &old[..extra] {
            host.unlink(&files::join(&dir, name))?;
        }
        Ok(())
    })
}

/// Year, month, day, hour, minute, second of seconds since 1970.
fn civil(secs: i64) -> (i64, i64, i64, i64, i64, i64) {
    let (days, rest) = (secs.div_euclid(86400), secs.rem_euclid(86400));
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, date, rest / 3600, rest % 3600 / 60, rest % 60)
}

fn stamp(vm: &mut Vm, time: rchef_host::Time) -> String {
    let offset = vm.host.local_zone(time.secs).offset;
    let (year, month, day, hour, minute, second) = civil(time.secs + i64::from(offset));
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
    format!(
        "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{:09} {sign}{:02}{:02}",
        time.nanos,
        minutes / 60,
        minutes % 60
    )
}

/// Six letters and digits, as the names of temporary files have.
fn letters(number: u32) -> String {
    let digit = |place: u32| char::from_digit(number / 36u32.pow(place) % 36, 36).unwrap_or('0');
    (0..6).map(digit).collect()
}

fn is_binary(data: &[u8]) -> bool {
    match std::str::from_utf8(data) {
        Ok(text) => text.chars().any(|c| c.is_control() && !c.is_whitespace()),
        Err(_) => true,
    }
}

fn limit(vm: &mut Vm, key: &'static str, default: usize) -> Res<usize> {
    let value = crate::coerce::config(vm, key)?;
    Ok(match value {
        Value::Int(number) => number.max(0) as usize,
        _ => default,
    })
}

/// The lines that show a change of content (SPEC-converge 3.3).
pub(crate) fn diff(vm: &mut Vm, path: &str, old: Option<&[u8]>, new: &[u8]) -> Res<Vec<String>> {
    if crate::coerce::config(vm, "diff_disabled")?.truthy() {
        return Ok(vec!["(diff output suppressed by config)".into()]);
    }
    let (size, output) =
        (limit(vm, "diff_filesize_threshold", 10_000_000)?, limit(vm, "diff_output_threshold", 1_000_000)?);
    let before = old.unwrap_or_default();
    if before.len() > size || new.len() > size {
        return Ok(vec![format!("(file sizes exceed {size} bytes, diff output suppressed)")]);
    }
    if is_binary(before) {
        return Ok(vec!["(current file is binary, diff output suppressed)".into()]);
    }
    if is_binary(new) {
        return Ok(vec!["(new content is binary, diff output suppressed)".into()]);
    }
    let (from, to) = (lossy(before), lossy(new));
    let changes = TextDiff::configure().timeout(Duration::from_secs(2)).diff_lines(from.as_str(), to.as_str());
    let mut lines = Vec::new();
    for hunk in changes.unified_diff().context_radius(3).iter_hunks() {
        lines.push(hunk.header().to_string());
        for change in hunk.iter_changes() {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            lines.push(format!("{sign}{}", change.value().trim_end_matches(['\n', '\r'])));
        }
    }
    if lines.is_empty() {
        return Ok(vec!["(no diff)".into()]);
    }
    if lines.iter().map(|line| line.len() + 1).sum::<usize>() > output {
        return Ok(vec![format!("(long diff of over {output} characters, diff output suppressed)")]);
    }
    let now = rchef_host::Time::from_ns(vm.host.wall_ns());
    let modified =
        on(vm, |host| compose::stat_opt(host, path.as_bytes())).ok().flatten().map_or(now, |stat| stat.mtime);
    let (dir, base) = (lossy(files::dirname(path.as_bytes())), lossy(files::basename(path.as_bytes())));
    let (stem, ext) = base.split_at(base.get(1..).and_then(|rest| rest.find('.')).map_or(base.len(), |at| at + 1));
    let day = civil(now.secs + i64::from(vm.host.local_zone(now.secs).offset));
    let staged = format!(
        "{}/.chef-{stem}{:04}{:02}{:02}-{}-{}{ext}",
        dir.trim_end_matches('/'),
        day.0,
        day.1,
        day.2,
        vm.host.pid(),
        letters(now.nanos)
    );
    let head = [format!("--- {path}\t{}", stamp(vm, modified)), format!("+++ {staged}\t{}", stamp(vm, now))];
    Ok(head.into_iter().chain(lines).collect())
}
