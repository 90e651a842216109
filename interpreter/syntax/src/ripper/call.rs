//! Calls, their arguments and blocks, and the parameters of methods and blocks.

use super::{Builder, Found, Sexp, ended, kind_of_name, list, node, sym};
use ruby_prism as prism;
use ruby_prism::Node;

/// Whether a call has arguments without parentheses (MRI's `command`).
fn is_command(value: &Node<'_>) -> bool {
    match value {
        Node::CallNode { .. } => value.as_call_node().is_some_and(|call| {
            let is_operator = call.receiver().is_some() && call.call_operator_loc().is_none();
            let takes = call.arguments().is_some()
                || call.block().is_some_and(|block| block.as_block_argument_node().is_some());
            takes && !is_operator && call.opening_loc().is_none() && call.equal_loc().is_none()
        }),
        Node::SuperNode { .. } => value.as_super_node().is_some_and(|given| given.lparen_loc().is_none()),
        Node::YieldNode { .. } => {
            value.as_yield_node().is_some_and(|given| given.arguments().is_some() && given.lparen_loc().is_none())
        }
        _ => false,
    }
}

impl Builder<'_> {
    /// A list of values that may include splats.
    pub(super) fn values(&self, values: &[Node<'_>]) -> Found {
        let mut made = Vec::new();
        for value in values {
            match value {
                Node::SplatNode { .. } => {
                    let inner = value.as_splat_node()?.expression();
                    made.push(node("star", [self.optional(inner.as_ref())?]));
                }
                Node::ForwardingArgumentsNode { .. } => made.push(ended(&value.location(), "args_forward", [])),
                Node::KeywordHashNode { .. } => {
                    let pairs = value
                        .as_keyword_hash_node()?
                        .elements()
                        .iter()
                        .map(|pair| self.node(&pair))
                        .collect::<Option<_>>()?;
                    made.push(node("bare_assoc_hash", [Sexp::List(pairs)]));
                }
                other => made.push(self.node(other)?),
            }
        }
        Some(list("args", made))
    }
    /// The arguments of a call without parentheses.
    pub(super) fn bare_arguments(
        &self,
        arguments: Option<&prism::ArgumentsNode<'_>>,
        block: Option<&Node<'_>>,
    ) -> Found {
        if let Some(arguments) = arguments {
            self.after_command.set(arguments.location().start() as usize);
        }
        self.arguments(arguments, block)
    }
    pub(super) fn arguments(&self, arguments: Option<&prism::ArgumentsNode<'_>>, block: Option<&Node<'_>>) -> Found {
        let values: Vec<Node<'_>> = arguments.map(|found| found.arguments().iter().collect()).unwrap_or_default();
        if let [forward @ Node::ForwardingArgumentsNode { .. }] = values.as_slice() {
            return Some(ended(&forward.location(), "args_forward", []));
        }
        let block = match block.and_then(Node::as_block_argument_node) {
            Some(block) => self.optional(block.expression().as_ref())?,
            None if matches!(values.as_slice(), [value] if is_command(value)) => return self.values(&values),
            None if matches!(values.last(), Some(Node::ForwardingArgumentsNode { .. })) => return self.values(&values),
            None => Sexp::False,
        };
        Some(node("args_add_block", [self.values(&values)?, block]))
    }
    pub(super) fn call(&self, call: &prism::CallNode<'_>) -> Found {
        let block = call.block();
        let made = self.call_without_block(call, block.as_ref())?;
        match block.as_ref().and_then(Node::as_block_node) {
            Some(block) => Some(node("method_add_block", [made, self.block(&block)?])),
            None => Some(made),
        }
    }
    pub(super) fn call_without_block(&self, call: &prism::CallNode<'_>, block: Option<&Node<'_>>) -> Found {
        let has_block_argument = block.is_some_and(|block| block.as_block_argument_node().is_some());
        let arguments = call.arguments();
        let values: Vec<Node<'_>> =
            arguments.as_ref().map(|found| found.arguments().iter().collect()).unwrap_or_default();
        let receiver = call.receiver();
        let name = call.name().as_slice();
        if let (Some(receiver), None) = (&receiver, call.call_operator_loc()) {
            return self.operator(call, receiver, name, &values, block);
        }
        let message = match call.message_loc() {
            // after a period a keyword is a plain name
            Some(loc) => match kind_of_name(loc.as_slice()) {
                "@kw" => self.at("@ident", &loc),
                kind => self.at(kind, &loc),
            },
            None => sym("call"),
        };
        if let (Some(receiver), Some(period)) = (&receiver, call.call_operator_loc()) {
            let period = self.period(&period);
            let receiver = self.node(receiver)?;
            if call.is_attribute_write() && call.equal_loc().is_some() {
                return Some(node(
                    "assign",
                    [node("field", [receiver, period, message]), self.assigned(values.first()?)?],
                ));
            }
            if call.opening_loc().is_some() {
                let call_node = node("call", [receiver, period, message]);
                let inside = self.parenthesized(arguments.as_ref(), block, call.closing_loc())?;
                return Some(node("method_add_arg", [call_node, inside]));
            }
            if arguments.is_none() && !has_block_argument {
                return Some(node("call", [receiver, period, message]));
            }
            let given = self.bare_arguments(arguments.as_ref(), block)?;
            return Some(node("command_call", [receiver, period, message, given]));
        }
        if call.is_variable_call() {
            return Some(node("vcall", [message]));
        }
        if call.opening_loc().is_some() {
            return Some(node(
                "method_add_arg",
                [node("fcall", [message]), self.parenthesized(arguments.as_ref(), block, call.closing_loc())?],
            ));
        }
        if arguments.is_none() && !has_block_argument {
            let fcall = node("fcall", [message]);
            return Some(node("method_add_arg", [fcall, list("args", Vec::new())]));
        }
        Some(node("command", [message, self.bare_arguments(arguments.as_ref(), block)?]))
    }
    pub(super) fn parenthesized(
        &self,
        arguments: Option<&prism::ArgumentsNode<'_>>,
        block: Option<&Node<'_>>,
        closing: Option<prism::Location<'_>>,
    ) -> Found {
        let has_block = block.is_some_and(|block| block.as_block_argument_node().is_some());
        let inside = match arguments {
            None if !has_block => Sexp::Nil,
            Some(given) if !has_block && self.has_trailing_comma(given, closing.as_ref()) => {
                self.values(&given.arguments().iter().collect::<Vec<_>>())?
            }
            _ => self.arguments(arguments, block)?,
        };
        let end = closing.map_or(0, |closing| closing.end() as usize);
        Some(Sexp::Node(end, vec![sym("arg_paren"), inside]))
    }
    fn has_trailing_comma(&self, given: &prism::ArgumentsNode<'_>, closing: Option<&prism::Location<'_>>) -> bool {
        let Some(closing) = closing else { return false };
        let between = self.source.get(given.location().end() as usize..closing.start() as usize).unwrap_or_default();
        between.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b',')
    }
    pub(super) fn operator(
        &self,
        call: &prism::CallNode<'_>,
        receiver: &Node<'_>,
        name: &[u8],
        values: &[Node<'_>],
        block: Option<&Node<'_>>,
    ) -> Found {
        let text = String::from_utf8_lossy(name).into_owned();
        let receiver = self.node(receiver)?;
        if name == b"[]" || name == b"[]=" {
            let assigned = (name == b"[]=" && call.equal_loc().is_some()).then(|| values.last()).flatten();
            let inside = if assigned.is_some() { &values[..values.len() - 1] } else { values };
            let block = match block.and_then(Node::as_block_argument_node) {
                Some(block) => self.optional(block.expression().as_ref())?,
                None => Sexp::False,
            };
            let index =
                if inside.is_empty() { Sexp::Nil } else { node("args_add_block", [self.values(inside)?, block]) };
            return Some(match assigned {
                Some(value) => {
                    let end = call.closing_loc().map_or(0, |closing| closing.end() as usize);
                    let field = Sexp::Node(end, vec![sym("aref_field"), receiver, index]);
                    node("assign", [field, self.assigned(value)?])
                }
                None => node("aref", [receiver, index]),
            });
        }
        match values {
            [] if name == b"!" && call.message_loc().is_some_and(|loc| loc.as_slice() == b"not") => {
                let empty =
                    call.receiver().and_then(|receiver| receiver.as_parentheses_node()?.body().is_none().then_some(()));
                Some(node("unary", [sym("not"), if empty.is_some() { Sexp::Nil } else { receiver }]))
            }
            [] => Some(node("unary", [Sexp::Sym(text), receiver])),
            [value] => Some(node("binary", [receiver, Sexp::Sym(text), self.node(value)?])),
            _ => None,
        }
    }
    pub(super) fn block(&self, block: &prism::BlockNode<'_>) -> Found {
        let variables = match block.parameters() {
            Some(Node::BlockParametersNode { .. }) => {
                let parameters = block.parameters()?.as_block_parameters_node()?;
                self.block_variables(&parameters)?
            }
            _ => Sexp::Nil,
        };
        let header = block.parameters();
        let header = header.as_ref().and_then(Node::as_block_parameters_node);
        let end = header.map_or(block.opening_loc().end(), |header| header.location().end()) as usize;
        if block.opening_loc().as_slice() == b"{" {
            let body = self.after_semicolon(end, self.body(block.body().as_ref())?);
            return Some(Sexp::Node(block.location().end() as usize, vec![sym("brace_block"), variables, body]));
        }
        let body = self.after_semicolon(end, self.bodystmt(block.body().as_ref())?);
        Some(Sexp::Node(block.location().end() as usize, vec![sym("do_block"), variables, body]))
    }
    pub(super) fn block_variables(&self, parameters: &prism::BlockParametersNode<'_>) -> Found {
        let inner = match parameters.parameters() {
            Some(inner) => self.parameters(&inner)?,
            None => self.no_parameters(),
        };
        let locals: Vec<Sexp> = parameters.locals().iter().map(|local| self.at("@ident", &local.location())).collect();
        let locals = if locals.is_empty() { Sexp::False } else { Sexp::List(locals) };
        Some(Sexp::Node(parameters.location().end() as usize, vec![sym("block_var"), inner, locals]))
    }
    pub(super) fn no_parameters(&self) -> Sexp {
        node("params", [const { Sexp::Nil }; 7])
    }
    pub(super) fn parameters(&self, parameters: &prism::ParametersNode<'_>) -> Found {
        let or_nil = |list: Vec<Sexp>| if list.is_empty() { Sexp::Nil } else { Sexp::List(list) };
        let required = parameters.requireds().iter().map(|one| self.required(&one)).collect::<Option<Vec<_>>>()?;
        let optional = parameters.optionals().iter().map(|one| {
            let one = one.as_optional_parameter_node()?;
            Some(Sexp::List(vec![self.at("@ident", &one.name_loc()), self.node(&one.value())?]))
        });
        let optional = optional.collect::<Option<Vec<_>>>()?;
        let rest = match parameters.rest() {
            None => Sexp::Nil,
            Some(whole) => match whole.as_rest_parameter_node() {
                Some(rest) => {
                    let name = rest.name_loc().map_or(Sexp::Nil, |loc| self.at("@ident", &loc));
                    ended(&whole.location(), "rest_param", [name])
                }
                None => ended(&whole.location(), "excessed_comma", []),
            },
        };
        let posts = parameters.posts().iter().map(|one| self.required(&one)).collect::<Option<Vec<_>>>()?;
        let keywords = parameters.keywords().iter().map(|one| {
            Some(Sexp::List(match &one {
                Node::OptionalKeywordParameterNode { .. } => {
                    let one = one.as_optional_keyword_parameter_node()?;
                    vec![self.at("@label", &one.name_loc()), self.node(&one.value())?]
                }
                _ => vec![self.at("@label", &one.as_required_keyword_parameter_node()?.name_loc()), Sexp::False],
            }))
        });
        let keywords = keywords.collect::<Option<Vec<_>>>()?;
        let keyword_rest = match parameters.keyword_rest() {
            None => Sexp::Nil,
            Some(rest) => match &rest {
                Node::KeywordRestParameterNode { .. } => {
                    let name = rest.as_keyword_rest_parameter_node()?.name_loc();
                    let name = name.map_or(Sexp::Nil, |loc| self.at("@ident", &loc));
                    ended(&rest.location(), "kwrest_param", [name])
                }
                Node::NoKeywordsParameterNode { .. } => sym("nil"),
                _ => ended(&rest.location(), "args_forward", []),
            },
        };
        let block = match parameters.block().as_ref().and_then(Node::as_block_parameter_node) {
            None if matches!(parameters.keyword_rest(), Some(Node::ForwardingParameterNode { .. })) => sym("&"),
            None => Sexp::Nil,
            Some(block) => {
                let name = block.name_loc().map_or(Sexp::Nil, |loc| self.at("@ident", &loc));
                ended(&block.location(), "blockarg", [name])
            }
        };
        Some(node(
            "params",
            [or_nil(required), or_nil(optional), rest, or_nil(posts), or_nil(keywords), keyword_rest, block],
        ))
    }
    pub(super) fn required(&self, one: &Node<'_>) -> Found {
        match one {
            Node::RequiredParameterNode { .. } => Some(self.at("@ident", &one.location())),
            Node::MultiTargetNode { .. } => {
                let target = one.as_multi_target_node()?;
                let inner = self.targets(
                    target.lefts().iter().collect(),
                    target.rest(),
                    target.rights().iter().collect(),
                    true,
                )?;
                Some(match target.rparen_loc() {
                    Some(end) => ended(&end, "mlhs_paren", [inner]),
                    None => node("mlhs_paren", [inner]),
                })
            }
            Node::SplatNode { .. } => None,
            _ => None,
        }
    }
    pub(super) fn jump(&self, kind: &str, arguments: Option<&prism::ArgumentsNode<'_>>) -> Found {
        let inside = match arguments {
            Some(arguments) => self.arguments(Some(arguments), None)?,
            None => list("args", Vec::new()),
        };
        Some(node(kind, [inside]))
    }
    pub(super) fn lambda(&self, lambda: &prism::LambdaNode<'_>) -> Found {
        let parameters = match lambda.parameters().as_ref().and_then(Node::as_block_parameters_node) {
            Some(block) => {
                let inner = match block.parameters() {
                    Some(inner) => self.parameters(&inner)?,
                    None => self.no_parameters(),
                };
                match block.closing_loc() {
                    Some(end) => ended(&end, "paren", [inner]),
                    None => inner,
                }
            }
            None => self.no_parameters(),
        };
        let body = lambda.body();
        let body = if lambda.opening_loc().as_slice() == b"{" {
            self.body(body.as_ref())?
        } else {
            self.bodystmt(body.as_ref())?
        };
        let body = self.after_semicolon(lambda.opening_loc().end() as usize, body);
        Some(node("lambda", [parameters, body]))
    }
    /// Jumps, `yield` and `super`.
    pub(super) fn control(&self, found: &Node<'_>) -> Found {
        match found {
            Node::ReturnNode { .. } => match found.as_return_node()?.arguments() {
                Some(arguments) => self.jump("return", Some(&arguments)),
                None => Some(node("return0", [])),
            },
            Node::BreakNode { .. } => self.jump("break", found.as_break_node()?.arguments().as_ref()),
            Node::NextNode { .. } => self.jump("next", found.as_next_node()?.arguments().as_ref()),
            Node::RedoNode { .. } => Some(node("redo", [])),
            Node::RetryNode { .. } => Some(node("retry", [])),
            Node::YieldNode { .. } => {
                let given = found.as_yield_node()?;
                let Some(arguments) = given.arguments() else { return Some(node("yield0", [])) };
                Some(node(
                    "yield",
                    [if given.lparen_loc().is_some() {
                        node("paren", [self.arguments(Some(&arguments), None)?])
                    } else {
                        self.bare_arguments(Some(&arguments), None)?
                    }],
                ))
            }
            Node::SuperNode { .. } => {
                let given = found.as_super_node()?;
                let block = given.block();
                let inside = if given.lparen_loc().is_some() {
                    self.parenthesized(given.arguments().as_ref(), block.as_ref(), given.rparen_loc())?
                } else {
                    self.bare_arguments(given.arguments().as_ref(), block.as_ref())?
                };
                let made = node("super", [inside]);
                match block.as_ref().and_then(Node::as_block_node) {
                    Some(block) => Some(node("method_add_block", [made, self.block(&block)?])),
                    None => Some(made),
                }
            }
            Node::ForwardingSuperNode { .. } => match found.as_forwarding_super_node()?.block() {
                Some(block) => Some(node("method_add_block", [node("zsuper", []), self.block(&block)?])),
                None => Some(node("zsuper", [])),
            },
            _ => self.assignment(found),
        }
    }
}
