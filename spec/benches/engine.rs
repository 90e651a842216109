//! The engine in this process: making a machine, reading source, and a few of the constructs that everything uses.
//! `cargo bench -p rchef-spec --bench engine`
#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // a benchmark drives the machine itself

use criterion::{Criterion, criterion_group, criterion_main};
use rchef_host::RealHost;
use rchef_ruby::Vm;
use std::hint::black_box;
use std::rc::Rc;

const CASES: &[(&str, &str)] = &[
    ("fib(18)", "def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)\nfib(18)"),
    ("each with block", "sum = 0; (1..10_000).each { |x| sum += x }; sum"),
    ("map select inject", "(1..5_000).map { |x| x + 1 }.select(&:even?).inject(:+)"),
    ("hash of strings", "h = {}; 2_000.times { |i| h[\"k#{i}\"] = i }; h.sum { |k, v| v }"),
    ("gsub with block", "(\"a1b22 \" * 200).gsub(/\\d+/) { |d| (d.to_i + 1).to_s }.size"),
    ("raise and rescue", "200.times { begin; raise \"x\"; rescue => e; e.message; end }"),
    ("queue by shift", "q = (1..5_000).to_a; s = 0; s += q.shift until q.empty?; s"),
];

fn machine() -> Vm {
    let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
    rchef_stdlib::register(&mut vm);
    vm
}

fn engine(criterion: &mut Criterion) {
    criterion.bench_function("make a machine", |bench| bench.iter(|| drop(black_box(machine()))));
    for (name, source) in CASES {
        let mut vm = machine();
        criterion.bench_function(name, |bench| {
            bench.iter(|| black_box(vm.run_string(source.as_bytes(), "bench.rb", 1).is_ok()));
        });
    }
}

criterion_group!(benches, engine);
criterion_main!(benches);
