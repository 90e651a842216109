//! Prints a tree as an S-expression, for tests and for debugging the lowering.
//!
//! Locals are `name:slot`, or `name:^depth.slot` from inner scopes; calls, operators and constants carry `@line`.

mod sexp;

use crate::Symbol;
use crate::tree::{
    Args, AssignOp, Begin, BlockArg, Call, Case, CaseIn, Code, CodeKind, Defined, HashElem, HashPatternRest, KwRest,
    LitEncoding, LocalRef, MultiTarget, Node, OpAssignCall, Params, Pattern, StrLit, Target,
};
use sexp::{Sexp, atom, list};

/// The S-expression of `code` and all nested code, in indented lines.
pub fn dump(code: &Code) -> String {
    let mut dumper = Dumper { scopes: Vec::new() };
    let mut out = dumper.code(code).render();
    out.push('\n');
    out
}

struct Dumper<'t> {
    scopes: Vec<&'t [Symbol]>,
}

fn name(symbol: Symbol) -> Sexp {
    atom(format!(":{symbol}"))
}

fn at(what: impl std::fmt::Display, line: u32) -> Sexp {
    atom(format!("{what}@{line}"))
}

fn bytes(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => format!("{text:?}"),
        Err(_) => format!("b\"{}\"", bytes.escape_ascii()),
    }
}

fn flag(items: &mut Vec<Sexp>, set: bool, text: &str) {
    if set {
        items.push(atom(text));
    }
}

impl<'t> Dumper<'t> {
    fn place(&self, place: LocalRef) -> Sexp {
        let scope = self.scopes.len().checked_sub(usize::from(place.depth) + 1).and_then(|at| self.scopes.get(at));
        let known = scope.and_then(|names| names.get(usize::from(place.slot)));
        let known = known.map_or_else(
            || "?".to_string(),
            |name| if name.as_str().is_empty() { "_".into() } else { name.to_string() },
        );
        match place.depth {
            0 => atom(format!("{known}:{}", place.slot)),
            depth => atom(format!("{known}:^{depth}.{}", place.slot)),
        }
    }

    fn slot(&self, slot: u16) -> Sexp {
        self.place(LocalRef { depth: 0, slot })
    }

    fn code(&mut self, code: &'t Code) -> Sexp {
        let kind = match code.kind {
            CodeKind::Top => "top",
            CodeKind::Eval => "eval",
            CodeKind::Method => "method",
            CodeKind::Block => "block",
            CodeKind::Lambda => "lambda",
            CodeKind::Class | CodeKind::Module => "class",
        };
        let mut items = vec![atom(format!("{kind}@{}-{}", code.line, code.end_line))];
        if code.name.as_str() != "" {
            items.push(name(code.name));
        }
        self.scopes.push(&code.locals);
        if !code.locals.is_empty() {
            let slots = (0..code.locals.len()).map(|slot| self.slot(slot as u16)).collect::<Vec<_>>();
            items.push(list("locals", slots));
        }
        self.params(&code.params, &mut items);
        items.push(self.node(&code.body));
        self.scopes.pop();
        Sexp::List(items)
    }

    fn params(&mut self, params: &'t Params, items: &mut Vec<Sexp>) {
        let mut out = Vec::new();
        out.extend((0..params.required).map(|slot| self.slot(slot)));
        for (slot, default) in &params.optional {
            out.push(list("opt", vec![self.slot(*slot), self.node(default)]));
        }
        out.extend(params.rest.map(|slot| list("rest", vec![self.slot(slot)])));
        flag(&mut out, params.excess_comma, "excess-comma");
        if params.post > 0 {
            out.push(list(
                "post",
                (params.post_start..params.post_start + params.post).map(|slot| self.slot(slot)).collect(),
            ));
        }
        for keyword in &params.keywords {
            let mut parts = vec![name(keyword.name), self.slot(keyword.slot)];
            parts.extend(keyword.default.as_ref().map(|default| self.node(default)));
            out.push(list("key", parts));
        }
        match params.kwrest {
            KwRest::None => {}
            KwRest::Slot(slot) => out.push(list("kwrest", vec![self.slot(slot)])),
            KwRest::Nil => out.push(atom("**nil")),
        }
        out.extend(params.block.map(|slot| list("block", vec![self.slot(slot)])));
        for (slot, targets) in &params.destructure {
            out.push(list("destructure", vec![self.slot(*slot), self.multi(targets)]));
        }
        flag(&mut out, params.forward_all, "...");
        if params.numbered > 0 {
            out.push(atom(format!("numbered={}", params.numbered)));
        }
        if !out.is_empty() {
            items.push(list("params", out));
        }
    }

    fn nodes(&mut self, nodes: &'t [Node]) -> Vec<Sexp> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn args(&mut self, args: &'t Args, items: &mut Vec<Sexp>) {
        items.extend(self.nodes(&args.items));
        flag(items, args.has_splat, "has-splat");
        if let Some(keywords) = &args.keywords {
            items.push(list("keywords", self.elements(keywords)));
        }
    }

    fn range(&mut self, begin: &'t Node, end: &'t Node, is_exclusive: bool) -> Sexp {
        list(if is_exclusive { "..." } else { ".." }, vec![self.node(begin), self.node(end)])
    }

    fn elements(&mut self, elements: &'t [HashElem]) -> Vec<Sexp> {
        elements
            .iter()
            .map(|element| match element {
                HashElem::Pair(key, value) => Sexp::List(vec![self.node(key), self.node(value)]),
                HashElem::DoubleSplat(value) => list("**", vec![self.node(value)]),
            })
            .collect()
    }

    fn block(&mut self, block: &'t BlockArg, items: &mut Vec<Sexp>) {
        match block {
            BlockArg::None => {}
            BlockArg::Literal(code) => items.push(self.code(code)),
            BlockArg::Pass(value) => items.push(list("&", vec![self.node(value)])),
        }
    }

    fn call(&mut self, call: &'t Call) -> Sexp {
        let mut items = vec![match &call.recv {
            Some(recv) => self.node(recv),
            None => atom("_"),
        }];
        self.args(&call.args, &mut items);
        self.block(&call.block, &mut items);
        flag(&mut items, call.flags.safe_nav, "&.");
        flag(&mut items, call.flags.vcall, "vcall");
        flag(&mut items, call.flags.assignment, "assignment");
        items.insert(0, at(call.name, call.line));
        list("call", items)
    }

    fn string(&self, literal: &StrLit) -> Sexp {
        let mut text = bytes(&literal.bytes);
        match literal.encoding {
            LitEncoding::Utf8 => {}
            LitEncoding::UsAscii => text.push_str("/us-ascii"),
            LitEncoding::Binary => text.push_str("/binary"),
            LitEncoding::Named(name) => {
                text.push('/');
                text.push_str(name.as_str());
            }
        }
        if literal.frozen {
            text.push_str("/frozen");
        }
        atom(text)
    }

    fn target(&mut self, target: &'t Target) -> Sexp {
        match target {
            Target::Local(place) => self.place(*place),
            Target::IVar(symbol, _) | Target::GVar(symbol) | Target::CVar(symbol) => atom(symbol.to_string()),
            Target::Const(None, symbol) => atom(symbol.to_string()),
            Target::Const(Some(scope), symbol) => list("::", vec![self.node(scope), name(*symbol)]),
            Target::Call(call) => self.call(call),
            Target::Multi(multi) => self.multi(multi),
        }
    }

    fn multi(&mut self, multi: &'t MultiTarget) -> Sexp {
        let mut items: Vec<Sexp> = multi.pre.iter().map(|target| self.target(target)).collect();
        match &multi.rest {
            None => {}
            Some(None) => items.push(atom("*")),
            Some(Some(target)) => items.push(list("*", vec![self.target(target)])),
        }
        items.extend(multi.post.iter().map(|target| self.target(target)).collect::<Vec<_>>());
        list("targets", items)
    }

    fn pattern(&mut self, pattern: &'t Pattern) -> Sexp {
        let bound = |dumper: &Self, place: &Option<LocalRef>| match place {
            Some(place) => list("*", vec![dumper.place(*place)]),
            None => atom("*"),
        };
        let mut items = Vec::new();
        let head = match pattern {
            Pattern::Value(value) => return list("===", vec![self.node(value)]),
            Pattern::Bind(place) => return list("bind", vec![self.place(*place)]),
            Pattern::Alt(branches) => {
                items.extend(branches.iter().map(|branch| self.pattern(branch)));
                "alt"
            }
            Pattern::Capture(inner, place) => return list("capture", vec![self.pattern(inner), self.place(*place)]),
            Pattern::Array(array) => {
                items.extend(array.constant.as_ref().map(|constant| list("of", vec![self.node(constant)])));
                items.extend(array.pre.iter().map(|inner| self.pattern(inner)).collect::<Vec<_>>());
                items.extend(array.rest.as_ref().map(|rest| bound(self, rest)));
                items.extend(array.post.iter().map(|inner| self.pattern(inner)).collect::<Vec<_>>());
                "array-pattern"
            }
            Pattern::Find(find) => {
                items.extend(find.constant.as_ref().map(|constant| list("of", vec![self.node(constant)])));
                items.push(bound(self, &find.left));
                items.extend(find.middle.iter().map(|inner| self.pattern(inner)).collect::<Vec<_>>());
                items.push(bound(self, &find.right));
                "find-pattern"
            }
            Pattern::Hash(hash) => {
                items.extend(hash.constant.as_ref().map(|constant| list("of", vec![self.node(constant)])));
                for (key, inner) in &hash.pairs {
                    items.push(Sexp::List(vec![name(*key), self.pattern(inner)]));
                }
                match hash.rest {
                    HashPatternRest::None => {}
                    HashPatternRest::Bind(place) => items.push(list("**", vec![self.place(place)])),
                    HashPatternRest::Nil => items.push(atom("**nil")),
                    HashPatternRest::Anonymous => items.push(atom("**")),
                }
                "hash-pattern"
            }
        };
        list(head, items)
    }

    fn begin(&mut self, begin: &'t Begin) -> Sexp {
        let mut items = vec![self.node(&begin.body)];
        for rescue in &begin.rescues {
            let mut parts = vec![list("classes", self.nodes(&rescue.classes))];
            parts.extend(rescue.target.as_ref().map(|target| list("=>", vec![self.target(target)])));
            parts.push(self.node(&rescue.body));
            parts.insert(0, at("rescue", rescue.line));
            items.push(Sexp::List(parts));
        }
        items.extend(begin.otherwise.as_ref().map(|node| list("else", vec![self.node(node)])));
        items.extend(begin.ensure.as_ref().map(|node| list("ensure", vec![self.node(node)])));
        list("begin", items)
    }

    fn case(&mut self, case: &'t Case) -> Sexp {
        let mut items: Vec<Sexp> = case.subject.iter().map(|subject| self.node(subject)).collect();
        for when in &case.whens {
            items.push(Sexp::List(vec![
                at("when", when.line),
                Sexp::List(self.nodes(&when.conditions)),
                self.node(&when.body),
            ]));
        }
        items.push(list("else", vec![self.node(&case.otherwise)]));
        list("case", items)
    }

    fn case_in(&mut self, case: &'t CaseIn) -> Sexp {
        let mut items = vec![self.node(&case.subject)];
        for clause in &case.clauses {
            let mut parts = vec![self.pattern(&clause.pattern)];
            parts.extend(clause.guard.as_ref().map(|guard| list("guard", vec![self.node(guard)])));
            parts.push(self.node(&clause.body));
            items.push(list("in", parts));
        }
        items.extend(case.otherwise.as_ref().map(|node| list("else", vec![self.node(node)])));
        list(&format!("case-in@{}", case.line), items)
    }

    fn defined(&mut self, defined: &'t Defined) -> Sexp {
        let mut several = |head: &str, first: Vec<Sexp>, rest: &'t [Defined]| {
            let mut items = first;
            items.extend(rest.iter().map(|inner| self.defined(inner)));
            list(head, items)
        };
        match defined {
            Defined::Fixed(text) => atom(format!("{text:?}")),
            Defined::IVar(symbol) | Defined::GVar(symbol) | Defined::CVar(symbol) | Defined::Const(symbol) => {
                atom(symbol.to_string())
            }
            Defined::ConstPath(asked, scope, symbol) => {
                list("::", vec![self.defined(asked), self.node(scope), name(*symbol)])
            }
            Defined::SelfCall(symbol, args) => several("self-call", vec![name(*symbol)], args),
            Defined::Call(asked, recv, symbol, args) => {
                let mut items = vec![self.defined(asked), self.node(recv), name(*symbol)];
                items.extend(args.iter().map(|inner| self.defined(inner)));
                list("call", items)
            }
            Defined::Yield => atom("yield"),
            Defined::Super => atom("super"),
            Defined::NthRef(number) => atom(format!("${number}")),
            Defined::BackRef(byte) => atom(format!("${}", char::from(*byte))),
            Defined::All(parts) => several("all", Vec::new(), parts),
        }
    }

    fn op_assign_call(&mut self, assign: &'t OpAssignCall) -> Sexp {
        let mut items = vec![at(assign.reader, assign.line), name(assign.writer)];
        items.push(assign.recv.as_ref().map_or_else(|| atom("_"), |recv| self.node(recv)));
        self.args(&assign.args, &mut items);
        flag(&mut items, assign.safe_nav, "&.");
        items.push(op(assign.op));
        items.push(self.node(&assign.value));
        list("op-assign-call", items)
    }

    fn jump(&mut self, head: &str, value: &'t Option<Box<Node>>) -> Sexp {
        let items = value.iter().map(|value| self.node(value)).collect();
        list(head, items)
    }

    fn node(&mut self, node: &'t Node) -> Sexp {
        match node {
            Node::Nil => atom("nil"),
            Node::True => atom("true"),
            Node::False => atom("false"),
            Node::SelfRef => atom("self"),
            Node::ObjectClass => atom("Object"),
            Node::Int(number) => atom(number.to_string()),
            Node::Float(number) => atom(format!("{number:?}")),
            Node::BigInt(number) => atom(number.to_string()),
            Node::Rational(parts) => list("rational", vec![atom(parts.0.to_string()), atom(parts.1.to_string())]),
            Node::Imaginary(part) => list("imaginary", vec![self.node(part)]),
            Node::Sym(symbol) => match std::str::from_utf8(symbol.as_bytes()) {
                Ok(text) if text.chars().all(|c| !c.is_whitespace() && !"()\"".contains(c)) && !text.is_empty() => {
                    name(*symbol)
                }
                _ => atom(format!(":{}", bytes(symbol.as_bytes()))),
            },
            Node::Str(literal) => self.string(literal),
            Node::DStr(parts) => list("dstr", self.nodes(parts)),
            Node::DSym(parts) => list("dsym", self.nodes(parts)),
            Node::XStr(inner) => list(&format!("xstr@{}", inner.1), self.nodes(&inner.0)),
            Node::Regex(regex) => atom(format!(
                "/{}/{}@{}",
                String::from_utf8_lossy(&regex.source).escape_debug(),
                regex.options,
                regex.line
            )),
            Node::DRegex(inner) => {
                let (parts, options, once, line) = &**inner;
                let mut items = vec![at(format!("{options}{}", if *once > 0 { "o" } else { "" }), *line)];
                items.extend(self.nodes(parts));
                list("dregex", items)
            }
            Node::Array(inner) => {
                let mut items = self.nodes(&inner.0);
                flag(&mut items, inner.1, "has-splat");
                list("array", items)
            }
            Node::Hash(elements) => list("hash", self.elements(elements)),
            Node::Range(inner) => self.range(&inner.0, &inner.1, inner.2),
            Node::LiteralRange(inner) => self.range(&inner.0, &inner.1, inner.2),
            Node::Splat(inner) => list("*", vec![self.node(inner)]),
            Node::KeywordItem(elements) => list("**", self.elements(elements)),
            _ => self.variable_node(node),
        }
    }

    fn variable_node(&mut self, node: &'t Node) -> Sexp {
        match node {
            Node::LVar(slot) => self.slot(*slot),
            Node::LVarUp(place) => self.place(*place),
            Node::LAsgn(slot, value) => list("=", vec![self.slot(*slot), self.node(value)]),
            Node::LAsgnUp(place, value) => list("=", vec![self.place(*place), self.node(value)]),
            Node::IVar(symbol, _) | Node::GVar(symbol) | Node::CVar(symbol, _) => atom(symbol.to_string()),
            Node::IAsgn(inner) => list("=", vec![atom(inner.0.to_string()), self.node(&inner.2)]),
            Node::GAsgn(symbol, value) | Node::CVarAsgn(symbol, value) => {
                list("=", vec![atom(symbol.to_string()), self.node(value)])
            }
            Node::Const(constant) => at(constant.name, constant.line),
            Node::ConstPath(path) => list("::", vec![self.node(&path.scope), at(path.name, path.line)]),
            Node::ConstAsgn(inner) => {
                let mut items: Vec<Sexp> = inner.0.iter().map(|scope| self.node(scope)).collect();
                items.push(atom(inner.1.to_string()));
                items.push(self.node(&inner.2));
                list("const=", items)
            }
            Node::NthRef(number) => atom(format!("${number}")),
            Node::BackRef(byte) => atom(format!("${}", char::from(*byte))),
            Node::OpAssignCall(assign) => self.op_assign_call(assign),
            Node::OpAssignVar(assign) => {
                let parts =
                    vec![self.target(&assign.target), self.node(&assign.read), op(assign.op), self.node(&assign.value)];
                list(&format!("op-assign@{}", assign.line), parts)
            }
            Node::MultiAsgn(inner) => list("multi=", vec![self.multi(&inner.0), self.node(&inner.1)]),
            Node::MatchWrite(inner) => {
                let mut items = vec![self.node(&inner.0)];
                items.extend(inner.1.iter().map(|(_, place)| self.place(*place)));
                list("match-write", items)
            }
            _ => self.control_node(node),
        }
    }

    fn control_node(&mut self, node: &'t Node) -> Sexp {
        match node {
            Node::And(inner) => list("and", vec![self.node(&inner.0), self.node(&inner.1)]),
            Node::Or(inner) => list("or", vec![self.node(&inner.0), self.node(&inner.1)]),
            Node::Not(inner) => list(&format!("not@{}", inner.1), vec![self.node(&inner.0)]),
            Node::Defined(inner) => list("defined?", vec![self.defined(inner)]),
            Node::If(inner) => {
                list("if", vec![self.node(&inner.cond), self.node(&inner.then), self.node(&inner.otherwise)])
            }
            Node::While(inner) => {
                let mut items = vec![self.node(&inner.cond), self.node(&inner.body)];
                flag(&mut items, inner.do_while, "body-first");
                list(if inner.negate { "until" } else { "while" }, items)
            }
            Node::For(inner) => {
                list(&format!("for@{}", inner.line), vec![self.node(&inner.iter), self.code(&inner.body)])
            }
            Node::Case(case) => self.case(case),
            Node::CaseIn(case) => self.case_in(case),
            Node::MatchRequired(inner) => {
                list(&format!("match-required@{}", inner.2), vec![self.node(&inner.0), self.pattern(&inner.1)])
            }
            Node::MatchPredicate(inner) => list("match?", vec![self.node(&inner.0), self.pattern(&inner.1)]),
            Node::Break(value) => self.jump("break", value),
            Node::Next(value) => self.jump("next", value),
            Node::Return(value) => self.jump("return", value),
            Node::Redo => atom("redo"),
            Node::Retry => atom("retry"),
            Node::Begin(begin) => self.begin(begin),
            Node::Seq(nodes) => list("seq", self.nodes(nodes)),
            Node::FlipFlop(inner) => {
                let head = if inner.2 { "flip-flop..." } else { "flip-flop.." };
                list(head, vec![self.place(inner.3), self.node(&inner.0), self.node(&inner.1)])
            }
            Node::MatchLastLine(inner) => list("match-last-line", vec![self.node(inner)]),
            Node::SourceEncoding(_) => atom("__ENCODING__"),
            Node::Branch(branch) => list(&format!("branch {}", branch.number), vec![self.node(&branch.node)]),
            Node::Mark(line, inner) => list(&format!("mark@{line}"), vec![self.node(inner)]),
            Node::Line(line, inner) => list(&format!("line@{line}"), vec![self.node(inner)]),
            _ => self.call_node(node),
        }
    }

    fn call_node(&mut self, node: &'t Node) -> Sexp {
        match node {
            Node::Call(call) => self.call(call),
            Node::Op(op) => list("op", vec![at(op.name, op.line), self.node(&op.recv), self.node(&op.arg)]),
            Node::Super(call) => {
                let mut items = Vec::new();
                flag(&mut items, call.implicit, "implicit");
                self.args(&call.args, &mut items);
                self.block(&call.block, &mut items);
                list(&format!("super@{}", call.line), items)
            }
            Node::Yield(inner) => {
                let mut items = Vec::new();
                self.args(&inner.0, &mut items);
                list(&format!("yield@{}", inner.1), items)
            }
            Node::Def(code) => list("def", vec![self.detached(code)]),
            Node::DefSingleton(inner) => list("def", vec![self.node(&inner.0), self.detached(&inner.1)]),
            Node::Class(class) => {
                let mut items: Vec<Sexp> =
                    class.scope.iter().map(|scope| list("scope", vec![self.node(scope)])).collect();
                items.extend(class.superclass.as_ref().map(|superclass| list("<", vec![self.node(superclass)])));
                items.push(self.detached(&class.body));
                list(if class.module { "module" } else { "class" }, items)
            }
            Node::SClass(inner) => list("class<<", vec![self.node(&inner.0), self.detached(&inner.1)]),
            Node::Lambda(code) => self.code(code),
            Node::Alias(inner) => list(&format!("alias@{}", inner.2), vec![self.node(&inner.0), self.node(&inner.1)]),
            Node::AliasGlobal(new, old) => list("alias", vec![atom(new.to_string()), atom(old.to_string())]),
            Node::Undef(inner) => list(&format!("undef@{}", inner.1), self.nodes(&inner.0)),
            Node::PostExe(code, _) => list("END", vec![self.code(code)]),
            _ => atom("?"),
        }
    }

    /// Code that does not see the locals around it.
    fn detached(&mut self, code: &'t Code) -> Sexp {
        let outer = std::mem::take(&mut self.scopes);
        let dumped = self.code(code);
        self.scopes = outer;
        dumped
    }
}

fn op(op: AssignOp) -> Sexp {
    match op {
        AssignOp::Or => atom("||="),
        AssignOp::And => atom("&&="),
        AssignOp::Call(symbol) => atom(format!("{symbol}=")),
    }
}
