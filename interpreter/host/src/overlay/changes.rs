//! What the overlay's files differ in from the base.

use super::OverlayHost;
use super::tree::{Content, Entry, Inode, Origin};
use crate::files::join;
use std::rc::Rc;

/// A path that differs from the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub path: Vec<u8>,
    pub kind: ChangeKind,
}

/// How a path differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The base has none.
    Added,
    /// Contents, mode, owner or times were set.
    Modified,
    /// The base has one.
    Removed,
}

impl OverlayHost {
    /// Every path that differs from the base, a directory before what is in it, by name.
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
