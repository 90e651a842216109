//! Scopes of locals: prism says which scope a name belongs to, this module which slot.

use super::params::Forwarded;
use super::{Lowering, symbol_of};
use crate::Symbol;
use crate::symbol::sym;
use crate::tree::{LocalRef, Node};
use ruby_prism as prism;

/// What opens a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeKind {
    Top,
    /// The scope of `eval` itself.
    Eval,
    /// An enclosing scope given to `eval`.
    Outer,
    Method,
    /// `class`, `module`, `class <<`.
    Class,
    /// A block or lambda.
    Block,
    /// Code without names of its own: the body of `for` and of `END`. prism has no scope for it.
    Transparent,
}

/// A scope under construction.
#[derive(Debug)]
pub(super) struct Scope {
    pub kind: ScopeKind,
    /// Names of the slots; hidden ones are empty.
    pub names: Vec<Symbol>,
    /// For a method: what a bare `super` passes on.
    pub forwarded: Option<Forwarded>,
    /// The slot of a method's block parameter until something other than `&block` uses it.
    pub block_only_passed: Option<u16>,
    /// The line of the last statement with a mark; 0 before the first.
    pub marked: u32,
    /// Whether the clause of a `rescue` is lowered.
    pub in_rescue: bool,
}

impl Scope {
    pub(super) fn new(kind: ScopeKind) -> Scope {
        Scope { kind, names: Vec::new(), forwarded: None, block_only_passed: None, marked: 0, in_rescue: false }
    }

    pub(super) fn outer(names: &[Symbol]) -> Scope {
        Scope { names: names.to_vec(), ..Scope::new(ScopeKind::Outer) }
    }

    fn slot(&self, name: Symbol) -> Option<u16> {
        self.names.iter().position(|&known| known == name).and_then(|at| u16::try_from(at).ok())
    }

    fn ends_chain(&self) -> bool {
        matches!(self.kind, ScopeKind::Top | ScopeKind::Method | ScopeKind::Class)
    }
}

impl Lowering {
    /// Adds a slot to the innermost scope.
    pub(super) fn add_slot(&mut self, name: Symbol) -> u16 {
        let count = match self.scopes.last_mut() {
            Some(scope) => {
                scope.names.push(name);
                scope.names.len() - 1
            }
            None => 0,
        };
        self.slot_number(count)
    }

    fn slot_number(&mut self, index: usize) -> u16 {
        // The maximum is left unused, so that the number of slots fits in a `u16` as well.
        match u16::try_from(index) {
            Ok(slot) if slot < u16::MAX => slot,
            _ => {
                self.fail(0, "too many local variables");
                0
            }
        }
    }

    /// Adds a slot without a name to the innermost scope.
    pub(super) fn hidden_slot(&mut self) -> u16 {
        self.add_slot(sym::EMPTY)
    }

    /// Adds a slot without a name to the scope of the enclosing method, class or file.
    pub(super) fn hidden_method_slot(&mut self) -> LocalRef {
        let mut depth = 0;
        let mut index = self.scopes.len().saturating_sub(1);
        while index > 0 && !self.scopes[index].ends_chain() && self.scopes[index].kind != ScopeKind::Eval {
            index -= 1;
            depth += 1;
        }
        let mut slot = 0;
        if let Some(scope) = self.scopes.get_mut(index) {
            scope.names.push(sym::EMPTY);
            slot = scope.names.len() - 1;
        }
        LocalRef { depth, slot: self.slot_number(slot) }
    }

    /// Adds slots for the names that have none yet.
    pub(super) fn declare(&mut self, names: &prism::ConstantList<'_>) {
        for name in names.iter() {
            let name = symbol_of(&name);
            if self.scopes.last().is_some_and(|scope| scope.slot(name).is_none()) {
                self.add_slot(name);
            }
        }
    }

    /// Finds a name in the scope that prism says it is in, to read or to write it.
    pub(super) fn local(&mut self, name: Symbol, prism_depth: u32) -> LocalRef {
        let place = self.passed_local(name, prism_depth);
        if let Some(scope) = self.scopes.iter_mut().rev().nth(place.depth.into())
            && scope.block_only_passed == Some(place.slot)
        {
            scope.block_only_passed = None;
        }
        place
    }

    /// The same for a name after `&` in a call.
    pub(super) fn passed_local(&mut self, name: Symbol, prism_depth: u32) -> LocalRef {
        let mut left = prism_depth;
        let mut depth = 0u16;
        let mut index = self.scopes.len();
        while index > 0 {
            index -= 1;
            let scope = &self.scopes[index];
            if scope.kind != ScopeKind::Transparent {
                if left == 0 {
                    if let Some(slot) = scope.slot(name) {
                        return LocalRef { depth, slot };
                    }
                    let count = scope.names.len();
                    self.scopes[index].names.push(name);
                    return LocalRef { depth, slot: self.slot_number(count) };
                }
                left -= 1;
            }
            depth = depth.saturating_add(1);
        }
        self.fail(0, "unknown local variable");
        LocalRef { depth: 0, slot: 0 }
    }

    /// Finds a hidden parameter (`*rest`, `**kwrest`, `&block`) of the enclosing method.
    pub(super) fn anonymous(&mut self, name: Symbol) -> Option<LocalRef> {
        for (depth, scope) in self.scopes.iter().rev().enumerate() {
            if let Some(slot) = scope.slot(name) {
                return Some(LocalRef { depth: u16::try_from(depth).ok()?, slot });
            }
            if scope.ends_chain() {
                break;
            }
        }
        None
    }

    /// What a bare `super` passes on, and the depth of the method's scope; None outside a method.
    pub(super) fn forwarded(&self) -> Option<(u16, &Forwarded)> {
        for (depth, scope) in self.scopes.iter().rev().enumerate() {
            if let Some(forwarded) = &scope.forwarded {
                return Some((u16::try_from(depth).ok()?, forwarded));
            }
            if scope.ends_chain() {
                break;
            }
        }
        None
    }
}

pub(super) fn read_local(place: LocalRef) -> Node {
    if place.depth == 0 { Node::LVar(place.slot) } else { Node::LVarUp(place) }
}

pub(super) fn write_local(place: LocalRef, value: Node) -> Node {
    if place.depth == 0 { Node::LAsgn(place.slot, Box::new(value)) } else { Node::LAsgnUp(place, Box::new(value)) }
}
