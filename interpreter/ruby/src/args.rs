//! What a call hands over: positional arguments, keywords, a block.

use crate::Vm;
use crate::error::Res;
use crate::frame::Block;
use crate::hash::RHash;
use crate::heap::Gc;
use crate::value::Value;
use rchef_syntax::Symbol;

/// The arguments of a call. Keywords travel as a last positional Hash with `keywords` set (Ruby 3's separation: a callee that takes
/// keywords reads them from there, any other sees a Hash).
#[derive(Clone, Copy)]
pub struct Args<'a> {
    /// Positional arguments; with `keywords`, the last one is the Hash of keywords.
    pub pos: &'a [Value],
    /// The last positional argument was written as keywords.
    pub keywords: bool,
    pub block: Option<Block<'a>>,
}

impl<'a> Args<'a> {
    /// Positional arguments alone.
    #[inline(always)]
    pub fn new(pos: &'a [Value]) -> Args<'a> {
        Args { pos, keywords: false, block: None }
    }
    #[inline(always)]
    pub fn none() -> Args<'a> {
        Args { pos: &[], keywords: false, block: None }
    }
    /// The same with a block.
    #[inline(always)]
    pub fn with_block(self, block: Option<Block<'a>>) -> Args<'a> {
        Args { block, ..self }
    }
    /// The same, with the last positional argument flagged as keywords.
    pub fn with_keywords(self, keywords: bool) -> Args<'a> {
        Args { keywords, ..self }
    }
    /// Number of positional arguments (a Hash of keywords counts).
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.pos.len()
    }
    /// No positional arguments.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.pos.is_empty()
    }
    /// An argument, if it was given.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Option<&'a Value> {
        self.pos.get(index)
    }
    /// An argument, or nil.
    #[inline(always)]
    pub fn at(&self, index: usize) -> &'a Value {
        self.pos.get(index).unwrap_or(&Value::Nil)
    }
    /// The positional arguments without keywords, and the Hash of keywords if there are any.
    pub fn split(&self) -> (&'a [Value], Option<&'a Gc<RHash>>) {
        if self.keywords
            && let Some((Value::Hash(hash), rest)) = self.pos.split_last()
        {
            return (rest, Some(hash));
        }
        (self.pos, None)
    }
    /// A keyword's value, if keywords were given and it is among them.
    pub fn keyword(&self, vm: &Vm, name: Symbol) -> Option<Value> {
        let (_, hash) = self.split();
        vm.hash_get_sym(hash?, name)
    }
    /// The arguments from an index on.
    pub fn from(&self, index: usize) -> Args<'a> {
        Args { pos: self.pos.get(index..).unwrap_or(&[]), ..*self }
    }
    /// Checks keywords of a native that takes these and no others; gives positional arguments and each keyword's value.
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
