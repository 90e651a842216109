//! Classes that rchef ships have Chef's superclasses: `class Chef::X < Y` in a cookbook reopens a class only with its own one.
//! `superclasses.tsv` has those of Chef 18.11, as `superclasses.rb` reads them from its sources.

#![allow(clippy::unwrap_used)] // a failure is the test's

use rchef_host::RealHost;
use rchef_ruby::embed::vm::on_large_stack;
use rchef_ruby::{ClassId, Symbol, Value, Vm};
use std::rc::Rc;

/// The class of a path, loaded if need be; None where rchef does not have it.
fn class(vm: &mut Vm, path: &str) -> Option<ClassId> {
    let mut outer = ClassId::OBJECT;
    for name in path.split("::") {
        match vm.const_get_from(outer, Symbol::intern(name), false) {
            Ok(Some(Value::Class(id))) => outer = id,
            _ => return None,
        }
    }
    Some(outer)
}

fn differences() -> (usize, Vec<String>) {
    let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
    rchef_stdlib::register(&mut vm);
    rchef_providers::boot(&mut vm).unwrap();
    let (mut compared, mut wrong) = (0, Vec::new());
    for line in include_str!("superclasses.tsv").lines().filter(|line| !line.starts_with('#')) {
        let (path, superclass) = line.split_once('\t').unwrap();
        let Some(found) = class(&mut vm, path) else { continue };
        // the table names a superclass as Chef's source does: `Mash` is a constant for ChefUtils::Mash
        let expected = class(&mut vm, superclass).map_or(superclass.to_string(), |id| vm.class_name(id));
        let value = vm.call_name(&Value::Class(found), "superclass", &[]).unwrap();
        let actual = vm.to_s_text(&value).unwrap();
        compared += 1;
        if actual != expected {
            wrong.push(format!("{path}: {actual} instead of {expected}"));
        }
    }
    (compared, wrong)
}

#[test]
fn superclasses_are_chefs() {
    let (compared, wrong) = on_large_stack(1 << 26, differences).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 600, "only {compared} classes were found");
}
