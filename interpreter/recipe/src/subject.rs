//! What an exception is about, beside its message: what hints and findings need, as data.

use rchef_ruby::embed::error::{ExceptionData, Reason};
use rchef_ruby::{ClassId, NativeData, Value, Vm};
use serde_json::{Value as Json, json};

/// What Chef's model says of an exception that it raises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A cookbook that does not exist.
    Cookbook(String),
    /// A recipe that does not exist in its cookbook.
    Recipe {
        cookbook: String,
        /// The name after `::`.
        recipe: String,
    },
    /// Roles that a run list names and that do not exist.
    Roles(Vec<String>),
    /// The target of a notification.
    Target {
        /// As it is declared.
        name: String,
        /// Where the resource that notifies stands, as `FILE:LINE:in ...`.
        source: String,
    },
    /// A resource that no cookbook and no file of Chef defines on the platform.
    ResourceType(String),
    /// A template or file that a cookbook lacks.
    File {
        /// Name and version.
        cookbook: String,
        version: String,
        /// The places that were looked at, below the cookbook.
        paths: Vec<String>,
    },
    /// A data bag, or an item of one.
    Data { bag: String, item: Option<String> },
    /// A search whose query is not valid, and why.
    Query(String),
    /// Versions of cookbooks that do not go together.
    Versions,
    /// The directory of a cookbook whose metadata has no name.
    Nameless(String),
    /// The directories of two cookbooks of one name.
    Twice(String, String),
    /// A cookbook of a policy's lock that is nowhere.
    Locked(String),
    /// A policy that has no lock.
    Unlocked(String),
    /// An entry of a run list that is none.
    RunListItem,
    /// A property or method that a resource of the class does not have.
    Property {
        class: ClassId,
        /// What recipes call the resource.
        resource: String,
        name: String,
    },
    /// A required property that is not set.
    Required,
    /// An action that the resource does not support.
    Action(String),
    /// Content that `verify` does not accept.
    Verification,
    /// A line of code.
    Line { path: String, line: usize },
    /// A file that is not JSON, from the chef-repo where it is below that.
    Json {
        path: String,
        /// From 1.
        line: usize,
    },
}
impl NativeData for Subject {}

/// The same error with a subject.
pub fn about(vm: &mut Vm, error: rchef_ruby::Error, subject: Subject) -> rchef_ruby::Error {
    let noted = Value::data(ClassId::OBJECT, subject);
    if let Some(exception) = error.exception().cloned()
        && let Some(data) = vm.data_mut::<ExceptionData>(&exception)
    {
        data.about = noted;
    }
    error
}

/// The error for a file that is not valid JSON; `error` has the position.
pub fn not_json(vm: &mut Vm, path: &str, error: &serde_json::Error) -> rchef_ruby::Error {
    let made = vm.runtime_error(format!("{path} is not JSON: {error}"));
    about(vm, made, Subject::Json { path: path.to_string(), line: error.line().max(1) })
}

/// The subject of an exception, if it was recorded.
pub fn subject(vm: &Vm, exception: &Value) -> Option<Subject> {
    let noted = vm.data::<ExceptionData>(exception)?.about.clone();
    vm.data::<Subject>(&noted).cloned()
}

/// Why the engine raised it, where it did so by itself.
pub fn reason(vm: &Vm, exception: &Value) -> Option<Reason> {
    let noted = vm.data::<ExceptionData>(exception)?.about.clone();
    vm.data::<Reason>(&noted).cloned()
}

/// What a name was not found in: of an exception that the engine raised for it.
pub struct Missing {
    pub name: String,
    pub receiver: Value,
    pub kind: MissingKind,
}

/// What a missing name would have been.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingKind {
    /// It was called with a receiver or arguments.
    Method,
    Constant,
    /// It was read, as a variable or a method.
    Variable,
}

/// The method, variable or constant that is not there.
pub fn missing(vm: &Vm, exception: &Value) -> Option<Missing> {
    if !vm.is_a(exception, ClassId::NAME_ERROR) {
        return None;
    }
    let data = vm.data::<ExceptionData>(exception)?;
    let (Value::Sym(name), false) = (&data.detail, data.receiver.is_undef()) else { return None };
    let kind = if vm.is_a(exception, ClassId::NO_METHOD_ERROR) {
        MissingKind::Method
    } else if data.locals.is_none() && name.to_string().starts_with(char::is_uppercase) {
        MissingKind::Constant
    } else {
        MissingKind::Variable
    };
    Some(Missing { name: name.to_string(), receiver: data.receiver.clone(), kind })
}

/// All that is known of an exception beside its message, for the dump.
pub fn record(vm: &mut Vm, exception: &Value) -> Option<Json> {
    if let Some(known) = subject(vm, exception) {
        return Some(known.record());
    }
    if let Some(reason) = reason(vm, exception) {
        return Some(match reason {
            Reason::Limit(option) => json!({ "kind": "limit", "option": option }),
            Reason::Simulated(what) => json!({ "kind": "simulated", "name": what }),
            Reason::Nil => json!({ "kind": "nil" }),
            Reason::Syntax { path, line, early } => {
                json!({ "kind": "syntax", "path": path, "line": line, "early": early })
            }
        });
    }
    if vm.is_a(exception, ClassId::LOAD_ERROR) {
        let feature = match &vm.data::<ExceptionData>(exception)?.detail {
            Value::Str(feature) => feature.get(vm).to_text().into_owned(),
            _ => return None,
        };
        return Some(json!({ "kind": "library", "name": feature }));
    }
    let Missing { name, receiver, kind } = missing(vm, exception)?;
    let (shown, of) = match kind {
        MissingKind::Method => ("method", None),
        MissingKind::Constant => ("constant", Some(&receiver)),
        MissingKind::Variable => ("variable", None),
    };
    let mut told = json!({ "kind": shown, "name": name, "receiver": vm.class_name_of(&receiver) });
    if let Some(Value::Class(within)) = of
        && *within != ClassId::OBJECT
    {
        told["within"] = vm.class_name(*within).into();
    }
    Some(told)
}

impl Subject {
    fn record(&self) -> Json {
        match self {
            Subject::Cookbook(name) => json!({ "kind": "cookbook", "name": name }),
            Subject::Recipe { cookbook, recipe } => json!({ "kind": "recipe", "cookbook": cookbook, "name": recipe }),
            Subject::Roles(names) => json!({ "kind": "roles", "names": names }),
            Subject::Target { name, source } => json!({ "kind": "target", "name": name, "source": source }),
            Subject::ResourceType(name) => json!({ "kind": "resource", "name": name }),
            Subject::File { cookbook, version, paths } => {
                json!({ "kind": "file", "cookbook": cookbook, "version": version, "paths": paths })
            }
            Subject::Data { bag, item } => json!({ "kind": "data_bag", "bag": bag, "item": item }),
            Subject::Query(reason) => json!({ "kind": "query", "reason": reason }),
            Subject::Versions => json!({ "kind": "versions" }),
            Subject::Nameless(folder) => json!({ "kind": "metadata", "path": folder }),
            Subject::Twice(first, path) => json!({ "kind": "twice", "first": first, "path": path }),
            Subject::Locked(name) => json!({ "kind": "locked", "name": name }),
            Subject::Unlocked(name) => json!({ "kind": "unlocked", "name": name }),
            Subject::RunListItem => json!({ "kind": "run_list" }),
            Subject::Property { name, .. } => json!({ "kind": "property", "name": name }),
            Subject::Required => json!({ "kind": "required" }),
            Subject::Action(name) => json!({ "kind": "action", "name": name }),
            Subject::Verification => json!({ "kind": "verification" }),
            Subject::Line { path, line } => json!({ "kind": "line", "path": path, "line": line }),
            Subject::Json { path, line } => json!({ "kind": "json", "path": path, "line": line }),
        }
    }
}
