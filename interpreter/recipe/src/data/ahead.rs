//! Saved nodes that are read ahead: many runs of one program look for nodes in the same folder, so it is read and its fields are found once, before
//! copies of the process start.

use super::repo;
use crate::run::run_mut;
use rchef_model::search::{self, Corpus};
use rchef_ruby::{Res, Vm};
use std::sync::{Arc, Mutex};

/// The folders of the saved nodes and the nodes in them.
type Ahead = (Vec<String>, Arc<Corpus>);

static NODES: Mutex<Option<Ahead>> = Mutex::new(None);

/// Reads the nodes of the chef-repo. Where one cannot be read, who looks for nodes reads them and says so.
pub fn read_nodes(vm: &mut Vm) -> Res<()> {
    let mut corpus = Corpus::default();
    for id in repo::json_names(vm, "nodes") {
        let saved = repo::json(vm, &format!("nodes/{id}.json"))?.unwrap_or_default();
        corpus.push(&id, &search::node(&saved, &id));
    }
    let folders = repo::places(vm, "nodes");
    if let Ok(mut nodes) = NODES.lock() {
        *nodes = Some((folders, Arc::new(corpus)));
    }
    Ok(())
}

/// Forgets them.
pub fn forget_nodes() {
    if let Ok(mut nodes) = NODES.lock() {
        *nodes = None;
    }
}

/// The nodes, if they were read ahead and are what a search would see: the run is simulated and has changed none.
pub(crate) fn nodes(vm: &mut Vm) -> Option<Arc<Corpus>> {
    let (folders, corpus) = NODES.lock().ok()?.clone()?;
    if run_mut(vm).repo.is_empty() || repo::places(vm, "nodes") != folders {
        return None;
    }
    let host = vm.host.clone();
    let overlay = host.as_overlay()?;
    folders.iter().all(|folder| !overlay.has_changed(folder.as_bytes())).then_some(corpus)
}
