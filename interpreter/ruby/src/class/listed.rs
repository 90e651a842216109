//! A list of classes by their numbers, each once, in the order in which they were added.

/// Up to this length the list is searched; most classes have few that depend on them.
const SHORT: usize = 16;

#[derive(Default)]
pub(super) struct Listed {
    list: Vec<u64>,
    /// A bit for each class of a list that is not short, by its number: classes are numbered from 0.
    known: Vec<u64>,
}

impl Listed {
    /// Adds a class; false if it is there.
    pub(super) fn insert(&mut self, id: u64) -> bool {
        if self.contains(id) {
            return false;
        }
        self.list.push(id);
        match self.list.len() {
            ..=SHORT => {}
            len if len == SHORT + 1 => (0..len).for_each(|at| self.mark(self.list[at])),
            _ => self.mark(id),
        }
        true
    }

    fn mark(&mut self, id: u64) {
        let (word, bit) = place(id);
        if self.known.len() <= word {
            self.known.resize(word + 1, 0);
        }
        self.known[word] |= bit;
    }

    pub(super) fn contains(&self, id: u64) -> bool {
        let (word, bit) = place(id);
        if self.list.len() <= SHORT {
            self.list.contains(&id)
        } else {
            self.known.get(word).is_some_and(|known| known & bit != 0)
        }
    }

    pub(super) fn get(&self, index: usize) -> Option<u64> {
        self.list.get(index).copied()
    }

    pub(super) fn into_list(self) -> Vec<u64> {
        self.list
    }
}

/// The word and the bit of a class.
fn place(id: u64) -> (usize, u64) {
    (id as usize / 64, 1 << (id % 64))
}
