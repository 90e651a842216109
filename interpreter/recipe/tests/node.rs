//! Attributes and nodes, case by case: `node/*.txt` hold Ruby that ends in a value (`== name`, code), `node/*.out` what it inspects as.
//! attributes.out was recorded from Chef's own attribute classes on MRI (`record`); node.out holds SPEC-compile's answers.

#![allow(clippy::unwrap_used)] // a failure is the test's

use rchef_host::RealHost;
use rchef_recipe::node::provenance::{self, Act};
use rchef_recipe::node::{self, Component};
use rchef_ruby::vm::on_large_stack;
use rchef_ruby::{ClassId, Value, Vm};
use std::rc::Rc;

const PRELUDE: &str = "def err; yield; 'no error'; rescue Exception => e; \"#{e.class}: #{e.message[/.*/]}\"; end\n\
    def node; $node; end\n";

fn cases(text: &str) -> Vec<(&str, String)> {
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

fn answer(vm: &mut Vm, code: &str) -> String {
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

fn run(source: &str, expected: &str) {
    let failures = on_large_stack(1 << 28, || {
        let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
        rchef_recipe::exceptions::boot(&mut vm);
        node::boot(&mut vm);
        let chef = vm.class_named("Chef").unwrap();
        let lazy = vm.define_class(chef, "DelayedEvaluator", ClassId::PROC);
        rchef_recipe::run::run_mut(&mut vm).classes.delayed_evaluator = Some(lazy);
        vm.run_string(PRELUDE.as_bytes(), "prelude", 1).unwrap();
        let (cases, answers) = (cases(source), cases(expected));
        assert_eq!(cases.len(), answers.len());
        let mut failures = String::new();
        for ((name, code), (_, wanted)) in cases.iter().zip(&answers) {
            let got = answer(&mut vm, code);
            if got.trim_end() != wanted.trim_end() {
                failures.push_str(&format!("== {name}\nwanted {wanted}   got {got}\n"));
            }
        }
        failures
    })
    .unwrap();
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn attributes() {
    run(include_str!("node/attributes.txt"), include_str!("node/attributes.out"));
}

#[test]
fn nodes() {
    run(include_str!("node/node.txt"), include_str!("node/node.out"));
}

/// A machine with the classes, for `body`.
fn with_vm(body: impl FnOnce(&mut Vm) + Send) {
    on_large_stack(1 << 28, || {
        let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
        rchef_recipe::exceptions::boot(&mut vm);
        node::boot(&mut vm);
        body(&mut vm);
    })
    .unwrap();
}
fn shown(vm: &mut Vm, value: &Value) -> String {
    vm.inspect(value).unwrap()
}
fn ruby(vm: &mut Vm, code: &str) -> Value {
    vm.run_string(code.as_bytes(), "attributes/default.rb", 1).unwrap()
}

#[test]
fn from_rust() {
    with_vm(|vm| {
        let node = node::create(vm, "web").unwrap();
        vm.global_set(rchef_ruby::Symbol::intern("$node"), node.clone()).unwrap();
        let role = ruby(vm, "{ 'a' => { l: [1] } }");
        node::set_component(vm, &node, Component::RoleDefault, role).unwrap();
        let more = ruby(vm, "{ 'a' => { 'l' => [1, 2], 'm' => 'x' } }");
        node::merge_into(vm, &node, Component::RoleDefault, more).unwrap();
        let facts = ruby(vm, "{ 'platform' => 'ubuntu' }");
        node::set_component(vm, &node, Component::Automatic, facts).unwrap();
        let answers = [
            node::read(vm, &node, &["a", "l"]).unwrap(),
            node::read(vm, &node, &["no", "such"]).unwrap(),
            node::merged(vm, &node, true).unwrap(),
            node::merged(vm, &node, false).unwrap(),
            node::component(vm, &node, Component::RoleDefault).unwrap(),
        ];
        let answers: Vec<String> = answers.iter().map(|value| shown(vm, value)).collect();
        let tree = r#"{"a"=>{"l"=>[1, 2], "m"=>"x"}}"#;
        assert_eq!(answers, ["[1, 2]", "nil", tree, r#"{"a"=>{"l"=>[1, 2], "m"=>"x"}, "platform"=>"ubuntu"}"#, tree]);
        assert!(node::create(vm, "a b").is_err());
    });
}

#[test]
fn writes_are_noted() {
    with_vm(|vm| {
        let node = node::create(vm, "web").unwrap();
        vm.global_set(rchef_ruby::Symbol::intern("$node"), node.clone()).unwrap();
        provenance::set_source(vm, Some("roles/web.json"));
        let role = ruby(vm, "{ 'a' => { 'b' => 0 } }");
        node::set_component(vm, &node, Component::RoleDefault, role).unwrap();
        provenance::set_source(vm, None);
        ruby(
            vm,
            "$node.default['a']['b'] = 1\n$node.default['other'] = 1\n\n$node.override['a']['l'] = []\n$node.override['a']['l'] << 2\n$node.rm_default('a', 'b')",
        );
        let path = [Value::str("a")];
        let found = provenance::writes(vm, &node, &path, true).unwrap();
        let mut lines = Vec::new();
        for write in found {
            let keys = shown(vm, &Value::array(write.path));
            lines.push(format!(
                "{} {:?} {keys} {}:{}",
                write.component.name(),
                write.act,
                write.file.unwrap_or_default(),
                write.line
            ));
        }
        let file = "attributes/default.rb";
        let wanted = [
            "role_default Assign [] roles/web.json:0".to_string(),
            format!("default Vivify [\"a\"] {file}:1"),
            format!("default Write [\"a\", \"b\"] {file}:1"),
            format!("override Vivify [\"a\"] {file}:4"),
            format!("override Write [\"a\", \"l\"] {file}:4"),
            format!("override Mutate [\"a\", \"l\"] {file}:5"),
            format!("default Delete [\"a\", \"b\"] {file}:6"),
            format!("role_default Delete [\"a\", \"b\"] {file}:6"),
        ];
        assert_eq!(lines, wanted);
        let leaf = provenance::writes(vm, &node, &[Value::str("a"), Value::str("l")], false).unwrap();
        assert_eq!(leaf.iter().map(|write| write.act).collect::<Vec<_>>(), [Act::Write, Act::Mutate]);
    });
}

#[test]
fn attributes_as_methods_only_on_request() {
    with_vm(|vm| {
        let node = node::create(vm, "web").unwrap();
        vm.global_set(rchef_ruby::Symbol::intern("$node"), node).unwrap();
        ruby(vm, "$node.default['apache']['dir'] = '/etc'");
        assert!(vm.run_string(b"$node.apache", "x", 1).is_err());
        node::set_legacy_dsl(vm, true);
        let value = ruby(vm, "[$node.apache.dir, $node['apache'].dir]");
        assert_eq!(shown(vm, &value), r#"["/etc", "/etc"]"#);
        assert!(vm.run_string(b"$node.nginx", "x", 1).is_err());
        assert!(vm.run_string(b"$node['apache'].nothing", "x", 1).is_err());
        assert!(vm.deprecations.iter().any(|(what, _, _)| what == "node attributes as methods"));
    });
}
