//! Parameters of methods, blocks and lambdas.

use super::scope::{ScopeKind, read_local, write_local};
use super::{Lowering, symbol_of};
use crate::Symbol;
use crate::symbol::sym;
use crate::tree::{Args, HashElem, KeywordParam, KwRest, LocalRef, MultiTarget, Node, Params, Target};
use ruby_prism as prism;

/// The method's parameters (slots) that a bare `super` passes on.
#[derive(Debug, Default, Clone)]
pub(super) struct Forwarded {
    before: Vec<u16>,
    rest: Option<u16>,
    after: Vec<u16>,
    keywords: Vec<(Symbol, u16)>,
    kwrest: Option<u16>,
}

impl Forwarded {
    pub(super) fn of(params: &Params) -> Forwarded {
        let mut before: Vec<u16> = (0..params.required).collect();
        before.extend(params.optional.iter().map(|(slot, _)| *slot));
        Forwarded {
            before,
            rest: params.rest,
            after: (params.post_start..params.post_start + params.post).collect(),
            keywords: params.keywords.iter().map(|keyword| (keyword.name, keyword.slot)).collect(),
            kwrest: match params.kwrest {
                KwRest::Slot(slot) => Some(slot),
                _ => None,
            },
        }
    }

    /// The arguments, read from a scope `depth` levels in.
    pub(super) fn arguments(&self, depth: u16) -> Args {
        let read = |slot: u16| read_local(LocalRef { depth, slot });
        let mut items: Vec<Node> = self.before.iter().map(|&slot| read(slot)).collect();
        items.extend(self.rest.map(|slot| Node::Splat(Box::new(read(slot)))));
        items.extend(self.after.iter().map(|&slot| read(slot)));
        let mut keywords: Vec<HashElem> =
            self.keywords.iter().map(|&(name, slot)| HashElem::Pair(Node::Sym(name), read(slot))).collect();
        keywords.extend(self.kwrest.map(|slot| HashElem::DoubleSplat(read(slot))));
        Args { items, has_splat: self.rest.is_some(), keywords: (!keywords.is_empty()).then_some(keywords) }
    }
}

/// Whether binding only has to copy the arguments into the first slots.
fn directly_bound(params: &Params) -> bool {
    let slots = params.optional.iter().map(|(slot, _)| *slot).chain(params.keywords.iter().map(|keyword| keyword.slot));
    params.rest.is_none()
        && params.post == 0
        && params.kwrest == KwRest::None
        && params.destructure.is_empty()
        && !params.excess_comma
        && params.keywords.len() <= 64
        && slots.enumerate().all(|(index, slot)| usize::from(slot) == usize::from(params.required) + index)
}

impl Lowering {
    /// Lowers parameters into the innermost, still empty scope: first the parameters' slots, then the scope's other names, then the default values.
    pub(super) fn parameters(
        &mut self,
        node: Option<&prism::ParametersNode<'_>>,
        names: &prism::ConstantList<'_>,
    ) -> Params {
        let mut params = Params::default();
        let Some(node) = node else {
            self.declare(names);
            params.simple = true;
            return params;
        };
        let mut patterns = Vec::new();
        params.required = node.requireds().len() as u16;
        for required in &node.requireds() {
            let slot = self.positional_slot(&required);
            patterns.extend(required.as_multi_target_node().map(|pattern| (slot, pattern)));
        }
        let mut optional = Vec::new();
        for node in &node.optionals() {
            if let Some(node) = node.as_optional_parameter_node() {
                optional.push((self.add_slot(symbol_of(&node.name())), node.value()));
            }
        }
        let forward_all = node.keyword_rest().is_some_and(|rest| rest.as_forwarding_parameter_node().is_some());
        match node.rest() {
            Some(rest) => match rest.as_rest_parameter_node() {
                Some(rest) => {
                    let name = rest.name().map_or(sym::ANON_REST, |name| symbol_of(&name));
                    params.rest = Some(self.add_slot(name));
                }
                None => params.excess_comma = true,
            },
            None if forward_all => params.rest = Some(self.add_slot(sym::ANON_REST)),
            None => {}
        }
        params.post = node.posts().len() as u16;
        for (index, post) in node.posts().iter().enumerate() {
            let slot = self.positional_slot(&post);
            if index == 0 {
                params.post_start = slot;
            }
            patterns.extend(post.as_multi_target_node().map(|pattern| (slot, pattern)));
        }
        let mut keywords = Vec::new();
        for node in &node.keywords() {
            if let Some(node) = node.as_required_keyword_parameter_node() {
                let name = symbol_of(&node.name());
                keywords.push((name, self.add_slot(name), None));
            } else if let Some(node) = node.as_optional_keyword_parameter_node() {
                let name = symbol_of(&node.name());
                keywords.push((name, self.add_slot(name), Some(node.value())));
            }
        }
        self.keyword_rest(node, forward_all, &mut params);
        self.block_parameter(node, forward_all, &mut params);
        for (_, pattern) in &patterns {
            self.destructured_names(pattern);
        }
        self.declare(names);
        params.destructure = patterns.iter().map(|(slot, pattern)| (*slot, self.parameter_pattern(pattern))).collect();
        params.optional = optional.into_iter().map(|(slot, value)| (slot, self.node(&value))).collect();
        params.keywords = keywords
            .into_iter()
            .map(|(name, slot, value)| KeywordParam { name, slot, default: value.map(|value| self.node(&value)) })
            .collect();
        params.forward_all = forward_all;
        params.simple = params.optional.is_empty()
            && params.rest.is_none()
            && params.post == 0
            && params.keywords.is_empty()
            && params.kwrest == KwRest::None
            && params.block.is_none()
            && params.destructure.is_empty()
            && !params.excess_comma;
        params.direct = directly_bound(&params);
        params
    }

    fn positional_slot(&mut self, node: &prism::Node<'_>) -> u16 {
        match node.as_required_parameter_node() {
            Some(node) => self.add_slot(symbol_of(&node.name())),
            None => self.hidden_slot(),
        }
    }

    fn keyword_rest(&mut self, node: &prism::ParametersNode<'_>, forward_all: bool, params: &mut Params) {
        if forward_all {
            params.kwrest = KwRest::Slot(self.add_slot(sym::ANON_KWREST));
            return;
        }
        let Some(rest) = node.keyword_rest() else { return };
        if let Some(rest) = rest.as_keyword_rest_parameter_node() {
            let name = rest.name().map_or(sym::ANON_KWREST, |name| symbol_of(&name));
            params.kwrest = KwRest::Slot(self.add_slot(name));
        } else {
            params.kwrest = KwRest::Nil;
        }
    }

    fn block_parameter(&mut self, node: &prism::ParametersNode<'_>, forward_all: bool, params: &mut Params) {
        if forward_all {
            params.block = Some(self.add_slot(sym::ANON_BLOCK));
            return;
        }
        let Some(block) = node.block() else { return };
        match block.as_block_parameter_node() {
            Some(block) => {
                let name = block.name().map_or(sym::ANON_BLOCK, |name| symbol_of(&name));
                params.block = Some(self.add_slot(name));
                if let Some(scope) = self.scopes.last_mut().filter(|scope| scope.kind == ScopeKind::Method) {
                    scope.block_only_passed = params.block;
                }
            }
            None => self.fail(block.location().start(), "syntax error, unexpected `nil'"),
        }
    }

    /// Adds slots for the names in `(a, (b, *c))`.
    fn destructured_names(&mut self, pattern: &prism::MultiTargetNode<'_>) {
        for part in pattern.lefts().iter().chain(pattern.rest()).chain(&pattern.rights()) {
            if let Some(name) = part.as_required_parameter_node() {
                self.add_slot(symbol_of(&name.name()));
            } else if let Some(inner) = part.as_multi_target_node() {
                self.destructured_names(&inner);
            } else if let Some(name) = part
                .as_splat_node()
                .and_then(|splat| splat.expression())
                .and_then(|inner| inner.as_required_parameter_node())
            {
                self.add_slot(symbol_of(&name.name()));
            }
        }
    }

    fn parameter_pattern(&mut self, pattern: &prism::MultiTargetNode<'_>) -> MultiTarget {
        MultiTarget {
            pre: pattern.lefts().iter().map(|part| self.parameter_target(&part)).collect(),
            rest: pattern.rest().map(|rest| {
                let name = rest.as_splat_node().and_then(|splat| splat.expression());
                name.map(|name| self.parameter_target(&name))
            }),
            post: pattern.rights().iter().map(|part| self.parameter_target(&part)).collect(),
        }
    }

    fn parameter_target(&mut self, node: &prism::Node<'_>) -> Target {
        if let Some(inner) = node.as_multi_target_node() {
            return Target::Multi(Box::new(self.parameter_pattern(&inner)));
        }
        match node.as_required_parameter_node() {
            Some(name) => Target::Local(self.local(symbol_of(&name.name()), 0)),
            None => self.target(node),
        }
    }

    pub(super) fn block_parameters(
        &mut self,
        node: Option<&prism::Node<'_>>,
        names: &prism::ConstantList<'_>,
    ) -> Params {
        let Some(node) = node else { return self.parameters(None, names) };
        if let Some(node) = node.as_block_parameters_node() {
            // Block-local variables are among the scope's names.
            return self.parameters(node.parameters().as_ref(), names);
        }
        let mut count = 0;
        if let Some(numbered) = node.as_numbered_parameters_node() {
            count = numbered.maximum().min(9);
        } else {
            self.fail(node.location().start(), "syntax error, unexpected parameters");
        }
        for number in 1..=count {
            self.add_slot(Symbol::intern(&format!("_{number}")));
        }
        self.declare(names);
        Params { required: u16::from(count), numbered: count, simple: true, ..Params::default() }
    }

    /// The block parameters for `for a, *b in x`, which bind like `|a, *b|`, and the assignments that begin its body.
    pub(super) fn for_parameters(&mut self, index: &prism::Node<'_>) -> (Params, Vec<Node>) {
        let Some(list) = index.as_multi_target_node() else {
            let slot = self.hidden_slot();
            let target = self.target(index);
            let assign = self.assign(target, Node::LVar(slot), index);
            return (Params { required: 1, simple: true, ..Params::default() }, vec![assign]);
        };
        let mut params = Params { required: list.lefts().len() as u16, ..Params::default() };
        let mut places: Vec<(u16, prism::Node<'_>)> = Vec::new();
        for part in &list.lefts() {
            places.push((self.hidden_slot(), part));
        }
        if let Some(rest) = list.rest() {
            match rest.as_splat_node() {
                Some(splat) => {
                    let slot = self.hidden_slot();
                    params.rest = Some(slot);
                    places.extend(splat.expression().map(|inner| (slot, inner)));
                }
                None => params.excess_comma = true,
            }
        }
        params.post = list.rights().len() as u16;
        for (position, part) in list.rights().iter().enumerate() {
            let slot = self.hidden_slot();
            if position == 0 {
                params.post_start = slot;
            }
            places.push((slot, part));
        }
        params.simple = params.rest.is_none() && params.post == 0 && !params.excess_comma;
        let assigns = places
            .iter()
            .map(|(slot, part)| {
                let target = self.target(part);
                self.assign(target, Node::LVar(*slot), part)
            })
            .collect();
        (params, assigns)
    }

    pub(super) fn local_read(&mut self, node: &prism::LocalVariableReadNode<'_>) -> Node {
        read_local(self.local(symbol_of(&node.name()), node.depth()))
    }

    pub(super) fn local_write(&mut self, node: &prism::LocalVariableWriteNode<'_>) -> Node {
        let place = self.local(symbol_of(&node.name()), node.depth());
        let value = self.node(&node.value());
        write_local(place, value)
    }
}
