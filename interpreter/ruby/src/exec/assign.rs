//! Assignment to targets other than plain variables, multiple assignment, operator assignment to variables.

use super::outcome::{Outcome, ok};
use crate::Vm;
use crate::args::Args;
use crate::call::CallKind;
use crate::error::Res;
use crate::frame::Cx;
use crate::value::Value;
use rchef_syntax::tree::{AssignOp, MultiTarget, Node, OpAssignVar, Target};
use smallvec::SmallVec;

impl Vm {
    pub(crate) fn assign(&mut self, target: &Target, value: Value, cx: &Cx<'_>) -> Res<()> {
        match target {
            Target::Local(at) if at.depth == 0 => self.set_local(cx, at.slot, value),
            Target::Local(at) => self.set_local_up(cx, *at, value),
            Target::IVar(name, hint) => {
                if self.frozen(cx.slf) {
                    return Err(self.frozen_error(cx.slf));
                }
                self.ivar_set_hinted(cx.slf, *name, hint, value);
            }
            Target::GVar(name) => self.global_set(*name, value)?,
            Target::CVar(name) => self.assign_cvar(*name, value, cx)?,
            Target::Const(scope, name) => {
                let scope = match scope {
                    Some(node) => Some(self.eval(node, cx)?),
                    None => None,
                };
                self.assign_const(scope, *name, value, cx)?;
            }
            Target::Call(call) => {
                let holder;
                let (recv, kind) = match &call.recv {
                    None | Some(Node::SelfRef) => (cx.slf, CallKind::Function),
                    Some(node) => {
                        holder = self.eval(node, cx)?;
                        (&holder, CallKind::Method)
                    }
                };
                if call.flags.safe_nav && recv.is_nil() {
                    return Ok(());
                }
                let mut pos: SmallVec<[Value; 4]> = SmallVec::new();
                self.eval_args(&call.args, &mut pos, cx)?;
                pos.push(value);
                cx.line.set(call.line);
                self.dispatch(recv, call.name, Args::new(&pos), kind, &call.cache, cx).res()?;
            }
            Target::Multi(targets) => self.destructure(targets, &value, cx)?,
        }
        Ok(())
    }

    /// Destructures a value with `to_ary` and assigns the parts.
    pub(crate) fn destructure(&mut self, targets: &MultiTarget, value: &Value, cx: &Cx<'_>) -> Res<()> {
        let items = match self.check_ary(value)? {
            Some(array) => array.get(self).items.clone(),
            None => vec![value.clone()],
        };
        self.assign_items(targets, &items, cx)
    }

    fn assign_items(&mut self, targets: &MultiTarget, items: &[Value], cx: &Cx<'_>) -> Res<()> {
        let at = |index: usize| items.get(index).cloned().unwrap_or_default();
        for (index, target) in targets.pre.iter().enumerate() {
            self.assign(target, at(index), cx)?;
        }
        let (pre, post) = (targets.pre.len(), targets.post.len());
        let Some(rest) = &targets.rest else { return Ok(()) };
        let rest_end = items.len().saturating_sub(post).max(pre);
        if let Some(target) = rest {
            let middle = items.get(pre..rest_end.min(items.len())).unwrap_or(&[]).to_vec();
            self.assign(target, Value::array(middle), cx)?;
        }
        for (index, target) in targets.post.iter().enumerate() {
            self.assign(target, at(rest_end + index), cx)?;
        }
        Ok(())
    }

    /// `a, b = value`
    #[inline(never)]
    pub(super) fn eval_multi_assign(&mut self, targets: &MultiTarget, value: &Node, cx: &Cx<'_>) -> Res {
        if !has_parts(targets) {
            let value = self.eval(value, cx)?;
            self.destructure(targets, &value, cx)?;
            return Ok(value);
        }
        // receivers and arguments of the targets are evaluated before the value (Ruby 3.1), but not the scopes of constants
        let mut ready = Vec::new();
        self.prepare_targets(targets, &mut ready, cx)?;
        let value = self.eval(value, cx)?;
        self.destructure_ready(targets, &value, &mut ready.into_iter(), cx)?;
        Ok(value)
    }

    /// A multiple assignment whose value is not used: needs no Array where plain variables and values are listed on both sides.
    #[inline(never)]
    pub(super) fn step_multi_assign(
        &mut self,
        targets: &MultiTarget,
        value: &Node,
        node: &Node,
        cx: &Cx<'_>,
    ) -> Outcome {
        let plain = |target: &Target| matches!(target, Target::Local(_) | Target::IVar(..));
        match value {
            Node::Array(items)
                if !items.1 && targets.rest.is_none() && targets.post.is_empty() && targets.pre.iter().all(plain) =>
            {
                let mut values: SmallVec<[Value; 4]> = SmallVec::new();
                for node in &items.0 {
                    values.push(ok!(self.argument(node, cx)));
                }
                let mut values = values.into_iter();
                for target in &targets.pre {
                    ok!(self.assign(target, values.next().unwrap_or_default(), cx));
                }
            }
            _ => ok!(self.walk(node, cx).res()).give_up(),
        }
        Outcome::value(Value::Undef)
    }

    fn prepare_targets(&mut self, targets: &MultiTarget, ready: &mut Vec<Ready>, cx: &Cx<'_>) -> Res<()> {
        for target in each_target(targets) {
            match target {
                Target::Call(call) => {
                    let (recv, kind) = match &call.recv {
                        None | Some(Node::SelfRef) => (cx.slf.clone(), CallKind::Function),
                        Some(node) => (self.eval(node, cx)?, CallKind::Method),
                    };
                    let mut pos: SmallVec<[Value; 4]> = SmallVec::new();
                    if !(call.flags.safe_nav && recv.is_nil()) {
                        self.eval_args(&call.args, &mut pos, cx)?;
                    }
                    ready.push(Ready(recv, kind, pos));
                }
                Target::Multi(inner) => self.prepare_targets(inner, ready, cx)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn destructure_ready(
        &mut self,
        targets: &MultiTarget,
        value: &Value,
        ready: &mut std::vec::IntoIter<Ready>,
        cx: &Cx<'_>,
    ) -> Res<()> {
        let items = match self.check_ary(value)? {
            Some(array) => array.get(self).items.clone(),
            None => vec![value.clone()],
        };
        let at = |index: usize| items.get(index).cloned().unwrap_or_default();
        for (index, target) in targets.pre.iter().enumerate() {
            self.assign_ready(target, at(index), ready, cx)?;
        }
        let (pre, post) = (targets.pre.len(), targets.post.len());
        let Some(rest) = &targets.rest else { return Ok(()) };
        let rest_end = items.len().saturating_sub(post).max(pre);
        if let Some(target) = rest {
            let middle = items.get(pre..rest_end.min(items.len())).unwrap_or(&[]).to_vec();
            self.assign_ready(target, Value::array(middle), ready, cx)?;
        }
        for (index, target) in targets.post.iter().enumerate() {
            self.assign_ready(target, at(rest_end + index), ready, cx)?;
        }
        Ok(())
    }

    fn assign_ready(
        &mut self,
        target: &Target,
        value: Value,
        ready: &mut std::vec::IntoIter<Ready>,
        cx: &Cx<'_>,
    ) -> Res<()> {
        match target {
            Target::Call(call) => {
                let Some(Ready(recv, kind, mut pos)) = ready.next() else { return Ok(()) };
                if call.flags.safe_nav && recv.is_nil() {
                    return Ok(());
                }
                pos.push(value);
                cx.line.set(call.line);
                self.dispatch(&recv, call.name, Args::new(&pos), kind, &call.cache, cx).res().map(drop)
            }
            Target::Multi(inner) => self.destructure_ready(inner, &value, ready, cx),
            _ => self.assign(target, value, cx),
        }
    }

    /// `x ||= value` and `x &&= value`
    pub(super) fn eval_op_assign_var(&mut self, assign: &OpAssignVar, cx: &Cx<'_>) -> Res {
        if assign.line != 0 {
            cx.line.set(assign.line);
        }
        let unset = assign.op == AssignOp::Or && !self.target_is_set(&assign.target, cx)?;
        if !unset {
            let old = self.eval(&assign.read, cx)?;
            if old.truthy() == (assign.op == AssignOp::Or) {
                return Ok(old);
            }
        }
        let value = self.eval(&assign.value, cx)?;
        self.assign(&assign.target, value.clone(), cx)?;
        Ok(value)
    }

    /// Whether a variable is set that raises (or warns) if it is read unset.
    fn target_is_set(&mut self, target: &Target, cx: &Cx<'_>) -> Res<bool> {
        Ok(match target {
            Target::CVar(name) => self.cvar_lookup(*name, cx).is_some(),
            Target::Const(None, name) => self.const_lookup(*name, cx)?.is_some(),
            Target::Const(Some(scope), name) => match self.eval(scope, cx)? {
                Value::Class(id) => self.const_get_from(id, *name, false)?.is_some(),
                _ => true,
            },
            _ => true,
        })
    }
}

/// The evaluated parts of a target in a multiple assignment.
struct Ready(Value, CallKind, SmallVec<[Value; 4]>);

fn each_target(targets: &MultiTarget) -> impl Iterator<Item = &Target> {
    targets.pre.iter().chain(targets.rest.iter().flatten()).chain(&targets.post)
}

/// Whether a target has a receiver, arguments or a scope to be evaluated.
fn has_parts(targets: &MultiTarget) -> bool {
    each_target(targets).any(|target| match target {
        Target::Call(_) => true,
        Target::Multi(inner) => has_parts(inner),
        _ => false,
    })
}
