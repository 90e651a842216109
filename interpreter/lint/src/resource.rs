//! Resources in a tree: a block given to a call that has a name for its first argument, with properties as calls on nothing in it.

use crate::ast::{Kind, N};

/// Whether a block looks like a resource: called on nothing, with an argument that is no symbol.
#[must_use]
pub fn is_resource(block: N<'_>) -> bool {
    block.is(Kind::Block)
        && block.call().is(Kind::Send)
        && block.recv().is_none()
        && block.arg(0).is_some_and(|first| !first.is(Kind::Sym))
}

/// The properties of a resource that have one of the names: calls on nothing (or blocks given to one), also in the branches of conditions where a branch is a single statement.
/// Other blocks are empty lists. `types` names the resources, any when it is empty.
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

/// The first property of that name.
#[must_use]
pub fn property<'t>(block: N<'t>, types: &[&str], name: &str) -> Option<N<'t>> {
    properties(block, types, &[name]).into_iter().next()
}

/// The actions that an `action` property names, each with what its source has before the name (`:`, or nothing in `%i`).
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

/// What stands between the quotes of a property's value, on one line.
#[must_use]
pub fn quoted_value(property: N<'_>) -> Option<&str> {
    let value = if property.is(Kind::Block) { property.body() } else { property.arg(0) };
    value?.src().lines().find_map(|line| {
        let inner = line.strip_prefix(['"', '\''])?;
        inner.strip_suffix(['"', '\''])
    })
}

/// The name of a resource where it is a plain string.
#[must_use]
pub fn name_of<'t>(block: N<'t>) -> Option<&'t str> {
    is_resource(block).then(|| block.arg(0)).flatten().and_then(N::as_str)
}
