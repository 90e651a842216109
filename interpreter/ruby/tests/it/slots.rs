//! Instance variables that are fields of a native payload.

use rchef_host::RealHost;
use rchef_ruby::embed::vm::on_large_stack;
use rchef_ruby::{ClassId, NativeData, Slots, Symbol, Value, Vm};
use std::rc::Rc;

/// A payload with one slot, `@level`, listed behind the variables that were there when it got its value.
#[derive(Clone, Default)]
struct Gauge {
    level: Option<Value>,
    at: usize,
}
impl Slots for Gauge {
    fn get(&self, _: &Vm, _: &Value, name: Symbol) -> Option<Value> {
        self.level.clone().filter(|_| name.as_str() == "@level")
    }
    fn set(&mut self, name: Symbol, value: Value, others: usize) -> Result<(), Value> {
        if name.as_str() != "@level" {
            return Err(value);
        }
        if self.level.replace(value).is_none() {
            self.at = others;
        }
        Ok(())
    }
    fn clear(&mut self, name: Symbol) {
        if name.as_str() == "@level" {
            self.level = None;
        }
    }
    fn names(&self, others: &[Symbol]) -> Vec<Symbol> {
        let mut found = others.to_vec();
        if self.level.is_some() {
            found.insert(self.at.min(found.len()), Symbol::intern("@level"));
        }
        found
    }
}
impl NativeData for Gauge {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.level.iter().for_each(visit);
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

fn run(source: &str) -> String {
    on_large_stack(64 << 20, || {
        let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
        let class = vm.define_class(ClassId::OBJECT, "Gauge", ClassId::OBJECT);
        vm.class_mut(class).allocator = Some(|_, class| Ok(Value::data(class, Gauge::default())));
        match vm.run_main(source.as_bytes(), "slots.rb") {
            Ok(value) => vm.inspect(&value).unwrap(),
            Err(error) => {
                let exception = vm.error_value(error);
                vm.inspect(&exception).unwrap()
            }
        }
    })
    .unwrap()
}

#[test]
fn read_and_written_as_instance_variables() {
    let class = "class Sub < Gauge; attr_accessor :level; def initialize = (@a = 1); def fill(by) = @level = (@level || 0) + by; def full? = defined?(@level); end;";
    let check = |code: &str, wanted: &str| assert_eq!(run(&format!("{class} it = Sub.new; {code}")), wanted, "{code}");
    check("[it.level, it.full?, it.instance_variable_defined?(:@level)]", "[nil, nil, false]");
    check("3.times { it.fill(2) }; [it.level, it.full?]", "[6, \"instance-variable\"]");
    check("it.level = 4; it.instance_variable_set(:@b, 0); it.instance_variables", "[:@a, :@level, :@b]");
    check("it.fill(1); [it.remove_instance_variable(:@level), it.level, it.instance_variables]", "[1, nil, [:@a]]");
    check("it.fill(1); other = it.dup; other.fill(1); [it.level, other.level]", "[1, 2]");
    check(
        "it.fill(1); back = Marshal.load(Marshal.dump(it)); [back.level, back.instance_variables]",
        "[1, [:@a, :@level]]",
    );
    check("it.freeze; begin; it.fill(1); rescue => error; error.class; end", "FrozenError");
}

#[test]
fn one_site_for_objects_with_and_without() {
    let code = "module Both; def put(x) = @level = x; def see = @level; end; class Gauge; include Both; end; class Plain; include Both; end;
        [Gauge.new, Plain.new, Gauge.new, Plain.new].each_with_index.map { |it, at| it.put(at); [it.see, it.instance_variables] }";
    assert_eq!(run(code), "[[0, [:@level]], [1, [:@level]], [2, [:@level]], [3, [:@level]]]");
}
