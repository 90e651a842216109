//! Search, encrypted data bags, roles and environments. `data/encrypted_data_bags.json` was recorded from Chef;
//! `data/cases.txt` holds pairs of lines: Ruby evaluated after a run of `data/repo`, and what it inspects as; `data/answers.json` the answers
//! that somebody gave to searches for nodes.

#![allow(clippy::unwrap_used)] // a failure is the test's

use rchef_host::RealHost;
use rchef_recipe::compile::{Input, compile};
use rchef_recipe::data::crypt::{self, Plain};
use rchef_recipe::run::run_mut;
use rchef_ruby::embed::frame::Definee;
use rchef_ruby::embed::vm::on_large_stack;
use rchef_ruby::{Value, Vm};
use serde_json::Value as Json;
use std::rc::Rc;

#[test]
fn case_123_encrypted_items() {
    let vectors: Json = serde_json::from_str(include_str!("data/encrypted_data_bags.json")).unwrap();
    let secret = vectors["secret"].as_str().unwrap().as_bytes();
    let mut yaml = 0;
    for (format, item) in vectors["items"].as_object().unwrap() {
        for (key, value) in item.as_object().unwrap().iter().filter(|(key, _)| *key != "id") {
            match crypt::decrypt(value, secret).unwrap() {
                Plain::Json(plain) => assert_eq!(plain, vectors["plain"][key], "{format} {key}"),
                Plain::Yaml(text) => {
                    yaml += 1;
                    assert!(text.starts_with(b"---"), "{format} {key}: {}", String::from_utf8_lossy(&text));
                }
            }
            assert!(crypt::decrypt(value, b"wrong").is_err() || format == "v0", "{format} {key}");
            assert_eq!(crypt::looks_encrypted(value), format != "v0");
        }
    }
    assert!(yaml > 0);
}

fn input() -> Input {
    let repo = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/repo").to_string();
    Input {
        cookbook_paths: vec![format!("{repo}/cookbooks")],
        repo,
        run_list: "role[web],role[late]".into(),
        overriding: true,
        node_name: "n1".into(),
        ohai: b"{}".to_vec(),
        environment: Some("prod".into()),
        flat: false,
        ..Input::default()
    }
}
fn machine() -> Vm {
    let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
    rchef_stdlib::register(&mut vm);
    rchef_recipe::boot(&mut vm, &[]).unwrap();
    vm.run_string(
        b"$ran = []; def err; yield; 'no error'; rescue Exception => e; \"#{e.class}: #{e.message}\"; end",
        "setup",
        1,
    )
    .unwrap();
    vm
}
fn shown(vm: &mut Vm, result: rchef_ruby::Res<Value>) -> String {
    match result.and_then(|value| vm.inspect(&value)) {
        Ok(text) => text,
        Err(error) => {
            let exception = vm.error_value(error);
            vm.full_message(&exception, false, false)
        }
    }
}

#[test]
fn repository() {
    on_large_stack(1 << 28, || {
        let mut vm = machine();
        let done = compile(&mut vm, &input()).map(|()| Value::Nil);
        assert_eq!(shown(&mut vm, done), "nil");
        let repo = Value::str(input().repo);
        vm.global_set(rchef_ruby::Symbol::intern("$repo"), repo).unwrap();
        let answers: Json = serde_json::from_str(include_str!("data/answers.json")).unwrap();
        for (query, found) in answers.as_object().unwrap() {
            run_mut(&mut vm).answers.push(("node".into(), query.clone(), found.as_array().unwrap().clone()));
        }
        let lines: Vec<&str> = include_str!("data/cases.txt").lines().collect();
        let root = run_mut(&mut vm).root.clone();
        let recipe = vm.class_named("Chef::Recipe").unwrap();
        let recipe =
            vm.call(&Value::Class(recipe), rchef_ruby::sym::NEW, &[Value::str("a"), Value::str("x"), root]).unwrap();
        let mut wrong = Vec::new();
        for pair in lines.chunks(2) {
            let result = vm.run_string_as(pair[0].as_bytes(), "case", &recipe, Definee::SingletonOf(recipe.clone()));
            let found = shown(&mut vm, result);
            if found != pair[1] {
                wrong.push(format!("{}\n  found    {found}\n  expected {}", pair[0], pair[1]));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    })
    .unwrap();
}

#[test]
fn a_saved_node_that_is_no_json() {
    on_large_stack(1 << 28, || {
        let mut vm = machine();
        let repo = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/broken").to_string();
        let broken = Input { repo, run_list: String::new(), environment: None, ..input() };
        let done = compile(&mut vm, &broken).map(|()| Value::Nil);
        let found = shown(&mut vm, done);
        assert!(found.contains("nodes/n1.json is not JSON: ") && found.contains("at line 7 column 5"), "{found}");
    })
    .unwrap();
}

#[test]
fn failures() {
    on_large_stack(1 << 28, || {
        for (run_list, environment, text) in [
            ("role[web],role[nope]", "prod", "The expanded run list includes nonexistent roles: nope"),
            ("recipe[a]", "nope", "Environment 'nope' could not be loaded from disk"),
            ("recipe[a@1.0],recipe[a@2.0]", "prod", "Run list requires a at versions 1.0 and 2.0"),
        ] {
            let mut vm = machine();
            let done = compile(
                &mut vm,
                &Input { run_list: run_list.into(), environment: Some(environment.into()), ..input() },
            )
            .map(|()| Value::Nil);
            let found = shown(&mut vm, done);
            assert!(found.contains(text), "{found}");
        }
    })
    .unwrap();
}
