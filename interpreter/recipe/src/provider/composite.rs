//! Resources that stand for others: their actions declare children, which run in a run context of their own.
//!
//! The children are ordinary resources: they plan, print, notify and count by themselves, and the outer resource is
//! updated when one of them is.

use super::class::{report_lines, with_child};
use super::contract::{AnyProvider, Looked, raised, settle};
use crate::events::Line;
use crate::resource::state::{Slot, read};
use crate::run::converge_mut;
use rchef_change::{Assertion, ChangeError};
use rchef_host::Host;
use rchef_ruby::method::Arity;
use rchef_ruby::{Args, Block, Error, Res, Symbol, Value, Vm};
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

    /// The assertions that do not hold, in Chef's order.
    ///
    /// # Errors
    /// The machine cannot be asked.
    fn requirements(_desired: &Self::Desired, _host: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(Vec::new())
    }

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
    /// Whether the run makes changes; a why-run only speaks of them.
    pub fn applies(&mut self) -> bool {
        converge_mut(self.vm).mode.applies()
    }
    /// The error of the outer resource for what the machine or a command said.
    pub fn raised(&mut self, error: &ChangeError) -> Error {
        raised(self.vm, error)
    }
    /// Chef's `converge_by`: a why-run prints the step and leaves out what it stands for; a run declares that and prints
    /// the step afterwards.
    ///
    /// # Errors
    /// What `body` gives.
    pub fn converge_by(&mut self, step: impl Into<String>, body: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        if self.applies() {
            body(self)?;
        }
        report_lines(self.vm, self.provider, &[Line::Step(step.into())])
    }
    /// Declares a resource, as a recipe would.
    ///
    /// # Errors
    /// A type that there is not, a property that does not take its value.
    pub fn declare(&mut self, child: Child) -> Res {
        let Child { kind, name, calls, guards } = child;
        let none = Arity { min: 0, max: None };
        let apply = move |vm: &mut Vm, resource: &Value, _: Args<'_>| {
            for (method, args) in &calls {
                vm.call(resource, *method, args)?;
            }
            for (method, holds) in &guards {
                let holds = holds.clone();
                let block = vm.native_proc(none, false, move |vm, _, _| {
                    let host = vm.host.clone();
                    holds(&*host).map(Value::bool).map_err(|error| raised(vm, &error))
                });
                vm.call_args(resource, *method, Args::none().with_block(Some(Block::Proc(&block))))?;
            }
            Ok(Value::Nil)
        };
        let block = self.vm.native_proc(none, false, apply);
        let place = Some(self.place.clone()).filter(|place| !place.is_nil());
        let kind = Symbol::intern_static(kind);
        crate::dsl::resources::declare_at(self.vm, self.provider, (kind, &name), place, Some(Block::Proc(&block)))
    }
}

/// The condition of a guard, asked when the child is about to act.
type Condition = Rc<dyn Fn(&dyn Host) -> Looked<bool>>;

/// A resource to be declared.
pub struct Child {
    kind: &'static str,
    name: Value,
    /// What its block calls: properties, `action`, `notifies`.
    calls: Vec<(Symbol, Vec<Value>)>,
    /// `not_if` and `only_if` with their blocks.
    guards: Vec<(Symbol, Condition)>,
}

impl Child {
    /// A resource of a type.
    pub fn new(kind: &'static str, name: impl Into<String>) -> Child {
        Child::named(kind, Value::str(name.into()))
    }
    /// A resource of a type whose name may be a list.
    pub fn named(kind: &'static str, name: Value) -> Child {
        Child { kind, name, calls: Vec::new(), guards: Vec::new() }
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
    /// With a property of texts.
    pub fn texts<T: AsRef<str>>(self, property: &'static str, values: impl IntoIterator<Item = T>) -> Child {
        let values = values.into_iter().map(|value| Value::str(value.as_ref())).collect();
        self.set(property, Value::array(values))
    }
    /// With a property that is on or off.
    pub fn flag(self, property: &'static str, value: bool) -> Child {
        self.set(property, Value::bool(value))
    }
    /// With a guard that leaves the child out where the condition holds.
    pub fn not_if(mut self, holds: impl Fn(&dyn Host) -> Looked<bool> + 'static) -> Child {
        self.guards.push((Symbol::intern_static("not_if"), Rc::new(holds)));
        self
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
        let host = vm.host.clone();
        let failed = P::requirements(&desired, &*host).map_err(|error| raised(vm, &error))?;
        if !settle(vm, provider, resource, action, failed)? {
            return Ok(());
        }
        let place = read(vm, resource, Slot::SourceLine);
        with_child(vm, provider, |vm, provider| {
            P::declare(&desired, &mut Children { vm, provider, place }).map(|()| Value::Nil)
        })
        .map(drop)
    }
}
