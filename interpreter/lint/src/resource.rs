//! Resources in the syntax tree: a block of a call whose first argument is the name; properties are calls without a receiver in the block.

use crate::ast::{Kind, N};

/// Whether a block looks like a resource: its call has no receiver, and a first argument that is not a symbol.
#[must_use]
pub fn is_resource(block: N<'_>) -> bool {
    block.is(Kind::Block)
        && block.call().is(Kind::Send)
        && block.recv().is_none()
        && block.arg(0).is_some_and(|first| !first.is(Kind::Sym))
}

/// The properties of a resource with one of these names: calls without a receiver, also in the branches of conditions if a branch is a single
/// statement. Empty for other blocks. `types` restricts the resource's type, unless it is empty.
#[must_use]
pub fn properties<'t>(block: N<'t>, types: &[&str], names: &[&str]) -> Vec<N<'t>> {
    let mut all = Vec::new();
    if !is_resource(block) || !(types.is_empty() || types.contains(&block.name())) {
        return all;
    }
    match block.body() {
        None => {}
        Some(body) if body.is(Kind::Begin) => body.kids().for_each(|kid| collect(kid, names, &mut all)),
        Some(body) => collect(body, names, &mut all),
    }
    all
}

fn collect<'t>(node: N<'t>, names: &[&str], all: &mut Vec<N<'t>>) {
    match node.kind() {
        Kind::Send if node.recv().is_none() && names.contains(&node.name()) => all.push(node),
        Kind::Block if names.contains(&node.name()) => all.push(node),
        Kind::While => node.body().into_iter().for_each(|body| collect(body, names, all)),
        Kind::If => node.branches().into_iter().flatten().for_each(|branch| collect(branch, names, all)),
        Kind::Case => {
            node.whens().filter_map(N::body).for_each(|body| collect(body, names, all));
            node.else_branch().into_iter().for_each(|body| collect(body, names, all));
        }
        _ => {}
    }
}

/// The first property of this name.
#[must_use]
pub fn property<'t>(block: N<'t>, types: &[&str], name: &str) -> Option<N<'t>> {
    properties(block, types, &[name]).into_iter().next()
}

/// The symbols in an `action` property, each with its prefix in the source (`:`, or nothing in `%i`).
#[must_use]
pub fn action_symbols<'t>(action: N<'t>) -> Vec<(N<'t>, &'static str)> {
    let mut all = Vec::new();
    for arg in action.args() {
        match arg.kind() {
            Kind::Sym => all.push((arg, ":")),
            Kind::Array => {
                let prefix = if arg.percent() { "" } else { ":" };
                all.extend(arg.kids().filter(|kid| kid.is(Kind::Sym)).map(|kid| (kid, prefix)));
            }
            _ => {}
        }
    }
    all
}

/// The text between the quotes of a property's value on a single line.
#[must_use]
pub fn quoted_value(property: N<'_>) -> Option<&str> {
    let value = if property.is(Kind::Block) { property.body() } else { property.arg(0) };
    value?.src().lines().find_map(|line| {
        let inner = line.strip_prefix(['"', '\''])?;
        inner.strip_suffix(['"', '\''])
    })
}

/// The name of a resource, if it is a string literal.
#[must_use]
pub fn name_of<'t>(block: N<'t>) -> Option<&'t str> {
    is_resource(block).then(|| block.arg(0)).flatten().and_then(N::as_str)
}
