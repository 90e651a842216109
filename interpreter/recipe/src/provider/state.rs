//! The state of a provider: the native data of every instance of `Chef::Provider`. Ruby code sees the fields as Chef's instance variables
//! (`@new_resource`, `@current_resource`, `@run_context`).

use rchef_ruby::{NativeData, Slots, Symbol, Value, Vm};
use std::rc::Rc;
use std::sync::LazyLock;

/// One nested mode of `run_resources`.
#[derive(Clone)]
pub enum Frame {
    /// Resources wait for the converge, as in Chef.
    Delayed,
    /// Chef's `unified_mode`.
    Unified,
    /// Set by `run_resources` or the cookbook's metadata: whether resources run at once, and the place that says so.
    Given(bool, Rc<str>),
}

macro_rules! provider_state {
    ($($slot:ident $field:ident $name:literal),* $(,)?) => {
        /// A field that Ruby code sees as an instance variable.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Slot {
            $(#[doc = $name] $slot),*
        }
        const ALL: &[Slot] = &[$(Slot::$slot),*];
        /// The symbols of [`ALL`].
        static NAMES: LazyLock<Vec<Symbol>> = LazyLock::new(|| vec![$(Symbol::intern_static($name)),*]);

        #[derive(Clone, Default)]
        pub struct ProviderState {
            $(#[doc = $name] pub $field: Value,)*
            /// Whether something was changed, or would be in a why-run.
            pub converged: bool,
            /// The modes of the running action, innermost last.
            pub frames: Vec<Frame>,
            /// Bit set of the slots with a value.
            set: u16,
            /// The number of ordinary instance variables when the first slot was set.
            first_at: u16,
        }

        impl ProviderState {
            fn field(&self, slot: Slot) -> &Value {
                match slot {
                    $(Slot::$slot => &self.$field),*
                }
            }
            fn field_mut(&mut self, slot: Slot) -> &mut Value {
                match slot {
                    $(Slot::$slot => &mut self.$field),*
                }
            }
        }
    };
}
// in the order of Chef's `initialize`
provider_state! {
    NewResource new_resource "@new_resource", Action action "@action", CurrentResource current_resource "@current_resource",
    AfterResource after_resource "@after_resource", RunContext run_context "@run_context", ConvergeActions converge_actions "@converge_actions",
    Logger logger "@logger", RecipeName recipe_name "@recipe_name", CookbookName cookbook_name "@cookbook_name",
}

fn slot_of(name: Symbol) -> Option<Slot> {
    NAMES.iter().position(|known| *known == name).map(|at| ALL[at])
}

impl ProviderState {
    /// The value of a slot; None if it is not set.
    pub fn read(&self, slot: Slot) -> Option<Value> {
        (self.set & (1 << slot as u16) != 0).then(|| self.field(slot).clone())
    }
    /// Sets a slot; `others` is the current number of ordinary instance variables.
    pub fn write(&mut self, slot: Slot, value: Value, others: usize) {
        if self.set == 0 {
            self.first_at = u16::try_from(others).unwrap_or(u16::MAX);
        }
        self.set |= 1 << slot as u16;
        *self.field_mut(slot) = value;
    }
}

impl Slots for ProviderState {
    fn get(&self, _: &Vm, _: &Value, name: Symbol) -> Option<Value> {
        self.read(slot_of(name)?)
    }
    fn set(&mut self, name: Symbol, value: Value, others: usize) -> Result<(), Value> {
        match slot_of(name) {
            Some(slot) => {
                self.write(slot, value, others);
                Ok(())
            }
            None => Err(value),
        }
    }
    fn clear(&mut self, name: Symbol) {
        if let Some(slot) = slot_of(name) {
            *self.field_mut(slot) = Value::Nil;
            self.set &= !(1 << slot as u16);
        }
    }
    fn names(&self, others: &[Symbol]) -> Vec<Symbol> {
        let (before, after) = others.split_at(usize::from(self.first_at).min(others.len()));
        let own = ALL.iter().zip(NAMES.iter()).filter(|(slot, _)| self.set & (1 << **slot as u16) != 0);
        let mut found = before.to_vec();
        found.extend(own.map(|(_, name)| *name));
        found.extend(after);
        found
    }
}

impl NativeData for ProviderState {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        ALL.iter().for_each(|slot| visit(self.field(*slot)));
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
    fn slots(&self) -> Option<&dyn Slots> {
        Some(self)
    }
    fn slots_mut(&mut self) -> Option<&mut dyn Slots> {
        Some(self)
    }
}

/// The state of a provider; None for any other object.
pub fn state<'a>(vm: &'a Vm, provider: &'a Value) -> Option<&'a ProviderState> {
    vm.data(provider)
}
pub fn state_mut<'a>(vm: &'a mut Vm, provider: &'a Value) -> Option<&'a mut ProviderState> {
    vm.data_mut(provider)
}
/// The value of a slot; nil if it is not set or the object is not a provider.
pub fn read(vm: &Vm, provider: &Value, slot: Slot) -> Value {
    state(vm, provider).map(|state| state.field(slot).clone()).unwrap_or_default()
}
pub fn write(vm: &mut Vm, provider: &Value, slot: Slot, value: Value) {
    let others = vm.ivar_count(provider);
    if let Some(state) = state_mut(vm, provider) {
        state.write(slot, value, others);
    }
}
/// `new_resource`: the resource that the provider acts for.
pub fn new_resource(vm: &Vm, provider: &Value) -> Value {
    read(vm, provider, Slot::NewResource)
}
