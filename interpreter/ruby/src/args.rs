//! The arguments of a call: positional arguments, keywords, a block.

use crate::Vm;
use crate::error::Res;
use crate::frame::Block;
use crate::hash::RHash;
use crate::heap::Gc;
use crate::value::Value;
use rchef_syntax::Symbol;

/// The arguments of a call. Keywords are passed as a Hash in the last positional argument, marked by `keywords`: a method with keyword parameters
/// takes them from there, any other method sees a Hash.
#[derive(Clone, Copy)]
pub struct Args<'a> {
    /// Positional arguments; with `keywords`, the last one is the Hash of keywords.
    pub pos: &'a [Value],
    /// Whether the last positional argument is the Hash of keywords.
    pub keywords: bool,
    pub block: Option<Block<'a>>,
}

impl<'a> Args<'a> {
    /// Only positional arguments.
    #[inline(always)]
    pub fn new(pos: &'a [Value]) -> Args<'a> {
        Args { pos, keywords: false, block: None }
    }
    #[inline(always)]
    pub fn none() -> Args<'a> {
        Args { pos: &[], keywords: false, block: None }
    }
    /// Makes keywords that come from a splatted Hash like any others: a native method that passes them on or keeps them loses the mark of
    /// `ruby2_keywords`; the call of a Proc does not.
    #[cold]
    #[inline(never)]
    pub(crate) fn forget_splat(&self, receiver: &Value) {
        if !matches!(receiver, Value::Proc(_))
            && let Some(Value::Hash(hash)) = self.pos.last()
        {
            hash.set_flag(crate::heap::FROM_SPLAT, false);
        }
    }
    #[inline(always)]
    pub fn with_block(self, block: Option<Block<'a>>) -> Args<'a> {
        Args { block, ..self }
    }
    /// Sets whether the last positional argument is the Hash of keywords.
    pub fn with_keywords(self, keywords: bool) -> Args<'a> {
        Args { keywords, ..self }
    }
    /// Number of positional arguments (including a Hash of keywords).
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.pos.len()
    }
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.pos.is_empty()
    }
    #[inline(always)]
    pub fn get(&self, index: usize) -> Option<&'a Value> {
        self.pos.get(index)
    }
    /// An argument, or nil.
    #[inline(always)]
    pub fn at(&self, index: usize) -> &'a Value {
        self.pos.get(index).unwrap_or(&Value::Nil)
    }
    /// The positional arguments without keywords, and the Hash of keywords, if any.
    pub fn split(&self) -> (&'a [Value], Option<&'a Gc<RHash>>) {
        if self.keywords
            && let Some((Value::Hash(hash), rest)) = self.pos.split_last()
        {
            return (rest, Some(hash));
        }
        (self.pos, None)
    }
    /// The value of a keyword, if it was given.
    pub fn keyword(&self, vm: &Vm, name: Symbol) -> Option<Value> {
        let (_, hash) = self.split();
        vm.hash_get_sym(hash?, name)
    }
    /// The arguments from an index on.
    pub fn from(&self, index: usize) -> Args<'a> {
        Args { pos: self.pos.get(index..).unwrap_or(&[]), ..*self }
    }
    /// For natives with exactly these keywords: checks the given keywords; returns the positional arguments and the value of each keyword.
    pub fn take_keywords<const N: usize>(
        &self,
        vm: &mut Vm,
        names: [Symbol; N],
    ) -> Res<(&'a [Value], [Option<Value>; N])> {
        let (pos, hash) = self.split();
        let mut found = [const { None }; N];
        if let Some(hash) = hash {
            let mut unknown = Vec::new();
            for (key, value) in hash.get(vm).iter() {
                match names.iter().position(|name| matches!(key, Value::Sym(symbol) if symbol == name)) {
                    Some(index) => found[index] = Some(value.clone()),
                    None => unknown.push(key.clone()),
                }
            }
            if !unknown.is_empty() {
                return Err(vm.unknown_keywords(&unknown));
            }
        }
        Ok((pos, found))
    }
}
