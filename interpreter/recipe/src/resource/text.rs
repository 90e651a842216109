//! What resources look like as text: `to_s`, `to_text`, `inspect`, identity and reported state (SPEC-compile 4.8).

use super::instance::{default_interpreter, ivar, name_of_type};
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

const HIDDEN: [&str; 12] = [
    "@allowed_actions",
    "@resource_name",
    "@source_line",
    "@run_context",
    "@logger",
    "@name",
    "@not_if",
    "@only_if",
    "@elapsed_time",
    "@enclosing_provider",
    "@executed_by_runner",
    "@run_actions",
];

fn to_text(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if vm.call(this, N.sensitive, &[])?.truthy() {
        return Ok(Value::str("suppressed sensitive resource output"));
    }
    let source = ivar(vm, this, N.i_source_line);
    let (source, kind, name) = (vm.to_s_text(&source)?, name_of_type(vm, this)?, ivar(vm, this, N.i_name));
    let mut text = format!("# Declared in {source}\n\n{}(\"{}\") do\n", vm.to_s_text(&kind)?, vm.to_s_text(&name)?);
    let id = vm.real_class_of(this);
    let early =
        class::lineage(vm, id).into_iter().find_map(|id| class::shipped(vm, id)).map_or(&[][..], |def| def.early);
    for slot in vm.ivar_names(this) {
        if HIDDEN.contains(&slot.as_str()) || early.contains(&slot.as_str().trim_start_matches('@')) {
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
        if slot == N.i_action {
            // Chef keeps it in every resource, right after the action
            text.push_str(&format!("  default_guard_interpreter :{}\n", default_interpreter(vm, this)));
            for name in early {
                let value = vm.call_name(this, name, &[])?;
                text.push_str(&format!("  {name} {}\n", vm.inspect(&value)?));
            }
        }
    }
    for slot in [N.i_not_if, N.i_only_if] {
        if let Value::Array(list) = ivar(vm, this, slot) {
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
        if ["@run_context", "@logger", "@not_if", "@only_if", "@enclosing_provider", "@executed_by_runner"]
            .contains(&slot.as_str())
        {
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

fn state_for_reporter(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
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

/// What Chef keeps in instance variables of every resource, by the names that `to_hash` has for it.
fn framework_state(vm: &mut Vm, this: &Value) -> Res<[(&'static str, Value); 12]> {
    let allowed = super::instance::allowed_list(vm, this)?.into_iter().map(Value::Sym).collect();
    let elapsed = vm.ivar_get(this, N.i_elapsed_time).unwrap_or(Value::Int(0));
    Ok([
        ("name", ivar(vm, this, N.i_name)),
        ("before", Value::Nil),
        ("params", ivar(vm, this, N.i_params)),
        ("provider", ivar(vm, this, N.i_provider)),
        ("allowed_actions", Value::array(allowed)),
        ("action", ivar(vm, this, N.i_action)),
        ("updated", ivar(vm, this, N.i_updated)),
        ("updated_by_last_action", ivar(vm, this, N.i_updated_by_last_action)),
        ("source_line", ivar(vm, this, N.i_source_line)),
        ("guard_interpreter", ivar(vm, this, N.i_guard_interpreter)),
        ("default_guard_interpreter", Value::Sym(default_interpreter(vm, this))),
        ("elapsed_time", elapsed),
    ])
}

fn to_h(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let id = vm.real_class_of(this);
    let mut pairs = Vec::new();
    for property in class::state_of(vm, id) {
        pairs.push((Value::Sym(property.name), property::get(vm, this, &property)?));
    }
    for (key, value) in framework_state(vm, this)? {
        pairs.push((Value::Sym(Symbol::intern_static(key)), value));
    }
    for slot in vm.ivar_names(this) {
        let key = Symbol::intern(slot.as_str().trim_start_matches('@'));
        let hidden = ["@run_context", "@logger", "@not_if", "@only_if", "@enclosing_provider"].contains(&slot.as_str());
        if !hidden && !pairs.iter().any(|(known, _)| matches!(known, Value::Sym(name) if *name == key)) {
            let value = ivar(vm, this, slot);
            pairs.push((Value::Sym(key), value));
        }
    }
    vm.new_hash(pairs)
}
