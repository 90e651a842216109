//! RubyVM::AbstractSyntaxTree: trees and nodes as Ruby sees them.

use super::find;
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::exception::highlight::Highlighter;
use crate::error::{Error, Res};
use crate::method::{MethodDef, any, def};
use crate::string::RString;
use crate::value::{NativeData, Value};
use rchef_syntax::ast::{Ast, Child, Lines, Lit, Refused, ast};
use rchef_syntax::{ParseKind, ParseRequest};
use std::rc::Rc;

/// A tree, its nodes numbered in the order in which they begin.
pub(super) struct Tree {
    pub(super) nodes: Vec<Flat>,
    pub(super) source: Vec<u8>,
    pub(super) lines: Lines,
    /// Whether nodes tell the lines of the source.
    keeps_lines: bool,
}
/// A node, its children nodes replaced by their numbers.
pub(super) struct Flat {
    pub(super) kind: &'static str,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) children: Vec<Part>,
}
pub(super) enum Part {
    Node(usize),
    Other(Child),
}
struct NodeData {
    tree: Rc<Tree>,
    number: usize,
}
impl NativeData for NodeData {}

fn flatten(ast: Ast, nodes: &mut Vec<Flat>) -> usize {
    let number = nodes.len();
    nodes.push(Flat { kind: ast.kind, from: ast.from, to: ast.to, children: Vec::new() });
    let children: Vec<Part> = (ast.children.into_iter())
        .map(|child| match child {
            Child::Node(inner) => Part::Node(flatten(inner, nodes)),
            other => Part::Other(other),
        })
        .collect();
    if let Some(node) = nodes.get_mut(number) {
        node.children = children;
    }
    number
}
/// The tree of a source.
pub(super) fn make(vm: &mut Vm, source: Vec<u8>, path: &str, keeps_lines: bool) -> Res<Rc<Tree>> {
    let root = match ast(&source, path) {
        Ok(root) => root,
        Err(Refused::Syntax(mut error)) => {
            // a String has no file to name
            if let Some(rest) = error.message.strip_prefix(&format!(":{}: ", error.line)) {
                error.message = rest.to_string();
            }
            return Err(vm.syntax_error(&error));
        }
        Err(Refused::Unsupported) => return Err(unsupported(vm)),
    };
    let mut nodes = Vec::new();
    flatten(root, &mut nodes);
    let lines = Lines::of(&source);
    Ok(Rc::new(Tree { nodes, source, lines, keeps_lines }))
}
fn unsupported(vm: &mut Vm) -> Error {
    vm.not_implemented("RubyVM::AbstractSyntaxTree of pattern matching is unimplemented on this machine")
}
pub(super) fn node_value(vm: &Vm, tree: Rc<Tree>, number: usize) -> Value {
    let class = vm.extension_ref::<Classes>().map_or(ClassId::OBJECT, |classes| classes.node);
    Value::data(class, NodeData { tree, number })
}

/// The class of nodes.
struct Classes {
    node: ClassId,
}
impl Default for Classes {
    fn default() -> Classes {
        Classes { node: ClassId::OBJECT }
    }
}

fn set_highlighter(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let formatter = args.at(0).clone();
    *vm.extension::<Highlighter>() = Highlighter { own: true, formatter };
    Ok(Value::Nil)
}

fn keeps(vm: &mut Vm, args: Args<'_>) -> Res<bool> {
    let (pos, [keep]) = args.take_keywords(vm, [Symbol::intern_static("keep_script_lines")])?;
    if pos.len() != 1 {
        return Err(vm.arity_error(pos.len(), "1"));
    }
    Ok(keep.is_some_and(|keep| keep.truthy()))
}
fn parse(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let keep = keeps(vm, args)?;
    let source = vm.to_str(args.at(0))?.get(vm).bytes().to_vec();
    let tree = make(vm, source, "", keep)?;
    Ok(node_value(vm, tree, 0))
}
fn parse_file(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let keep = keeps(vm, args)?;
    let path = vm.to_path(args.at(0))?;
    let source = find::read(vm, &path)?;
    let tree = make(vm, source, &path, keep)?;
    Ok(node_value(vm, tree, 0))
}
fn of(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let keep = keeps(vm, args)?;
    Ok(match find::of(vm, args.at(0), keep)? {
        Some((tree, number)) => node_value(vm, tree, number),
        None => Value::Nil,
    })
}
fn node_id_for(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    if !crate::core::location::is_location(vm, args.at(0)) {
        let described = vm.describe(args.at(0));
        return Err(vm.type_error(format!("Thread::Backtrace::Location object expected, got {described}")));
    }
    Ok(match find::of(vm, args.at(0), false)? {
        Some((_, number)) => Value::len(number),
        None => Value::Int(-1),
    })
}

fn data(vm: &mut Vm, this: &Value) -> Res<(Rc<Tree>, usize)> {
    match vm.data::<NodeData>(this) {
        Some(data) => Ok((data.tree.clone(), data.number)),
        None => Err(vm.type_error("uninitialized node")),
    }
}
fn with<R>(vm: &mut Vm, this: &Value, get: impl FnOnce(&Tree, &Flat) -> R) -> Res<R> {
    let (tree, number) = data(vm, this)?;
    match tree.nodes.get(number) {
        Some(node) => Ok(get(&tree, node)),
        None => Err(vm.type_error("uninitialized node")),
    }
}
fn kind(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    with(vm, this, |_, node| Value::Sym(Symbol::intern_static(node.kind)))
}
fn first_lineno(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    with(vm, this, |tree, node| Value::len(tree.lines.position(node.from).0))
}
fn first_column(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    with(vm, this, |tree, node| Value::len(tree.lines.position(node.from).1))
}
fn last_lineno(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    with(vm, this, |tree, node| Value::len(tree.lines.position(node.to).0))
}
fn last_column(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    with(vm, this, |tree, node| Value::len(tree.lines.position(node.to).1))
}
fn node_id(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(data(vm, this)?.1))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    with(vm, this, |tree, node| {
        let ((line, column), (last, end)) = (tree.lines.position(node.from), tree.lines.position(node.to));
        Value::str(format!("#<{class}:{}@{line}:{column}-{last}:{end}>", node.kind))
    })
}
fn children(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (tree, number) = data(vm, this)?;
    let Some(node) = tree.nodes.get(number) else { return Ok(Value::Nil) };
    let mut items = Vec::with_capacity(node.children.len());
    for part in &node.children {
        items.push(match part {
            Part::Node(number) => node_value(vm, tree.clone(), *number),
            Part::Other(child) => child_value(vm, child)?,
        });
    }
    Ok(Value::array(items))
}
fn child_value(vm: &mut Vm, child: &Child) -> Res {
    let name = |bytes: &[u8]| Value::Sym(Symbol::intern_bytes(bytes));
    Ok(match child {
        Child::Nil | Child::Node(_) => Value::Nil,
        Child::True => Value::True,
        Child::False => Value::False,
        Child::Sym(text) => name(text),
        Child::Int(number) => Value::Int(*number),
        Child::Names(names) => {
            Value::array(names.iter().map(|known| known.as_ref().map_or(Value::Nil, |known| name(known))).collect())
        }
        Child::Lit(lit) => literal(vm, lit)?,
    })
}
fn literal(vm: &mut Vm, lit: &Lit) -> Res {
    let kernel = Value::Class(ClassId::KERNEL);
    Ok(match lit {
        Lit::Sym(text) => Value::Sym(Symbol::intern_bytes(text)),
        Lit::Str(text) => Value::string(RString::utf8(text.clone())),
        Lit::Int(digits) => vm.call_name(&kernel, "Integer", &[Value::str(digits)])?,
        Lit::Float(number) => Value::float(*number),
        Lit::Rational(numerator, denominator) => {
            vm.call_name(&kernel, "Rational", &[Value::str(format!("{numerator}/{denominator}"))])?
        }
        Lit::Imaginary(part) => {
            let part = literal(vm, part)?;
            vm.call_name(&kernel, "Complex", &[Value::Int(0), part])?
        }
        Lit::Regexp(source, options) => {
            crate::core::regexp::literal(vm, source, rchef_text::encoding::Encoding::Utf8, *options)?
        }
        Lit::Encoding => crate::core::encoding::object(vm, rchef_text::encoding::Encoding::Utf8),
    })
}
fn script_lines(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (tree, _) = data(vm, this)?;
    if !tree.keeps_lines {
        return Ok(Value::Nil);
    }
    let lines = tree.source.split_inclusive(|byte| *byte == b'\n');
    Ok(Value::array(lines.map(|line| Value::string(RString::utf8(line.to_vec()))).collect()))
}
/// The text of a node, if the lines of the source are kept.
fn source(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    with(vm, this, |tree, node| {
        let text = tree.source.get(node.from..node.to).filter(|_| tree.keeps_lines);
        text.map(|text| Value::string(RString::utf8(text.to_vec()))).unwrap_or_default()
    })
}

/// SyntaxError if a source does not parse.
fn check(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let source = vm.to_str(args.at(0))?.get(vm).bytes().to_vec();
    let path = vm.to_text(args.at(1))?;
    let first_line = vm.to_int(args.at(2))? as i32;
    vm.check_source(ParseRequest { first_line, ..ParseRequest::file(&source, &path, ParseKind::Eval) })?;
    Ok(Value::Nil)
}

static FUNCTIONS: &[MethodDef] = &[
    any("parse", parse),
    any("parse_file", parse_file),
    any("of", of),
    def("node_id_for_backtrace_location", node_id_for, 1),
    def("__highlighter=", set_highlighter, 1).private(),
    def("__check", check, 3).private(),
];
static NODE: &[MethodDef] = &[
    def("type", kind, 0),
    def("first_lineno", first_lineno, 0),
    def("first_column", first_column, 0),
    def("last_lineno", last_lineno, 0),
    def("last_column", last_column, 0),
    def("node_id", node_id, 0),
    def("children", children, 0),
    def("inspect", inspect, 0),
    def("script_lines", script_lines, 0),
    def("source", source, 0),
];

pub(super) fn boot(vm: &mut Vm, outer: ClassId) {
    let module = vm.define_module(outer, "AbstractSyntaxTree");
    vm.define_singleton_methods(module, FUNCTIONS);
    let node = vm.define_class(module, "Node", ClassId::OBJECT);
    vm.undefine_new(node);
    vm.define_methods(node, NODE);
    vm.extension::<Classes>().node = node;
}
