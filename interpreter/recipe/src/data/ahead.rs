//! Saved nodes as searches see them: read and indexed once for many searches. Where many runs of one program look for nodes in the same folder, that is done
//! before copies of the process start.

use super::repo;
use crate::node::saved::{Holder, Outline, Saved};
use crate::run::run_mut;
use rchef_host::{Host, Time, compose};
use rchef_model::search::{self, Corpus, Documents};
use rchef_ruby::{Res, Vm};
use serde_json::Value as Json;
use std::sync::{Arc, Mutex};

/// Documents as a search looks at them.
#[derive(Debug, Default)]
pub struct Index {
    pub(crate) corpus: Corpus,
    /// The saved nodes that they are, in the same order; None for what is not as Chef saves it.
    saved: Vec<Option<(Arc<Text>, Outline)>>,
}

/// The text of a saved node. A node that a search has found keeps its own alone.
#[derive(Debug)]
struct Text(Vec<u8>);

/// Saved nodes that are gathered for an [`Index`].
#[derive(Default)]
pub struct Nodes {
    documents: Documents,
    saved: Vec<Option<(Arc<Text>, Outline)>>,
}

/// The folders of the saved nodes and the nodes in them.
type Known = (Vec<String>, Arc<Index>);

/// What tells that a file is the one that was read: inode, size, and when content and inode were changed.
type Stamp = (u64, u64, Time, Time);

static NODES: Mutex<Option<Known>> = Mutex::new(None);

/// Those that the run has read itself, and their files.
#[derive(Default)]
struct OfRun(Option<(Known, Vec<File>)>);

impl Nodes {
    /// Puts one in, by its name and file.
    ///
    /// # Errors
    /// The file is not JSON.
    pub fn push(&mut self, id: &str, text: Vec<u8>) -> Result<(), serde_json::Error> {
        let saved: Json = serde_json::from_slice(&text)?;
        self.documents.push(id, &search::node(saved, id));
        self.saved.push(Outline::new(&text).map(|outline| (Arc::new(Text(text)), outline)));
        Ok(())
    }
}

impl Index {
    /// Of documents that are no saved nodes.
    pub(crate) fn of(corpus: Corpus) -> Arc<Index> {
        Arc::new(Index { corpus, ..Index::default() })
    }
    /// Of saved nodes that were gathered in parts.
    pub fn new(parts: Vec<Nodes>) -> Index {
        let mut all = Index::default();
        let mut documents = Vec::with_capacity(parts.len());
        for part in parts {
            all.saved.extend(part.saved);
            documents.push(part.documents);
        }
        all.corpus = Corpus::new(documents);
        all
    }
    /// The saved node that a document is.
    pub(crate) fn saved(&self, at: usize) -> Option<Saved> {
        let (text, outline) = self.saved.get(at)?.as_ref()?;
        Some(Saved { of: text.clone(), outline: outline.clone() })
    }
}

impl Holder for Text {
    fn text(&self) -> &[u8] {
        &self.0
    }
    fn ruby(&self, vm: &mut Vm, json: &Json) -> Res {
        super::json_value(vm, json)
    }
}

/// The file of a saved node.
#[derive(PartialEq)]
pub struct File {
    pub id: String,
    /// Where it is.
    pub path: String,
    stamp: Stamp,
}

/// The files of the saved nodes that the run sees; looking at them is no read of the run's, which asks for what it searches.
///
/// # Errors
/// One is not there for the run, such as a link that leads out of the chef-repo.
pub fn files(vm: &mut Vm) -> Res<Vec<File>> {
    let mut all = Vec::new();
    for id in repo::json_names(vm, "nodes") {
        let path = repo::path(vm, &format!("nodes/{id}.json"));
        let host = vm.host.clone();
        let stat = quietly(&*host, || host.stat(path.as_bytes())).map_err(|error| vm.host_error(&error))?;
        all.push(File { id, path, stamp: (stat.ino, stat.size, stat.mtime, stat.ctime) });
    }
    Ok(all)
}

fn quietly<R>(host: &dyn Host, work: impl FnOnce() -> R) -> R {
    match host.as_overlay() {
        Some(overlay) => overlay.quietly(work),
        None => work(),
    }
}

/// Keeps nodes for the runs that follow in copies of this process.
pub fn keep(vm: &mut Vm, found: Index) {
    let folders = repo::places(vm, "nodes");
    if let Ok(mut nodes) = NODES.lock() {
        *nodes = Some((folders, Arc::new(found)));
    }
}

pub fn forget() {
    if let Ok(mut nodes) = NODES.lock() {
        *nodes = None;
    }
}

/// The saved nodes. They are read anew where one was changed: a simulated run knows what it has written, another compares the files.
pub(crate) fn nodes(vm: &mut Vm) -> Res<Arc<Index>> {
    let folders = repo::places(vm, "nodes");
    let host = vm.host.clone();
    let unchanged = |folder: &String| host.as_overlay().is_none_or(|overlay| !overlay.has_changed(folder.as_bytes()));
    let is_kept = !run_mut(vm).repo.is_empty() && folders.iter().all(unchanged);
    let listed = if host.as_overlay().is_none() { Some(files(vm)?) } else { None };
    if is_kept {
        let of_run =
            vm.extension::<OfRun>().0.as_ref().filter(|(_, read)| listed.as_ref().is_none_or(|now| now == read));
        let of_run = of_run.map(|(known, _)| known.clone());
        let ahead = NODES.lock().ok().and_then(|nodes| nodes.clone());
        if let Some((_, found)) = of_run.into_iter().chain(ahead).find(|(of, _)| *of == folders) {
            return Ok(found);
        }
    }
    let listed = listed.map_or_else(|| files(vm), Ok)?;
    let mut found = Nodes::default();
    for File { id, path, .. } in &listed {
        let text = quietly(&*host, || compose::read_file(&*host, path.as_bytes()));
        let text = text.map_err(|error| vm.host_error(&error))?;
        found.push(id, text).map_err(|error| crate::run::not_json(vm, &format!("nodes/{id}.json"), &error))?;
    }
    let found = Arc::new(Index::new(vec![found]));
    vm.extension::<OfRun>().0 = is_kept.then(|| ((folders, found.clone()), listed));
    Ok(found)
}
