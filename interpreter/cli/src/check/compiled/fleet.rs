//! Compiles many units: cookbooks are found, read and parsed once, then each unit is compiled in a forked process, with as many processes as
//! processors. A unit that crashes or does not end affects no other one.

use super::learnt::{self, Learnt};
use super::unit::{Repository, Unit};
use crate::check::parallel::on_all;
use crate::compile;
use rchef_host::{Clock, Files, RealHost, compose, in_copies, settle_memory};
use rchef_recipe::data::ahead::{self, Index, Nodes};
use rchef_ruby::Vm;
use rchef_ruby::syntax_ahead::{ParseKind, forget_ahead, parse_ahead};
use serde_json::Value as Json;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Minimum number of units for which all files are parsed in advance.
const MANY: usize = 4;

/// Code that contains this word may search for nodes.
const SEARCH: &[u8] = b"search";

/// Processes a unit's dump in the forked process; the parent receives the bytes.
pub type Each<'a> = dyn Fn(&RealHost, &Unit, Result<Json, String>) -> Vec<u8> + 'a;

/// Compiles units and applies `each` to every dump; gives the results in the order of the units, with None for a unit that crashed or timed out.
///
/// # Errors
/// Invalid arguments (`arguments` gives a unit's arguments of `rchef compile`), or a process that cannot be forked.
pub fn compile_all(
    repository: &Repository,
    units: &[Unit],
    arguments: &dyn Fn(&Unit) -> Vec<String>,
    each: &Each<'_>,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Option<Vec<u8>>>, String> {
    let mut asked = Vec::new();
    for unit in units {
        let mut options = parsed(&arguments(unit))?;
        options.node.edited = repository.edited.clone();
        asked.push(options);
    }
    let real = || -> Result<Rc<RealHost>, String> {
        let real = RealHost::new();
        real.chdir(repository.folder.as_bytes())
            .map_err(|error| format!("{}: {}", repository.folder, error.message()))?;
        Ok(Rc::new(real))
    };
    let base = real()?;
    let mut ready: Option<Vm> = None;
    if let Some(first) = asked.first().filter(|_| units.len() >= MANY)
        && let Some((mut vm, files)) = compile::ready(&base, first)
    {
        let searches = AtomicBool::new(false);
        on_all(&files, |host, path| {
            // an edited file is parsed by its compiles
            let Ok(source) = compose::read_file(host, path.as_bytes()) else { return };
            if source.windows(SEARCH.len()).any(|word| word == SEARCH) {
                searches.store(true, Ordering::Relaxed);
            }
            let kind = if path.contains("/libraries/") { ParseKind::File } else { ParseKind::Evaluated };
            parse_ahead(path, &source, kind);
        });
        if searches.into_inner() {
            read_nodes(&mut vm);
        }
        ready = Some(vm);
    }
    let ready = Cell::new(ready);
    let results = RefCell::new(vec![None; units.len()]);
    let at_once = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let work = |at: usize| -> Vec<u8> {
        let host = RealHost::new();
        let dump = real().and_then(|real| {
            let (document, _) = compile::collect(&real, &asked[at], ready.take())?;
            Ok(document.into())
        });
        learnt::written(each(&host, &units[at], dump))
    };
    rchef_stdlib::prepare_digests();
    alone(&base);
    let (mut done, mut learnt) = (0, Learnt::default());
    let run = in_copies(units.len(), at_once, &work, &mut |at, answer| {
        done += 1;
        progress(done);
        results.borrow_mut()[at] = answer.and_then(|answer| learnt.read(&answer));
    });
    forget_ahead();
    ahead::forget();
    run.map_err(|error| format!("copies of this process: {error}"))?;
    Ok(results.into_inner())
}

/// Reads the saved nodes in advance. Does nothing if one cannot be read: the search reports that.
fn read_nodes(vm: &mut Vm) {
    let Ok(files) = ahead::files(vm) else { return };
    // few large parts, so that the memory of each is contiguous, and more than one a thread: a part is freed when it has been joined
    let at_once = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let shares: Vec<_> = files.chunks(files.len().div_ceil(4 * at_once).max(1)).collect();
    let parts = on_all(&shares, |host, share| {
        let mut part = Nodes::default();
        for file in share.iter() {
            part.push(&file.id, compose::read_file(host, file.path.as_bytes()).ok()?).ok()?;
        }
        Some(part)
    });
    if let Some(parts) = parts.into_iter().collect() {
        ahead::keep(vm, Index::new(parts));
        settle_memory();
    }
}

/// Waits until the kernel no longer lists the finished worker threads, because a process must have one thread when it forks.
fn alone(host: &RealHost) {
    const TURNS: u32 = 1000;
    let threads = || host.readdir(b"/proc/self/task").map_or(1, |tasks| tasks.len());
    for _ in 0..TURNS {
        if threads() <= 1 || host.sleep(Duration::from_millis(1)).is_err() {
            return;
        }
    }
}

/// Parses the options of `rchef compile`.
fn parsed(arguments: &[String]) -> Result<compile::Options, String> {
    use clap::Parser;
    compile::Options::try_parse_from(std::iter::once("rchef check".to_string()).chain(arguments.iter().cloned()))
        .map_err(|error| error.render().to_string())
}
