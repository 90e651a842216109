//! `super`.

use super::calls::{ArgVec, catch_break};
use crate::Vm;
use crate::args::Args;
use crate::call::CallKind;
use crate::class::ClassId;
use crate::core::module::refinements::refined_by;
use crate::error::Res;
use crate::frame::{Block, Cx, Outermost};
use crate::method::{MethodBody, MethodId};
use crate::value::Value;
use rchef_syntax::tree::{BlockArg, InlineCache, Super};

impl Vm {
    pub(super) fn eval_super(&mut self, call: &Super, cx: &Cx<'_>) -> Res {
        let mut pos = ArgVec::new();
        let keywords = self.eval_args(&call.args, &mut pos, cx)?;
        cx.line.set(call.line);
        let Some(current) = self.method_of(cx) else {
            return Err(self.error(ClassId::NO_METHOD_ERROR, "super called outside of method"));
        };
        if call.implicit && matches!(self.method(current).body, MethodBody::Proc(_)) {
            return Err(self.runtime_error(
                "implicit argument passing of super from method defined by define_method() is not supported. Specify all arguments explicitly.",
            ));
        }
        let proc;
        let mut tag = 0;
        let block = match &call.block {
            BlockArg::Literal(code) => {
                tag = self.fresh_id();
                self.stacks.tags.push(tag);
                Some(Block::Ruby { code, cx, tag })
            }
            BlockArg::Pass(node) => match Vm::passed_on(node, cx) {
                Some(block) => block,
                None => {
                    let passed = self.eval(node, cx)?;
                    proc = self.block_argument(&passed, cx)?;
                    proc.as_ref().map(Block::Proc)
                }
            },
            // a method made by define_method hands on no block of its own, as `yield` in it reaches none
            BlockArg::None => match cx.outermost() {
                Outermost::Live(cx) => cx.block,
                Outermost::Captured(env) => {
                    proc = env.get(self).home.get(self).block.clone();
                    proc.as_ref().map(Block::Proc)
                }
            },
        };
        if cx.method.is_none() {
            self.check_super_in_block(current, cx)?;
        }
        let result = self.super_from(current, cx.slf, Args { pos: &pos, keywords, block }, Some(&call.cache));
        if tag != 0 {
            self.stacks.tags.pop();
            return match result {
                Ok(value) => Ok(value),
                Err(error) => catch_break(error, tag),
            };
        }
        result
    }

    /// Calls the method that `super` finds from a method.
    pub(crate) fn super_from(
        &mut self,
        current: MethodId,
        slf: &Value,
        args: Args<'_>,
        cache: Option<&InlineCache>,
    ) -> Res {
        let class = self.class_of(slf);
        let key = self.cache_key(class);
        if let Some(cache) = cache {
            let (cached, packed) = cache.get();
            if cached == key && (packed >> 32) as u32 == current.0 {
                let id = MethodId(packed as u32);
                let name = self.method(current).name;
                return self.invoke(id, slf, name, args);
            }
        }
        let (owner, name) = (self.method(current).owner, self.method(current).name);
        match self.super_method_of(current, class) {
            Some(id) => {
                // what a refinement is given later does not change the keys of the classes
                if let Some(cache) = cache.filter(|_| refined_by(self, owner).is_none()) {
                    cache.set(key, u64::from(current.0) << 32 | u64::from(id.0));
                }
                self.invoke(id, slf, name, args)
            }
            None => self.method_missing(slf, name, args, CallKind::Super),
        }
    }
    /// The method that `super` calls in a method that runs for an object of a class.
    pub(super) fn super_method_of(&mut self, current: MethodId, class: ClassId) -> Option<MethodId> {
        let (owner, name) = (self.method(current).owner, self.method(current).name);
        let refined = self.refined_super_method(current, class);
        if let Some(found) = refined.or_else(|| self.find_super_method(class, owner, name)) {
            return Some(found);
        }
        match refined_by(self, owner) {
            // `super` in a refined method calls the method of the refined class
            Some(refined) => self.super_of_refined(current, class, owner, refined),
            // a module's method that is bound to an object without the module goes on with the object's own
            None if self.class(owner).is_module() && !self.is_subclass(class, owner) => self.find_method(class, name),
            None => None,
        }
    }

    /// TypeError for `super` in a block that runs with another object as self (`instance_eval`), unless the method's class is one of the object's.
    fn check_super_in_block(&mut self, current: MethodId, cx: &Cx<'_>) -> Res<()> {
        let owner = self.method(current).owner;
        if self.is_a(cx.slf, owner) || refined_by(self, owner).is_some() {
            return Ok(());
        }
        let home = match cx.outermost() {
            Outermost::Live(cx) => cx.slf.clone(),
            Outermost::Captured(env) => env.get(self).slf.clone(),
        };
        let expected = if self.class(owner).is_module() {
            // the class that has the module among its own ancestors; there is none for a method that is bound to some object
            let ancestors = self.class(self.class_of(&home)).mro.clone();
            let Some(place) = ancestors.iter().position(|ancestor| *ancestor == owner) else { return Ok(()) };
            ancestors[..place].iter().rev().copied().find(|ancestor| !self.class(*ancestor).is_module())
        } else {
            Some(owner)
        };
        let Some(expected) = expected else { return Ok(()) };
        let (shown, expected) = (self.class_name_of(cx.slf), self.class_name(expected));
        let text = format!("self has wrong type to call super in this context: {shown} (expected {expected})");
        Err(self.type_error(text))
    }
}
