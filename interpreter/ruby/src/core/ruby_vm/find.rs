//! The node of a method, block or place in a backtrace: code knows its lines and locals only, so that it is looked for in the tree of its file.

use super::tree::{Flat, Part, Tree, make};
use crate::Vm;
use crate::core::location::Place;
use crate::core::method;
use crate::core::path::fail_at;
use crate::error::Res;
use crate::value::Value;
use rchef_host::compose;
use rchef_syntax::ast::{Child, Lines, ast};
use rchef_syntax::tree::{Code, CodeKind, SourceFile};
use std::rc::Rc;
use std::sync::Arc;

pub(super) type Found = Option<(Rc<Tree>, usize)>;

/// The text of a file; Errno's exception where it cannot be read.
pub(crate) fn read(vm: &mut Vm, path: &str) -> Res<Vec<u8>> {
    let host = vm.host.clone();
    compose::read_file(&*host, path.as_bytes()).map_err(|error| fail_at(vm, &error, "rb_sysopen", path.as_bytes()))
}

/// What `RubyVM::AbstractSyntaxTree.of` gives.
pub(super) fn of(vm: &mut Vm, body: &Value, keep: bool) -> Res<Found> {
    if let Some(place) = crate::core::location::place(vm, body) {
        let Some(code) = place.code.clone() else { return Ok(None) };
        let tree = tree_of(vm, &code, keep)?;
        return Ok(at_place(&tree, &place).map(|number| (tree, number)));
    }
    let code = match body {
        Value::Proc(proc) => method::code_of_proc(vm, proc),
        other => match method::id_of(vm, other) {
            Some(id) => method::code_of(vm, id),
            None => {
                let described = vm.describe(body);
                return Err(vm.type_error(format!("wrong argument type {described} (expected method)")));
            }
        },
    };
    let Some(code) = code else { return Ok(None) };
    let tree = tree_of(vm, &code, keep)?;
    Ok(of_code(&tree, &code).map(|number| (tree, number)))
}
/// The tree of the file in which code is.
fn tree_of(vm: &mut Vm, code: &Arc<Code>, keep: bool) -> Res<Rc<Tree>> {
    if code.file.evaluated || code.file.path == "-e" || code.file.path.starts_with("<internal:") {
        return Err(vm.argument_error("cannot get AST for method defined in eval"));
    }
    let path = code.file.path.clone();
    let source = read(vm, &path)?;
    make(vm, source, &path, keep)
}
fn scope_of(node: &Flat) -> Option<usize> {
    node.children.iter().rev().find_map(|part| match part {
        Part::Node(number) => Some(*number),
        Part::Other(_) => None,
    })
}
/// The names of a scope without hidden ones.
fn names(node: &Flat) -> Vec<&[u8]> {
    match node.children.first() {
        Some(Part::Other(Child::Names(names))) => names.iter().flatten().map(Vec::as_slice).collect(),
        _ => Vec::new(),
    }
}
/// The scope of code.
fn of_code(tree: &Tree, code: &Code) -> Option<usize> {
    if code.kind == CodeKind::Top {
        return Some(0);
    }
    let kinds: &[&str] = match code.kind {
        CodeKind::Method => &["DEFN", "DEFS"],
        CodeKind::Class | CodeKind::Module => &["CLASS", "MODULE", "SCLASS"],
        _ => &["ITER", "LAMBDA", "FOR", "POSTEXE"],
    };
    let own: Vec<&[u8]> = (code.locals.iter().map(|name| name.as_bytes()))
        .filter(|name| name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80))
        .collect();
    let mut near = None;
    for node in tree.nodes.iter().filter(|node| kinds.contains(&node.kind)) {
        let Some(number) = scope_of(node) else { continue };
        let Some(scope) = tree.nodes.get(number) else { continue };
        let (first, last) = (tree.lines.position(scope.from).0, tree.lines.position(scope.to).0);
        if (first, last) != (code.line as usize, code.end_line as usize) || !defines(node, code) {
            continue;
        }
        let known = names(scope);
        if known.len() == own.len() && known.iter().all(|name| own.contains(name)) {
            return Some(number);
        }
        near.get_or_insert(number);
    }
    near
}

/// Whether a node may be what defines this code: more than one method may stand on a line.
fn defines(node: &Flat, code: &Code) -> bool {
    let name = node.children.iter().find_map(|part| match part {
        Part::Other(Child::Sym(name)) => Some(name),
        _ => None,
    });
    code.kind != CodeKind::Method || name.is_none_or(|name| name == code.name.as_bytes())
}

/// The name that a node calls or reads.
fn name_of(node: &Flat) -> Option<&[u8]> {
    let at = match node.kind {
        "CALL" | "OPCALL" | "QCALL" | "ATTRASGN" => 1,
        "FCALL" | "VCALL" | "CONST" | "COLON3" | "LVAR" => 0,
        "COLON2" | "OP_CDECL" => 1,
        "OP_ASGN1" => return Some(b"[]"),
        "OP_ASGN2" => 2,
        _ => return None,
    };
    match node.children.get(at) {
        Some(Part::Other(Child::Sym(name))) => Some(name),
        _ => None,
    }
}
/// Whether a node may be what calls a method of this name.
fn calls(node: &Flat, name: &[u8]) -> bool {
    let operator = |at: usize| matches!(node.children.get(at), Some(Part::Other(Child::Sym(known))) if known == name);
    match node.kind {
        "OP_ASGN1" => name == b"[]" || name == b"[]=" || operator(1),
        "OP_ASGN2" => {
            let own = name_of(node).unwrap_or_default();
            name == own || name.strip_suffix(b"=") == Some(own) || operator(3)
        }
        "OP_CDECL" => operator(1) || name_of(node) == Some(name),
        "ATTRASGN" => name_of(node).is_some_and(|own| own == name || name.strip_suffix(b"=") == Some(own)),
        "MATCH2" | "MATCH3" => name == b"=~",
        _ => name_of(node) == Some(name),
    }
}
/// The node of a place in a backtrace.
fn at_place(tree: &Tree, place: &Place) -> Option<usize> {
    let fits = |node: &Flat| place.name.as_ref().is_none_or(|name| calls(node, name.as_bytes()));
    let calling = |node: &Flat| name_of(node).is_some() || matches!(node.kind, "MATCH2" | "MATCH3");
    if let Some((from, to)) = place.span {
        let (from, to) = (from as usize, to as usize);
        let inside = |node: &(usize, &Flat)| node.1.from <= from && to <= node.1.to && calling(node.1);
        let text = tree.source.get(from..to).unwrap_or_default();
        let all = || tree.nodes.iter().enumerate();
        let named = all().filter(inside).filter(|(_, node)| calls(node, text) || fits(node) && place.name.is_some());
        let best = named.min_by_key(|(_, node)| node.to - node.from);
        if let Some((number, _)) = best.or_else(|| all().filter(inside).min_by_key(|(_, node)| node.to - node.from)) {
            return Some(number);
        }
    }
    let line = place.line as usize;
    let on_line = |node: &Flat| {
        let (first, last) = (tree.lines.position(node.from).0, tree.lines.position(node.to).0);
        first <= line && line <= last
    };
    let candidates = tree.nodes.iter().enumerate().filter(|(_, node)| calling(node) && on_line(node) && fits(node));
    candidates
        .min_by_key(|(_, node)| tree.lines.position(node.to).0 - tree.lines.position(node.from).0)
        .map(|(number, _)| number)
}

/// The places of the methods that a file defines: first line and column, last line and column.
pub(crate) fn definitions(file: &SourceFile) -> Vec<(usize, usize, usize, usize)> {
    let Ok(root) = ast(&file.source, &file.path) else { return Vec::new() };
    let lines = Lines::of(&file.source);
    let (mut found, mut open) = (Vec::new(), vec![&root]);
    while let Some(node) = open.pop() {
        if matches!(node.kind, "DEFN" | "DEFS") {
            let ((first, column), (last, end)) = (lines.position(node.from), lines.position(node.to));
            found.push((first, column, last, end));
        }
        open.extend(node.children.iter().filter_map(|child| match child {
            Child::Node(inner) => Some(inner),
            _ => None,
        }));
    }
    found
}
