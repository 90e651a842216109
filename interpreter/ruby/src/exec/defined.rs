//! `defined?`

use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::core::load::AutoloadState;
use crate::error::Res;
use crate::frame::Cx;
use crate::heap;
use crate::method::{MethodBody, Visibility};
use crate::value::Value;
use rchef_syntax::tree::{Defined, Node};

impl Vm {
    pub(super) fn eval_defined(&mut self, question: &Defined, cx: &Cx<'_>) -> Res {
        // any exception during the check, also one that ends the program, means "not defined"
        let answer = self.rescue(ClassId::EXCEPTION, |vm| vm.defined(question, cx), |_, _| Ok(None))?;
        Ok(match answer {
            Some(text) => {
                let value = Value::str(text);
                value.set_flag(heap::FROZEN, true);
                value
            }
            None => Value::Nil,
        })
    }

    fn defined(&mut self, question: &Defined, cx: &Cx<'_>) -> Res<Option<&'static str>> {
        Ok(match question {
            Defined::Fixed(text) => Some(text),
            Defined::IVar(name) => self.ivar_get(cx.slf, *name).map(|_| "instance-variable"),
            Defined::GVar(name) => self.global_defined(*name).then_some("global-variable"),
            Defined::CVar(name) => self.cvar_lookup(*name, cx).map(|_| "class variable"),
            Defined::Const(name) => {
                if self.autoload_waits(*name, cx) {
                    return Ok(Some("constant"));
                }
                self.const_lookup(*name, cx)?.map(|_| "constant")
            }
            Defined::ConstPath(scope, node, name) => {
                if self.defined(scope, cx)?.is_none() {
                    return Ok(None);
                }
                match self.eval(node, cx)? {
                    Value::Class(id) if self.private_const(id, *name).is_some() && !matches!(**node, Node::SelfRef) => {
                        None
                    }
                    Value::Class(id)
                        if crate::core::module::constants::autoload_path(self, id, *name, true).is_some() =>
                    {
                        Some("constant")
                    }
                    Value::Class(id) => self.const_get_from(id, *name, id == ClassId::OBJECT)?.map(|_| "constant"),
                    other => self.defined_method(&other, *name, cx, false)?,
                }
            }
            Defined::SelfCall(name, args) => {
                if !self.all_defined(args, cx)? {
                    return Ok(None);
                }
                self.defined_method(cx.slf, *name, cx, true)?
            }
            Defined::Call(recv, node, name, args) => {
                let Some(recv) = self.defined_value(recv, node, cx)? else { return Ok(None) };
                if !self.all_defined(args, cx)? {
                    return Ok(None);
                }
                self.defined_method(&recv, *name, cx, false)?
            }
            Defined::Yield => self.has_block(cx).then_some("yield"),
            Defined::Super => {
                let class = self.class_of(cx.slf);
                let found = self.method_of(cx).and_then(|current| self.super_method_of(current, class));
                found.map(|_| "super")
            }
            Defined::NthRef(number) => {
                let last = self.specials_of(cx).borrow().last_match.clone();
                let group = crate::core::regexp::nth_match(self, &last, i64::from(*number));
                (!group.is_nil()).then_some("global-variable")
            }
            Defined::BackRef(kind) => {
                let last = self.specials_of(cx).borrow().last_match.clone();
                let text = crate::core::regexp::back_reference(self, &last, *kind);
                (!text.is_nil()).then_some("global-variable")
            }
            Defined::All(parts) => self.all_defined(parts, cx)?.then_some("expression"),
        })
    }

    /// The value of a receiver, if it is defined: each call in it runs once.
    fn defined_value(&mut self, question: &Defined, node: &Node, cx: &Cx<'_>) -> Res<Option<Value>> {
        let (Defined::Call(recv, recv_node, name, args), Node::Call(call)) = (question, node) else {
            return if self.defined(question, cx)?.is_some() { self.eval(node, cx).map(Some) } else { Ok(None) };
        };
        let Some(recv) = self.defined_value(recv, recv_node, cx)? else { return Ok(None) };
        if !self.all_defined(args, cx)? || self.defined_method(&recv, *name, cx, false)?.is_none() {
            return Ok(None);
        }
        self.call_on(call, &recv, cx).map(Some)
    }

    /// Whether the constant is an autoload that has not been loaded: the check does not load it.
    fn autoload_waits(&mut self, name: Symbol, cx: &Cx<'_>) -> bool {
        let mut at = Some(cx.cref);
        while let Some(scope) = at {
            if !scope.transparent
                && scope.outer.is_some()
                && let Some(constant) = self.const_own(scope.module, name)
            {
                let Some(path) = constant.autoload.clone() else { return false };
                return matches!(crate::core::load::autoload_state(self, &path), Ok(AutoloadState::Waits));
            }
            at = scope.outer.as_ref();
        }
        let module = cx.cref.lexical().module;
        crate::core::module::constants::autoload_path(self, module, name, true).is_some()
    }

    fn all_defined(&mut self, parts: &[Defined], cx: &Cx<'_>) -> Res<bool> {
        for part in parts {
            if self.defined(part, cx)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn defined_method(&mut self, recv: &Value, name: Symbol, cx: &Cx<'_>, on_self: bool) -> Res<Option<&'static str>> {
        let class = self.class_of(recv);
        let found = self.find_refined(class, name, cx).or_else(|| self.find_method(class, name));
        let found = found.filter(|id| !matches!(self.method(*id).body, MethodBody::Undefined));
        let visible = match found {
            Some(id) => match self.visibility(id) {
                Visibility::Public => true,
                Visibility::Private => on_self,
                Visibility::Protected => {
                    let holder = self.protected_in(class, name, id);
                    on_self || self.is_a(cx.slf, holder)
                }
            },
            None => self.basic_respond_to(recv, name, on_self)?,
        };
        Ok(visible.then_some("method"))
    }
}
