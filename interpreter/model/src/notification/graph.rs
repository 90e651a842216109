//! The notifications of one run context: what is declared, what waits for a declaration, what is delayed.

use super::{Notice, Timing};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

type Table<N> = IndexMap<String, Vec<N>, FxBuildHasher>;

/// What is to be done with a notification whose sender has run and was updated before it was declared (a resource that runs at its
/// declaration, to which a later one subscribes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Late {
    /// Send it now, or park it until its target is declared.
    Send,
    Queue,
    /// It cannot be sent any more: it had to come before.
    Missed,
}

/// What became of a delayed notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queued {
    /// It waits for the end.
    New,
    /// Its target's action waits already.
    Waits,
    /// Its target's action has run already, and does not run again.
    Ran,
}

/// The notifications of a run context. Senders go by their declared keys (`type[name]`).
#[derive(Clone, Debug)]
pub struct Graph<N> {
    before: Table<N>,
    immediate: Table<N>,
    delayed: Table<N>,
    /// Senders that were updated when they ran at their declaration.
    updated: FxHashSet<String>,
    /// Immediate ones that wait for the declaration of their target.
    parked: Vec<N>,
    /// Delayed ones in order of first queueing. Those that were sent stay, and keep the same action from running again.
    queue: Vec<N>,
    /// How many of the queue were sent.
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

    /// What a sender sends.
    pub fn of(&self, timing: Timing, sender: &str) -> &[N] {
        self.table(timing).get(sender).map_or(&[], Vec::as_slice)
    }

    /// All senders of a timing with what they send, in order of declaration.
    pub fn senders(&self, timing: Timing) -> impl Iterator<Item = (&str, &[N])> {
        self.table(timing).iter().map(|(sender, list)| (sender.as_str(), list.as_slice()))
    }

    /// Whether nothing is declared for a timing.
    pub fn has_none(&self, timing: Timing) -> bool {
        self.table(timing).is_empty()
    }

    /// Forgets what a sender sends.
    pub fn forget(&mut self, sender: &str) {
        for timing in Timing::ALL {
            self.table_mut(timing).shift_remove(sender);
        }
    }

    /// Every notification that is kept.
    pub fn iter(&self) -> impl Iterator<Item = &N> {
        let declared = [&self.before, &self.immediate, &self.delayed];
        declared.into_iter().flat_map(|table| table.values().flatten()).chain(&self.queue).chain(&self.parked)
    }

    /// Notes that a resource ran at its declaration and was updated.
    pub fn note_update(&mut self, sender: String) {
        self.updated.insert(sender);
    }

    /// What waits for the declaration of a target; the caller parks again what still has none.
    pub fn take_parked(&mut self) -> Vec<N> {
        std::mem::take(&mut self.parked)
    }

    /// Whether any waits for the declaration of a target.
    pub fn has_parked(&self) -> bool {
        !self.parked.is_empty()
    }

    /// Delayed ones that were not sent.
    pub fn waiting(&self) -> &[N] {
        self.queue.get(self.sent..).unwrap_or_default()
    }

    /// Takes out what was not sent; the caller queues again what is to be.
    pub fn take_waiting(&mut self) -> Vec<N> {
        self.queue.split_off(self.sent.min(self.queue.len()))
    }
}

impl<N: Notice + Clone> Graph<N> {
    /// What to do with a notification whose sender has already run and changed something; None if it has not run yet, or changed nothing.
    pub fn late(&self, sender: &str, notice: &N) -> Option<Late> {
        self.updated.contains(sender).then(|| match notice.timing() {
            Timing::Immediate => Late::Send,
            Timing::Delayed => Late::Queue,
            Timing::Before => Late::Missed,
        })
    }

    /// Adds a notification.
    pub fn declare(&mut self, sender: String, notice: N) {
        self.table_mut(notice.timing()).entry(sender).or_default().push(notice);
    }

    /// Keeps an immediate notification until its target is declared, each once for a sender and a target's action.
    pub fn park(&mut self, notice: N) {
        if !self.parked.iter().any(|known| known.has_target_of(&notice) && known.has_sender_of(&notice)) {
            self.parked.push(notice);
        }
    }

    /// Puts a delayed notification at the end of the queue, once for each target and action, whoever sends it.
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

    /// The delayed notification to send next. It counts as sent from here on.
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
