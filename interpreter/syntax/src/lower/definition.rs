//! Methods, classes, aliases, `BEGIN` and `END`.

use super::scope::{Scope, ScopeKind};
use super::{Lowering, symbol_of};
use crate::Symbol;
use crate::symbol::sym;
use crate::tree::{ClassDef, Code, CodeKind, Node, Params, unique_id};
use ruby_prism as prism;
use std::sync::Arc;

impl Lowering {
    pub(super) fn def(&mut self, node: &prism::DefNode<'_>) -> Node {
        let receiver = node.receiver().map(|receiver| self.node(&receiver));
        self.scopes.push(Scope::new(ScopeKind::Method));
        let mut params = self.parameters(node.parameters().as_ref(), &node.locals());
        self.remember_parameters(&params);
        let mut body = self.optional(node.body());
        params.block_passed = self.scopes.last().is_some_and(|scope| scope.block_only_passed.is_some());
        let line = self.line(node.location().start());
        if node.equal_loc().is_some() {
            body = self.unmarked(body);
        }
        if let Node::Begin(begin) = &mut body
            && begin.ensure.is_none()
        {
            // while a `rescue` clause of a method body without `ensure` runs, MRI shows the line of the `def`
            begin.line = line;
        }
        let end_line = self.end_line_of(&node.location());
        let code = self.close(CodeKind::Method, symbol_of(&node.name()), line, end_line, params, body);
        match receiver {
            Some(receiver) => Node::DefSingleton(Box::new((receiver, code))),
            None => Node::Def(code),
        }
    }

    fn class_body(
        &mut self,
        kind: CodeKind,
        name: Symbol,
        names: &prism::ConstantList<'_>,
        body: Option<prism::Node<'_>>,
        location: &prism::Location<'_>,
    ) -> (Arc<Code>, u32) {
        self.scopes.push(Scope::new(ScopeKind::Class));
        self.declare(names);
        let body = self.optional(body);
        let line = self.line(location.start());
        let end_line = self.end_line_of(location);
        (self.close(kind, name, line, end_line, Params::default(), body), line)
    }

    /// The explicit scope of `class X` and `class Y::X`.
    fn definition_scope(&mut self, path: &prism::Node<'_>) -> Option<Node> {
        let path = path.as_constant_path_node()?;
        Some(self.constant_scope(path.parent()))
    }

    pub(super) fn class(&mut self, node: &prism::ClassNode<'_>) -> Node {
        let scope = self.definition_scope(&node.constant_path());
        let superclass = node.superclass().map(|superclass| self.node(&superclass));
        let name = symbol_of(&node.name());
        let (body, line) = self.class_body(CodeKind::Class, name, &node.locals(), node.body(), &node.location());
        Node::Class(Box::new(ClassDef { scope, name, superclass, module: false, body, line }))
    }

    pub(super) fn module(&mut self, node: &prism::ModuleNode<'_>) -> Node {
        let scope = self.definition_scope(&node.constant_path());
        let name = symbol_of(&node.name());
        let (body, line) = self.class_body(CodeKind::Module, name, &node.locals(), node.body(), &node.location());
        Node::Class(Box::new(ClassDef { scope, name, superclass: None, module: true, body, line }))
    }

    pub(super) fn singleton_class(&mut self, node: &prism::SingletonClassNode<'_>) -> Node {
        let object = self.node(&node.expression());
        let (body, line) = self.class_body(CodeKind::Class, sym::EMPTY, &node.locals(), node.body(), &node.location());
        Node::SClass(Box::new((object, body, line)))
    }

    pub(super) fn alias_method(&mut self, node: &prism::AliasMethodNode<'_>) -> Node {
        let new = self.node(&node.new_name());
        let old = self.node(&node.old_name());
        let line = self.line(node.location().start());
        Node::Alias(Box::new((new, old, line)))
    }

    pub(super) fn alias_global(&mut self, node: &prism::AliasGlobalVariableNode<'_>) -> Node {
        let name = |node: &prism::Node<'_>| Symbol::intern_bytes(node.location().as_slice());
        Node::AliasGlobal(name(&node.new_name()), name(&node.old_name()))
    }

    pub(super) fn undef(&mut self, node: &prism::UndefNode<'_>) -> Node {
        let names = node.names().iter().map(|name| self.node(&name)).collect();
        let line = self.line(node.location().start());
        Node::Undef(Box::new((names, line)))
    }

    /// `BEGIN {}` is evaluated before the rest of the file.
    pub(super) fn pre_execution(&mut self, node: &prism::PreExecutionNode<'_>) -> Node {
        let body = self.optional_statements(node.statements());
        self.begin_blocks.push(body);
        Node::Nil
    }

    pub(super) fn post_execution(&mut self, node: &prism::PostExecutionNode<'_>) -> Node {
        self.scopes.push(Scope::new(ScopeKind::Transparent));
        let body = self.optional_statements(node.statements());
        let line = self.line(node.location().start());
        let end_line = self.end_line_of(&node.location());
        let params = Params { simple: true, ..Params::default() };
        let code = self.close(CodeKind::Block, sym::EMPTY, line, end_line, params, body);
        Node::PostExe(code, unique_id())
    }
}
