//! Parallel work on all processors.

use rchef_host::RealHost;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Stack size of a worker, for recursion over deeply nested code; pages are only allocated when used.
const STACK: usize = 128 << 20;

/// Applies `each` to every item on all processors; gives the results in the order of the items.
pub fn on_all<T: Sync, R: Send>(items: &[T], each: impl Fn(&RealHost, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let whole = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(items.len().max(1)));
    let work = || {
        let host = RealHost::new();
        let mut own = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            own.push((at, each(&host, item)));
        }
        if let Ok(mut whole) = whole.lock() {
            whole.extend(own);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // if a thread cannot be started, the others do its work
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        work();
    });
    let mut parts = whole.into_inner().unwrap_or_default();
    parts.sort_by_key(|part| part.0);
    parts.into_iter().map(|(_, result)| result).collect()
}
