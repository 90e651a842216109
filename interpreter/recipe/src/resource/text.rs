//! The text forms of resources: `to_s`, `to_text`, `inspect`, identity and reported state (SPEC-compile 4.8).

use super::instance::{ivar, name_of_type};
use super::state::{Slot, is_slot, read};
use super::{class, property};
use crate::names::N;
use rchef_ruby::{Args, MethodDef, Res, Symbol, Value, Vm, def};

pub(super) static METHODS: &[MethodDef] = &[
    def("to_s", to_s, 0),
    def("to_text", to_text, 0),
    def("inspect", inspect, 0),
    def("identity", identity, 0),
    def("state_for_resource_reporter", state_for_reporter, 0),
    def("to_h", to_h, 0),
    def("to_hash", to_h, 0),
];

fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let kind = vm.call(this, N.resource_name, &[])?;
    let name = vm.call(this, N.name, &[])?;
    Ok(Value::str(format!("{}[{}]", vm.to_s_text(&kind)?, vm.to_s_text(&name)?)))
}

/// Instance variables that `inspect` and `to_hash` omit.
const FORBIDDEN: [&str; 8] = [
    "@run_context",
    "@logger",
    "@not_if",
    "@only_if",
    "@enclosing_provider",
    "@deprecated",
    "@skip_docs",
    "@executed_by_runner",
];
/// Instance variables that only `to_text` omits.
const HIDDEN: [&str; 6] =
    ["@allowed_actions", "@resource_name", "@source_line", "@name", "@elapsed_time", "@validation_message"];

/// The instance variables in MRI's order: those of properties in the order in which the class first set them, between those that every resource
/// has.
fn as_listed(vm: &mut Vm, this: &Value) -> Vec<Symbol> {
    let class = vm.real_class_of(this);
    let order = property::first_set(vm, class);
    let mut names = vm.ivar_names(this);
    for run in names.chunk_by_mut(|one, next| !is_slot(*one) && !is_slot(*next)) {
        run.sort_by_key(|name| order.iter().position(|known| known == name).unwrap_or(usize::MAX));
    }
    names
}

fn to_text(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if vm.call(this, N.sensitive, &[])?.truthy() {
        return Ok(Value::str("suppressed sensitive resource output"));
    }
    let source = read(vm, this, Slot::SourceLine);
    let (source, kind, name) = (vm.to_s_text(&source)?, name_of_type(vm, this)?, ivar(vm, this, N.i_name));
    let mut text = format!("# Declared in {source}\n\n{}(\"{}\") do\n", vm.to_s_text(&kind)?, vm.to_s_text(&name)?);
    let id = vm.real_class_of(this);
    let early =
        class::lineage(vm, id).into_iter().find_map(|id| class::shipped(vm, id)).map_or(&[][..], |def| def.early);
    for slot in as_listed(vm, this) {
        if [&FORBIDDEN[..], &HIDDEN].concat().contains(&slot.as_str())
            || early.contains(&slot.as_str().trim_start_matches('@'))
        {
            continue;
        }
        let label = slot.as_str().trim_start_matches('@').to_string();
        let value = ivar(vm, this, slot);
        let property = class::find_property(vm, id, Symbol::intern(&label));
        if let Some(property) = &property
            && property.sensitive
        {
            text.push_str(&format!("  {label} \"*sensitive value suppressed*\"\n"));
            continue;
        }
        if !value.truthy() {
            continue;
        }
        let empty = Symbol::intern_static("empty?");
        if vm.respond_to(&value, empty, false)? && vm.call(&value, empty, &[])?.truthy() {
            continue;
        }
        let method = Symbol::intern_static("to_text");
        let shown = if vm.respond_to(&value, method, false)? {
            let shown = vm.call(&value, method, &[])?;
            vm.to_s_text(&shown)?
        } else {
            vm.inspect(&value)?
        };
        text.push_str(&format!("  {label} {shown}\n"));
        if slot.as_str() == "@default_guard_interpreter" {
            for name in early {
                let value = vm.call_name(this, name, &[])?;
                text.push_str(&format!("  {name} {}\n", vm.inspect(&value)?));
            }
        }
    }
    for slot in [Slot::NotIf, Slot::OnlyIf] {
        if let Value::Array(list) = read(vm, this, slot) {
            for item in list.get(vm).items.clone() {
                let shown = vm.call_name(&item, "to_text", &[])?;
                text.push_str(&format!("  {}\n", vm.to_s_text(&shown)?));
            }
        }
    }
    text.push_str("end\n");
    Ok(Value::str(text))
}

fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut text = format!("<{}", vm.to_s_text(this)?);
    for slot in vm.ivar_names(this) {
        if FORBIDDEN.contains(&slot.as_str()) {
            continue;
        }
        let value = ivar(vm, this, slot);
        text.push_str(&format!(" {slot}: {}", vm.inspect(&value)?));
    }
    text.push('>');
    Ok(Value::str(text))
}

fn identity(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let id = vm.real_class_of(this);
    let properties = class::identity_of(vm, id);
    let mut pairs = Vec::new();
    for property in &properties {
        let value = vm.call(this, property.name, &[])?;
        if properties.len() == 1 {
            return Ok(value);
        }
        pairs.push((Value::Sym(property.name), value));
    }
    vm.new_hash(pairs)
}

/// `state_for_resource_reporter`: the state properties that are set, without the sensitive ones' values.
pub fn state_for_reporter(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let id = vm.real_class_of(this);
    let mut pairs = Vec::new();
    for property in class::state_of(vm, id) {
        if vm.ivar_get(this, property.ivar).is_some() {
            let value = if property.sensitive {
                Value::str("*sensitive value suppressed*")
            } else {
                vm.call(this, property.name, &[])?
            };
            pairs.push((Value::Sym(property.name), value));
        }
    }
    vm.new_hash(pairs)
}

fn to_h(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let id = vm.real_class_of(this);
    let mut pairs = Vec::new();
    for property in class::state_of(vm, id) {
        pairs.push((Value::Sym(property.name), property::get(vm, this, &property)?));
    }
    for slot in vm.ivar_names(this) {
        let key = Symbol::intern(slot.as_str().trim_start_matches('@'));
        let hidden = FORBIDDEN.contains(&slot.as_str());
        if !hidden && !pairs.iter().any(|(known, _)| matches!(known, Value::Sym(name) if *name == key)) {
            let value = ivar(vm, this, slot);
            pairs.push((Value::Sym(key), value));
        }
    }
    vm.new_hash(pairs)
}
