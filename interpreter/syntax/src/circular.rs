//! Parameters whose default value reads them: "circular argument reference".
//!
//! prism also reports a value that only assigns the parameter (`a = a = 1`), which MRI 3.1 accepts, as it does any use behind the list of parameters of a
//! block in the value.

use ruby_prism as prism;
use ruby_prism::Visit;

/// Whether MRI 3.1 reports an error of prism's too, as far as it depends on what a default value does; `limit` is the lowest permitted address of the
/// native stack.
pub(crate) fn is_error(result: &prism::ParseResult<'_>, error: &prism::Diagnostic<'_>, limit: usize) -> bool {
    if !error.message().starts_with(b"circular argument reference") {
        return true;
    }
    let mut reads = Reads { start: error.location().start(), name: None, scopes: 0, found: false, limit };
    reads.visit(&result.node());
    reads.found
}

struct Reads {
    /// Where the name of the parameter begins, in bytes.
    start: u32,
    /// The name of the parameter while its value is visited.
    name: Option<Vec<u8>>,
    /// The blocks around the node in the value.
    scopes: u32,
    found: bool,
    limit: usize,
}

impl Reads {
    fn value(&mut self, name: &prism::ConstantId<'_>, value: &prism::Node<'_>) {
        self.name = Some(name.as_slice().to_vec());
        self.visit(value);
        self.name = None;
    }

    fn read(&mut self, name: &prism::ConstantId<'_>, depth: u32) {
        self.found |= depth == self.scopes && self.name.as_deref() == Some(name.as_slice());
    }

    /// Visits a block, in which the variables around it have another depth; its parameters end the search.
    fn scope(&mut self, parameters: bool, visit: impl FnOnce(&mut Reads)) {
        let inner = u32::from(self.name.is_some());
        if parameters {
            self.name = None;
        }
        self.scopes += inner;
        visit(self);
        self.scopes -= inner;
    }
}

impl<'pr> Visit<'pr> for Reads {
    fn visit_statements_node(&mut self, node: &prism::StatementsNode<'pr>) {
        if !self.found && !crate::stack::is_below(self.limit) {
            prism::visit_statements_node(self, node);
        }
    }
    fn visit_optional_parameter_node(&mut self, node: &prism::OptionalParameterNode<'pr>) {
        match node.name_loc().start() == self.start {
            true => self.value(&node.name(), &node.value()),
            false => prism::visit_optional_parameter_node(self, node),
        }
    }
    fn visit_optional_keyword_parameter_node(&mut self, node: &prism::OptionalKeywordParameterNode<'pr>) {
        match node.name_loc().start() == self.start {
            true => self.value(&node.name(), &node.value()),
            false => prism::visit_optional_keyword_parameter_node(self, node),
        }
    }
    fn visit_block_node(&mut self, node: &prism::BlockNode<'pr>) {
        self.scope(node.parameters().is_some(), |reads| prism::visit_block_node(reads, node));
    }
    fn visit_lambda_node(&mut self, node: &prism::LambdaNode<'pr>) {
        let parameters = node.parameters().and_then(|list| list.as_block_parameters_node()?.parameters());
        self.scope(parameters.is_some(), |reads| prism::visit_lambda_node(reads, node));
    }
    fn visit_local_variable_read_node(&mut self, node: &prism::LocalVariableReadNode<'pr>) {
        self.read(&node.name(), node.depth());
    }
    fn visit_local_variable_operator_write_node(&mut self, node: &prism::LocalVariableOperatorWriteNode<'pr>) {
        self.read(&node.name(), node.depth());
        prism::visit_local_variable_operator_write_node(self, node);
    }
    fn visit_local_variable_or_write_node(&mut self, node: &prism::LocalVariableOrWriteNode<'pr>) {
        self.read(&node.name(), node.depth());
        prism::visit_local_variable_or_write_node(self, node);
    }
    fn visit_local_variable_and_write_node(&mut self, node: &prism::LocalVariableAndWriteNode<'pr>) {
        self.read(&node.name(), node.depth());
        prism::visit_local_variable_and_write_node(self, node);
    }
}
