//! Dispatch over nodes. Each frequent kind of node has a function of its own, called at the end of the dispatch, so that the dispatch itself needs no
//! stack frame; results are returned in registers.
//!
//! The body of a method or block is evaluated by [`Vm::tail`] and [`Vm::step`], in which a `return` or `next` that ends the body is a plain value
//! instead of a jump.

use super::outcome::{Outcome, ok};
use crate::Vm;
use crate::error::{Res, Unwind};
use crate::frame::{Cx, Parent};
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{BinOp, Call, Case, HashElem, Hint, If, InlineCache, Leaves, LocalRef, Node, While};

impl Vm {
    /// Evaluates a node in an activation.
    #[inline(always)]
    pub(crate) fn eval(&mut self, node: &Node, cx: &Cx<'_>) -> Res {
        self.walk(node, cx).res()
    }

    /// Evaluates an operand, with fast paths for locals and Integer literals.
    #[inline(always)]
    pub(crate) fn operand(&mut self, node: &Node, cx: &Cx<'_>) -> Res {
        match node {
            Node::LVar(slot) => Ok(self.local(cx, *slot)),
            Node::Int(number) => Ok(Value::Int(*number)),
            node => self.eval(node, cx),
        }
    }

    /// Evaluates a statement, setting its line without another dispatch.
    #[inline(always)]
    pub(crate) fn statement(&mut self, node: &Node, cx: &Cx<'_>) -> Res {
        self.eval(note_line(node, cx), cx)
    }

    #[inline(never)]
    pub(crate) fn walk(&mut self, node: &Node, cx: &Cx<'_>) -> Outcome {
        self.pick::<false>(node, cx)
    }

    /// Dispatch for the body of a method or block, or the part of it that is its value.
    #[inline(never)]
    pub(crate) fn tail(&mut self, node: &Node, cx: &Cx<'_>) -> Outcome {
        self.pick::<true>(node, cx)
    }

    #[inline(always)]
    fn pick<const TAIL: bool>(&mut self, node: &Node, cx: &Cx<'_>) -> Outcome {
        match node {
            Node::LVar(slot) => self.walk_local(*slot, cx),
            Node::Op(call) if call.op == BinOp::Aref => self.walk_aref(call, cx),
            Node::Op(call) => self.walk_op(call, cx),
            Node::Call(call) if call.flags.plain => self.walk_plain_call(call, cx),
            Node::Call(call) => self.walk_call(call, cx),
            Node::Seq(nodes) => self.walk_seq::<TAIL>(nodes, cx),
            Node::If(branch) => self.walk_if::<TAIL>(branch, cx),
            Node::Nil => Outcome::value(Value::Nil),
            Node::True => Outcome::value(Value::True),
            Node::False => Outcome::value(Value::False),
            Node::SelfRef => self.walk_self(cx),
            Node::Int(number) => Outcome::value(Value::Int(*number)),
            Node::Float(number) => Outcome::value(Value::float(*number)),
            Node::Sym(symbol) => Outcome::value(Value::Sym(*symbol)),
            Node::LAsgn(slot, value) => self.walk_assign(*slot, value, cx),
            Node::LVarUp(at) => self.walk_up(*at, cx),
            Node::LAsgnUp(at, value) => self.walk_assign_up(*at, value, cx),
            Node::IVar(name, hint) => self.walk_ivar(*name, hint, cx),
            Node::IAsgn(assign) => self.walk_assign_ivar(assign, cx),
            Node::And(pair) => self.walk_and(&pair.0, &pair.1, cx),
            Node::Or(pair) => self.walk_or(&pair.0, &pair.1, cx),
            Node::Not(not) => self.walk_not(&not.0, not.1, &not.2, cx),
            Node::Const(read) => self.walk_const(read, cx),
            Node::Yield(call) => self.walk_yield(call, cx),
            Node::While(node) => self.walk_while::<TAIL>(node, cx),
            Node::Case(case) => self.walk_case::<TAIL>(case, cx),
            Node::Return(value) if TAIL && ends_here(cx) => self.walk_opt(value.as_deref(), cx),
            Node::Next(value) if TAIL => self.walk_opt(value.as_deref(), cx),
            Node::OpAssignCall(assign) => self.walk_op_assign::<true>(assign, cx),
            Node::Line(line, node) => {
                cx.line.set(*line);
                if TAIL { self.tail(node, cx) } else { self.walk(node, cx) }
            }
            _ => self.walk_other(node, cx),
        }
    }

    #[inline(always)]
    fn walk_opt(&mut self, node: Option<&Node>, cx: &Cx<'_>) -> Outcome {
        match node {
            Some(node) => self.walk(node, cx),
            None => Outcome::value(Value::Nil),
        }
    }

    #[inline(never)]
    fn walk_local(&mut self, slot: u16, cx: &Cx<'_>) -> Outcome {
        Outcome::value(self.local(cx, slot))
    }

    #[inline(never)]
    fn walk_self(&mut self, cx: &Cx<'_>) -> Outcome {
        Outcome::value(cx.slf.clone())
    }

    #[inline(never)]
    fn walk_other(&mut self, node: &Node, cx: &Cx<'_>) -> Outcome {
        match node {
            Node::Range(parts) => self.walk_range(parts, cx),
            Node::Mark(line, node) => self.walk_mark(*line, node, cx),
            node => self.eval_other(node, cx).into(),
        }
    }

    /// A Range that is made whenever it is evaluated.
    #[inline(never)]
    fn walk_range(&mut self, (begin, end, exclusive): &(Node, Node, bool), cx: &Cx<'_>) -> Outcome {
        let begin = ok!(self.argument(begin, cx));
        let end = ok!(self.argument(end, cx));
        if let (Value::Int(_), Value::Int(_)) = (&begin, &end) {
            return Outcome::value(Value::range(begin, end, *exclusive));
        }
        crate::core::range::new_range(self, begin, end, *exclusive).into()
    }

    #[inline(never)]
    fn walk_seq<const TAIL: bool>(&mut self, nodes: &[Node], cx: &Cx<'_>) -> Outcome {
        let Some((last, init)) = nodes.split_last() else { return Outcome::value(Value::Nil) };
        for node in init {
            if let Some(done) = self.step::<TAIL>(node, cx).ended() {
                return done;
            }
        }
        if TAIL { self.tail(last, cx) } else { self.walk(last, cx) }
    }

    #[inline(never)]
    fn walk_if<const TAIL: bool>(&mut self, branch: &If, cx: &Cx<'_>) -> Outcome {
        let Some(holds) = self.test_near(&branch.cond, cx) else { return self.walk_if_any::<TAIL>(branch, cx) };
        let next = if holds { &branch.then } else { &branch.otherwise };
        if TAIL { self.tail(next, cx) } else { self.walk(next, cx) }
    }

    #[inline(never)]
    fn walk_if_any<const TAIL: bool>(&mut self, branch: &If, cx: &Cx<'_>) -> Outcome {
        let next = if ok!(self.test_far(&branch.cond, cx)) { &branch.then } else { &branch.otherwise };
        if TAIL { self.tail(next, cx) } else { self.walk(next, cx) }
    }

    #[inline(never)]
    fn walk_and(&mut self, left: &Node, right: &Node, cx: &Cx<'_>) -> Outcome {
        match self.operand(left, cx) {
            Ok(left) if left.truthy() => {}
            other => return other.into(),
        }
        self.walk(right, cx)
    }

    #[inline(never)]
    fn walk_or(&mut self, left: &Node, right: &Node, cx: &Cx<'_>) -> Outcome {
        match self.operand(left, cx) {
            Ok(left) if !left.truthy() => {}
            other => return other.into(),
        }
        self.walk(right, cx)
    }

    #[inline(never)]
    fn walk_assign(&mut self, slot: u16, value: &Node, cx: &Cx<'_>) -> Outcome {
        let value = ok!(self.assigned(value, cx));
        self.set_local(cx, slot, value.clone());
        Outcome::value(value)
    }

    #[inline(never)]
    fn walk_up(&mut self, at: LocalRef, cx: &Cx<'_>) -> Outcome {
        Outcome::value(self.local_up(cx, at))
    }

    #[inline(never)]
    fn walk_assign_up(&mut self, at: LocalRef, value: &Node, cx: &Cx<'_>) -> Outcome {
        let value = ok!(self.assigned(value, cx));
        self.set_local_up(cx, at, value.clone());
        Outcome::value(value)
    }

    #[inline(never)]
    fn walk_ivar(&mut self, name: Symbol, hint: &Hint, cx: &Cx<'_>) -> Outcome {
        match self.ivar_ref_hinted(cx.slf, name, hint) {
            Some(value) => Outcome::value(value.clone()),
            None => self.walk_ivar_elsewhere(name, hint, cx),
        }
    }

    /// An instance variable that is not where it was last time.
    #[inline(never)]
    pub(super) fn walk_ivar_elsewhere(&mut self, name: Symbol, hint: &Hint, cx: &Cx<'_>) -> Outcome {
        Outcome::value(self.ivar_get_hinted(cx.slf, name, hint))
    }

    #[inline(never)]
    fn walk_assign_ivar(&mut self, assign: &(Symbol, Hint, Node), cx: &Cx<'_>) -> Outcome {
        let (name, hint, value) = assign;
        let value = ok!(self.assigned(value, cx));
        if self.frozen(cx.slf) {
            return Outcome::error(self.frozen_error(cx.slf));
        }
        self.ivar_set_hinted(cx.slf, *name, hint, value.clone());
        Outcome::value(value)
    }

    /// Evaluates the value of an assignment.
    #[inline(always)]
    fn assigned(&mut self, node: &Node, cx: &Cx<'_>) -> Res {
        match node {
            Node::Op(call) if call.op == BinOp::Aref => self.walk_aref(call, cx).res(),
            Node::Op(call) if call.leaves == Leaves::Far && !self.redefined => match self.op_far(call, cx) {
                Some(value) => Ok(value),
                None => self.walk_op_operands(call, cx).res(),
            },
            Node::Op(call) => self.walk_op(call, cx).res(),
            node => self.operand(node, cx),
        }
    }

    /// Evaluates a statement whose value is not used: `Undef`, or an error. With `ENDS` the statement is in the body of a method or block, inside
    /// nothing but branches and loops: a `return` or `next` that ends the body returns its value.
    #[inline(never)]
    fn step<const ENDS: bool>(&mut self, node: &Node, cx: &Cx<'_>) -> Outcome {
        match node {
            Node::LAsgn(slot, value) => self.step_assign(*slot, value, cx),
            Node::LAsgnUp(at, value) => self.step_assign_up(*at, value, cx),
            Node::IAsgn(assign) => self.step_assign_ivar(assign, cx),
            Node::If(branch) => self.step_if::<ENDS>(branch, cx),
            Node::Seq(nodes) => self.steps::<ENDS>(nodes, cx),
            Node::While(node) => self.step_while::<ENDS>(node, cx),
            Node::Case(case) => self.step_case::<ENDS>(case, cx),
            Node::Call(call) if call.flags.plain => self.step_call(call, cx),
            Node::Call(call) if call.flags.indexed => self.walk_indexed::<false>(call, cx),
            Node::Call(call) if call.flags.attribute => self.walk_attribute::<false>(call, cx),
            Node::OpAssignCall(assign) => self.walk_op_assign::<false>(assign, cx),
            Node::MultiAsgn(assign) => self.step_multi_assign(&assign.0, &assign.1, node, cx),
            Node::Nil => Outcome::value(Value::Undef),
            Node::Return(value) if ENDS && ends_here(cx) => self.walk_opt(value.as_deref(), cx),
            Node::Next(value) if ENDS && cx.loops.get() == 0 => self.walk_opt(value.as_deref(), cx),
            Node::Line(line, node) => {
                cx.line.set(*line);
                self.step::<ENDS>(node, cx)
            }
            node => self.step_other(node, cx),
        }
    }

    /// Literals of Arrays and Hashes whose value is not used are not made, as in MRI: only what they contain is evaluated.
    #[inline(never)]
    fn step_other(&mut self, node: &Node, cx: &Cx<'_>) -> Outcome {
        match node {
            Node::LVar(_) | Node::Int(_) | Node::Sym(_) | Node::SelfRef | Node::True | Node::False => {
                return Outcome::value(Value::Undef);
            }
            // as in MRI nothing happens on the line of a value that is not used
            Node::Mark(_, node) if node.is_plain() => return self.step::<false>(node, cx),
            Node::Array(literal) if !literal.1 => return self.steps::<false>(&literal.0, cx),
            Node::Hash(elements) => {
                for element in elements.iter() {
                    let (first, second) = match element {
                        HashElem::Pair(key, value) => (key, Some(value)),
                        HashElem::DoubleSplat(node) => (node, None),
                    };
                    for node in std::iter::once(first).chain(second) {
                        ok!(self.step::<false>(node, cx).res());
                    }
                }
                return Outcome::value(Value::Undef);
            }
            _ => {}
        }
        ok!(self.walk(node, cx).res()).give_up();
        Outcome::value(Value::Undef)
    }

    #[inline(never)]
    fn step_call(&mut self, call: &Call, cx: &Cx<'_>) -> Outcome {
        ok!(self.walk_plain_call(call, cx).res()).give_up();
        Outcome::value(Value::Undef)
    }

    #[inline(never)]
    fn step_assign(&mut self, slot: u16, value: &Node, cx: &Cx<'_>) -> Outcome {
        if let Node::Op(call) = value
            && let Some((a, b)) = self.int_near(call, cx)
            && let Some(number) = match call.op {
                BinOp::Add => a.checked_add(b),
                BinOp::Sub => a.checked_sub(b),
                _ => None,
            }
            && self.set_near_local(cx, slot, Value::Int(number))
        {
            return Outcome::value(Value::Undef);
        }
        self.step_assign_any(slot, value, cx)
    }

    #[inline(never)]
    fn step_assign_any(&mut self, slot: u16, value: &Node, cx: &Cx<'_>) -> Outcome {
        let value = ok!(self.assigned(value, cx));
        self.set_local(cx, slot, value);
        Outcome::value(Value::Undef)
    }

    #[inline(never)]
    fn step_assign_up(&mut self, at: LocalRef, value: &Node, cx: &Cx<'_>) -> Outcome {
        let value = ok!(self.assigned(value, cx));
        self.set_local_up(cx, at, value);
        Outcome::value(Value::Undef)
    }

    #[inline(never)]
    fn step_assign_ivar(&mut self, assign: &(Symbol, Hint, Node), cx: &Cx<'_>) -> Outcome {
        let (name, hint, value) = assign;
        let value = ok!(self.assigned(value, cx));
        if let Some(slot) = self.ivar_slot_at(cx.slf, hint.get() as usize, *name) {
            slot.put(value);
            return Outcome::value(Value::Undef);
        }
        self.assign_ivar_far(*name, hint, value, cx)
    }

    /// Sets an instance variable that is new, elsewhere than it was last time, or of a frozen object.
    #[inline(never)]
    fn assign_ivar_far(&mut self, name: Symbol, hint: &Hint, value: Value, cx: &Cx<'_>) -> Outcome {
        if self.frozen(cx.slf) {
            return Outcome::error(self.frozen_error(cx.slf));
        }
        self.ivar_set_hinted(cx.slf, name, hint, value);
        Outcome::value(Value::Undef)
    }

    #[inline(never)]
    fn step_if<const ENDS: bool>(&mut self, branch: &If, cx: &Cx<'_>) -> Outcome {
        let Some(holds) = self.test_near(&branch.cond, cx) else { return self.step_if_any::<ENDS>(branch, cx) };
        self.step::<ENDS>(if holds { &branch.then } else { &branch.otherwise }, cx)
    }

    #[inline(never)]
    fn step_if_any<const ENDS: bool>(&mut self, branch: &If, cx: &Cx<'_>) -> Outcome {
        let next = if ok!(self.test_far(&branch.cond, cx)) { &branch.then } else { &branch.otherwise };
        self.step::<ENDS>(next, cx)
    }

    #[inline(never)]
    fn step_case<const ENDS: bool>(&mut self, case: &Case, cx: &Cx<'_>) -> Outcome {
        let body = ok!(self.case_body(case, cx));
        self.step::<ENDS>(body, cx)
    }

    #[inline(never)]
    fn steps<const ENDS: bool>(&mut self, nodes: &[Node], cx: &Cx<'_>) -> Outcome {
        for node in nodes {
            if let Some(done) = self.step::<ENDS>(node, cx).ended() {
                return done;
            }
        }
        Outcome::value(Value::Undef)
    }

    /// `while` and `until`
    #[inline(never)]
    fn walk_while<const TAIL: bool>(&mut self, node: &While, cx: &Cx<'_>) -> Outcome {
        match self.run_while::<TAIL>(node, cx).res() {
            Ok(Value::Undef) => Outcome::value(Value::Nil),
            Ok(value) => Outcome::value(value),
            Err(error) => super::calls::catch_break(error, 0).into(),
        }
    }

    /// A loop whose value is not used.
    #[inline(never)]
    fn step_while<const ENDS: bool>(&mut self, node: &While, cx: &Cx<'_>) -> Outcome {
        match self.run_while::<ENDS>(node, cx).res() {
            Err(error) => super::calls::catch_break(error, 0).map(|_| Value::Undef).into(),
            done => done.into(),
        }
    }

    /// Runs a loop: `Undef` at its end; a `break` is still an error.
    #[inline(never)]
    fn run_while<const ENDS: bool>(&mut self, node: &While, cx: &Cx<'_>) -> Outcome {
        cx.loops.set(cx.loops.get() + 1);
        let result = self.iterate_while::<ENDS>(node, cx);
        cx.loops.set(cx.loops.get() - 1);
        result
    }

    /// Runs the body of a loop once.
    #[inline(always)]
    fn turn<const ENDS: bool>(&mut self, body: &Node, cx: &Cx<'_>) -> Outcome {
        let Node::Seq(nodes) = body else { return self.step::<ENDS>(body, cx) };
        for node in nodes {
            if let Some(done) = self.step::<ENDS>(node, cx).ended() {
                return done;
            }
        }
        Outcome::value(Value::Undef)
    }

    #[inline(always)]
    fn iterate_while<const ENDS: bool>(&mut self, node: &While, cx: &Cx<'_>) -> Outcome {
        let mut check = !node.do_while;
        loop {
            if check && ok!(self.test(&node.cond, cx)) == node.negate {
                return Outcome::value(Value::Undef);
            }
            check = true;
            ok!(self.tick());
            while let Some(done) = self.turn::<ENDS>(&node.body, cx).ended() {
                match done.res() {
                    Ok(value) => return Outcome::value(value),
                    Err(error) => match *error.0 {
                        Unwind::Next(_) => break,
                        Unwind::Redo => ok!(self.tick()),
                        other => return Outcome::error(other.into()),
                    },
                }
            }
        }
    }

    #[inline(never)]
    fn walk_case<const TAIL: bool>(&mut self, case: &Case, cx: &Cx<'_>) -> Outcome {
        let body = ok!(self.case_body(case, cx));
        if TAIL { self.tail(body, cx) } else { self.walk(body, cx) }
    }

    /// The body of the matching clause.
    #[inline(always)]
    fn case_body<'n>(&mut self, case: &'n Case, cx: &Cx<'_>) -> Res<&'n Node> {
        let number = match self.walk_whens(case, cx).res()? {
            Value::Int(number) => number as usize,
            _ => usize::MAX,
        };
        Ok(case.whens.get(number).map_or(&case.otherwise, |when| &when.body))
    }

    /// The index of the matching clause as an Integer; nil for `else`.
    #[inline(never)]
    fn walk_whens(&mut self, case: &Case, cx: &Cx<'_>) -> Outcome {
        let subject = match &case.subject {
            Some(node) => Some(ok!(self.operand(node, cx))),
            None => None,
        };
        if let (Some(literals), false) = (&case.literals, self.redefined) {
            let found = match &subject {
                Some(Value::Int(number)) => Some(literals.number(*number)),
                Some(Value::Sym(symbol)) => Some(literals.symbol(*symbol)),
                _ => None,
            };
            if let Some(found) = found {
                return Outcome::value(found.map_or(Value::Nil, |index| Value::Int(index as i64)));
            }
        }
        for (number, when) in case.whens.iter().enumerate() {
            let hit = match (&subject, when.conditions.as_slice()) {
                (Some(Value::Sym(subject)), [Node::Sym(symbol)]) if !self.redefined => subject == symbol,
                (Some(Value::Int(subject)), [Node::Int(number)]) if !self.redefined => subject == number,
                _ => ok!(self.when_matches(when, subject.as_ref(), cx)),
            };
            if hit {
                return Outcome::value(Value::Int(number as i64));
            }
        }
        Outcome::value(Value::Nil)
    }

    /// Whether a condition is true; comparing Integers creates no value.
    #[inline(always)]
    fn test(&mut self, node: &Node, cx: &Cx<'_>) -> Res<bool> {
        match self.test_near(node, cx) {
            Some(holds) => Ok(holds),
            None => self.test_far(node, cx),
        }
    }

    /// Whether a condition is true for which [`Vm::test_near`] has no answer.
    #[inline(always)]
    fn test_far(&mut self, node: &Node, cx: &Cx<'_>) -> Res<bool> {
        Ok(match node {
            Node::Op(call) => {
                let value = self.walk_op_values(call, cx).res()?;
                let holds = value.truthy();
                value.give_up();
                holds
            }
            Node::LVar(slot) => self.local_ref(cx, *slot).truthy(),
            Node::And(_) | Node::Or(_) | Node::Not(_) => self.truth(node, cx).res()?.truthy(),
            node => {
                let value = self.eval(node, cx)?;
                let holds = value.truthy();
                value.give_up();
                holds
            }
        })
    }

    /// Whether a condition with `and`, `or` or `not` is true, as true or false.
    #[inline(never)]
    fn truth(&mut self, node: &Node, cx: &Cx<'_>) -> Outcome {
        let holds = match node {
            Node::And(pair) => {
                if !ok!(self.truth(&pair.0, cx).res()).truthy() {
                    return Outcome::value(Value::False);
                }
                return self.truth(&pair.1, cx);
            }
            Node::Or(pair) => {
                if ok!(self.truth(&pair.0, cx).res()).truthy() {
                    return Outcome::value(Value::True);
                }
                return self.truth(&pair.1, cx);
            }
            Node::Not(not) => return self.walk_not(&not.0, not.1, &not.2, cx),
            node => ok!(self.test(node, cx)),
        };
        Outcome::value(Value::bool(holds))
    }

    #[inline(never)]
    fn walk_not(&mut self, node: &Node, line: u32, cache: &InlineCache, cx: &Cx<'_>) -> Outcome {
        let value = ok!(self.assigned(node, cx));
        if !matches!(value, Value::Nil | Value::True | Value::False | Value::Int(_) | Value::Sym(_)) {
            let class = self.class_of(&value);
            let key = self.cache_key(class);
            if cache.get().0 != key {
                if !self.is_native_method(class, sym::NOT) || self.find_refined(class, sym::NOT, cx).is_some() {
                    return self.not_by_method(&value, line, cx);
                }
                cache.set(key, 0);
            }
        } else if self.redefined {
            return self.not_by_method(&value, line, cx);
        }
        Outcome::value(Value::bool(!value.truthy()))
    }
    #[cold]
    fn not_by_method(&mut self, value: &Value, line: u32, cx: &Cx<'_>) -> Outcome {
        cx.line.set(line);
        self.call_with_refinements(value, sym::NOT, &[], cx).into()
    }

    /// The value of a variable, if it can be borrowed.
    #[inline(always)]
    pub(super) fn variable<'a>(&'a self, node: &Node, cx: &'a Cx<'a>) -> Option<&'a Value> {
        if let Node::LVar(slot) = node {
            return Some(cx.slot(self, *slot));
        }
        if let Node::IVar(name, hint) = node {
            return self.ivar_ref_hinted(cx.slf, *name, hint);
        }
        if let Node::LVarUp(at) = node {
            return self.local_up_ref(cx, *at);
        }
        None
    }
}

/// Sets the line of a statement and returns its node.
#[inline(always)]
fn note_line<'n>(node: &'n Node, cx: &Cx<'_>) -> &'n Node {
    match node {
        Node::Line(line, node) => {
            cx.line.set(*line);
            node
        }
        node => node,
    }
}

/// Whether `return` ends this activation: that of a method or lambda.
#[inline(always)]
fn ends_here(cx: &Cx<'_>) -> bool {
    cx.lambda || matches!(cx.parent, Parent::None)
}
