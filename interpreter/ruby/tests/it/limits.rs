//! Limits on what a script may use: each ends it with an error that names it, whatever the script rescues.

use rchef_host::{Clock, RealHost};
use rchef_ruby::Vm;
use rchef_ruby::embed::vm::{Limits, on_large_stack};
use std::rc::Rc;

/// What the program answers, or its exception, under limits.
fn run(source: &str, limits: impl FnOnce(&mut Limits, u64) + Send) -> String {
    on_large_stack(64 << 20, || {
        let host = Rc::new(RealHost::new());
        let mut vm = Vm::new(host.clone()).unwrap();
        limits(&mut vm.limits, host.monotonic_ns());
        match vm.run_main(source.as_bytes(), "limits.rb") {
            Ok(value) => vm.inspect(&value).unwrap(),
            Err(error) => {
                let exception = vm.error_value(error);
                let shown = vm.inspect(&exception).unwrap_or_default();
                shown.chars().take(160).collect()
            }
        }
    })
    .unwrap()
}

#[test]
fn steps() {
    let shown = run("i = 0; i += 1 while true", |limits, _| limits.steps = Some(50_000));
    assert_eq!(shown, "#<NoMemoryError: the limit of 50000 steps is used up (limits.steps)>");
    let shown = run("1000.times { |i| i }; :done", |limits, _| limits.steps = Some(50_000));
    assert_eq!(shown, ":done");
}

#[test]
fn ensure_runs_once_a_limit_is_passed() {
    let source = "$log = []; begin; begin; loop { }; ensure; $log << :ensured; end; rescue NoMemoryError; $log << :rescued; end; $log";
    assert_eq!(run(source, |limits, _| limits.steps = Some(50_000)), "[:ensured, :rescued]");
}

#[test]
fn rescuing_a_limit_does_not_go_on_for_ever() {
    let source = "begin; loop { }; rescue Exception; retry; end";
    let shown = run(source, |limits, _| limits.steps = Some(20_000));
    assert!(!shown.is_empty());
}

#[test]
fn wall_time() {
    let shown = run("loop { }", |limits, now| limits.wall_time = Some(now + 50_000_000));
    assert_eq!(shown, "#<NoMemoryError: the time is used up (limits.wall_time)>");
}

#[test]
fn memory() {
    let limit = 200 << 20;
    for source in [
        "a = []; loop { a << \"x\" * 1000 }",
        "h = {}; i = 0; loop { h[i += 1] = [i] }",
        "(\"a\"..).each_slice(2).to_a",
    ] {
        let shown = run(source, |limits, _| limits.memory = Some(limit));
        assert!(shown.contains("failed to allocate memory: the limit of 209715200 bytes"), "{source}: {shown}");
    }
    let source = "i = 0; while i < 300_000; [i, \"text #{i}\", { a: i }]; i += 1; end; :flat";
    assert_eq!(run(source, |limits, _| limits.memory = Some(limit)), ":flat");
}

#[test]
fn memory_that_is_given_back() {
    let source =
        "2.times.map { begin; (1..).each_slice(2).to_a; rescue NoMemoryError => e; e.message[0, 25]; end }.uniq";
    let shown = run(source, |limits, _| limits.memory = Some(200 << 20));
    assert_eq!(shown, "[\"failed to allocate memory\"]");
}

#[test]
fn one_object_larger_than_what_is_left() {
    let source = "a = [\"x\" * (60 << 20)]; begin; a << \"y\" * (60 << 20); rescue NoMemoryError => e; e.message; end";
    assert_eq!(
        run(source, |limits, _| limits.memory = Some(100 << 20)),
        "\"failed to allocate memory: the limit of 104857600 bytes would be passed (limits.memory)\""
    );
}

#[test]
fn what_an_object_has_is_not_counted_again_when_it_grows() {
    let limit = 100 << 20;
    // the second append has room that the first made
    let source = "s = \"x\" * (30 << 20) << 1; s << \"y\" * 100_000; s.size - (30 << 20)";
    assert_eq!(run(source, |limits, _| limits.memory = Some(80 << 20)), "100001");
    let source = "a = \"x\" * (40 << 20); b = [a, a]; begin; a + a; rescue NoMemoryError => e; e.message; end";
    let shown = run(source, |limits, _| limits.memory = Some(limit));
    assert!(shown.contains("would be passed"), "{shown}");
}

#[test]
fn limits_of_the_machine() {
    let limits = Limits::of_machine(&RealHost::new());
    let memory = limits.memory.unwrap();
    assert!((64 << 20..=4 << 30).contains(&memory), "{memory}");
    assert_eq!((limits.size, limits.steps, limits.wall_time), (memory / 4, None, None));
}

#[test]
fn depth_and_size() {
    let shown = run("def f(n) = f(n + 1); begin; f(0); rescue SystemStackError => e; e.message; end", |limits, _| {
        limits.depth = 500;
    });
    assert_eq!(shown, "\"stack level too deep\"");
    for source in [
        "\"a\" * (1 << 40)",
        "[0] * (1 << 40)",
        "\"%2147483647d\" % 1",
        "\"a\".ljust(1 << 36)",
        "\"%.2147483647f\" % 1.0",
    ] {
        let shown = run(source, |_, _| ());
        assert!(shown.contains("failed to allocate memory") || shown.contains("too big"), "{source}: {shown}");
    }
}
