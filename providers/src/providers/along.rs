//! Names that the last run asked a manager about. Those that custom resources declare as they run are in no collection that could be looked
//! through, so the next run learns them from here and asks about all of them at once.

use super::support::*;
use rchef_change::{Change, Remember};
use rchef_host::compose;
use rchef_recipe::events::{Sink, sinks};
use rchef_recipe::run::{ActionMode, converge_mut};
use rchef_ruby::{Res, Vm};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many names are kept.
const MOST: usize = 200;

/// Lines `KIND NAME`: the last run's, once they were read, and this run's.
#[derive(Default)]
struct Names {
    earlier: Option<Rc<BTreeSet<String>>>,
    now: BTreeSet<String>,
}

/// Writes the names of a run that went well.
struct Keeper;

impl Sink for Keeper {
    fn converge_complete(&self, vm: &mut Vm) {
        // without the list the next run only asks once more for each name
        let _ = keep(vm);
    }
}

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

fn earlier(vm: &mut Vm) -> Res<Rc<BTreeSet<String>>> {
    if let Some(earlier) = &vm.extension::<Names>().earlier {
        return Ok(earlier.clone());
    }
    let path = file(vm)?.unwrap_or_default();
    let text = lossy(&compose::read_file(&*vm.host.clone(), &path).unwrap_or_default());
    let whole = text.lines().filter(|line| line.split_once(' ').is_some_and(|(_, name)| is_plain(name)));
    let earlier: Rc<BTreeSet<String>> = Rc::new(whole.take(MOST).map(str::to_string).collect());
    vm.extension::<Names>().earlier = Some(earlier.clone());
    sinks(vm).push(Rc::new(Keeper));
    Ok(earlier)
}

/// Adds the names of a kind to those that are asked about.
pub(crate) fn add_remembered(vm: &mut Vm, kind: &str, names: &mut Vec<String>) -> Res<()> {
    for line in earlier(vm)?.iter() {
        if let Some(name) = line.strip_prefix(kind).and_then(|rest| rest.strip_prefix(' '))
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_string());
        }
    }
    Ok(())
}

/// Keeps a name for the next run.
pub(crate) fn remember(vm: &mut Vm, kind: &str, name: &str) {
    let now = &mut vm.extension::<Names>().now;
    if is_plain(name) && now.len() < MOST {
        now.insert(format!("{kind} {name}"));
    }
}

fn keep(vm: &mut Vm) -> Res<()> {
    let (earlier, path) = (earlier(vm)?, file(vm)?);
    let now = &vm.extension::<Names>().now;
    let content: String = now.iter().flat_map(|line| [line, "\n"]).collect();
    let is_known = *now == *earlier;
    let Some(path) = path.filter(|_| !is_known && converge_mut(vm).mode == ActionMode::Converge) else { return Ok(()) };
    let change = Change::Remember(Remember { path, content: content.into_bytes() });
    let host = vm.host.clone();
    change.apply(&*host).map(drop).map_err(|error| raised(vm, &error))
}
