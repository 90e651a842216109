//! Names that earlier runs asked a manager about. Those that custom resources declare as they run are in no collection that could be looked
//! through, so the next run learns them from here and asks about all of them at once.

use super::support::*;
use rchef_host::{OpenFlags, compose};
use rchef_recipe::run::{ActionMode, converge_mut};
use rchef_ruby::{Res, Vm};

/// How many names are kept; the list begins anew after so many.
const MOST: usize = 200;

/// What was read of the list: lines `KIND NAME`.
#[derive(Default)]
struct Known(Option<Vec<String>>);

/// Where the list is; nowhere without a cache.
fn file(vm: &mut Vm) -> Res<Option<Vec<u8>>> {
    let cache = crate::coerce::config(vm, "file_cache_path")?;
    if cache.is_nil() {
        return Ok(None);
    }
    let mut path = bytes(vm, &cache)?;
    path.extend_from_slice(b"/asked-along");
    Ok(Some(path))
}

/// Whether every manager takes a text for the name of one thing: no option, no pattern, nothing that a torn list leaves.
fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_@.:+~-".contains(c))
}

fn known(vm: &mut Vm) -> Res<Vec<String>> {
    if let Some(known) = &vm.extension::<Known>().0 {
        return Ok(known.clone());
    }
    let path = file(vm)?.unwrap_or_default();
    // a list that cannot be read only costs a question for each name
    let text = lossy(&compose::read_file(&*vm.host.clone(), &path).unwrap_or_default());
    let whole = text.lines().filter(|line| line.split_once(' ').is_some_and(|(_, name)| is_plain(name)));
    let lines: Vec<String> = whole.take(MOST).map(str::to_string).collect();
    vm.extension::<Known>().0 = Some(lines.clone());
    Ok(lines)
}

/// Adds the names of a kind to those that are asked about.
pub(crate) fn add_remembered(vm: &mut Vm, kind: &str, names: &mut Vec<String>) -> Res<()> {
    for line in known(vm)? {
        if let Some(name) = line.strip_prefix(kind).and_then(|rest| rest.strip_prefix(' '))
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_string());
        }
    }
    Ok(())
}

/// Keeps a name for the runs to come, where this one changes things.
pub(crate) fn remember(vm: &mut Vm, kind: &str, name: &str) -> Res<()> {
    let line = format!("{kind} {name}");
    let lines = known(vm)?;
    if converge_mut(vm).mode != ActionMode::Converge || !is_plain(name) || lines.contains(&line) {
        return Ok(());
    }
    let Some(path) = file(vm)? else { return Ok(()) };
    let mut flags = OpenFlags::WRONLY | OpenFlags::CREAT;
    flags = flags | if lines.len() < MOST { OpenFlags::APPEND } else { OpenFlags::TRUNC };
    let opened = vm.host.clone().open(&path, flags, 0o600);
    // as above
    let _ = opened.and_then(|handle| compose::write_all(&*handle, format!("{line}\n").as_bytes()));
    let kept = vm.extension::<Known>().0.get_or_insert_default();
    if kept.len() >= MOST {
        kept.clear();
    }
    kept.push(line);
    Ok(())
}
