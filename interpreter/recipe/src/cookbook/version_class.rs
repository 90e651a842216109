//! `Chef::Version`, `Chef::VersionConstraint` and their subclasses for platforms, over [`rchef_model::version`].

use crate::run::{chef_error, class};
use rchef_model::version::{Constraint, InvalidConstraint, InvalidVersion, Scheme, Version, split};
use rchef_ruby::{Args, ClassId, Error, MethodDef, NativeData, Res, Symbol, Value, Vm, def, opt, sym};
use std::cmp::Ordering;

/// The feature that the autoloads of these constants require.
pub const FEATURE: &str = "chef/rchef/version";

#[derive(Clone, Copy, Default)]
struct VersionData(Version);
impl NativeData for VersionData {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(*self))
    }
}

/// The constraint, and the object that `version` returns.
#[derive(Clone)]
struct ConstraintData {
    constraint: Constraint,
    version: Value,
}
impl NativeData for ConstraintData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.version);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

static VERSION: &[MethodDef] = &[
    opt("initialize", initialize, 0, 1).private(),
    def("major", major, 0),
    def("minor", minor, 0),
    def("patch", patch, 0),
    def("to_s", to_s, 0),
    def("inspect", to_s, 0),
    def("<=>", compare, 1),
    def("hash", hash, 0),
    def("eql?", eql, 1),
];
static PLATFORM: &[MethodDef] = &[opt("initialize", initialize_platform, 0, 1).private()];
static CONSTRAINT: &[MethodDef] = &[
    opt("initialize", initialize_constraint, 0, 1).private(),
    def("op", op, 0),
    def("version", version, 0),
    def("include?", include, 1),
    def("to_s", constraint_to_s, 0),
    def("inspect", constraint_inspect, 0),
    def("eql?", constraint_eql, 1),
    def("==", constraint_eql, 1),
];

/// The Ruby exception for an invalid version.
pub fn invalid_version(vm: &mut Vm, error: &InvalidVersion) -> Error {
    let class = match error.scheme {
        Scheme::Cookbook => "InvalidCookbookVersion",
        Scheme::Platform => "InvalidPlatformVersion",
    };
    chef_error(vm, class, error.to_string())
}
/// The Ruby exception for an invalid constraint.
pub fn invalid_constraint(vm: &mut Vm, error: &InvalidConstraint) -> Error {
    match error {
        InvalidConstraint::Form(_) => chef_error(vm, "InvalidVersionConstraint", error.to_string()),
        InvalidConstraint::Version(error) => invalid_version(vm, error),
    }
}

fn parse(vm: &mut Vm, this: &Value, args: Args<'_>, scheme: Scheme) -> Res {
    let text = match args.get(0) {
        Some(given) => vm.to_s_text(given)?,
        None => String::new(),
    };
    let found = Version::parse(&text, scheme).map_err(|error| invalid_version(vm, &error))?;
    if let Some(data) = vm.data_mut::<VersionData>(this) {
        data.0 = found;
    }
    Ok(Value::Nil)
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    parse(vm, this, args, Scheme::Cookbook)
}
fn initialize_platform(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    parse(vm, this, args, Scheme::Platform)
}
fn of(vm: &Vm, this: &Value) -> Version {
    vm.data::<VersionData>(this).map(|data| data.0).unwrap_or_default()
}
/// A version number as an Integer; [`Version::parse`] rejects larger ones.
fn integer(number: u128) -> Value {
    Value::i128(i128::try_from(number).unwrap_or(i128::MAX))
}
fn major(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(integer(of(vm, this).major))
}
fn minor(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(integer(of(vm, this).minor))
}
fn patch(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(integer(of(vm, this).patch))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(of(vm, this).to_string()))
}

/// The numbers of a `Chef::Version`, or of another object with the same methods; None if it does not have them.
fn numbers(vm: &mut Vm, value: &Value) -> Res<Option<Version>> {
    if let Some(data) = vm.data::<VersionData>(value) {
        return Ok(Some(data.0));
    }
    let mut found = [0; 3];
    for (slot, name) in found.iter_mut().zip(["major", "minor", "patch"]) {
        let name = Symbol::intern_static(name);
        if !vm.respond_to(value, name, false)? {
            return Ok(None);
        }
        let number = vm.call(value, name, &[])?;
        let text = vm.to_s_text(&number)?;
        match (number, text.parse()) {
            (Value::Int(_) | Value::Big(_), Ok(number)) => *slot = number,
            _ => return Ok(None),
        }
    }
    Ok(Some(Version { major: found[0], minor: found[1], patch: found[2] }))
}
/// `<=>`: nil for an object without `major`, `minor` and `patch`.
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(other) = numbers(vm, args.at(0))? else { return Ok(Value::Nil) };
    Ok(Value::Int(match of(vm, this).cmp(&other) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }))
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let text = Value::str(of(vm, this).to_string());
    vm.call(&text, sym::HASH, &[])
}
fn eql(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let own = of(vm, this);
    Ok(Value::bool(vm.data::<VersionData>(args.at(0)).is_some_and(|other| other.0 == own)))
}

/// The single constraint of an argument: a String, nil for none, or an Array of at most one.
fn specification(vm: &mut Vm, given: &Value) -> Res<String> {
    match given {
        Value::Nil => Ok(Constraint::DEFAULT.to_string()),
        Value::Str(_) => vm.to_s_text(given),
        Value::Array(list) => {
            let items = list.get(vm).items.clone();
            if items.len() > 1 {
                let shown = vm.call_name(given, "join", &[Value::str(", ")])?;
                let shown = vm.to_s_text(&shown)?;
                let text = format!(
                    "only one version constraint operation is supported, but you gave {} ['{shown}']",
                    items.len()
                );
                return Err(chef_error(vm, "InvalidVersionConstraint", text));
            }
            match items.first() {
                Some(only) => vm.to_s_text(only),
                None => Ok(Constraint::DEFAULT.to_string()),
            }
        }
        other => {
            let shown = vm.inspect(other)?;
            let text = format!("VersionConstraint should be created from a String. You gave: {shown}");
            Err(chef_error(vm, "InvalidVersionConstraint", text))
        }
    }
}
/// A version object of the constraint class's `VERSION_CLASS`.
fn version_of(vm: &mut Vm, this: &Value, text: Value) -> Res<(Value, Version)> {
    let own = vm.real_class_of(this);
    let class = vm.const_get_from(own, Symbol::intern_static("VERSION_CLASS"), false)?.unwrap_or_default();
    let made = vm.call(&class, sym::NEW, &[text])?;
    match numbers(vm, &made)? {
        Some(found) => Ok((made, found)),
        None => Err(vm.type_error("VERSION_CLASS has no major, minor and patch")),
    }
}
fn initialize_constraint(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let text = specification(vm, args.get(0).unwrap_or(&Value::Nil))?;
    let (operator, raw) = split(&text).map_err(|error| invalid_constraint(vm, &error))?;
    let (version, numbers) = version_of(vm, this, Value::str(raw))?;
    if let Some(data) = vm.data_mut::<ConstraintData>(this) {
        *data = ConstraintData { constraint: Constraint::new(operator, raw, numbers), version };
    }
    Ok(Value::Nil)
}
fn blank() -> ConstraintData {
    let constraint = Constraint::new(rchef_model::version::Operator::AtLeast, "0.0.0", Version::default());
    ConstraintData { constraint, version: Value::Nil }
}
fn constraint(vm: &Vm, this: &Value) -> ConstraintData {
    vm.data::<ConstraintData>(this).cloned().unwrap_or_else(blank)
}
fn op(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(constraint(vm, this).constraint.operator.as_str()))
}
fn version(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(constraint(vm, this).version)
}
/// Whether a version, or the `version` of an object, satisfies the constraint.
fn include(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let asked = Symbol::intern_static("version");
    let given =
        if vm.respond_to(args.at(0), asked, false)? { vm.call(args.at(0), asked, &[])? } else { args.at(0).clone() };
    let text = Value::Str(vm.to_s(&given)?);
    let (_, version) = version_of(vm, this, text)?;
    Ok(Value::bool(constraint(vm, this).constraint.allows(version)))
}
fn constraint_to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(constraint(vm, this).constraint.to_string()))
}
fn constraint_inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let shown = vm.to_s_text(this)?;
    Ok(Value::str(format!("({shown})")))
}
/// Equal class, operator and version.
fn constraint_eql(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if vm.real_class_of(this) != vm.real_class_of(args.at(0)) {
        return Ok(Value::False);
    }
    let (own, other) = (constraint(vm, this).constraint, constraint(vm, args.at(0)).constraint);
    Ok(Value::bool(own.operator == other.operator && own.version == other.version))
}

fn texts(vm: &mut Vm, list: &[&'static str]) -> Res {
    let texts = Value::array(list.iter().map(|text| Value::str(*text)).collect());
    vm.call_name(&texts, "freeze", &[])
}

/// Defines the classes in `Chef`.
pub fn load(vm: &mut Vm) -> Res<()> {
    let chef = class(vm, |classes| classes.chef)?;
    let version = vm.define_class(chef, "Version", ClassId::OBJECT);
    vm.class_mut(version).allocator = Some(|_, class| Ok(Value::data(class, VersionData::default())));
    vm.include_module(version, ClassId::COMPARABLE);
    vm.define_methods(version, VERSION);
    let platform_version = vm.define_class(version, "Platform", version);
    vm.define_methods(platform_version, PLATFORM);
    let constraint = vm.define_class(chef, "VersionConstraint", ClassId::OBJECT);
    vm.class_mut(constraint).allocator = Some(|_, class| Ok(Value::data(class, blank())));
    vm.define_methods(constraint, CONSTRAINT);
    let default = vm.call_name(&Value::str(Constraint::DEFAULT), "freeze", &[])?;
    vm.const_set(constraint, Symbol::intern_static("DEFAULT_CONSTRAINT"), default);
    for (name, operators) in
        [("STANDARD_OPS", &["<", ">", "<=", ">="][..]), ("OPS", &["<", ">", "=", "<=", ">=", "~>"][..])]
    {
        let list = texts(vm, operators)?;
        vm.const_set(constraint, Symbol::intern_static(name), list);
    }
    let pattern =
        vm.call_name(&Value::Class(ClassId::REGEXP), "new", &[Value::str("^(<|>|=|<=|>=|~>) *([0-9].*)$")])?;
    vm.const_set(constraint, Symbol::intern_static("PATTERN"), pattern);
    vm.const_set(constraint, Symbol::intern_static("VERSION_CLASS"), Value::Class(version));
    let platform_constraint = vm.define_class(constraint, "Platform", constraint);
    vm.const_set(platform_constraint, Symbol::intern_static("VERSION_CLASS"), Value::Class(platform_version));
    Ok(())
}
