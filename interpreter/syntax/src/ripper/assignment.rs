//! Assignments and their targets.

use super::{Builder, Found, Sexp, ended, list, node};
use ruby_prism as prism;
use ruby_prism::Node;

impl Builder<'_> {
    /// Several values without brackets: `a = 1, *b`.
    pub(super) fn right_hand_side(&self, values: &[Node<'_>]) -> Found {
        let (last, first) = values.split_last()?;
        let last = match last.as_splat_node() {
            Some(splat) => node("star", [self.optional(splat.expression().as_ref())?]),
            None => self.node(last)?,
        };
        Some(node("mrhs", [self.values(first)?, last]))
    }
    /// The targets of a multiple assignment: fields, or bare names in parameters.
    pub(super) fn targets(
        &self,
        lefts: Vec<Node<'_>>,
        rest: Option<Node<'_>>,
        rights: Vec<Node<'_>>,
        parameters: bool,
    ) -> Found {
        let one = |target: &Node<'_>| if parameters { self.required(target) } else { self.target(target) };
        let mut made: Vec<Sexp> = lefts.iter().map(one).collect::<Option<_>>()?;
        match rest.as_ref().map(Node::as_splat_node) {
            Some(Some(splat)) => {
                let inner = splat.expression().map_or(Some(Sexp::Nil), |inner| one(&inner))?;
                made.push(ended(&splat.location(), "star", [inner]));
            }
            Some(None) if parameters => made.push(node("excessed_comma", [])),
            _ => {}
        }
        made.extend(rights.iter().map(one).collect::<Option<Vec<_>>>()?);
        Some(list("mlhs", made))
    }
    pub(super) fn target(&self, target: &Node<'_>) -> Found {
        let whole = target.location();
        let field = |inner| Some(node("var_field", [inner]));
        match target {
            Node::LocalVariableTargetNode { .. }
            | Node::InstanceVariableTargetNode { .. }
            | Node::ClassVariableTargetNode { .. }
            | Node::GlobalVariableTargetNode { .. }
            | Node::ConstantTargetNode { .. } => field(self.name(&whole)),
            Node::ConstantPathTargetNode { .. } => {
                let path = target.as_constant_path_target_node()?;
                self.path_field(path.parent().as_ref(), &path.name_loc())
            }
            Node::CallTargetNode { .. } => {
                let call = target.as_call_target_node()?;
                Some(node(
                    "field",
                    [
                        self.node(&call.receiver())?,
                        self.period(&call.call_operator_loc()),
                        self.name(&call.message_loc()),
                    ],
                ))
            }
            Node::IndexTargetNode { .. } => {
                let index = target.as_index_target_node()?;
                Some(node(
                    "aref_field",
                    [self.node(&index.receiver())?, self.arguments(index.arguments().as_ref(), None)?],
                ))
            }
            Node::MultiTargetNode { .. } => {
                let many = target.as_multi_target_node()?;
                let inner =
                    self.targets(many.lefts().iter().collect(), many.rest(), many.rights().iter().collect(), false)?;
                Some(match many.rparen_loc() {
                    Some(end) => ended(&end, "mlhs_paren", [inner]),
                    None => inner,
                })
            }
            Node::RequiredParameterNode { .. } => Some(self.at("@ident", &whole)),
            _ => None,
        }
    }
    pub(super) fn path_field(&self, parent: Option<&Node<'_>>, name: &prism::Location<'_>) -> Found {
        Some(match parent {
            Some(parent) => node("const_path_field", [self.node(parent)?, self.at("@const", name)]),
            None => node("top_const_field", [self.at("@const", name)]),
        })
    }
    /// The value of an assignment; several values without brackets are a list.
    pub(super) fn assigned(&self, value: &Node<'_>) -> Found {
        match value.as_array_node() {
            Some(array) if array.opening_loc().is_none() => {
                let values: Vec<Node<'_>> = array.elements().iter().collect();
                self.right_hand_side(&values)
            }
            _ => self.node(value),
        }
    }
    pub(super) fn assign(&self, name: &prism::Location<'_>, value: &Node<'_>) -> Found {
        Some(node("assign", [node("var_field", [self.name(name)]), self.assigned(value)?]))
    }
    pub(super) fn operate(&self, field: Sexp, operator: &prism::Location<'_>, value: &Node<'_>) -> Found {
        Some(node("opassign", [field, self.at("@op", operator), self.assigned(value)?]))
    }
    pub(super) fn assignment(&self, found: &Node<'_>) -> Found {
        macro_rules! write {
            ($($as:ident),*) => {$(
                if let Some(write) = found.$as() {
                    return self.assign(&write.name_loc(), &write.value());
                }
            )*};
        }
        macro_rules! operate {
            ($($as:ident $operator:ident),*) => {$(
                if let Some(write) = found.$as() {
                    let field = node("var_field", [self.name(&write.name_loc())]);
                    return self.operate(field, &write.$operator(), &write.value());
                }
            )*};
        }
        macro_rules! operate_on_call {
            ($($as:ident $operator:ident),*) => {$(
                if let Some(write) = found.$as() {
                    let receiver = self.node(&write.receiver()?)?;
                    let field = node("field", [receiver, self.period(&write.call_operator_loc()?), self.name(&write.message_loc()?)]);
                    return self.operate(field, &write.$operator(), &write.value());
                }
            )*};
        }
        macro_rules! operate_on_index {
            ($($as:ident $operator:ident),*) => {$(
                if let Some(write) = found.$as() {
                    let receiver = self.node(&write.receiver()?)?;
                    let field = node("aref_field", [receiver, self.arguments(write.arguments().as_ref(), None)?]);
                    return self.operate(field, &write.$operator(), &write.value());
                }
            )*};
        }
        macro_rules! operate_on_path {
            ($($as:ident $operator:ident),*) => {$(
                if let Some(write) = found.$as() {
                    let path = write.target();
                    let field = self.path_field(path.parent().as_ref(), &path.name_loc())?;
                    return self.operate(field, &write.$operator(), &write.value());
                }
            )*};
        }
        write!(
            as_local_variable_write_node,
            as_instance_variable_write_node,
            as_class_variable_write_node, as_global_variable_write_node, as_constant_write_node
        );
        operate!(
            as_local_variable_operator_write_node binary_operator_loc,
            as_local_variable_or_write_node operator_loc,
            as_local_variable_and_write_node operator_loc,
            as_instance_variable_operator_write_node binary_operator_loc,
            as_instance_variable_or_write_node operator_loc,
            as_instance_variable_and_write_node operator_loc,
            as_class_variable_operator_write_node binary_operator_loc,
            as_class_variable_or_write_node operator_loc,
            as_class_variable_and_write_node operator_loc,
            as_global_variable_operator_write_node binary_operator_loc,
            as_global_variable_or_write_node operator_loc,
            as_global_variable_and_write_node operator_loc,
            as_constant_operator_write_node binary_operator_loc,
            as_constant_or_write_node operator_loc,
            as_constant_and_write_node operator_loc
        );
        operate_on_call!(
            as_call_operator_write_node binary_operator_loc,
            as_call_or_write_node operator_loc,
            as_call_and_write_node operator_loc
        );
        operate_on_index!(
            as_index_operator_write_node binary_operator_loc,
            as_index_or_write_node operator_loc,
            as_index_and_write_node operator_loc
        );
        operate_on_path!(
            as_constant_path_operator_write_node binary_operator_loc,
            as_constant_path_or_write_node operator_loc,
            as_constant_path_and_write_node operator_loc
        );
        if let Some(write) = found.as_constant_path_write_node() {
            let path = write.target();
            let field = self.path_field(path.parent().as_ref(), &path.name_loc())?;
            return Some(node("assign", [field, self.assigned(&write.value())?]));
        }
        if let Some(write) = found.as_match_write_node() {
            return self.call(&write.call());
        }
        let write = found.as_multi_write_node()?;
        let targets =
            self.targets(write.lefts().iter().collect(), write.rest(), write.rights().iter().collect(), false)?;
        let targets = match write.rparen_loc() {
            Some(end) => ended(&end, "mlhs_paren", [targets]),
            None => targets,
        };
        Some(node("massign", [targets, self.assigned(&write.value())?]))
    }
}
