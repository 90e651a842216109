//! Names that the last run looked up in a package or service manager. Custom resources declare theirs while they run, so they are in no resource
//! collection beforehand; this run gets them from the last run's list and looks all of them up in one call.

use super::support::*;
use rchef_change::{Change, Remember};
use rchef_host::compose;
use rchef_recipe::events::{Sink, sinks};
use rchef_recipe::run::{ActionMode, converge_mut};
use rchef_ruby::{Res, Vm};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Maximum number of names.
const MOST: usize = 200;

/// Lines `KIND NAME`: those of the last run, once they are read, and those of this run.
#[derive(Default)]
struct Names {
    earlier: Option<Rc<BTreeSet<String>>>,
    now: BTreeSet<String>,
}

/// Writes the names at the end of a successful run.
struct Keeper;

impl Sink for Keeper {
    fn converge_complete(&self, vm: &mut Vm) {
        // without the list, the next run makes one more call for each name
        let _ = keep(vm);
    }
}

/// The path of the list; None without a file cache.
fn file(vm: &mut Vm) -> Res<Option<Vec<u8>>> {
    let cache = crate::coerce::config(vm, "file_cache_path")?;
    if cache.is_nil() {
        return Ok(None);
    }
    let mut path = bytes(vm, &cache)?;
    path.extend_from_slice(b"/asked-along");
    Ok(Some(path))
}

/// Whether every manager takes this for one name: no option, no pattern, and not a fragment of a truncated list.
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

/// Adds the last run's names of this kind.
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

/// Records a name for the next run.
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
