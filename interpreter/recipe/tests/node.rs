//! Nodes from Rust: components, notes on writes, switches.

#![allow(clippy::unwrap_used)] // a failure is the test's

use rchef_host::RealHost;
use rchef_recipe::node::provenance::{self, Act};
use rchef_recipe::node::{self, Component};
use rchef_ruby::embed::vm::on_large_stack;
use rchef_ruby::{Value, Vm};
use std::rc::Rc;

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
        assert!(vm.deprecations.iter().any(|used| used.text == "node attributes as methods"));
    });
}
