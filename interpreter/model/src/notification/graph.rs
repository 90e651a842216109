//! The notifications of one run context: the declared ones, those whose target is not declared yet, and the delayed queue.

use super::{Notice, Timing};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

type Table<N> = IndexMap<String, Vec<N>, FxBuildHasher>;

/// What to do with a notification that is declared after its sender has run and was updated (by `subscribes` to a resource that ran when it was
/// declared).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Late {
    /// Send it now, or park it until its target is declared.
    Send,
    Queue,
    /// Too late: a `before` notification cannot be sent any more.
    Missed,
}

/// The result of queueing a delayed notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queued {
    /// It was added to the queue.
    New,
    /// The same action of the target is already in the queue.
    Waits,
    /// The same action of the target has already run as a delayed action, and does not run again.
    Ran,
}

/// The notifications of a run context. Senders are identified by their declared keys (`type[name]`).
#[derive(Clone, Debug)]
pub struct Graph<N> {
    before: Table<N>,
    immediate: Table<N>,
    delayed: Table<N>,
    /// Senders that ran when they were declared, and were updated.
    updated: FxHashSet<String>,
    /// Immediate notifications whose target is not declared yet.
    parked: Vec<N>,
    /// Delayed notifications in order of first queueing. Sent ones stay, so that the same action does not run again.
    queue: Vec<N>,
    /// The number of sent notifications at the start of the queue.
    sent: usize,
}

impl<N> Default for Graph<N> {
    fn default() -> Self {
        Graph {
            before: Table::default(),
            immediate: Table::default(),
            delayed: Table::default(),
            updated: FxHashSet::default(),
            parked: Vec::new(),
            queue: Vec::new(),
            sent: 0,
        }
    }
}

impl<N> Graph<N> {
    fn table(&self, timing: Timing) -> &Table<N> {
        match timing {
            Timing::Before => &self.before,
            Timing::Immediate => &self.immediate,
            Timing::Delayed => &self.delayed,
        }
    }
    fn table_mut(&mut self, timing: Timing) -> &mut Table<N> {
        match timing {
            Timing::Before => &mut self.before,
            Timing::Immediate => &mut self.immediate,
            Timing::Delayed => &mut self.delayed,
        }
    }

    /// The notifications of a sender.
    pub fn of(&self, timing: Timing, sender: &str) -> &[N] {
        self.table(timing).get(sender).map_or(&[], Vec::as_slice)
    }

    /// All senders with a timing and their notifications, in order of declaration.
    pub fn senders(&self, timing: Timing) -> impl Iterator<Item = (&str, &[N])> {
        self.table(timing).iter().map(|(sender, list)| (sender.as_str(), list.as_slice()))
    }

    pub fn has_none(&self, timing: Timing) -> bool {
        self.table(timing).is_empty()
    }

    /// Removes the notifications of a sender.
    pub fn forget(&mut self, sender: &str) {
        for timing in Timing::ALL {
            self.table_mut(timing).shift_remove(sender);
        }
    }

    /// All notifications: declared, queued and parked.
    pub fn iter(&self) -> impl Iterator<Item = &N> {
        let declared = [&self.before, &self.immediate, &self.delayed];
        declared.into_iter().flat_map(|table| table.values().flatten()).chain(&self.queue).chain(&self.parked)
    }

    /// Records that a resource ran when it was declared, and was updated.
    pub fn note_update(&mut self, sender: String) {
        self.updated.insert(sender);
    }

    /// Removes all parked notifications; the caller parks those again whose target is still not declared.
    pub fn take_parked(&mut self) -> Vec<N> {
        std::mem::take(&mut self.parked)
    }

    pub fn has_parked(&self) -> bool {
        !self.parked.is_empty()
    }

    /// Delayed notifications that have not been sent.
    pub fn waiting(&self) -> &[N] {
        self.queue.get(self.sent..).unwrap_or_default()
    }

    /// Removes the delayed notifications that have not been sent; the caller may queue them again.
    pub fn take_waiting(&mut self) -> Vec<N> {
        self.queue.split_off(self.sent.min(self.queue.len()))
    }
}

impl<N: Notice + Clone> Graph<N> {
    /// What to do with a notification whose sender has already run and was updated; None if it has not.
    pub fn late(&self, sender: &str, notice: &N) -> Option<Late> {
        self.updated.contains(sender).then(|| match notice.timing() {
            Timing::Immediate => Late::Send,
            Timing::Delayed => Late::Queue,
            Timing::Before => Late::Missed,
        })
    }

    pub fn declare(&mut self, sender: String, notice: N) {
        self.table_mut(notice.timing()).entry(sender).or_default().push(notice);
    }

    /// Keeps an immediate notification until its target is declared, once per sender, target and action.
    pub fn park(&mut self, notice: N) {
        if !self.parked.iter().any(|known| known.has_target_of(&notice) && known.has_sender_of(&notice)) {
            self.parked.push(notice);
        }
    }

    /// Appends a delayed notification to the queue, once per target and action.
    pub fn queue(&mut self, notice: N) -> Queued {
        match self.queue.iter().position(|known| known.has_target_of(&notice)) {
            None => {
                self.queue.push(notice);
                Queued::New
            }
            Some(at) if at < self.sent => Queued::Ran,
            Some(_) => Queued::Waits,
        }
    }

    /// The next delayed notification, which then counts as sent.
    pub fn next_delayed(&mut self) -> Option<N> {
        let next = self.queue.get(self.sent).cloned()?;
        self.sent += 1;
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Sent(&'static str, Timing, &'static str);
    impl Notice for Sent {
        fn timing(&self) -> Timing {
            self.1
        }
        fn has_target_of(&self, other: &Sent) -> bool {
            self.2 == other.2
        }
        fn has_sender_of(&self, other: &Sent) -> bool {
            self.0 == other.0
        }
    }

    #[test]
    fn a_delayed_action_runs_once() {
        let mut graph = Graph::default();
        let restart = |from| Sent(from, Timing::Delayed, "service[web] restart");
        assert_eq!(graph.queue(restart("a")), Queued::New);
        assert_eq!(graph.queue(restart("b")), Queued::Waits);
        assert_eq!(graph.queue(Sent("b", Timing::Delayed, "service[web] reload")), Queued::New);
        assert_eq!(graph.next_delayed(), Some(restart("a")));
        assert_eq!(graph.queue(restart("c")), Queued::Ran);
        assert_eq!(graph.waiting().len(), 1);
        assert!(graph.next_delayed().is_some());
        assert_eq!(graph.next_delayed(), None);
    }

    #[test]
    fn what_comes_late() {
        let mut graph = Graph::default();
        let of = |timing| Sent("a", timing, "x");
        assert_eq!(graph.late("a", &of(Timing::Immediate)), None);
        graph.note_update("a".into());
        assert_eq!(graph.late("a", &of(Timing::Immediate)), Some(Late::Send));
        assert_eq!(graph.late("a", &of(Timing::Delayed)), Some(Late::Queue));
        assert_eq!(graph.late("a", &of(Timing::Before)), Some(Late::Missed));
        assert_eq!(graph.late("b", &of(Timing::Before)), None);
    }

    #[test]
    fn declared_and_forgotten() {
        let mut graph = Graph::default();
        graph.declare("a".into(), Sent("a", Timing::Immediate, "x"));
        graph.declare("a".into(), Sent("a", Timing::Immediate, "x"));
        graph.declare("b".into(), Sent("b", Timing::Delayed, "y"));
        assert_eq!(graph.of(Timing::Immediate, "a").len(), 2);
        assert!(graph.has_none(Timing::Before) && !graph.has_none(Timing::Delayed));
        assert_eq!(graph.iter().count(), 3);
        graph.forget("a");
        assert!(graph.of(Timing::Immediate, "a").is_empty());
        assert_eq!(graph.senders(Timing::Delayed).map(|(key, _)| key).collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn a_sender_parks_once() {
        let mut graph = Graph::default();
        for from in ["a", "b", "a"] {
            graph.park(Sent(from, Timing::Immediate, "x"));
        }
        assert_eq!(graph.take_parked().len(), 2);
        assert!(!graph.has_parked());
    }
}
