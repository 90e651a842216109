//! Collections: cycles through every kind of object go, whatever is in use stays.

use rchef_host::RealHost;
use rchef_ruby::embed::vm::on_large_stack;
use rchef_ruby::{ClassId, NativeData, Value, Vm};
use std::cell::Cell;
use std::rc::Rc;

thread_local! {
    static DROPPED: Cell<u32> = const { Cell::new(0) };
}

/// A payload that tells when it goes.
struct Probe;
impl NativeData for Probe {}
impl Drop for Probe {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
    }
}

/// Runs a program with a class `Probe`; gives what it answers and how many probes are gone before and after a collection.
fn run(source: &str, every: u64) -> (String, u32, u32) {
    on_large_stack(64 << 20, || {
        DROPPED.set(0);
        let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
        let class = vm.define_class(ClassId::OBJECT, "Probe", ClassId::OBJECT);
        vm.class_mut(class).allocator = Some(|_, class| Ok(Value::data(class, Probe)));
        vm.collect_every(every);
        let answer = match vm.run_main(source.as_bytes(), "cycles.rb") {
            Ok(value) => vm.inspect(&value).unwrap(),
            Err(error) => {
                let exception = vm.error_value(error);
                vm.inspect(&exception).unwrap()
            }
        };
        let before = DROPPED.get();
        vm.collect_cycles();
        (answer, before, DROPPED.get())
    })
    .unwrap()
}

/// Each makes a cycle that holds the probe `it`, through the kind of object that it names.
const CYCLES: &[(&str, &str)] = &[
    ("Array", "a = [it]; a << a"),
    ("Hash, value", "h = { it: it }; h[1] = h"),
    ("Hash, key", "h = {}.compare_by_identity; h[h] = it"),
    ("Hash, default", "h = Hash.new; h.default = [h, it]"),
    ("Hash, default block", "h = Hash.new { |_, _| it }"),
    ("Range", "a = Class.new { include Comparable; def <=>(_) = 0; attr_accessor :x }.new; a.x = [(a..a), it]"),
    ("Proc", "f = -> { [f, it] }"),
    ("Proc within a Proc", "f = proc { |x| proc { [f, x, it] } }; g = f.call(1); g"),
    ("Proc of a Method", "f = it.method(:itself).to_proc; it.instance_variable_set(:@f, f)"),
    ("instance variables", "it.instance_variable_set(:@me, it)"),
    ("instance variables of an Array", "a = [it]; a.instance_variable_set(:@a, a)"),
    ("instance variables of a Proc", "f = proc {}; it.instance_variable_set(:@f, f)"),
    ("block of a method", "def keep(o, &b) = o.instance_variable_set(:@p, proc { 1 }); keep(it) { it }"),
    ("self of a block", "it.instance_eval { @p = proc { 1 } }"),
    ("lexical scope of instance_eval", "it.instance_eval { @m = binding }"),
    ("Binding", "it.instance_variable_set(:@b, binding)"),
    ("Method", "it.instance_variable_set(:@m, it.method(:to_s))"),
    ("Struct", "s = Struct.new(:a, :b).new(it); s.b = s"),
    ("Exception", "e = RuntimeError.new('x'); e.instance_variable_set(:@e, [e, it])"),
    ("receiver of a KeyError", "e = [it]; e << KeyError.new('x', receiver: e, key: 1)"),
    ("receiver of a NameError", "it.instance_variable_set(:@e, NameError.new('x', :y, receiver: it))"),
    ("Enumerator", "it.instance_variable_set(:@e, it.to_enum(:each_thing, 1))"),
    ("arguments of an Enumerator", "it.instance_variable_set(:@e, [].to_enum(:each_thing, it))"),
    ("size of an Enumerator", "it.instance_variable_set(:@e, [].to_enum(:each_thing) { it })"),
    ("block of an Enumerator", "it.instance_variable_set(:@e, Enumerator.new { |y| y << it })"),
    ("Enumerator::Lazy", "it.instance_variable_set(:@e, [it].lazy)"),
    ("block of a Lazy", "it.instance_variable_set(:@e, [].lazy.map { it }.select { 1 }.zip([1]).with_index)"),
    ("argument of a Lazy", "it.instance_variable_set(:@e, [].lazy.grep(it))"),
    ("Enumerator::Chain", "it.instance_variable_set(:@e, [it].each + [1])"),
    ("Enumerator::Yielder", "Enumerator.new { |y| it.instance_variable_set(:@y, y) }.each { it }"),
    (
        "ArithmeticSequence",
        "it.instance_variable_set(:@e, 1.step(by: 2)); it.instance_variable_get(:@e).instance_variable_set(:@i, it) rescue it.instance_variable_set(:@e, it)",
    ),
    ("Thread::Queue", "q = Thread::Queue.new; q << [q, it]"),
    ("variables of a Thread", "t = Thread.new { 1 }; t.join; t[:a] = [t, it]"),
    (
        "value of a Thread",
        "t = Thread.new { Thread.current.report_on_exception = false; it }; t.join; it.instance_variable_set(:@t, t)",
    ),
    (
        "Fiber that has ended",
        "f = Fiber.new { 1 }; f.resume; it.instance_variable_set(:@f, f); f.instance_variable_set(:@i, it)",
    ),
    ("MatchData", "m = /x/.match('x'); $~ = nil; m.instance_variable_set(:@m, [m, it])"),
    (
        "Time with a zone",
        "z = it; def z.utc_to_local(t) = t; def z.local_to_utc(t) = t; z.instance_variable_set(:@t, Time.at(0, in: z))",
    ),
    ("Complex", "it.instance_variable_set(:@c, [Complex(1, 2), it])"),
    ("long chain", "a = last = [it]; 100_000.times { a = [a] }; last << a"),
    ("two that meet", "a = [it]; b = [a]; a << b; c = [b]; b << c"),
];

#[test]
fn cycles_of_every_kind_go() {
    let mut wrong = String::new();
    for (name, code) in CYCLES {
        let source = format!("def make = (it = Probe.new; {code}; nil); make; Array.new(50) {{ nil }}; 1");
        let (answer, before, after) = run(&source, 0);
        if (answer.as_str(), before, after) != ("1", 0, 1) {
            wrong += &format!("{name}: {answer}, {before} before and {after} after\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Each holds the probe `it` in a way that a collection must respect, and asks it for its name at the end.
const HELD: &[(&str, &str)] = &[
    ("constant", "a = [it]; a << a; KEPT = a; a = it = nil; GC.start; KEPT[1][0].name"),
    ("global", "a = [it]; a << a; $kept = a; a = it = nil; GC.start; $kept[1][0].name"),
    ("local", "a = [it]; a << a; it = nil; GC.start; a[1][0].name"),
    (
        "class variable",
        "class Keeper; @@a = nil; def self.a=(a); @@a = a; end; def self.a = @@a; end; Keeper.a = [it]; it = nil; GC.start; Keeper.a[0].name",
    ),
    ("method of a block", "self.class.send(:define_method, :kept_it) { it }; GC.start; kept_it.name"),
    ("argument", "def late(a) = (GC.start; a[1][0].name); b = [it]; it = nil; b << b; c = late(b); b = nil; c"),
    ("native at work", "[1].each_with_object([it]) { |_, a| it = nil; a << a; GC.start }[0].name"),
    ("hash at work", "h = { it => 1 }; it = nil; h[2] = h; h.each { GC.start; break }; h.keys[0].name"),
    (
        "suspended fiber",
        "f = Fiber.new { a = [it]; a << a; it = nil; Fiber.yield; a[1][0].name }; f.resume; GC.start; f.resume",
    ),
    (
        "fiber in its own cycle",
        "f = Fiber.new { me = f; x = it; it = nil; Fiber.yield; [me, x][1].name }; f.resume; g = f; f = nil; GC.start; g.resume",
    ),
    (
        "external enumerator",
        "e = Enumerator.new { |y| a = [it, y, e]; y << 1; y << a[0] }; e.next; it = nil; GC.start; e.next.name",
    ),
    (
        "waiting thread",
        "q = Queue.new; t = Thread.new { a = [it]; a << a; it = nil; q.pop; a[1][0].name }; Thread.pass; GC.start; q << 1; t.value",
    ),
    ("closure of a native", "f = ->(x) { [x, it] } >> ->(x) { x[1] }; GC.start; f.call(1).name"),
    ("curry", "f = ->(a, b) { it }.curry[1]; GC.start; f[2].name"),
    ("at_exit", "a = [it]; a << a; f = -> { a[0] }; at_exit { f }; GC.start; f.call.name"),
    (
        "instance variable of a String",
        "s = +''; s.instance_variable_set(:@s, [s, it]); it = nil; GC.start; s.instance_variable_get(:@s)[1].name",
    ),
    (
        "strong key and value of a WeakMap",
        "m = ObjectSpace::WeakMap.new; k = [it]; k << k; m[k] = it; GC.start; m[k].name",
    ),
];

#[test]
fn what_is_held_stays() {
    // an object that was taken for garbage has lost its instance variables
    let class = "class Probe; def initialize = @name = 'whole'; attr_reader :name; end";
    let mut wrong = String::new();
    for (name, code) in HELD {
        for every in [0, 1, 7] {
            let (answer, ..) = run(&format!("{class}; it = Probe.new; kept = ({code}); kept"), every);
            if answer != "\"whole\"" {
                wrong += &format!("{name}, every {every}: {answer}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn weak_references_do_not_hold() {
    let check = |code: &str, wanted: &str| assert_eq!(run(code, 0).0, wanted, "{code}");
    let weak = "m = ObjectSpace::WeakMap.new; def fill(m, key)";
    check(&format!("{weak} = (a = [Probe.new]; a << a; m[key] = a; 1); k = 'k'; fill(m, k); GC.start; m.size"), "0");
    check(&format!("{weak} = (a = [1]; a << a; m[a] = key; 1); k = 'k'; fill(m, k); GC.start; m.size"), "0");
    // held by two maps is held by none
    check(
        &format!(
            "{weak} = (a = [1]; b = [a]; m[key] = a; m[a] = b; n = m; 1); k = 'k'; fill(m, k); GC.start; [m.key?(k), m.size]"
        ),
        "[false, 0]",
    );
}

#[test]
fn collections_are_counted_and_can_be_put_off() {
    let check = |code: &str, wanted: &str| assert_eq!(run(code, 0).0, wanted, "{code}");
    check("a = GC.count; GC.start; [GC.count - a, GC.stat(:count) - a]", "[1, 1]");
    check(
        "a = []; a << a; a = nil; b = GC.stat(:total_freed_objects); GC.start; GC.stat(:total_freed_objects) > b",
        "true",
    );
    check("def f = 60_000.times { f = nil; f = -> { f } }; f; GC.count > 1", "true");
    check("def f = 60_000.times { f = nil; f = -> { f } }; GC.disable; f; GC.count", "0");
}

#[test]
fn memory_does_not_grow() {
    let (answer, ..) =
        run("2.times { 200_000.times { f = nil; f = -> { f } } }; GC.start; GC.stat(:heap_live_slots) < 1000", 0);
    assert_eq!(answer, "true");
}
