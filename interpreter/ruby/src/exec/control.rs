//! `for`, case, begin/rescue/ensure, jumps, flip-flops.

use super::outcome::Outcome;
use crate::Vm;
use crate::args::Args;
use crate::call::CallKind;
use crate::class::ClassId;
use crate::core::trace_point::event as trace_point;
use crate::error::{Error, ExceptionData, Res, Unwind};
use crate::frame::{Block, Clause, Cx, Parent};
use crate::value::Value;
use rchef_syntax::symbol::sym;
use rchef_syntax::tree::{Begin, Branch, Code, For, InlineCache, LocalRef, Node, Rescue, When};
use std::sync::Arc;

impl Vm {
    /// A branch that Coverage counts.
    pub(super) fn eval_branch(&mut self, branch: &Branch, cx: &Cx<'_>) -> Res {
        let file = &cx.code.file;
        let Some(of_nil) = branch.of_nil else {
            self.count_branch(file, branch.number);
            return self.eval(&branch.node, cx);
        };
        let value = self.eval(&branch.node, cx)?;
        self.count_branch(file, if value.is_nil() { of_nil } else { branch.number });
        Ok(value)
    }

    /// A marked statement.
    #[cold]
    #[inline(never)]
    pub(crate) fn walk_mark(&mut self, line: u32, node: &Node, cx: &Cx<'_>) -> Outcome {
        cx.line.set(line);
        if self.traced_events & trace_point::COVER_LINES != 0 {
            self.count_line(&cx.code.file, line);
        }
        if self.traced_events & trace_point::LINE != 0
            && let Err(error) = self.fire(trace_point::LINE, Default::default())
        {
            return Outcome::error(error);
        }
        self.walk(node, cx)
    }

    /// `break`: ends the innermost loop of this activation, else the call with the block.
    pub(super) fn eval_break(&mut self, value: Value, cx: &Cx<'_>) -> Res {
        if cx.loops.get() > 0 {
            return Err(Unwind::Break(0, value).into());
        }
        let tag = cx.tag;
        let orphan =
            tag == 0 || (matches!(cx.parent, Parent::Heap(_)) && !cx.lambda && !self.stacks.tags.contains(&tag));
        if orphan {
            let exception = self.new_exception_with(
                ClassId::LOCAL_JUMP_ERROR,
                ExceptionData {
                    message: Value::str("break from proc-closure"),
                    detail: Value::sym("break"),
                    extra: value,
                    ..crate::error::empty()
                },
            );
            return Err(Unwind::Raise(exception).into());
        }
        Err(Unwind::Break(tag, value).into())
    }

    #[inline(never)]
    pub(super) fn eval_return(&mut self, value: Option<&Node>, cx: &Cx<'_>) -> Res {
        let value = self.eval_opt(value, cx)?;
        let (target, live) = self.return_target(cx);
        if !live && !self.is_live(target) {
            let exception = self.new_exception_with(
                ClassId::LOCAL_JUMP_ERROR,
                ExceptionData {
                    message: Value::str("unexpected return"),
                    detail: Value::sym("return"),
                    extra: value,
                    ..crate::error::empty()
                },
            );
            return Err(Unwind::Raise(exception).into());
        }
        Err(Unwind::Return(target, value).into())
    }

    pub(super) fn eval_for(&mut self, node: &For, cx: &Cx<'_>) -> Res {
        let iter = self.eval(&node.iter, cx)?;
        cx.line.set(node.line);
        let tag = self.fresh_id();
        self.stacks.tags.push(tag);
        let block = Block::Ruby { code: &node.body, cx, tag };
        let result = self
            .dispatch(&iter, sym::EACH, Args::none().with_block(Some(block)), CallKind::Method, &node.cache, cx)
            .res();
        self.stacks.tags.pop();
        match result {
            Ok(value) => Ok(value),
            Err(error) => super::calls::catch_break(error, tag),
        }
    }

    /// Whether a clause of `case` matches.
    pub(super) fn when_matches(&mut self, when: &When, subject: Option<&Value>, cx: &Cx<'_>) -> Res<bool> {
        for condition in &when.conditions {
            if let Node::Splat(inner) = condition {
                let list = self.eval(inner, cx)?;
                for item in self.splat(&list)? {
                    let hit = match subject {
                        Some(subject) => {
                            cx.line.set(when.line);
                            self.case_eq(&item, subject, &when.cache, cx)?
                        }
                        None => item.truthy(),
                    };
                    if hit {
                        return Ok(true);
                    }
                }
                continue;
            }
            if let (Node::Str(literal), Some(subject)) = (condition, subject)
                && !self.redefined
            {
                match subject {
                    Value::Str(text) if super::is_literal(text.get(self), literal) => return Ok(true),
                    Value::Str(_) | Value::Nil | Value::True | Value::False | Value::Int(_) | Value::Sym(_) => continue,
                    _ => {}
                }
            }
            let value = self.eval(condition, cx)?;
            let hit = match subject {
                Some(subject) => {
                    cx.line.set(when.line);
                    self.case_eq(&value, subject, &when.cache, cx)?
                }
                None => value.truthy(),
            };
            if hit {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `===` with fast paths for plain core values.
    pub(crate) fn case_eq(&mut self, pattern: &Value, subject: &Value, cache: &InlineCache, cx: &Cx<'_>) -> Res<bool> {
        if !self.redefined {
            match (pattern, subject) {
                (Value::Sym(a), Value::Sym(b)) => return Ok(a == b),
                (Value::Sym(_), _) => return Ok(false),
                (Value::Int(a), Value::Int(b)) => return Ok(a == b),
                (Value::Str(a), Value::Str(b)) if a.class() == ClassId::STRING => return Ok(self.str_eq(a, b)),
                (Value::Str(a), Value::Sym(_) | Value::Nil | Value::Int(_)) if a.class() == ClassId::STRING => {
                    return Ok(false);
                }
                (Value::Nil, _) => return Ok(subject.is_nil()),
                _ => {}
            }
        }
        Ok(self
            .dispatch(pattern, sym::EQQ, Args::new(std::slice::from_ref(subject)), CallKind::Function, cache, cx)
            .res()?
            .truthy())
    }

    pub(super) fn eval_begin(&mut self, begin: &Begin, cx: &Cx<'_>) -> Res {
        let Some(ensure) = &begin.ensure else { return self.eval_rescued(begin, cx) };
        let result = self.protect(|vm| vm.eval_rescued(begin, cx));
        if result.as_ref().is_err_and(|error| self.leaves_now(error)) {
            return result;
        }
        let saved = std::mem::replace(&mut self.errinfo, Value::Nil);
        if let Err(error) = &result
            && let Some(exception) = error.exception()
        {
            self.errinfo = exception.clone();
        } else {
            self.errinfo = saved.clone();
        }
        let line = cx.line();
        let thrown = match result.as_ref().err().map(|error| &*error.0) {
            // MRI compiles these as normal control flow through the clause
            None | Some(Unwind::Next(_) | Unwind::Redo | Unwind::Retry | Unwind::Break(0, _)) => false,
            Some(Unwind::Return(id, _)) => *id != cx.id,
            Some(_) => true,
        };
        let frames = self.stacks.frame_count();
        if thrown {
            self.stacks.push_clause(Clause::Ensure, begin.ensure_line);
        }
        // a jump out of the ensure clause replaces the current one
        let ended = self.eval(ensure, cx);
        self.stacks.cut_frames(frames);
        self.errinfo = saved;
        ended?;
        if result.is_err() {
            cx.line.set(line);
        }
        result
    }

    fn eval_rescued(&mut self, begin: &Begin, cx: &Cx<'_>) -> Res {
        if begin.rescues.is_empty() {
            let value = self.eval(&begin.body, cx)?;
            return match &begin.otherwise {
                Some(node) => self.eval(node, cx),
                None => Ok(value),
            };
        }
        loop {
            let depth = self.stacks.depth();
            let frames = self.stacks.frame_count();
            let error = match self.protect(|vm| vm.eval(&begin.body, cx)) {
                Ok(value) => {
                    return match &begin.otherwise {
                        Some(node) => self.eval(node, cx),
                        None => Ok(value),
                    };
                }
                Err(error) => error,
            };
            let Some(exception) = error.exception().cloned() else { return Err(error) };
            self.stacks.cut(depth);
            let saved = std::mem::replace(&mut self.errinfo, exception.clone());
            self.stacks.push_clause(Clause::Rescue, begin.line);
            let clause = match self.find_rescue(&begin.rescues, &exception, cx) {
                Ok(Some(clause)) => clause,
                other => {
                    self.errinfo = saved;
                    self.stacks.cut_frames(frames);
                    return Err(other.err().unwrap_or(error));
                }
            };
            drop(error);
            let result = match &clause.target {
                Some(target) => self.assign(target, exception, cx).and_then(|()| self.eval(&clause.body, cx)),
                None => self.eval(&clause.body, cx),
            };
            self.stacks.cut_frames(frames);
            match result {
                Err(error) if matches!(*error.0, Unwind::Retry) => {
                    self.errinfo = saved;
                    self.tick()?;
                }
                done => {
                    self.errinfo = saved;
                    return done;
                }
            }
        }
    }

    fn find_rescue<'n>(&mut self, rescues: &'n [Rescue], exception: &Value, cx: &Cx<'_>) -> Res<Option<&'n Rescue>> {
        for rescue in rescues {
            if rescue.classes.is_empty() {
                let class = Value::Class(ClassId::STANDARD_ERROR);
                if self.rescue_matches(&class, exception, rescue.line, cx)? {
                    return Ok(Some(rescue));
                }
                continue;
            }
            for node in &rescue.classes {
                let candidates = match node {
                    Node::Splat(inner) => {
                        let list = self.eval(inner, cx)?;
                        self.splat(&list)?
                    }
                    _ => vec![self.eval(node, cx)?],
                };
                for class in candidates {
                    if self.rescue_matches(&class, exception, rescue.line, cx)? {
                        return Ok(Some(rescue));
                    }
                }
            }
        }
        Ok(None)
    }

    fn rescue_matches(&mut self, class: &Value, exception: &Value, line: u32, cx: &Cx<'_>) -> Res<bool> {
        let Value::Class(id) = class else {
            cx.line.set(line);
            return Err(self.type_error("class or module required for rescue clause"));
        };
        let meta = self.class_of(class);
        if self.is_native_method(meta, sym::EQQ) && self.traced_events & trace_point::NATIVE == 0 {
            return Ok(self.is_a(exception, *id));
        }
        Ok(self.call(class, sym::EQQ, std::slice::from_ref(exception))?.truthy())
    }

    pub(super) fn eval_flip_flop(
        &mut self,
        begin: &Node,
        end: &Node,
        exclusive: bool,
        state: LocalRef,
        cx: &Cx<'_>,
    ) -> Res {
        let on = self.local_up(cx, state).truthy();
        if !on {
            if !self.eval(begin, cx)?.truthy() {
                return Ok(Value::False);
            }
            let ends = !exclusive && self.eval(end, cx)?.truthy();
            self.set_local_up(cx, state, Value::bool(!ends));
            return Ok(Value::True);
        }
        if self.eval(end, cx)?.truthy() {
            self.set_local_up(cx, state, Value::False);
        }
        Ok(Value::True)
    }

    pub(super) fn eval_post_exe(&mut self, code: &Arc<Code>, id: u32, cx: &Cx<'_>) -> Res {
        if !self.post_exe.contains(&id) {
            self.post_exe.push(id);
            let proc = self.block_to_proc(Block::Ruby { code, cx, tag: 0 });
            self.at_exit.push(Value::Proc(proc));
        }
        Ok(Value::Nil)
    }

    /// Runs `body` and then `cleanup`, even after an error: `ensure` for natives.
    pub fn ensure<R>(
        &mut self,
        body: impl FnOnce(&mut Vm) -> Res<R>,
        cleanup: impl FnOnce(&mut Vm) -> Res<()>,
    ) -> Res<R> {
        let result = self.protect(body);
        cleanup(self)?;
        result
    }

    /// The exception that an error raises, if it is of this class.
    pub fn exception_of(&mut self, error: &Error, class: ClassId) -> Option<Value> {
        let exception = error.exception()?.clone();
        self.is_a(&exception, class).then_some(exception)
    }

    /// Runs `body`, and calls `rescue` with an exception of `class`: `rescue` for natives.
    pub fn rescue<R>(
        &mut self,
        class: ClassId,
        body: impl FnOnce(&mut Vm) -> Res<R>,
        rescue: impl FnOnce(&mut Vm, Value) -> Res<R>,
    ) -> Res<R> {
        let depth = self.stacks.depth();
        let error: Error = match body(self) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        match self.exception_of(&error, class) {
            Some(exception) => {
                self.stacks.cut(depth);
                rescue(self, exception)
            }
            None => Err(error),
        }
    }
}
