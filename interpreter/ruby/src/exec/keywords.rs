//! Calls with literal Symbols as keywords. If the site's cache has a method written in Ruby with these keywords, their values are evaluated directly
//! to the callee's locals and no Hash is created; for other methods they are put in a Hash.

use super::outcome::{Outcome, ok};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::frame::{Block, Cx};
use crate::hash::RHash;
use crate::heap::Gc;
use crate::method::{MethodBody, MethodId, RubyMethod};
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::tree::{Call, HashElem, Node, Params};
use smallvec::SmallVec;
use std::rc::Rc;

/// A method that accepts the pushed arguments.
struct Taken {
    id: MethodId,
    method: Rc<RubyMethod>,
    /// Bits of the keyword parameters that have an argument.
    given: u64,
    /// Whether the values are already in the slots of these parameters.
    placed: bool,
}

impl Vm {
    /// A call with the flag `keyworded`; the receiver has been evaluated.
    #[inline(never)]
    pub(super) fn call_keyworded(
        &mut self,
        call: &Call,
        recv: &Value,
        block: Option<Block<'_>>,
        cx: &Cx<'_>,
    ) -> Outcome {
        let Some(keywords) = &call.args.keywords else { return Outcome::value(Value::Nil) };
        let base = self.stacks.height();
        if let Some(error) = self.push_args(&call.args.items, cx) {
            return Outcome::error(error);
        }
        for element in keywords {
            let HashElem::Pair(_, node) = element else { continue };
            match self.argument(node, cx) {
                Ok(value) => self.stacks.push(value),
                Err(error) => {
                    self.stacks.cut_values(base);
                    return Outcome::error(error);
                }
            }
        }
        cx.line.set(call.line);
        let count = call.args.items.len();
        let Some(Taken { id, method, given, placed }) = self.keyword_method(call, keywords, recv, block.is_some())
        else {
            return self.call_with_hash(call, keywords, recv, base, block, cx);
        };
        if !placed {
            self.place_keywords(&method.code.params, keywords, base, count, method.code.locals.len());
        }
        self.enter_bound(id, &method, recv, base, block, |vm, cx| vm.bind_defaults(cx, count, given))
    }

    /// The cached method, if it is valid for the receiver and accepts the site's positional arguments and keywords.
    #[inline(always)]
    fn keyword_method(&self, call: &Call, keywords: &[HashElem], recv: &Value, block: bool) -> Option<Taken> {
        let (key, target) = call.cache.get();
        let class = self.class_of(recv);
        if self.cache_key(class) != key {
            return None;
        }
        let id = MethodId(target as u32);
        let MethodBody::Ruby(method) = &self.method(id).body else { return None };
        let params = &method.code.params;
        let (count, required) = (call.args.items.len(), usize::from(params.required));
        let most = required + params.optional.len();
        if !params.direct
            || !(required..=most).contains(&count)
            || params.keywords.len() < keywords.len()
            || (block && params.block.is_some())
        {
            return None;
        }
        let mut given = 0;
        let mut placed = count == most;
        for (index, element) in keywords.iter().enumerate() {
            let name = name_of(element)?;
            if params.keywords.get(index).is_some_and(|keyword| keyword.name == name) {
                given |= 1 << index;
            } else {
                placed = false;
                given |= 1 << params.keywords.iter().position(|keyword| keyword.name == name)?;
            }
        }
        let complete = (params.keywords.iter().enumerate())
            .all(|(index, keyword)| keyword.default.is_some() || given >> index & 1 == 1);
        complete.then(|| Taken { id, method: method.clone(), given, placed })
    }

    /// Moves the values of keywords, which are after the positional arguments in the site's order, to the slots of their parameters.
    fn place_keywords(&mut self, params: &Params, keywords: &[HashElem], base: usize, count: usize, locals: usize) {
        let values: SmallVec<[Value; 8]> = self.stacks.take_from(base + count).collect();
        self.stacks.fill(base + locals);
        for (element, value) in keywords.iter().zip(values) {
            let slot = name_of(element).and_then(|name| params.keywords.iter().find(|keyword| keyword.name == name));
            if let Some(place) = slot.and_then(|keyword| self.stacks.value_mut(base + usize::from(keyword.slot))) {
                *place = value;
            }
        }
    }

    /// Pops the arguments, puts the keywords in a Hash, and makes a normal call.
    #[inline(never)]
    fn call_with_hash(
        &mut self,
        call: &Call,
        keywords: &[HashElem],
        recv: &Value,
        base: usize,
        block: Option<Block<'_>>,
        cx: &Cx<'_>,
    ) -> Outcome {
        let mut pos: SmallVec<[Value; 4]> = self.stacks.take_from(base).collect();
        let hash = Gc::new(ClassId::HASH, RHash::with_capacity(keywords.len()));
        for (element, value) in keywords.iter().zip(pos.drain(call.args.items.len()..)) {
            if let Some(name) = name_of(element) {
                ok!(self.hash_set(&hash, Value::Sym(name), value));
            }
        }
        pos.push(Value::Hash(hash));
        let args = Args { pos: &pos, keywords: true, block };
        self.dispatch(recv, call.name, args, super::enter::kind_of(call), &call.cache, cx)
    }
}

fn name_of(element: &HashElem) -> Option<Symbol> {
    match element {
        HashElem::Pair(Node::Sym(name), _) => Some(*name),
        _ => None,
    }
}
