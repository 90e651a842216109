//! Assignments.

use super::{Kind, Lower, Span, name, opt, span};
use ruby_prism::{ArgumentsNode, BlockArgumentNode, ConstantPathNode, MultiTargetNode, MultiWriteNode, Node, NodeList};

impl<'t> Lower<'t> {
    pub(super) fn assignment(&mut self, node: &Node<'t>, here: Span) -> Option<u32> {
        self.plain_write(node, here)
            .or_else(|| self.or_write(node, here))
            .or_else(|| self.and_write(node, here))
            .or_else(|| self.operator_write(node, here))
            .or_else(|| self.target(node, here))
    }

    /// The target of an operator assignment, which also reads the variable.
    fn left(&mut self, kind: Kind, at: Span, text: &'t str) -> u32 {
        let kids: &[u32] = if kind == Kind::Casgn { &[0] } else { &[] };
        let id = self.named(kind, at, text, kids);
        self.with(id, |node| node.selector = at)
    }

    fn left_call(&mut self, receiver: Option<Node<'t>>, at: Span, text: &'t str) -> u32 {
        let receiver = self.opt(receiver);
        let here = if receiver == 0 { at } else { self.span_of(receiver).join(at) };
        let id = self.named(Kind::Send, here, text, &[receiver]);
        self.with(id, |node| node.selector = at)
    }

    fn left_index(
        &mut self,
        receiver: Option<Node<'t>>,
        arguments: Option<ArgumentsNode<'t>>,
        block: Option<BlockArgumentNode<'t>>,
        brackets: Span,
        text: &'t str,
    ) -> u32 {
        let receiver = self.opt(receiver);
        let mut kids = vec![receiver];
        kids.extend(self.arguments(arguments));
        kids.extend(block.map(|block| self.node(&block.as_node())));
        let here = if receiver == 0 { brackets } else { self.span_of(receiver).join(brackets) };
        let id = self.named(Kind::Send, here, text, &kids);
        self.with(id, |node| node.selector = brackets)
    }

    fn left_path(&mut self, path: &ConstantPathNode<'t>) -> u32 {
        let scope = match path.parent() {
            Some(scope) => self.node(&scope),
            None => self.add(Kind::Cbase, span(&path.delimiter_loc()), &[]),
        };
        let text = path.name().as_ref().map_or("", name);
        self.named(Kind::Casgn, span(&path.location()), text, &[scope])
    }

    fn plain_write(&mut self, node: &Node<'t>, here: Span) -> Option<u32> {
        let (kind, text, at, value) = match node {
            Node::LocalVariableWriteNode { .. } => {
                let node = node.as_local_variable_write_node()?;
                (Kind::Lvasgn, name(&node.name()), span(&node.name_loc()), node.value())
            }
            Node::InstanceVariableWriteNode { .. } => {
                let node = node.as_instance_variable_write_node()?;
                (Kind::Ivasgn, name(&node.name()), span(&node.name_loc()), node.value())
            }
            Node::GlobalVariableWriteNode { .. } => {
                let node = node.as_global_variable_write_node()?;
                (Kind::Gvasgn, name(&node.name()), span(&node.name_loc()), node.value())
            }
            Node::ClassVariableWriteNode { .. } => {
                let node = node.as_class_variable_write_node()?;
                (Kind::Cvasgn, name(&node.name()), span(&node.name_loc()), node.value())
            }
            Node::ConstantWriteNode { .. } => {
                let node = node.as_constant_write_node()?;
                let value = self.node(&node.value());
                let id = self.named(Kind::Casgn, here, name(&node.name()), &[0, value]);
                return Some(self.with(id, |data| data.selector = span(&node.name_loc())));
            }
            Node::ConstantPathWriteNode { .. } => {
                let node = node.as_constant_path_write_node()?;
                let path = node.target();
                let scope = match path.parent() {
                    Some(scope) => self.node(&scope),
                    None => self.add(Kind::Cbase, span(&path.delimiter_loc()), &[]),
                };
                let value = self.node(&node.value());
                return Some(self.named(Kind::Casgn, here, path.name().as_ref().map_or("", name), &[scope, value]));
            }
            Node::MultiWriteNode { .. } => return self.multi_write(&node.as_multi_write_node()?, here),
            Node::MatchWriteNode { .. } => {
                let node = node.as_match_write_node()?;
                let call = self.call(&node.call());
                return Some(self.add(Kind::MatchAsgn, here, &[call]));
            }
            _ => return None,
        };
        let value = self.node(&value);
        let id = self.named(kind, here, text, &[value]);
        Some(self.with(id, |node| node.selector = at))
    }

    fn multi_write(&mut self, node: &MultiWriteNode<'t>, here: Span) -> Option<u32> {
        let left = self.targets(&node.lefts(), node.rest(), &node.rights(), here);
        let value = self.node(&node.value());
        Some(self.add(Kind::Masgn, here, &[left, value]))
    }

    fn targets(&mut self, lefts: &NodeList<'t>, rest: Option<Node<'t>>, rights: &NodeList<'t>, here: Span) -> u32 {
        let mut kids = self.list(lefts);
        kids.extend(rest.filter(|rest| rest.as_implicit_rest_node().is_none()).map(|rest| self.node(&rest)));
        kids.extend(self.list(rights));
        let last = kids.last().map_or(here, |last| self.span_of(*last));
        self.add(Kind::Mlhs, Span::new(here.start, last.end), &kids)
    }

    fn target(&mut self, node: &Node<'t>, here: Span) -> Option<u32> {
        Some(match node {
            Node::LocalVariableTargetNode { .. } => {
                let text = name(&node.as_local_variable_target_node()?.name());
                self.left(Kind::Lvasgn, here, text)
            }
            Node::InstanceVariableTargetNode { .. } => {
                let text = name(&node.as_instance_variable_target_node()?.name());
                self.left(Kind::Ivasgn, here, text)
            }
            Node::GlobalVariableTargetNode { .. } => {
                let text = name(&node.as_global_variable_target_node()?.name());
                self.left(Kind::Gvasgn, here, text)
            }
            Node::ClassVariableTargetNode { .. } => {
                let text = name(&node.as_class_variable_target_node()?.name());
                self.left(Kind::Cvasgn, here, text)
            }
            Node::ConstantTargetNode { .. } => {
                let text = name(&node.as_constant_target_node()?.name());
                self.left(Kind::Casgn, here, text)
            }
            Node::CallTargetNode { .. } => {
                let node = node.as_call_target_node()?;
                self.left_call(Some(node.receiver()), span(&node.message_loc()), name(&node.name()))
            }
            Node::IndexTargetNode { .. } => {
                let node = node.as_index_target_node()?;
                let brackets = span(&node.opening_loc()).join(span(&node.closing_loc()));
                self.left_index(Some(node.receiver()), node.arguments(), node.block(), brackets, "[]=")
            }
            Node::MultiTargetNode { .. } => {
                let node: MultiTargetNode<'t> = node.as_multi_target_node()?;
                self.targets(&node.lefts(), node.rest(), &node.rights(), here)
            }
            _ => return None,
        })
    }

    fn or_write(&mut self, node: &Node<'t>, here: Span) -> Option<u32> {
        let (left, value, operator) = match node {
            Node::LocalVariableOrWriteNode { .. } => {
                let node = node.as_local_variable_or_write_node()?;
                (self.left(Kind::Lvasgn, span(&node.name_loc()), name(&node.name())), node.value(), "")
            }
            Node::InstanceVariableOrWriteNode { .. } => {
                let node = node.as_instance_variable_or_write_node()?;
                (self.left(Kind::Ivasgn, span(&node.name_loc()), name(&node.name())), node.value(), "")
            }
            Node::GlobalVariableOrWriteNode { .. } => {
                let node = node.as_global_variable_or_write_node()?;
                (self.left(Kind::Gvasgn, span(&node.name_loc()), name(&node.name())), node.value(), "")
            }
            Node::ClassVariableOrWriteNode { .. } => {
                let node = node.as_class_variable_or_write_node()?;
                (self.left(Kind::Cvasgn, span(&node.name_loc()), name(&node.name())), node.value(), "")
            }
            Node::ConstantOrWriteNode { .. } => {
                let node = node.as_constant_or_write_node()?;
                (self.left(Kind::Casgn, span(&node.name_loc()), name(&node.name())), node.value(), "")
            }
            Node::ConstantPathOrWriteNode { .. } => {
                let node = node.as_constant_path_or_write_node()?;
                (self.left_path(&node.target()), node.value(), "")
            }
            Node::CallOrWriteNode { .. } => {
                let node = node.as_call_or_write_node()?;
                let left = self.left_call(node.receiver(), opt(node.message_loc()), name(&node.read_name()));
                (left, node.value(), "")
            }
            Node::IndexOrWriteNode { .. } => {
                let node = node.as_index_or_write_node()?;
                let brackets = span(&node.opening_loc()).join(span(&node.closing_loc()));
                let left = self.left_index(node.receiver(), node.arguments(), node.block(), brackets, "[]");
                (left, node.value(), "")
            }
            _ => return None,
        };
        let value = self.node(&value);
        Some(self.named(Kind::OrAsgn, here, operator, &[left, value]))
    }

    fn and_write(&mut self, node: &Node<'t>, here: Span) -> Option<u32> {
        let (left, value, operator) = match node {
            Node::LocalVariableAndWriteNode { .. } => {
                let node = node.as_local_variable_and_write_node()?;
                (self.left(Kind::Lvasgn, span(&node.name_loc()), name(&node.name())), node.value(), "")
            }
            Node::InstanceVariableAndWriteNode { .. } => {
                let node = node.as_instance_variable_and_write_node()?;
                (self.left(Kind::Ivasgn, span(&node.name_loc()), name(&node.name())), node.value(), "")
            }
            Node::GlobalVariableAndWriteNode { .. } => {
                let node = node.as_global_variable_and_write_node()?;
                (self.left(Kind::Gvasgn, span(&node.name_loc()), name(&node.name())), node.value(), "")
            }
            Node::ClassVariableAndWriteNode { .. } => {
                let node = node.as_class_variable_and_write_node()?;
                (self.left(Kind::Cvasgn, span(&node.name_loc()), name(&node.name())), node.value(), "")
            }
            Node::ConstantAndWriteNode { .. } => {
                let node = node.as_constant_and_write_node()?;
                (self.left(Kind::Casgn, span(&node.name_loc()), name(&node.name())), node.value(), "")
            }
            Node::ConstantPathAndWriteNode { .. } => {
                let node = node.as_constant_path_and_write_node()?;
                (self.left_path(&node.target()), node.value(), "")
            }
            Node::CallAndWriteNode { .. } => {
                let node = node.as_call_and_write_node()?;
                let left = self.left_call(node.receiver(), opt(node.message_loc()), name(&node.read_name()));
                (left, node.value(), "")
            }
            Node::IndexAndWriteNode { .. } => {
                let node = node.as_index_and_write_node()?;
                let brackets = span(&node.opening_loc()).join(span(&node.closing_loc()));
                let left = self.left_index(node.receiver(), node.arguments(), node.block(), brackets, "[]");
                (left, node.value(), "")
            }
            _ => return None,
        };
        let value = self.node(&value);
        Some(self.named(Kind::AndAsgn, here, operator, &[left, value]))
    }

    fn operator_write(&mut self, node: &Node<'t>, here: Span) -> Option<u32> {
        let (left, value, operator) = match node {
            Node::LocalVariableOperatorWriteNode { .. } => {
                let node = node.as_local_variable_operator_write_node()?;
                (
                    self.left(Kind::Lvasgn, span(&node.name_loc()), name(&node.name())),
                    node.value(),
                    name(&node.binary_operator()),
                )
            }
            Node::InstanceVariableOperatorWriteNode { .. } => {
                let node = node.as_instance_variable_operator_write_node()?;
                (
                    self.left(Kind::Ivasgn, span(&node.name_loc()), name(&node.name())),
                    node.value(),
                    name(&node.binary_operator()),
                )
            }
            Node::GlobalVariableOperatorWriteNode { .. } => {
                let node = node.as_global_variable_operator_write_node()?;
                (
                    self.left(Kind::Gvasgn, span(&node.name_loc()), name(&node.name())),
                    node.value(),
                    name(&node.binary_operator()),
                )
            }
            Node::ClassVariableOperatorWriteNode { .. } => {
                let node = node.as_class_variable_operator_write_node()?;
                (
                    self.left(Kind::Cvasgn, span(&node.name_loc()), name(&node.name())),
                    node.value(),
                    name(&node.binary_operator()),
                )
            }
            Node::ConstantOperatorWriteNode { .. } => {
                let node = node.as_constant_operator_write_node()?;
                (
                    self.left(Kind::Casgn, span(&node.name_loc()), name(&node.name())),
                    node.value(),
                    name(&node.binary_operator()),
                )
            }
            Node::ConstantPathOperatorWriteNode { .. } => {
                let node = node.as_constant_path_operator_write_node()?;
                (self.left_path(&node.target()), node.value(), name(&node.binary_operator()))
            }
            Node::CallOperatorWriteNode { .. } => {
                let node = node.as_call_operator_write_node()?;
                let left = self.left_call(node.receiver(), opt(node.message_loc()), name(&node.read_name()));
                (left, node.value(), name(&node.binary_operator()))
            }
            Node::IndexOperatorWriteNode { .. } => {
                let node = node.as_index_operator_write_node()?;
                let brackets = span(&node.opening_loc()).join(span(&node.closing_loc()));
                let left = self.left_index(node.receiver(), node.arguments(), node.block(), brackets, "[]");
                (left, node.value(), name(&node.binary_operator()))
            }
            _ => return None,
        };
        let value = self.node(&value);
        Some(self.named(Kind::OpAsgn, here, operator, &[left, value]))
    }
}
