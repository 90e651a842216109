//! State of an Enumerator and of a Yielder.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::frame::{Block, RProc};
use crate::heap::Gc;
use crate::value::{NativeData, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// What an Enumerator's `size` is.
#[derive(Clone)]
pub enum Size {
    /// Found by the core's rules for the method, when asked.
    Native,
    /// This value (nil when unknown), or what it gives when it is callable.
    Value(Value),
    /// What the block of `to_enum` gives.
    Block(Gc<RProc>),
}

impl Size {
    pub(super) fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        match self {
            Size::Native => {}
            Size::Value(value) => visit(value),
            Size::Block(block) => visit(&Value::Proc(block.clone())),
        }
    }
}

/// State of external iteration.
#[derive(Default)]
pub(crate) struct External {
    /// The fiber that runs the iterator; nil before the first `next`.
    pub(super) fiber: Value,
    /// Values that `peek` has read.
    pub(super) ahead: Option<Vec<Value>>,
    /// What `feed` has set: the next value of `yield`.
    pub(super) feed: Rc<RefCell<Option<Value>>>,
    /// The StopIteration, once the end is reached.
    pub(super) stop: Value,
}
impl External {
    /// Visits the values that it alone holds.
    pub(super) fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.fiber);
        self.ahead.iter().flatten().for_each(&mut *visit);
        visit(&self.stop);
    }
    /// Whether `next` has been called.
    pub(crate) fn started(&self) -> bool {
        !self.fiber.is_nil()
    }
}

/// State of an Enumerator.
pub struct EnumeratorData {
    /// Whose iterator it is; `Undef` before `initialize`.
    pub receiver: Value,
    pub method: Symbol,
    pub args: Vec<Value>,
    /// The last argument was written as keywords.
    pub keywords: bool,
    pub size: Size,
    /// `next` and its like.
    pub(crate) external: External,
}

impl NativeData for EnumeratorData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.receiver);
        self.args.iter().for_each(&mut *visit);
        self.size.trace(visit);
        self.external.trace(visit);
    }
}

/// What a Yielder hands values to.
pub(crate) struct YielderData(pub(crate) Gc<RProc>);

impl NativeData for YielderData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&Value::Proc(self.0.clone()));
    }
}

/// A copy of what an Enumerator runs.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) receiver: Value,
    pub(crate) method: Symbol,
    pub(crate) args: Vec<Value>,
    pub(crate) keywords: bool,
    pub(crate) size: Size,
}

impl Parts {
    pub(crate) fn into_data(self) -> EnumeratorData {
        EnumeratorData {
            receiver: self.receiver,
            method: self.method,
            args: self.args,
            keywords: self.keywords,
            size: self.size,
            external: Default::default(),
        }
    }
    /// Runs the iterator with a block.
    pub(crate) fn run(&self, vm: &mut Vm, block: Option<Block<'_>>) -> Res {
        vm.call_args(&self.receiver, self.method, Args { pos: &self.args, keywords: self.keywords, block })
    }
}

/// A Yielder for a block.
pub(crate) fn new_yielder(vm: &mut Vm, block: Block<'_>) -> Value {
    let proc = vm.block_to_proc(block);
    Value::data(ClassId::YIELDER, YielderData(proc))
}
