//! A panic of ours in a native: an exception that `ensure` sees, after which the machine goes on.

use rchef_host::RealHost;
use rchef_ruby::embed::vm::on_large_stack;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};
use std::rc::Rc;

/// A native with a defect: it reads beyond the end of a list.
fn defective(_: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let list: Vec<i64> = Vec::new();
    Ok(Value::Int(list[args.len()]))
}

static NATIVES: &[MethodDef] = &[def("defective", defective, 0)];

/// What each program answers, on one machine.
fn run(sources: &[&str]) -> Vec<String> {
    on_large_stack(64 << 20, || {
        let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
        vm.define_module_functions(ClassId::KERNEL, NATIVES);
        let answers = sources.iter().map(|source| match vm.run_string(source.as_bytes(), "panics.rb", 1) {
            Ok(value) => vm.inspect(&value).unwrap(),
            Err(error) => {
                let exception = vm.error_value(error);
                vm.inspect(&exception).unwrap()
            }
        });
        answers.collect()
    })
    .unwrap()
}

#[test]
fn ensure_runs_and_the_machine_goes_on() {
    let answers = run(&[
        "$log = []; def work(a, b = 2) = [a, b].each { |x| y = x; defective }
         begin; work(1); ensure; $log << :ensured; end",
        "$log",
        "a = 1; begin; work(2); rescue Exception => error; end; [a, error.class.to_s, error.backtrace.first]",
        "begin; work(3); rescue; :swallowed; rescue Exception; :seen; end",
        "def depth(n) = n == 0 ? caller.size : depth(n - 1); [depth(3), binding.local_variables, block_given?]",
        "100.times { begin; work(4); rescue Exception; $log << 1; end }; $log.size",
    ]);
    assert!(answers[0].starts_with("#<fatal: a bug of rchef at "), "{}", answers[0]);
    assert!(answers[0].contains("panics.rs:11, please report it: index out of bounds"), "{}", answers[0]);
    assert_eq!(answers[1], "[:ensured]");
    assert!(answers[2].starts_with("[1, \"fatal\", \"panics.rb:1:in `"), "{}", answers[2]);
    assert_eq!(answers[3..], [":seen", "[4, [], false]", "101"]);
}

#[test]
fn fibers_and_threads_end_by_it() {
    let answers = run(&[
        "begin; Fiber.new { defective }.resume; rescue Exception => error; error.class.to_s; end",
        "thread = Thread.new { Thread.current.report_on_exception = false; defective }
         begin; thread.join; rescue Exception => error; error.class.to_s; end",
        "Fiber.new { Fiber.yield 1; 2 }.resume",
    ]);
    assert_eq!(answers, ["\"fatal\"", "\"fatal\"", "1"]);
}

#[test]
fn fibers_that_are_given_up_do_not_disturb_the_machine() {
    let answers = run(&[
        "def wait(a) = begin; b = a; Fiber.yield b; ensure; $ran = true; end
         20.times { |n| Fiber.new { [n].each { |x| begin; wait(x); rescue => e; e; end } }.resume }
         fibers = Array.new(20) { |n| f = Fiber.new { loop { wait(n) } }; f.resume; f }
         local = 5; fibers = nil; [local, $ran]",
        "$kept = Fiber.new { begin; Fiber.yield 7; ensure; $ran = 1; end }; $kept.resume",
    ]);
    // the second one is still suspended when the machine goes
    assert_eq!(answers, ["[5, nil]", "7"]);
}

#[test]
fn a_unit_of_the_embedder_fails_by_it() {
    let (bug, other) = on_large_stack(64 << 20, || {
        let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
        vm.define_module_functions(ClassId::KERNEL, NATIVES);
        let mut failed = |source: &str| {
            let error = vm.protect(|vm| vm.run_string(source.as_bytes(), "panics.rb", 1)).err().unwrap();
            let error = vm.bug_as_failure(error, "file[/etc/motd]");
            let exception = vm.error_value(error);
            vm.inspect(&exception).unwrap()
        };
        (failed("defective"), failed("raise 'x'"))
    })
    .unwrap();
    assert!(bug.starts_with("#<RuntimeError: a bug of rchef in file[/etc/motd] at "), "{bug}");
    assert!(bug.contains("panics.rs:11, please report it: index out of bounds"), "{bug}");
    assert_eq!(other, "#<RuntimeError: x>");
}
