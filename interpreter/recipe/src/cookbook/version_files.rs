//! `Chef::CookbookVersion`: selects the variant of a file for a node, over [`rchef_model::specificity`].

use crate::node::mash;
use rchef_model::specificity::{Facts, Record, Wanted};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def, sym};

/// Methods that `ruby/cookbook_version.rb` uses.
pub(super) static METHODS: &[MethodDef] = &[
    def("preferences", preferences, 3).private(),
    def("missing_file_message", missing_file_message, 4).private(),
    def("record", record, 2).private(),
];

/// The file that a `source` names: a name, or the paths of an Array.
///
/// # Errors
/// What the conversion of an element raises.
pub fn wanted(vm: &mut Vm, source: &Value) -> Res<Wanted> {
    if !matches!(source, Value::Array(_)) {
        return Ok(Wanted::Name(vm.to_s_text(source)?));
    }
    let mut paths = Vec::new();
    for path in vm.to_array(source)? {
        paths.push(vm.to_s_text(&path)?);
    }
    Ok(Wanted::Paths(paths))
}

/// The facts of a node that select among variants of a file; empty without a node.
pub fn facts(vm: &mut Vm, node: &Value) -> Res<Facts> {
    if node.is_nil() {
        return Ok(Facts::default());
    }
    let mut fact = |key: &'static str| -> Res<String> {
        let value = vm.call(node, sym::AREF, &[Value::sym(key)])?;
        if value.is_nil() { Ok(String::new()) } else { vm.to_s_text(&value) }
    };
    Ok(Facts { fqdn: fact("fqdn")?, platform: fact("platform")?, version: fact("platform_version")? })
}

/// `preferences(node, segment, path)`: the possible paths of a file or directory, best first. The paths of an Array are used as they are.
fn preferences(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let segment = vm.to_s_text(args.at(1))?;
    let wanted = wanted(vm, args.at(2))?;
    let paths = match segment.as_str() {
        "files" | "templates" => wanted.paths(&facts(vm, args.at(0))?, &segment),
        "root_files" => vec![wanted.first().to_string()],
        other => Wanted::Paths(vec![wanted.first().to_string()]).paths(&Facts::default(), other),
    };
    Ok(Value::array(paths.into_iter().map(Value::str).collect()))
}

/// `missing_file_message(node, segment, path, files)`: `files` are the existing files of the segment.
fn missing_file_message(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (segment, wanted) = (vm.to_s_text(args.at(1))?, wanted(vm, args.at(2))?);
    let (name, version) = (vm.call(this, sym::NAME, &[])?, vm.call_name(this, "version", &[])?);
    let (name, version) = (vm.to_s_text(&name)?, vm.to_s_text(&version)?);
    let mut files = Vec::new();
    for file in vm.to_array(args.at(3))? {
        files.push(vm.to_s_text(&file)?);
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    Ok(Value::str(wanted.missing(&facts(vm, args.at(0))?, (&name, &version), &segment, &files)))
}

/// `record(path, full_path)`: the manifest's record of a file.
fn record(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = vm.to_s_text(args.at(0))?;
    let Record { segment, name, specificity } = Record::of(&path);
    let pairs = [
        ("name", Value::str(format!("{segment}/{name}"))),
        ("path", Value::str(&path)),
        ("full_path", args.at(1).clone()),
        ("specificity", Value::str(specificity)),
        ("segment", Value::str(segment)),
    ];
    mash::new(vm, pairs.into_iter().map(|(key, value)| (Value::str(key), value)).collect())
}
