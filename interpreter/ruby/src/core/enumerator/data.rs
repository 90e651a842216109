//! Data of Enumerator and Yielder.

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

/// How an Enumerator's `size` is determined.
#[derive(Clone)]
pub enum Size {
    /// By the core's rules for the method.
    Native,
    /// A value (nil if unknown), or the result of an object with `call`.
    Value(Value),
    /// The result of the block of `to_enum`.
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
    /// Values read by `peek`.
    pub(super) ahead: Option<Vec<Value>>,
    /// The result of the next `yield`, set by `feed`.
    pub(super) feed: Rc<RefCell<Option<Value>>>,
    /// The StopIteration, after the end was reached.
    pub(super) stop: Value,
}
impl External {
    /// Visits the values that it owns.
    pub(super) fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.fiber);
        self.ahead.iter().flatten().for_each(&mut *visit);
        visit(&self.stop);
    }
    /// Whether `next` was called.
    pub(crate) fn started(&self) -> bool {
        !self.fiber.is_nil()
    }
}

/// An Enumerator.
pub struct EnumeratorData {
    /// The receiver of the iterator; `Undef` before `initialize`.
    pub receiver: Value,
    pub method: Symbol,
    pub args: Vec<Value>,
    /// Whether the last argument is the Hash of keywords.
    pub keywords: bool,
    pub size: Size,
    /// State of `next` and related methods.
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

/// A Yielder, with the Proc that gets its values.
pub(crate) struct YielderData(pub(crate) Gc<RProc>);

impl NativeData for YielderData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&Value::Proc(self.0.clone()));
    }
}

/// A copy of an Enumerator's iterator and arguments.
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

/// Creates a Yielder for a block.
pub(crate) fn new_yielder(vm: &mut Vm, block: Block<'_>) -> Value {
    let proc = vm.block_to_proc(block);
    Value::data(ClassId::YIELDER, YielderData(proc))
}
