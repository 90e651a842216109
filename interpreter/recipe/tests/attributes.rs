//! Attributes and nodes, case by case: `node/*.txt` hold Ruby that ends in a value (`== name`, code), `node/*.out` what it inspects as.
//! attributes.out was recorded from Chef's own attribute classes on MRI (`record`); node.out holds SPEC-compile's answers. Names begin
//! with the ids of the specification's cases.

#![allow(clippy::unwrap_used)] // a failure is the test's

use libtest_mimic::{Arguments, Failed, Trial};
use rchef_host::RealHost;
use rchef_recipe::node;
use rchef_ruby::embed::vm::on_large_stack;
use rchef_ruby::{ClassId, Vm};
use std::rc::Rc;

const PRELUDE: &str = "def err; yield; 'no error'; rescue Exception => e; \"#{e.class}: #{e.message[/.*/]}\"; end\n\
    def node; $node; end\n";

const TABLES: [(&str, &str, &str); 2] = [
    ("attributes", include_str!("node/attributes.txt"), include_str!("node/attributes.out")),
    ("node", include_str!("node/node.txt"), include_str!("node/node.out")),
];

fn main() {
    let mut trials = Vec::new();
    for (table, source, expected) in TABLES {
        let (cases, answers) = (cases(source), cases(expected));
        let names = |list: &[(&str, String)]| list.iter().map(|(name, _)| name.to_string()).collect::<Vec<_>>();
        let same = names(&cases) == names(&answers);
        trials.push(Trial::test(format!("{table}: each case has its answer"), move || {
            if same { Ok(()) } else { Err(Failed::from("the names in .txt and .out differ")) }
        }));
        for ((name, code), (_, wanted)) in cases.into_iter().zip(answers) {
            trials.push(Trial::test(format!("{table}: {name}"), move || {
                let got = on_large_stack(1 << 26, || answer(&code)).unwrap();
                if got.trim_end() == wanted.trim_end() {
                    return Ok(());
                }
                Err(Failed::from(format!("wanted {wanted}   got {got}")))
            }));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn cases(text: &'static str) -> Vec<(&'static str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("== ") {
            Some(name) => found.push((name, String::new())),
            None => {
                let (_, code) = found.last_mut().unwrap();
                code.push_str(line);
                code.push('\n');
            }
        }
    }
    found
}

fn answer(code: &str) -> String {
    let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
    rchef_recipe::exceptions::boot(&mut vm);
    node::boot(&mut vm);
    let chef = vm.class_named("Chef").unwrap();
    let lazy = vm.define_class(chef, "DelayedEvaluator", ClassId::PROC);
    rchef_recipe::run::process_mut(&mut vm).classes.delayed_evaluator = Some(lazy);
    vm.run_string(PRELUDE.as_bytes(), "prelude", 1).unwrap();
    vm.run_string(b"$node = Chef::Node.new; $node.name('x')", "setup", 1).unwrap();
    let shown = vm.run_string(code.as_bytes(), "case", 1).and_then(|value| vm.inspect(&value));
    match shown {
        Ok(text) => text,
        Err(error) => {
            let exception = vm.error_value(error);
            vm.full_message(&exception, false, false)
        }
    }
}
