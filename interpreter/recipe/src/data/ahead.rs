//! Saved nodes as searches see them, read and indexed once for many searches. If many runs of one process search the same folder, that is done
//! before the process forks.

use super::repo;
use crate::node::saved::{Holder, Outline, Saved};
use crate::run::run_mut;
use rchef_host::{Host, Time, compose};
use rchef_model::search::{self, Corpus, Documents};
use rchef_ruby::{Res, Vm};
use serde_json::Value as Json;
use std::sync::{Arc, Mutex};

/// Documents in the form that a search uses.
#[derive(Debug, Default)]
pub struct Index {
    pub(crate) corpus: Corpus,
    /// The saved node of each document; None if it is not in Chef's format.
    saved: Vec<Option<(Arc<Text>, Outline)>>,
}

/// The text of one saved node, shared so that a found node does not keep the others in memory.
#[derive(Debug)]
struct Text(Vec<u8>);

/// Saved nodes on their way into an [`Index`].
#[derive(Default)]
pub struct Nodes {
    documents: Documents,
    saved: Vec<Option<(Arc<Text>, Outline)>>,
}

/// The folders of the saved nodes, and the nodes in them.
type Known = (Vec<String>, Arc<Index>);

/// Identifies the state of a file: inode, size, and the times of the last change of content and inode.
type Stamp = (u64, u64, Time, Time);

static NODES: Mutex<Option<Known>> = Mutex::new(None);

/// The nodes that the run itself has read, and their files.
#[derive(Default)]
struct OfRun(Option<(Known, Vec<File>)>);

impl Nodes {
    /// Adds a node by its name and the text of its file.
    ///
    /// # Errors
    /// The text is not JSON.
    pub fn push(&mut self, id: &str, text: Vec<u8>) -> Result<(), serde_json::Error> {
        let saved: Json = serde_json::from_slice(&text)?;
        self.documents.push(id, &search::node(saved, id));
        self.saved.push(Outline::new(&text).map(|outline| (Arc::new(Text(text)), outline)));
        Ok(())
    }
}

impl Index {
    /// An index of documents that are not saved nodes.
    pub(crate) fn of(corpus: Corpus) -> Arc<Index> {
        Arc::new(Index { corpus, ..Index::default() })
    }
    /// An index of saved nodes that were read in parts.
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
    /// The saved node of a document.
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
    pub path: String,
    stamp: Stamp,
}

/// The files of the saved nodes that the run can see. This does not count as a read of the run, which records its searches instead.
///
/// # Errors
/// The run cannot see a file, for instance behind a symbolic link that leads out of the chef-repo.
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

/// Keeps the nodes for runs in forks of this process.
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

/// The saved nodes. They are read again if one has changed: the overlay of a compile knows which folders it has written; in a run and in a plan, whose
/// overlay keeps no record, the files are compared.
pub(crate) fn nodes(vm: &mut Vm) -> Res<Arc<Index>> {
    let folders = repo::places(vm, "nodes");
    let host = vm.host.clone();
    let recorded = host.as_overlay().filter(|overlay| !overlay.simulates());
    let unchanged = |folder: &String| recorded.is_none_or(|overlay| !overlay.has_changed(folder.as_bytes()));
    let is_kept = !run_mut(vm).repo.is_empty() && folders.iter().all(unchanged);
    let listed = if recorded.is_none() { Some(files(vm)?) } else { None };
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
