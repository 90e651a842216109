//! A source as nested lists in the shapes of Ruby's Ripper (`Ripper.sexp`): what RSpec and template engines read to show or split an expression.

use ruby_prism as prism;
use ruby_prism::Node;

/// A part of the lists.
#[derive(Clone, Debug, PartialEq)]
pub enum Sexp {
    /// A kind of node or an operator.
    Sym(String),
    /// Text of the source.
    Str(Vec<u8>),
    /// Line or column.
    Int(i64),
    /// Absent.
    Nil,
    /// Absent where Ripper says `false`.
    False,
    /// A node, or a list of nodes.
    List(Vec<Sexp>),
}

/// The lists of a program; None when it does not parse, or has a construct without a shape here (pattern matching, flip-flops, `BEGIN`).
pub fn sexp(source: &[u8]) -> Option<Sexp> {
    crate::stack::on_large_stack(|limit| {
        // jumps and `yield` may stand anywhere
        let options = prism::Options::default().version(prism::Version::CRuby3_3).partial_script(true).build();
        let result = prism::parse_with_options(source, &options);
        if result.errors().next().is_some() {
            return None;
        }
        let mut lines = vec![0];
        lines.extend(source.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1));
        let builder = Builder { source, lines, limit };
        let program = result.node();
        let statements = builder.list_of(program.as_program_node()?.statements().body().iter())?;
        Some(node("program", [Sexp::List(statements)]))
    })?
}

fn sym(text: &str) -> Sexp {
    Sexp::Sym(text.to_string())
}
fn node<const N: usize>(kind: &str, parts: [Sexp; N]) -> Sexp {
    Sexp::List(std::iter::once(sym(kind)).chain(parts).collect())
}

struct Builder<'s> {
    source: &'s [u8],
    lines: Vec<usize>,
    /// The lowest address of the stack that may be used.
    limit: usize,
}

type Found = Option<Sexp>;

impl Builder<'_> {
    fn position(&self, at: usize) -> Sexp {
        let line = self.lines.partition_point(|start| *start <= at);
        let column = at - self.lines.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        Sexp::List(vec![Sexp::Int(line as i64), Sexp::Int(column as i64)])
    }
    fn token(&self, kind: &str, start: usize, end: usize) -> Sexp {
        let text = self.source.get(start..end).unwrap_or_default().to_vec();
        node(kind, [Sexp::Str(text), self.position(start)])
    }
    fn at(&self, kind: &str, loc: &prism::Location<'_>) -> Sexp {
        self.token(kind, loc.start() as usize, loc.end() as usize)
    }
    /// A name by its first characters: identifier, constant, variable, keyword, operator.
    fn name(&self, loc: &prism::Location<'_>) -> Sexp {
        self.at(kind_of_name(loc.as_slice()), loc)
    }
    fn list_of<'pr>(&self, nodes: impl Iterator<Item = Node<'pr>>) -> Option<Vec<Sexp>> {
        let made: Vec<Sexp> = nodes.map(|node| self.node(&node)).collect::<Option<_>>()?;
        Some(if made.is_empty() { vec![node("void_stmt", [])] } else { made })
    }
    fn statements(&self, statements: Option<&prism::StatementsNode<'_>>) -> Found {
        Some(Sexp::List(match statements {
            Some(statements) => self.list_of(statements.body().iter())?,
            None => vec![node("void_stmt", [])],
        }))
    }
    fn body(&self, body: Option<&Node<'_>>) -> Found {
        let Some(body) = body else { return self.statements(None) };
        match body {
            Node::StatementsNode { .. } => self.statements(body.as_statements_node().as_ref()),
            other => Some(Sexp::List(vec![self.node(other)?])),
        }
    }
    fn optional(&self, found: Option<&Node<'_>>) -> Found {
        found.map_or(Some(Sexp::Nil), |found| self.node(found))
    }

    /// `[:bodystmt, statements, rescue, else, ensure]`
    fn bodystmt(&self, body: Option<&Node<'_>>) -> Found {
        if let Some(begin) = body.and_then(Node::as_begin_node) {
            return self.begin_parts(&begin);
        }
        Some(node("bodystmt", [self.body(body)?, Sexp::Nil, Sexp::Nil, Sexp::Nil]))
    }
    fn begin_parts(&self, begin: &prism::BeginNode<'_>) -> Found {
        let rescue = begin.rescue_clause().map_or(Some(Sexp::Nil), |clause| self.rescue(&clause))?;
        let other =
            begin.else_clause().map_or(Some(Sexp::Nil), |clause| self.statements(clause.statements().as_ref()))?;
        let ensure = begin
            .ensure_clause()
            .map_or(Some(Sexp::Nil), |clause| Some(node("ensure", [self.statements(clause.statements().as_ref())?])))?;
        Some(node("bodystmt", [self.statements(begin.statements().as_ref())?, rescue, other, ensure]))
    }
    fn rescue(&self, clause: &prism::RescueNode<'_>) -> Found {
        let classes: Vec<Node<'_>> = clause.exceptions().iter().collect();
        let classes = match classes.as_slice() {
            [] => Sexp::Nil,
            [Node::SplatNode { .. }] => self.right_hand_side(&classes)?,
            [one] => Sexp::List(vec![self.node(one)?]),
            _ => self.right_hand_side(&classes)?,
        };
        let reference = clause.reference().map_or(Some(Sexp::Nil), |target| self.target(&target))?;
        let next = clause.subsequent().map_or(Some(Sexp::Nil), |clause| self.rescue(&clause))?;
        Some(node("rescue", [classes, reference, self.statements(clause.statements().as_ref())?, next]))
    }
    /// Values without brackets: `a = 1, *b`.
    fn right_hand_side(&self, values: &[Node<'_>]) -> Found {
        let splat = values.iter().position(|value| value.as_splat_node().is_some());
        if let Some(at) = splat {
            let before: Vec<Sexp> = values[..at].iter().map(|value| self.node(value)).collect::<Option<_>>()?;
            let before =
                if before.is_empty() { Vec::new() } else { vec![sym("mrhs_new_from_args"), Sexp::List(before)] };
            let inner = values[at].as_splat_node()?.expression();
            let mut made = vec![sym("mrhs_add_star"), Sexp::List(before), self.optional(inner.as_ref())?];
            for value in &values[at + 1..] {
                made.push(self.node(value)?);
            }
            return Some(Sexp::List(made));
        }
        let (last, first) = values.split_last()?;
        let first = first.iter().map(|value| self.node(value)).collect::<Option<_>>()?;
        Some(node("mrhs_new_from_args", [Sexp::List(first), self.node(last)?]))
    }

    /// Values with splats among them.
    fn values(&self, values: &[Node<'_>]) -> Found {
        let mut made = Vec::new();
        for value in values {
            match value {
                Node::SplatNode { .. } => {
                    let inner = value.as_splat_node()?.expression();
                    made = vec![sym("args_add_star"), Sexp::List(made), self.optional(inner.as_ref())?];
                }
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
        Some(Sexp::List(made))
    }
    fn arguments(&self, arguments: Option<&prism::ArgumentsNode<'_>>, block: Option<&Node<'_>>) -> Found {
        let values: Vec<Node<'_>> = arguments.map(|found| found.arguments().iter().collect()).unwrap_or_default();
        if let [Node::ForwardingArgumentsNode { .. }] = values.as_slice() {
            return Some(node("args_forward", []));
        }
        let block = match block.and_then(Node::as_block_argument_node) {
            Some(block) => self.optional(block.expression().as_ref())?,
            None => Sexp::False,
        };
        Some(node("args_add_block", [self.values(&values)?, block]))
    }

    fn call(&self, call: &prism::CallNode<'_>) -> Found {
        let block = call.block();
        let made = self.call_without_block(call, block.as_ref())?;
        match block.as_ref().and_then(Node::as_block_node) {
            Some(block) => Some(node("method_add_block", [made, self.block(&block)?])),
            None => Some(made),
        }
    }
    fn call_without_block(&self, call: &prism::CallNode<'_>, block: Option<&Node<'_>>) -> Found {
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
            // a keyword is a name after a period
            Some(loc) => match kind_of_name(loc.as_slice()) {
                "@kw" => self.at("@ident", &loc),
                kind => self.at(kind, &loc),
            },
            None => sym("call"),
        };
        if let (Some(receiver), Some(period)) = (&receiver, call.call_operator_loc()) {
            let period = self.at(if period.as_slice() == b"." { "@period" } else { "@op" }, &period);
            let receiver = self.node(receiver)?;
            if call.is_attribute_write() && call.equal_loc().is_some() {
                return Some(node(
                    "assign",
                    [node("field", [receiver, period, message]), self.assigned(values.first()?)?],
                ));
            }
            if call.opening_loc().is_some() {
                let call_node = node("call", [receiver, period, message]);
                return Some(node("method_add_arg", [call_node, self.parenthesized(arguments.as_ref(), block)?]));
            }
            if arguments.is_none() && !has_block_argument {
                return Some(node("call", [receiver, period, message]));
            }
            return Some(node("command_call", [receiver, period, message, self.arguments(arguments.as_ref(), block)?]));
        }
        if call.is_variable_call() {
            return Some(node("vcall", [message]));
        }
        if call.opening_loc().is_some() {
            return Some(node(
                "method_add_arg",
                [node("fcall", [message]), self.parenthesized(arguments.as_ref(), block)?],
            ));
        }
        if arguments.is_none() && !has_block_argument {
            let fcall = node("fcall", [message]);
            return Some(node("method_add_arg", [fcall, Sexp::List(vec![])]));
        }
        Some(node("command", [message, self.arguments(arguments.as_ref(), block)?]))
    }
    fn parenthesized(&self, arguments: Option<&prism::ArgumentsNode<'_>>, block: Option<&Node<'_>>) -> Found {
        let has_block = block.is_some_and(|block| block.as_block_argument_node().is_some());
        let inside = if arguments.is_none() && !has_block { Sexp::Nil } else { self.arguments(arguments, block)? };
        Some(node("arg_paren", [inside]))
    }
    fn operator(
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
                Some(value) => node("assign", [node("aref_field", [receiver, index]), self.assigned(value)?]),
                None => node("aref", [receiver, index]),
            });
        }
        match values {
            [] => {
                let sign = match name {
                    b"!" if call.message_loc().is_some_and(|loc| loc.as_slice() == b"not") => "not".to_string(),
                    _ => text,
                };
                Some(node("unary", [Sexp::Sym(sign), receiver]))
            }
            [value] => Some(node("binary", [receiver, Sexp::Sym(text), self.node(value)?])),
            _ => None,
        }
    }
    fn block(&self, block: &prism::BlockNode<'_>) -> Found {
        let variables = match block.parameters() {
            Some(Node::BlockParametersNode { .. }) => {
                let parameters = block.parameters()?.as_block_parameters_node()?;
                self.block_variables(&parameters)?
            }
            _ => Sexp::Nil,
        };
        if block.opening_loc().as_slice() == b"{" {
            return Some(node("brace_block", [variables, self.body(block.body().as_ref())?]));
        }
        Some(node("do_block", [variables, self.bodystmt(block.body().as_ref())?]))
    }
    fn block_variables(&self, parameters: &prism::BlockParametersNode<'_>) -> Found {
        let inner = match parameters.parameters() {
            Some(inner) => self.parameters(&inner)?,
            None => self.no_parameters(),
        };
        let locals: Vec<Sexp> = parameters.locals().iter().map(|local| self.at("@ident", &local.location())).collect();
        let locals = if locals.is_empty() { Sexp::False } else { Sexp::List(locals) };
        Some(node("block_var", [inner, locals]))
    }
    fn no_parameters(&self) -> Sexp {
        node("params", [const { Sexp::Nil }; 7])
    }
    fn parameters(&self, parameters: &prism::ParametersNode<'_>) -> Found {
        let or_nil = |list: Vec<Sexp>| if list.is_empty() { Sexp::Nil } else { Sexp::List(list) };
        let required = parameters.requireds().iter().map(|one| self.required(&one)).collect::<Option<Vec<_>>>()?;
        let optional = parameters.optionals().iter().map(|one| {
            let one = one.as_optional_parameter_node()?;
            Some(Sexp::List(vec![self.at("@ident", &one.name_loc()), self.node(&one.value())?]))
        });
        let optional = optional.collect::<Option<Vec<_>>>()?;
        let rest = match parameters.rest() {
            None => Sexp::Nil,
            Some(rest) => match rest.as_rest_parameter_node() {
                Some(rest) => node("rest_param", [rest.name_loc().map_or(Sexp::Nil, |loc| self.at("@ident", &loc))]),
                None => node("excessed_comma", []),
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
                    node("kwrest_param", [name.map_or(Sexp::Nil, |loc| self.at("@ident", &loc))])
                }
                Node::NoKeywordsParameterNode { .. } => sym("nil"),
                _ => node("args_forward", []),
            },
        };
        let block = match parameters.block().as_ref().and_then(Node::as_block_parameter_node) {
            None => Sexp::Nil,
            Some(block) => node("blockarg", [block.name_loc().map_or(Sexp::Nil, |loc| self.at("@ident", &loc))]),
        };
        Some(node(
            "params",
            [or_nil(required), or_nil(optional), rest, or_nil(posts), or_nil(keywords), keyword_rest, block],
        ))
    }
    fn required(&self, one: &Node<'_>) -> Found {
        match one {
            Node::RequiredParameterNode { .. } => Some(self.at("@ident", &one.location())),
            Node::MultiTargetNode { .. } => {
                let target = one.as_multi_target_node()?;
                self.targets(target.lefts().iter().collect(), target.rest(), target.rights().iter().collect(), true)
            }
            Node::SplatNode { .. } => None,
            _ => None,
        }
    }
    /// The targets of a multiple assignment: fields, or bare names in parameters.
    fn targets(&self, lefts: Vec<Node<'_>>, rest: Option<Node<'_>>, rights: Vec<Node<'_>>, parameters: bool) -> Found {
        let one = |target: &Node<'_>| if parameters { self.required(target) } else { self.target(target) };
        let mut made: Vec<Sexp> = lefts.iter().map(one).collect::<Option<_>>()?;
        if parameters {
            made.insert(0, sym("mlhs"));
        }
        if let Some(rest) = rest {
            made.push(match rest.as_splat_node() {
                Some(splat) => node("rest_param", [splat.expression().map_or(Some(Sexp::Nil), |inner| one(&inner))?]),
                None => node("excessed_comma", []),
            });
        }
        made.extend(rights.iter().map(one).collect::<Option<Vec<_>>>()?);
        Some(Sexp::List(made))
    }
    /// What is assigned to.
    fn target(&self, target: &Node<'_>) -> Found {
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
                let Sexp::List(mut inner) = inner else { return None };
                if many.lparen_loc().is_some() {
                    inner.insert(0, sym("mlhs"));
                }
                Some(Sexp::List(inner))
            }
            Node::RequiredParameterNode { .. } => Some(self.at("@ident", &whole)),
            _ => None,
        }
    }
    fn period(&self, loc: &prism::Location<'_>) -> Sexp {
        self.at(if loc.as_slice() == b"." { "@period" } else { "@op" }, loc)
    }
    fn path_field(&self, parent: Option<&Node<'_>>, name: &prism::Location<'_>) -> Found {
        Some(match parent {
            Some(parent) => node("const_path_field", [self.node(parent)?, self.at("@const", name)]),
            None => node("top_const_field", [self.at("@const", name)]),
        })
    }
    /// The value of an assignment; several without brackets are a list.
    fn assigned(&self, value: &Node<'_>) -> Found {
        match value.as_array_node() {
            Some(array) if array.opening_loc().is_none() => {
                let values: Vec<Node<'_>> = array.elements().iter().collect();
                self.right_hand_side(&values)
            }
            _ => self.node(value),
        }
    }
    fn assign(&self, name: &prism::Location<'_>, value: &Node<'_>) -> Found {
        Some(node("assign", [node("var_field", [self.name(name)]), self.assigned(value)?]))
    }
    fn operate(&self, field: Sexp, operator: &prism::Location<'_>, value: &Node<'_>) -> Found {
        Some(node("opassign", [field, self.at("@op", operator), self.assigned(value)?]))
    }

    fn condition(
        &self,
        kind: &str,
        predicate: &Node<'_>,
        statements: Option<&prism::StatementsNode<'_>>,
        rest: Sexp,
    ) -> Found {
        Some(node(kind, [self.node(predicate)?, self.statements(statements)?, rest]))
    }
    fn modified(&self, kind: &str, predicate: &Node<'_>, statements: Option<&prism::StatementsNode<'_>>) -> Found {
        let body = statements?.body().iter().next()?;
        Some(node(kind, [self.node(predicate)?, self.node(&body)?]))
    }
    fn if_node(&self, found: &prism::IfNode<'_>) -> Found {
        let statements = found.statements();
        let rest = found.subsequent();
        let Some(keyword) = found.if_keyword_loc() else {
            let first = statements?.body().iter().next()?;
            let second = rest?.as_else_node()?.statements()?.body().iter().next()?;
            return Some(node("ifop", [self.node(&found.predicate())?, self.node(&first)?, self.node(&second)?]));
        };
        if found.end_keyword_loc().is_none() && keyword.as_slice() == b"if" {
            return self.modified("if_mod", &found.predicate(), statements.as_ref());
        }
        let rest = match rest {
            None => Sexp::Nil,
            Some(rest) => match rest.as_if_node() {
                Some(next) => self.if_node(&next)?,
                None => self.else_node(&rest.as_else_node()?)?,
            },
        };
        let kind = if keyword.as_slice() == b"elsif" { "elsif" } else { "if" };
        self.condition(kind, &found.predicate(), statements.as_ref(), rest)
    }
    fn else_node(&self, found: &prism::ElseNode<'_>) -> Found {
        Some(node("else", [self.statements(found.statements().as_ref())?]))
    }
    fn case(&self, found: &prism::CaseNode<'_>) -> Found {
        let mut rest = found.else_clause().map_or(Some(Sexp::Nil), |clause| self.else_node(&clause))?;
        let clauses: Vec<Node<'_>> = found.conditions().iter().collect();
        for clause in clauses.iter().rev() {
            let clause = clause.as_when_node()?;
            let values: Vec<Node<'_>> = clause.conditions().iter().collect();
            rest = node("when", [self.values(&values)?, self.statements(clause.statements().as_ref())?, rest]);
        }
        Some(node("case", [self.optional(found.predicate().as_ref())?, rest]))
    }

    /// The parts of a text.
    fn parts<'pr>(&self, parts: impl Iterator<Item = Node<'pr>>) -> Option<Vec<Sexp>> {
        self.parts_of(parts, false)
    }
    fn parts_of<'pr>(&self, parts: impl Iterator<Item = Node<'pr>>, dedented: bool) -> Option<Vec<Sexp>> {
        let mut made = Vec::new();
        for part in parts {
            match &part {
                Node::StringNode { .. } => {
                    let string = part.as_string_node()?;
                    made.extend(self.dedented(&string.content_loc(), string.unescaped(), dedented));
                }
                Node::EmbeddedStatementsNode { .. } => {
                    let inner = part.as_embedded_statements_node()?.statements();
                    made.push(node("string_embexpr", [self.statements(inner.as_ref())?]));
                }
                Node::EmbeddedVariableNode { .. } => {
                    made.push(node("string_dvar", [self.node(&part.as_embedded_variable_node()?.variable())?]));
                }
                Node::InterpolatedStringNode { .. } => {
                    made.extend(self.parts(part.as_interpolated_string_node()?.parts().iter())?);
                }
                _ => return None,
            }
        }
        Some(made)
    }
    /// The text of a here-document, whose lines may have lost blanks at their beginning.
    fn dedented(&self, loc: &prism::Location<'_>, unescaped: &[u8], dedented: bool) -> Vec<Sexp> {
        let lost = loc.as_slice().len().saturating_sub(unescaped.len());
        let blank = loc.as_slice().iter().take(lost).all(|byte| matches!(byte, b' ' | b'\t'));
        if !dedented || lost == 0 || !blank {
            return self.content(loc);
        }
        vec![self.token("@tstring_content", loc.start() as usize + lost, loc.end() as usize)]
    }
    fn content(&self, loc: &prism::Location<'_>) -> Vec<Sexp> {
        if loc.as_slice().is_empty() { Vec::new() } else { vec![self.at("@tstring_content", loc)] }
    }
    fn string(&self, opening: Option<prism::Location<'_>>, parts: Vec<Sexp>, whole: &prism::Location<'_>) -> Sexp {
        if opening.is_some_and(|opening| opening.as_slice() == b"?") {
            return self.at("@CHAR", whole);
        }
        let content = Sexp::List(std::iter::once(sym("string_content")).chain(parts).collect());
        node("string_literal", [content])
    }
    /// Several literals in a row are one text.
    fn row_of_strings(&self, parts: &[Node<'_>]) -> Found {
        let (last, first) = parts.split_last()?;
        if first.is_empty() {
            return self.node(last);
        }
        Some(node("string_concat", [self.row_of_strings(first)?, self.node(last)?]))
    }
    fn symbol(&self, found: &prism::SymbolNode<'_>) -> Found {
        let content = found.content_loc();
        match found.opening_loc() {
            None => Some(self.at("@label", &found.location())),
            Some(opening) if opening.as_slice() == b":" => {
                Some(node("symbol_literal", [node("symbol", [self.name(&content)])]))
            }
            Some(_) => {
                let inner = Sexp::List(std::iter::once(sym("string_content")).chain(self.content(&content)).collect());
                Some(node("dyna_symbol", [inner]))
            }
        }
    }
    fn array(&self, array: &prism::ArrayNode<'_>) -> Found {
        let elements: Vec<Node<'_>> = array.elements().iter().collect();
        if array.opening_loc().is_some_and(|opening| opening.as_slice().starts_with(b"%")) {
            let word = |element: &Node<'_>| match element {
                Node::StringNode { .. } => Some(self.at("@tstring_content", &element.as_string_node()?.content_loc())),
                Node::SymbolNode { .. } => Some(self.at("@tstring_content", &element.as_symbol_node()?.content_loc())),
                Node::InterpolatedStringNode { .. } => {
                    Some(Sexp::List(self.parts(element.as_interpolated_string_node()?.parts().iter())?))
                }
                Node::InterpolatedSymbolNode { .. } => {
                    Some(Sexp::List(self.parts(element.as_interpolated_symbol_node()?.parts().iter())?))
                }
                _ => None,
            };
            return Some(node("array", [Sexp::List(elements.iter().map(word).collect::<Option<_>>()?)]));
        }
        let inside = if elements.is_empty() { Sexp::Nil } else { self.values(&elements)? };
        Some(node("array", [inside]))
    }
    fn definition(&self, found: &prism::DefNode<'_>) -> Found {
        let parameters = match found.parameters() {
            Some(parameters) => self.parameters(&parameters)?,
            None => self.no_parameters(),
        };
        let parameters = if found.lparen_loc().is_some() { node("paren", [parameters]) } else { parameters };
        let body = found.body();
        let body = if found.equal_loc().is_some() {
            let one = match body.as_ref()? {
                Node::StatementsNode { .. } => body.as_ref()?.as_statements_node()?.body().iter().next()?,
                _ => return None,
            };
            node("bodystmt", [self.node(&one)?, Sexp::Nil, Sexp::Nil, Sexp::Nil])
        } else {
            self.bodystmt(body.as_ref())?
        };
        let name = self.name(&found.name_loc());
        Some(match (found.receiver(), found.operator_loc()) {
            (Some(receiver), Some(period)) => {
                node("defs", [self.node(&receiver)?, self.period(&period), name, parameters, body])
            }
            _ => node("def", [name, parameters, body]),
        })
    }
    fn constant_reference(&self, path: &Node<'_>) -> Found {
        match path {
            Node::ConstantReadNode { .. } => Some(node("const_ref", [self.at("@const", &path.location())])),
            other => self.node(other),
        }
    }
    fn jump(&self, kind: &str, arguments: Option<&prism::ArgumentsNode<'_>>) -> Found {
        let inside = match arguments {
            Some(arguments) => self.arguments(Some(arguments), None)?,
            None => Sexp::List(Vec::new()),
        };
        Some(node(kind, [inside]))
    }

    fn node(&self, found: &Node<'_>) -> Found {
        if crate::stack::is_below(self.limit) {
            return None;
        }
        let whole = found.location();
        let keyword = || Some(node("var_ref", [self.at("@kw", &whole)]));
        match found {
            Node::CallNode { .. } => self.call(&found.as_call_node()?),
            Node::LocalVariableReadNode { .. }
            | Node::InstanceVariableReadNode { .. }
            | Node::ClassVariableReadNode { .. }
            | Node::GlobalVariableReadNode { .. }
            | Node::ConstantReadNode { .. } => Some(node("var_ref", [self.name(&whole)])),
            Node::BackReferenceReadNode { .. } | Node::NumberedReferenceReadNode { .. } => {
                Some(self.at("@backref", &whole))
            }
            Node::SelfNode { .. }
            | Node::NilNode { .. }
            | Node::TrueNode { .. }
            | Node::FalseNode { .. }
            | Node::SourceFileNode { .. }
            | Node::SourceLineNode { .. }
            | Node::SourceEncodingNode { .. } => keyword(),
            Node::ConstantPathNode { .. } => {
                let path = found.as_constant_path_node()?;
                let name = self.at("@const", &path.name_loc());
                Some(match path.parent() {
                    Some(parent) => node("const_path_ref", [self.node(&parent)?, name]),
                    None => node("top_const_ref", [name]),
                })
            }
            Node::IntegerNode { .. } => Some(self.number("@int", &whole)),
            Node::FloatNode { .. } => Some(self.number("@float", &whole)),
            Node::RationalNode { .. } => Some(self.number("@rational", &whole)),
            Node::ImaginaryNode { .. } => Some(self.number("@imaginary", &whole)),
            Node::StringNode { .. }
            | Node::InterpolatedStringNode { .. }
            | Node::XStringNode { .. }
            | Node::InterpolatedXStringNode { .. }
            | Node::SymbolNode { .. }
            | Node::InterpolatedSymbolNode { .. }
            | Node::RegularExpressionNode { .. }
            | Node::InterpolatedRegularExpressionNode { .. } => self.text(found),
            Node::ArrayNode { .. } => self.array(&found.as_array_node()?),
            Node::HashNode { .. } => {
                let pairs: Vec<Sexp> =
                    found.as_hash_node()?.elements().iter().map(|pair| self.node(&pair)).collect::<Option<_>>()?;
                let inside =
                    if pairs.is_empty() { Sexp::Nil } else { node("assoclist_from_args", [Sexp::List(pairs)]) };
                Some(node("hash", [inside]))
            }
            Node::AssocNode { .. } => {
                let pair = found.as_assoc_node()?;
                let value = pair.value();
                let value = if value.as_implicit_node().is_some() { Sexp::Nil } else { self.node(&value)? };
                Some(node("assoc_new", [self.node(&pair.key())?, value]))
            }
            Node::AssocSplatNode { .. } => {
                Some(node("assoc_splat", [self.optional(found.as_assoc_splat_node()?.value().as_ref())?]))
            }
            Node::ParenthesesNode { .. } => {
                let body = found.as_parentheses_node()?.body();
                Some(node("paren", [self.body(body.as_ref())?]))
            }
            Node::AndNode { .. } => {
                let both = found.as_and_node()?;
                self.logic(&both.left(), &both.operator_loc(), &both.right())
            }
            Node::OrNode { .. } => {
                let both = found.as_or_node()?;
                self.logic(&both.left(), &both.operator_loc(), &both.right())
            }
            Node::RangeNode { .. } => {
                let range = found.as_range_node()?;
                let kind = if range.operator_loc().as_slice() == b"..." { "dot3" } else { "dot2" };
                Some(node(kind, [self.optional(range.left().as_ref())?, self.optional(range.right().as_ref())?]))
            }
            Node::LambdaNode { .. } => self.lambda(&found.as_lambda_node()?),
            Node::DefinedNode { .. } => Some(node("defined", [self.node(&found.as_defined_node()?.value())?])),
            _ => self.statement(found),
        }
    }
    /// A number; its sign is an operator.
    fn number(&self, kind: &str, whole: &prism::Location<'_>) -> Sexp {
        let (start, end) = (whole.start() as usize, whole.end() as usize);
        match whole.as_slice().first() {
            Some(b'-') => node("unary", [sym("-@"), self.token(kind, start + 1, end)]),
            _ => self.token(kind, start, end),
        }
    }
    fn logic(&self, left: &Node<'_>, operator: &prism::Location<'_>, right: &Node<'_>) -> Found {
        let sign = Sexp::Sym(String::from_utf8_lossy(operator.as_slice()).into_owned());
        Some(node("binary", [self.node(left)?, sign, self.node(right)?]))
    }
    fn lambda(&self, lambda: &prism::LambdaNode<'_>) -> Found {
        let parameters = match lambda.parameters().as_ref().and_then(Node::as_block_parameters_node) {
            Some(block) => {
                let inner = match block.parameters() {
                    Some(inner) => self.parameters(&inner)?,
                    None => self.no_parameters(),
                };
                if block.opening_loc().is_some() { node("paren", [inner]) } else { inner }
            }
            None => self.no_parameters(),
        };
        let body = lambda.body();
        let body = if lambda.opening_loc().as_slice() == b"{" {
            self.body(body.as_ref())?
        } else {
            self.bodystmt(body.as_ref())?
        };
        Some(node("lambda", [parameters, body]))
    }
    fn text(&self, found: &Node<'_>) -> Found {
        let whole = found.location();
        match found {
            Node::StringNode { .. } => {
                let string = found.as_string_node()?;
                let parts = self.dedented(&string.content_loc(), string.unescaped(), is_dedented(string.opening_loc()));
                Some(self.string(string.opening_loc(), parts, &whole))
            }
            Node::InterpolatedStringNode { .. } => {
                let string = found.as_interpolated_string_node()?;
                if string.opening_loc().is_none() {
                    let parts: Vec<Node<'_>> = string.parts().iter().collect();
                    return self.row_of_strings(&parts);
                }
                let parts = self.parts_of(string.parts().iter(), is_dedented(string.opening_loc()))?;
                Some(self.string(string.opening_loc(), parts, &whole))
            }
            Node::XStringNode { .. } => {
                Some(node("xstring_literal", [Sexp::List(self.content(&found.as_x_string_node()?.content_loc()))]))
            }
            Node::InterpolatedXStringNode { .. } => {
                let parts = self.parts(found.as_interpolated_x_string_node()?.parts().iter())?;
                Some(node("xstring_literal", [Sexp::List(parts)]))
            }
            Node::SymbolNode { .. } => self.symbol(&found.as_symbol_node()?),
            Node::InterpolatedSymbolNode { .. } => {
                let parts = self.parts(found.as_interpolated_symbol_node()?.parts().iter())?;
                let inner = Sexp::List(std::iter::once(sym("string_content")).chain(parts).collect());
                Some(node("dyna_symbol", [inner]))
            }
            Node::RegularExpressionNode { .. } => {
                let regexp = found.as_regular_expression_node()?;
                let end = self.at("@regexp_end", &regexp.closing_loc());
                Some(node("regexp_literal", [Sexp::List(self.content(&regexp.content_loc())), end]))
            }
            Node::InterpolatedRegularExpressionNode { .. } => {
                let regexp = found.as_interpolated_regular_expression_node()?;
                let end = self.at("@regexp_end", &regexp.closing_loc());
                Some(node("regexp_literal", [Sexp::List(self.parts(regexp.parts().iter())?), end]))
            }
            _ => None,
        }
    }
    fn statement(&self, found: &Node<'_>) -> Found {
        match found {
            Node::DefNode { .. } => self.definition(&found.as_def_node()?),
            Node::ClassNode { .. } => {
                let class = found.as_class_node()?;
                let parent = self.optional(class.superclass().as_ref())?;
                Some(node(
                    "class",
                    [self.constant_reference(&class.constant_path())?, parent, self.bodystmt(class.body().as_ref())?],
                ))
            }
            Node::ModuleNode { .. } => {
                let module = found.as_module_node()?;
                Some(node(
                    "module",
                    [self.constant_reference(&module.constant_path())?, self.bodystmt(module.body().as_ref())?],
                ))
            }
            Node::SingletonClassNode { .. } => {
                let class = found.as_singleton_class_node()?;
                Some(node("sclass", [self.node(&class.expression())?, self.bodystmt(class.body().as_ref())?]))
            }
            Node::BeginNode { .. } => Some(node("begin", [self.begin_parts(&found.as_begin_node()?)?])),
            Node::IfNode { .. } => self.if_node(&found.as_if_node()?),
            Node::UnlessNode { .. } => {
                let unless = found.as_unless_node()?;
                let statements = unless.statements();
                if unless.end_keyword_loc().is_none() {
                    return self.modified("unless_mod", &unless.predicate(), statements.as_ref());
                }
                let rest = unless.else_clause().map_or(Some(Sexp::Nil), |clause| self.else_node(&clause))?;
                self.condition("unless", &unless.predicate(), statements.as_ref(), rest)
            }
            Node::WhileNode { .. } => {
                let repeat = found.as_while_node()?;
                self.repetition("while", &repeat.predicate(), repeat.statements(), repeat.end_keyword_loc().is_some())
            }
            Node::UntilNode { .. } => {
                let repeat = found.as_until_node()?;
                self.repetition("until", &repeat.predicate(), repeat.statements(), repeat.end_keyword_loc().is_some())
            }
            Node::ForNode { .. } => {
                let each = found.as_for_node()?;
                let statements = self.statements(each.statements().as_ref())?;
                Some(node("for", [self.target(&each.index())?, self.node(&each.collection())?, statements]))
            }
            Node::CaseNode { .. } => self.case(&found.as_case_node()?),
            Node::RescueModifierNode { .. } => {
                let rescue = found.as_rescue_modifier_node()?;
                Some(node("rescue_mod", [self.node(&rescue.expression())?, self.node(&rescue.rescue_expression())?]))
            }
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
                let inside = self.arguments(Some(&arguments), None)?;
                Some(node("yield", [if given.lparen_loc().is_some() { node("paren", [inside]) } else { inside }]))
            }
            Node::SuperNode { .. } => {
                let given = found.as_super_node()?;
                let block = given.block();
                let inside = if given.lparen_loc().is_some() {
                    self.parenthesized(given.arguments().as_ref(), block.as_ref())?
                } else {
                    self.arguments(given.arguments().as_ref(), block.as_ref())?
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
            Node::AliasMethodNode { .. } => {
                let alias = found.as_alias_method_node()?;
                Some(node("alias", [self.method_name(&alias.new_name())?, self.method_name(&alias.old_name())?]))
            }
            Node::UndefNode { .. } => {
                let names =
                    found.as_undef_node()?.names().iter().map(|name| self.method_name(&name)).collect::<Option<_>>()?;
                Some(node("undef", [Sexp::List(names)]))
            }
            _ => self.assignment(found),
        }
    }
    fn method_name(&self, name: &Node<'_>) -> Found {
        match name.as_symbol_node() {
            Some(symbol) if symbol.opening_loc().is_none() => {
                Some(node("symbol_literal", [self.name(&symbol.content_loc())]))
            }
            _ => self.node(name),
        }
    }
    fn repetition(
        &self,
        kind: &str,
        predicate: &Node<'_>,
        statements: Option<prism::StatementsNode<'_>>,
        closed: bool,
    ) -> Found {
        if closed {
            return Some(node(kind, [self.node(predicate)?, self.statements(statements.as_ref())?]));
        }
        self.modified(&format!("{kind}_mod"), predicate, statements.as_ref())
    }
    fn assignment(&self, found: &Node<'_>) -> Found {
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
        let targets = if write.lparen_loc().is_some() { node("mlhs_paren", [targets]) } else { targets };
        Some(node("massign", [targets, self.assigned(&write.value())?]))
    }
}

fn is_dedented(opening: Option<prism::Location<'_>>) -> bool {
    opening.is_some_and(|opening| opening.as_slice().starts_with(b"<<~"))
}

fn kind_of_name(name: &[u8]) -> &'static str {
    const KEYWORDS: &[&[u8]] = &[
        b"alias",
        b"and",
        b"begin",
        b"BEGIN",
        b"break",
        b"case",
        b"class",
        b"def",
        b"defined?",
        b"do",
        b"else",
        b"elsif",
        b"end",
        b"END",
        b"ensure",
        b"false",
        b"for",
        b"if",
        b"in",
        b"module",
        b"next",
        b"nil",
        b"not",
        b"or",
        b"redo",
        b"rescue",
        b"retry",
        b"return",
        b"self",
        b"super",
        b"then",
        b"true",
        b"undef",
        b"unless",
        b"until",
        b"when",
        b"while",
        b"yield",
        b"__FILE__",
        b"__LINE__",
        b"__ENCODING__",
    ];
    match name {
        [b'@', b'@', ..] => "@cvar",
        [b'@', ..] => "@ivar",
        [b'$', ..] => "@gvar",
        [b'`'] => "@backtick",
        _ if KEYWORDS.contains(&name) => "@kw",
        [b'A'..=b'Z', ..] => "@const",
        [b'a'..=b'z' | b'_' | 0x80..=0xff, ..] => "@ident",
        _ => "@op",
    }
}
