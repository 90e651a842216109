//! The stacks of a coroutine: values, frames, and the tags of calls with a literal block.

use super::{Clause, Frame};
use crate::method::MethodId;
use crate::value::Value;

/// The stacks of a coroutine, which are exchanged when fibers switch. The frames have addresses on the coroutine's native stack, so these stacks may
/// only be the VM's while the coroutine runs.
pub(crate) struct Stacks {
    pub(super) values: Vec<Value>,
    pub(super) frames: Vec<Frame>,
    /// Tags of the running calls with a literal block.
    pub(crate) tags: Vec<u64>,
    /// The lowest permitted address of the native stack.
    pub(super) limit: usize,
}

/// The depths of a coroutine's stacks.
#[derive(Clone, Copy)]
pub(crate) struct Depth {
    values: usize,
    frames: usize,
    tags: usize,
}

impl Stacks {
    /// The stacks of a new coroutine with a lowest native stack address, and capacity for `frames` frames.
    pub(crate) fn new(limit: usize, frames: usize) -> Stacks {
        Stacks { values: Vec::new(), frames: Vec::with_capacity(frames), tags: Vec::new(), limit }
    }
    /// Adds the frame of a native method.
    #[inline(always)]
    pub(crate) fn push_native(&mut self, method: MethodId) {
        self.frames.push(Frame::Native(method));
    }
    /// Removes the frame of a native method.
    #[inline(always)]
    pub(crate) fn pop_native(&mut self) {
        self.frames.pop();
    }
    /// The native method that is running, if the innermost frame is native.
    pub(crate) fn native(&self) -> Option<MethodId> {
        match self.frames.last() {
            Some(Frame::Native(method)) => Some(*method),
            _ => None,
        }
    }
    /// Adds the frame of a clause of the running Ruby code, and that code's line while the clause runs.
    pub(crate) fn push_clause(&mut self, clause: Clause, line: u32) {
        self.frames.push(Frame::Clause(clause, line));
    }
    #[inline]
    pub(crate) fn frame_count(&self) -> usize {
        self.frames.len()
    }
    /// The number of frames of Ruby code.
    pub(crate) fn ruby_frame_count(&self) -> usize {
        self.frames.iter().filter(|frame| matches!(frame, Frame::Ruby(_))).count()
    }
    /// Removes all but the first `count` frames.
    #[inline]
    pub(crate) fn cut_frames(&mut self, count: usize) {
        self.frames.truncate(count);
    }
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        self.values.iter()
    }
    /// The number of values.
    #[inline(always)]
    pub(crate) fn height(&self) -> usize {
        self.values.len()
    }
    #[inline(always)]
    pub(crate) fn push(&mut self, value: Value) {
        if self.values.len() == self.values.capacity() {
            self.grow(1);
        }
        self.values.push(value);
    }
    pub(crate) fn push_all(&mut self, values: &[Value]) {
        if self.values.capacity() - self.values.len() < values.len() {
            self.grow(values.len());
        }
        self.values.extend_from_slice(values);
    }
    /// Removes the values from an index on and returns them.
    pub(crate) fn take_from(&mut self, base: usize) -> std::vec::Drain<'_, Value> {
        self.values.drain(base..)
    }
    pub(crate) fn value_mut(&mut self, index: usize) -> Option<&mut Value> {
        self.values.get_mut(index)
    }
    /// Makes room for more values, and tells the live activations where their locals are now.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow(&mut self, more: usize) {
        self.values.reserve(more);
        let first = self.values.as_mut_ptr();
        for frame in &self.frames {
            if let Frame::Ruby(cx) = frame {
                // SAFETY: as in `Vm::with_caller`; the reference does not leave the loop.
                let cx = unsafe { &**cx };
                if cx.env.get().is_none() {
                    cx.locals.0.set(first.wrapping_add(cx.base));
                }
            }
        }
    }
    /// Removes all but the first `count` values.
    #[inline(always)]
    pub(crate) fn cut_values(&mut self, count: usize) {
        while self.values.len() > count {
            if let Some(value) = self.values.pop() {
                value.give_up();
            }
        }
    }
    /// Sets the locals up to an index to nil.
    #[inline(always)]
    pub(crate) fn fill(&mut self, end: usize) {
        if self.values.len() < end {
            self.fill_rest(end);
        }
    }
    #[inline(never)]
    fn fill_rest(&mut self, end: usize) {
        if self.values.capacity() < end {
            self.grow(end - self.values.len());
        }
        self.values.resize_with(end, Value::default);
    }
    pub(crate) fn depth(&self) -> Depth {
        Depth { values: self.values.len(), frames: self.frames.len(), tags: self.tags.len() }
    }
    /// Truncates the stacks to earlier depths.
    pub(crate) fn cut(&mut self, depth: Depth) {
        self.values.truncate(depth.values);
        self.frames.truncate(depth.frames);
        self.tags.truncate(depth.tags);
    }
}
