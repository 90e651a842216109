//! The differences between the overlay's files and the base.

use super::OverlayHost;
use super::tree::{Content, Entry, Inode, Origin};
use crate::files::join;
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub path: Vec<u8>,
    pub kind: ChangeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It does not exist in the base.
    Added,
    /// Its contents, mode, owner or times were set.
    Modified,
    /// It exists in the base but not in the overlay.
    Removed,
}

impl OverlayHost {
    /// All paths that differ from the base, sorted by name, so that a directory comes before its entries.
    pub fn changes(&self) -> Vec<Change> {
        let mut found = Vec::new();
        let mut work = vec![(b"/".to_vec(), Rc::clone(&self.core.root))];
        while let Some((path, node)) = work.pop() {
            self.changes_in(&path, &node, &mut found, &mut work);
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    fn changes_in(&self, dir: &[u8], node: &Rc<Inode>, found: &mut Vec<Change>, work: &mut Vec<(Vec<u8>, Rc<Inode>)>) {
        let content = node.content.borrow();
        let Content::Dir { entries, .. } = &*content else { return };
        for (name, entry) in entries {
            let path = join(dir, name);
            let kind = match entry {
                Entry::Whiteout => Some(ChangeKind::Removed),
                Entry::Node(child) => {
                    if child.is_dir() {
                        work.push((path.clone(), Rc::clone(child)));
                    }
                    match child.origin.get() {
                        Origin::Base => None,
                        Origin::Changed => Some(ChangeKind::Modified),
                        Origin::New => Some(ChangeKind::Added),
                    }
                }
            };
            found.extend(kind.map(|kind| Change { path, kind }));
        }
    }
}
