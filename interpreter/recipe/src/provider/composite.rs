//! Resources that stand for others: their actions declare children, which run in a run context of their own.
//!
//! The children are ordinary resources: they plan, print, notify and count by themselves, and the outer resource is
//! updated when one of them is.

use super::class::with_child;
use super::contract::AnyProvider;
use crate::resource::state::{Slot, read};
use rchef_host::Host;
use rchef_ruby::method::Arity;
use rchef_ruby::{Args, Block, Res, Symbol, Value, Vm};
use std::marker::PhantomData;
use std::rc::Rc;

/// A resource that Chef writes with sub-resources.
pub trait Composite: 'static {
    /// What a resource asks for: its properties, typed and converted once.
    type Desired;

    /// The actions that it can run.
    const ACTIONS: &'static [&'static str];

    /// Reads the properties that the action needs.
    ///
    /// # Errors
    /// What a lazy property raises, and a property that cannot be used.
    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Self::Desired>;

    /// Declares the resources that the action stands for.
    ///
    /// # Errors
    /// A child that cannot be declared.
    fn declare(desired: &Self::Desired, children: &mut Children<'_>) -> Res<()>;
}

/// The run context that children are declared into.
pub struct Children<'a> {
    vm: &'a mut Vm,
    provider: &'a Value,
    /// Where the outer resource is declared.
    place: Value,
}

impl Children<'_> {
    /// The machine.
    pub fn host(&self) -> Rc<dyn Host> {
        self.vm.host.clone()
    }
    /// Writes to `Chef::Log`.
    pub fn log(&mut self, level: &'static str, text: impl Into<String>) {
        crate::chef_api::log_line(self.vm, level, text.into());
    }
    /// Declares a resource, as a recipe would.
    ///
    /// # Errors
    /// A type that there is not, a property that does not take its value.
    pub fn declare(&mut self, child: Child) -> Res {
        let Child { kind, name, calls } = child;
        let apply = move |vm: &mut Vm, resource: &Value, _: Args<'_>| {
            for (method, args) in &calls {
                vm.call(resource, *method, args)?;
            }
            Ok(Value::Nil)
        };
        let block = self.vm.native_proc(Arity { min: 0, max: None }, false, apply);
        let place = Some(self.place.clone()).filter(|place| !place.is_nil());
        let (kind, name) = (Symbol::intern_static(kind), Value::str(name));
        crate::dsl::resources::declare_at(self.vm, self.provider, (kind, &name), place, Some(Block::Proc(&block)))
    }
}

/// A resource to be declared.
pub struct Child {
    kind: &'static str,
    name: String,
    /// What its block calls: properties, `action`, `notifies`.
    calls: Vec<(Symbol, Vec<Value>)>,
}

impl Child {
    /// A resource of a type.
    pub fn new(kind: &'static str, name: impl Into<String>) -> Child {
        Child { kind, name: name.into(), calls: Vec::new() }
    }
    /// With a property.
    pub fn set(mut self, property: &'static str, value: Value) -> Child {
        self.calls.push((Symbol::intern_static(property), vec![value]));
        self
    }
    /// With a property of text.
    pub fn text(self, property: &'static str, value: impl AsRef<str>) -> Child {
        let value = Value::str(value.as_ref());
        self.set(property, value)
    }
    /// With its action.
    pub fn action(self, name: &'static str) -> Child {
        self.set("action", Value::Sym(Symbol::intern_static(name)))
    }
    /// With a notification: action, target as `type[name]`, timing.
    pub fn notifies(mut self, action: &'static str, target: &str, timing: &'static str) -> Child {
        let args = vec![
            Value::Sym(Symbol::intern_static(action)),
            Value::str(target),
            Value::Sym(Symbol::intern_static(timing)),
        ];
        self.calls.push((Symbol::intern_static("notifies"), args));
        self
    }
}

/// A composite as a value of the registry.
pub(super) struct Compound<P>(pub(super) PhantomData<P>);

impl<P: Composite> AnyProvider for Compound<P> {
    fn actions(&self) -> &'static [&'static str] {
        P::ACTIONS
    }
    fn act(&self, vm: &mut Vm, provider: &Value, resource: &Value, action: &'static str) -> Res<()> {
        let desired = P::read(vm, resource, action)?;
        let place = read(vm, resource, Slot::SourceLine);
        with_child(vm, provider, |vm, provider| {
            P::declare(&desired, &mut Children { vm, provider, place }).map(|()| Value::Nil)
        })
        .map(drop)
    }
}
