//! Conversions and tests of properties give what Chef's give: class, property, value, result, as recorded from Chef 18.11 on Ruby 3.1.
//! `BAD` after a result: a callback refuses it.

#![allow(clippy::panic)] // a helper of tests

use rchef_host::RealHost;
use rchef_providers::register::ALL;
use rchef_ruby::{Res, Value, Vm};
use std::rc::Rc;

/// Runs on a resource that is a plain object.
fn result(vm: &mut Vm, resource: &Value, class: &str, property: &str, literal: &str) -> Res<String> {
    let def = ALL.iter().find(|def| def.class == class).unwrap_or_else(|| panic!("{class}"));
    let property =
        def.properties.iter().find(|found| found.name == property).unwrap_or_else(|| panic!("{class}.{property}"));
    let value = vm.run_string(literal.as_bytes(), "value", 1)?;
    let value = match property.coerce {
        Some(coerce) => coerce(vm, resource, &value)?,
        None => value,
    };
    let mut refused = false;
    for (_, test) in property.callbacks {
        refused |= !test(vm, &value)?;
    }
    Ok(vm.inspect(&value)? + if refused { " BAD" } else { "" })
}

fn error_text(vm: &mut Vm, error: rchef_ruby::Error) -> String {
    let error = vm.error_value(error);
    let class = vm.class_name_of(&error);
    let text = vm.to_s_text(&error).unwrap_or_default();
    format!("{class}: {}", text.lines().next().unwrap_or_default())
}

#[test]
fn conversions_are_chefs() {
    let mut vm = Vm::new(Rc::new(RealHost::new())).expect("a machine");
    vm.run_string(
        b"class Chef; module Exceptions; class ValidationFailed < ArgumentError; end; class User < RuntimeError; end; end; end
          module ChefUtils; class Mash < Hash; def initialize(h) = h.each { |k, v| self[k.to_s] = v }; end; end
          def salt = nil",
        "classes",
        1,
    )
    .expect("classes");
    let resource = vm.main.clone();
    let mut wrong = Vec::new();
    for line in include_str!("conversions.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [class, property, literal, expected] = fields[..] else { panic!("{line}") };
        let got = match result(&mut vm, &resource, class, property, literal) {
            Ok(text) => text,
            Err(error) => error_text(&mut vm, error),
        };
        if got != expected {
            wrong.push(format!("{class}.{property} {literal}\n   Chef: {expected}\n  rchef: {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}
