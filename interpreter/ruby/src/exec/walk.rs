//! Dispatch over nodes. Each frequent kind of node has a function of its own, called at the end of the dispatch, so that the dispatch itself needs no
//! stack frame; results are returned in registers.
//!
//! The body of a method or block is evaluated by [`Vm::tail`] and [`Vm::step`], in which a `return` or `next` that ends the body is a plain value
//! instead of a jump.

use super::outcome::{Outcome, ok};
use crate::Vm;
use crate::class::ClassId;
use crate::error::{Res, Unwind};
use crate::frame::{Cx, Parent};
use crate::heap;
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{BinOp, Call, Case, HashElem, Hint, If, InlineCache, Leaves, LocalRef, Node, OpCall, While};

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

    /// A Range whose ends are not both literals.
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
    fn walk_ivar_elsewhere(&mut self, name: Symbol, hint: &Hint, cx: &Cx<'_>) -> Outcome {
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
                if !self.is_native_method(class, sym::NOT) {
                    cx.line.set(line);
                    return self.call(&value, sym::NOT, &[]).into();
                }
                cache.set(key, 0);
            }
        } else if self.redefined {
            cx.line.set(line);
            return self.call(&value, sym::NOT, &[]).into();
        }
        Outcome::value(Value::bool(!value.truthy()))
    }

    /// A binary operator, with fast paths for core types unless one of their operators has been redefined.
    #[inline(never)]
    pub(super) fn walk_op(&mut self, call: &OpCall, cx: &Cx<'_>) -> Outcome {
        match self.op_near(call, cx) {
            Some(value) => Outcome::value(value),
            None if call.leaves == Leaves::Other => self.walk_op_operands(call, cx),
            None => self.walk_op_far(call, cx),
        }
    }

    /// An operator on locals of the current activation and literals that are both Integers or both Floats. None otherwise, as for
    /// [`Vm::int_near`].
    #[inline(always)]
    fn op_near(&self, call: &OpCall, cx: &Cx<'_>) -> Option<Value> {
        if self.redefined {
            return None;
        }
        match call.leaves {
            Leaves::LocalInt(slot, number) => match cx.slot(self, slot) {
                Value::Int(a) => int_op(call.op, *a, number),
                _ => None,
            },
            Leaves::Locals(left, right) => match (cx.slot(self, left), cx.slot(self, right)) {
                (Value::Int(a), Value::Int(b)) => int_op(call.op, *a, *b),
                (Value::Float(a), Value::Float(b)) => super::float_op(call.op, a.get(), b.get()),
                _ => None,
            },
            Leaves::Far | Leaves::Text | Leaves::Other => None,
        }
    }

    /// An operator or `x[y]` whose operands have to be evaluated, or are in other variables.
    #[inline(never)]
    fn walk_op_values(&mut self, call: &OpCall, cx: &Cx<'_>) -> Outcome {
        if call.op == BinOp::Aref {
            return self.walk_aref(call, cx);
        }
        self.walk_op_far(call, cx)
    }

    /// An operator whose operands are in other variables, or are Strings.
    #[inline(never)]
    fn walk_op_far(&mut self, call: &OpCall, cx: &Cx<'_>) -> Outcome {
        if call.leaves == Leaves::Far
            && !self.redefined
            && let Some(value) = self.op_far(call, cx)
        {
            return Outcome::value(value);
        }
        if call.leaves == Leaves::Text {
            return self.walk_op_text(call, cx);
        }
        self.walk_op_operands(call, cx)
    }

    /// `==` or `!=` with a String literal, which is not made if the receiver is a String.
    #[inline(never)]
    fn walk_op_text(&mut self, call: &OpCall, cx: &Cx<'_>) -> Outcome {
        let left = ok!(self.operand(&call.recv, cx));
        if let (Value::Str(text), Node::Str(literal)) = (&left, &call.arg)
            && text.class() == ClassId::STRING
            && !self.redefined
        {
            let holds = super::is_literal(text.get(self), literal) == (call.op == BinOp::Eq);
            left.give_up();
            return Outcome::value(Value::bool(holds));
        }
        let right = ok!(self.eval(&call.arg, cx));
        self.walk_op_mixed(call, Outcome::value(left), Outcome::value(right), cx)
    }

    /// Evaluates an operand of an operator, which is often an instance variable.
    #[inline(always)]
    fn op_operand(&mut self, node: &Node, cx: &Cx<'_>) -> Res {
        match node {
            Node::IVar(name, hint) => match self.ivar_ref_hinted(cx.slf, *name, hint) {
                Some(value) => Ok(value.clone()),
                None => self.walk_ivar_elsewhere(*name, hint, cx).res(),
            },
            node => self.argument(node, cx),
        }
    }

    /// An operator whose operands are evaluated first.
    #[inline(never)]
    fn walk_op_operands(&mut self, call: &OpCall, cx: &Cx<'_>) -> Outcome {
        let left = ok!(self.op_operand(&call.recv, cx));
        let right = ok!(self.op_operand(&call.arg, cx));
        if !self.redefined {
            let done = match (&left, &right) {
                (Value::Int(a), Value::Int(b)) => int_op(call.op, *a, *b),
                (Value::Float(a), Value::Float(b)) => super::float_op(call.op, a.get(), b.get()),
                (Value::Nil, _) if call.op == BinOp::Eq => Some(Value::bool(right.is_nil())),
                (Value::Nil, _) if call.op == BinOp::Ne => Some(Value::bool(!right.is_nil())),
                _ => None,
            };
            if let Some(value) = done {
                left.give_up();
                right.give_up();
                return Outcome::value(value);
            }
        }
        self.walk_op_mixed(call, Outcome::value(left), Outcome::value(right), cx)
    }

    /// `x[y]`, with a fast path for an Array in a variable and an Integer index.
    #[inline(never)]
    pub(super) fn walk_aref(&mut self, call: &OpCall, cx: &Cx<'_>) -> Outcome {
        if !self.redefined
            && let Some(Value::Array(gc)) = self.variable(&call.recv, cx)
            && gc.class() == ClassId::ARRAY
        {
            let index = match &call.arg {
                Node::Op(index) => self.int_near(index, cx).and_then(|(a, b)| match index.op {
                    BinOp::Add => a.checked_add(b),
                    BinOp::Sub => a.checked_sub(b),
                    _ => None,
                }),
                node => self.int_far(node, cx),
            };
            if let Some(index) = index {
                return Outcome::value(item(gc.get(self).items.as_slice(), index));
            }
        }
        if let Node::Sym(key) = call.arg
            && !self.redefined
            && let Some(Value::Hash(gc)) = self.variable(&call.recv, cx)
            && gc.class() == ClassId::HASH
            && !gc.flag(heap::BY_IDENTITY)
            && let Some(value) = self.hash_get_sym(gc, key)
        {
            return Outcome::value(value);
        }
        let left = ok!(self.operand(&call.recv, cx));
        let right = match &call.arg {
            Node::Sym(symbol) => Value::Sym(*symbol),
            node => ok!(self.operand(node, cx)),
        };
        if !self.redefined
            && let (Value::Array(gc), Value::Int(index)) = (&left, &right)
            && gc.class() == ClassId::ARRAY
        {
            return Outcome::value(item(gc.get(self).items.as_slice(), *index));
        }
        self.walk_op_mixed(call, Outcome::value(left), Outcome::value(right), cx)
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

    #[inline(never)]
    fn walk_op_mixed(&mut self, call: &OpCall, left: Outcome, right: Outcome, cx: &Cx<'_>) -> Outcome {
        let (left, right) = (ok!(left.res()), ok!(right.res()));
        if !self.redefined
            && let Some(done) = ok!(self.fast_op(call.op, &left, &right))
        {
            return Outcome::value(done);
        }
        if let Some(done) = self.same_by_site(call, &left, &right) {
            return Outcome::value(done);
        }
        self.eval_op_call(call, left, right, cx).into()
    }

    /// The result of a comparison of locals and literals that are Integers; None otherwise.
    #[inline(always)]
    fn test_near(&self, node: &Node, cx: &Cx<'_>) -> Option<bool> {
        let Node::Op(call) = node else { return None };
        let (a, b) = self.int_near(call, cx)?;
        int_test(call.op, a, b)
    }

    /// The operands if they are locals of the current activation or literals, and hold Integers, and no operator is redefined. None otherwise: they
    /// are evaluated as usual, and reading them twice has no effect. Calls no function, so callers need no stack frame for it.
    #[inline(always)]
    fn int_near(&self, call: &OpCall, cx: &Cx<'_>) -> Option<(i64, i64)> {
        if self.redefined {
            return None;
        }
        if let Leaves::LocalInt(slot, number) = call.leaves {
            Some((self.int_local(cx, slot)?, number))
        } else if let Leaves::Locals(left, right) = call.leaves {
            Some((self.int_local(cx, left)?, self.int_local(cx, right)?))
        } else {
            None
        }
    }

    #[inline(always)]
    fn int_local(&self, cx: &Cx<'_>, slot: u16) -> Option<i64> {
        int_of(cx.slot(self, slot))
    }

    /// An operator on variables and Integer literals that are both Integers or both Floats; None otherwise. They are read without being copied.
    #[inline(never)]
    fn op_far(&self, call: &OpCall, cx: &Cx<'_>) -> Option<Value> {
        if let Node::Int(b) = call.arg {
            return match self.variable(&call.recv, cx)? {
                Value::Int(a) => int_op(call.op, *a, b),
                a => self.same_by_site(call, a, &Value::Int(b)),
            };
        }
        if let Node::Int(a) = call.recv {
            return match self.variable(&call.arg, cx)? {
                Value::Int(b) => int_op(call.op, a, *b),
                _ => None,
            };
        }
        match (self.variable(&call.recv, cx)?, self.variable(&call.arg, cx)?) {
            (Value::Int(a), Value::Int(b)) => int_op(call.op, *a, *b),
            (Value::Float(a), Value::Float(b)) => super::float_op(call.op, a.get(), b.get()),
            (a, b) => self.same_by_site(call, a, b),
        }
    }

    /// The result of `BasicObject#==`, if that is what the site called last time for the receiver's class.
    #[inline(never)]
    pub(super) fn same_by_site(&self, call: &OpCall, left: &Value, right: &Value) -> Option<Value> {
        let (key, target) = call.cache.get();
        let same = target & super::calls::SAME != 0 && self.cache_key(self.class_of(left)) == key;
        same.then(|| Value::bool(left.same(right)))
    }

    /// The Integer in a literal or any variable; None if it is something else.
    #[inline(never)]
    fn int_far(&self, node: &Node, cx: &Cx<'_>) -> Option<i64> {
        match node {
            Node::Int(number) => Some(*number),
            Node::LVar(slot) => int_of(self.local_ref(cx, *slot)),
            Node::LVarUp(at) => int_of(self.local_up_ref(cx, *at)?),
            Node::IVar(name, hint) => int_of(self.ivar_ref_hinted(cx.slf, *name, hint)?),
            _ => None,
        }
    }
}

/// The element at an index, which may be negative.
#[inline(always)]
fn item(items: &[Value], index: i64) -> Value {
    let index = if index < 0 { index.wrapping_add(items.len() as i64) } else { index };
    usize::try_from(index).ok().and_then(|index| items.get(index)).cloned().unwrap_or_default()
}

#[inline(always)]
fn int_of(value: &Value) -> Option<i64> {
    if let Value::Int(number) = value { Some(*number) } else { None }
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

/// The result of an operator for two Integers that fit 64 bits; None if the result does not fit, or the method has to be called.
#[inline(always)]
fn int_op(op: BinOp, a: i64, b: i64) -> Option<Value> {
    Some(match op {
        BinOp::Add => Value::Int(a.checked_add(b)?),
        BinOp::Sub => Value::Int(a.checked_sub(b)?),
        BinOp::Mul => Value::Int(a.checked_mul(b)?),
        BinOp::Lt => Value::bool(a < b),
        BinOp::Le => Value::bool(a <= b),
        BinOp::Gt => Value::bool(a > b),
        BinOp::Ge => Value::bool(a >= b),
        BinOp::Eq => Value::bool(a == b),
        BinOp::Ne => Value::bool(a != b),
        BinOp::Mod if b > 0 => Value::Int(a.rem_euclid(b)),
        BinOp::Div if b > 0 => Value::Int(a.div_euclid(b)),
        BinOp::And => Value::Int(a & b),
        BinOp::Or => Value::Int(a | b),
        BinOp::Shr if (0..64).contains(&b) => Value::Int(a >> b),
        BinOp::Shl if (0..32).contains(&b) && a.unsigned_abs() < 1 << 30 => Value::Int(a << b),
        _ => return None,
    })
}

/// The result of a comparison of two Integers; None for other operators.
#[inline(always)]
fn int_test(op: BinOp, a: i64, b: i64) -> Option<bool> {
    Some(match op {
        BinOp::Lt => a < b,
        BinOp::Le => a <= b,
        BinOp::Gt => a > b,
        BinOp::Ge => a >= b,
        BinOp::Eq => a == b,
        BinOp::Ne => a != b,
        _ => return None,
    })
}
