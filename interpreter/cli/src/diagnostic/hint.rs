//! Hints: what to do about an exception, in a sentence.

use super::Case;
use rchef_host::overlay::LEADS_OUTSIDE;
use rchef_recipe::resource::class;
use rchef_recipe::run::{Subject, run_mut, subject};
use rchef_recipe::subject::{Missing, MissingKind, missing, reason};
use rchef_recipe::{context, cookbook};
use rchef_ruby::embed::error::Reason;
use rchef_ruby::{Value, Vm};

/// About a cookbook of a policy's lock.
const LOCKED: &str = "`chef install` fetches what the lock names into chef-cli's cache, and `chef export DIR` writes it into DIR/cookbook_artifacts; where it is a cookbook of this repository, put it into the cookbook path";
/// Maximum number of names in a list of alternatives.
const NAMES: usize = 12;

/// The hint for an exception, if there is one.
pub fn of(vm: &mut Vm, exception: &Value, case: &Case) -> Option<String> {
    let about = subject(vm, exception);
    if let Some(hint) = reason(vm, exception).and_then(|reason| of_engine(&reason)) {
        return Some(hint.into());
    }
    if let Some(missing) = missing(vm, exception) {
        return no_name_found(vm, &missing);
    }
    Some(match case.class.as_str() {
        "Chef::Exceptions::CookbookNotFound" if matches!(about, Some(Subject::Locked(_))) => LOCKED.into(),
        "Chef::Exceptions::CookbookNotFound" => no_cookbook(vm, about),
        "Chef::Exceptions::RecipeNotFound" => no_recipe(vm, about),
        "Chef::Exceptions::MissingRole" => "roles are read from roles/NAME.rb or roles/NAME.json of the chef-repo: add the role, or take it out of the run list".into(),
        "Chef::Exceptions::ValidationFailed" => invalid(about.as_ref()),
        "Chef::Exceptions::MetadataNotValid" => no_name(about)?,
        "Chef::Exceptions::CookbookMergingError" => twice(about)?,
        "Chef::PolicyBuilder::Policyfile::ConfigurationError" if matches!(about, Some(Subject::Unlocked(_))) => "make the lock from the Policyfile with `rchef policy install FILE` or chef-cli's `chef install FILE`".into(),
        "Chef::Exceptions::FileNotFound" => "the file must be in the cookbook's templates or files directory, by the name that `source` gives".into(),
        "Chef::Exceptions::NoSuchResourceType" => "the resource is not known on this platform: check its name, and that the cookbook that provides it is a dependency".into(),
        "Chef::Exceptions::ResourceNotFound" => no_resource(vm, about),
        "Chef::Exceptions::InvalidResourceSpecification" => "name the target as 'TYPE[NAME]', for example 'service[nginx]'".into(),
        "Chef::Exceptions::ImmutableAttributeModification" => "write with a level, for example node.default['a']['b'] = value; node.rm('a', 'b') removes one".into(),
        "Chef::Exceptions::EnclosingDirectoryDoesNotExist" => "declare a `directory` resource for the parent before this one".into(),
        "Chef::Exceptions::UserIDNotFound" | "Chef::Exceptions::GroupIDNotFound" => "create the user or group before, with a `user` or `group` resource, or correct the name".into(),
        "Chef::Exceptions::UnsupportedAction" => "`rchef compile` shows what the resource would be; only converging it is not supported here".into(),
        "Chef::Exceptions::InvalidCookbookVersion" | "Chef::Exceptions::InvalidVersionConstraint" => "versions are X.Y.Z, constraints one of = > < >= <= ~> and a version".into(),
        "Chef::Mixin::Template::TemplateError" => "the template's code failed at this line: look at the variables that the resource gives it".into(),
        "Mixlib::ShellOut::ShellCommandFailed" => "the command ended with an error: see its output above; `returns` names other statuses that are right".into(),
        "Mixlib::ShellOut::CommandTimeout" => "the command took too long: `timeout` of the resource gives it more seconds".into(),
        "Net::HTTPServerException" => refused(about)?,
        "LoadError" => no_library(vm, exception),
        "SystemStackError" => "the method calls itself (or its callers) without end".into(),
        "KeyError" => "the key is not there: `fetch` with a default, or [] with a check for nil, does not raise".into(),
        "ArgumentError" if about == Some(Subject::RunListItem) => "a run list is a list such as 'recipe[web],recipe[web::tls],role[base]'".into(),
        "NoMethodError" => no_property(vm, about)?,
        "RuntimeError" if matches!(about, Some(Subject::Json { .. })) => "correct the JSON at this line".into(),
        "RuntimeError" if !case.trace.is_empty() => "the code raises this itself: see the condition around the line".into(),
        _ => return None,
    })
}

/// Of a request that a server would refuse.
fn refused(about: Option<Subject>) -> Option<String> {
    Some(match about? {
        Subject::Data { .. } => "data bags are read from data_bags/BAG/ITEM.json of the chef-repo: the bag or the item is not there".into(),
        Subject::Versions => "the version of a cookbook is not one that the run list, the environment or another cookbook's metadata accepts: `rchef compile` names both as unsatisfied-version".into(),
        Subject::Query(reason) => format!("correct the query of the search: {reason}"),
        _ => return None,
    })
}

/// Of an error that the engine raised by itself.
fn of_engine(reason: &Reason) -> Option<&'static str> {
    Some(match reason {
        Reason::Syntax { early: true, .. } => {
            "something that was opened further up (`do`, `if`, `def`, a bracket, a string) is not closed"
        }
        Reason::Syntax { .. } => "the file is not valid Ruby 3.1: correct the line shown",
        Reason::Limit(_) => {
            "code that does not end, or grows without end, is stopped here; if the cookbook really needs more, raise the limit by the option"
        }
        Reason::Simulated(_) => "a simulated machine does not do this; `rchef client` does it on a real one",
        Reason::Nil => "a value here is nil: often a node attribute that is not set",
    })
}

/// `; did you mean …?` with the most similar name; empty if none is similar enough.
pub fn suggest(wrong: &str, names: &[String]) -> String {
    let best = names.iter().map(|name| (distance(wrong, name), name)).min();
    match best {
        Some((apart, name)) if apart <= wrong.chars().count().div_ceil(3) => format!("; did you mean `{name}`?"),
        _ => String::new(),
    }
}

/// Number of letters to insert, delete, replace or swap to turn one word into the other.
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
    for (row, a) in left.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, b) in right.iter().enumerate() {
            let above = &rows[row];
            let mut least = (above[column] + usize::from(a != b)).min(above[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && *a == right[column - 1] && left[row - 1] == *b {
                least = least.min(rows[row - 1][column - 1] + 1);
            }
            next.push(least);
        }
        rows.push(next);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or(0)
}

fn listed(names: &[String]) -> String {
    let mut text = names.iter().take(NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > NAMES {
        text.push_str(", …");
    }
    text
}

fn no_cookbook(vm: &mut Vm, about: Option<Subject>) -> String {
    let wrong = match &about {
        Some(Subject::Cookbook(name)) => name.as_str(),
        _ => "",
    };
    if let Some(outside) = link_outside(vm, wrong) {
        return outside;
    }
    let names: Vec<String> = cookbook::cookbooks(vm).all.iter().map(|cookbook| cookbook.name.clone()).collect();
    let searched = cookbook::cookbooks(vm).searched.clone();
    let searched = if searched.is_empty() { String::new() } else { format!(" (looked in {})", searched.join(", ")) };
    if names.is_empty() {
        return format!(
            "no cookbooks were found{searched}: run this in a chef-repo, a directory with a `cookbooks` directory in it"
        );
    }
    if wrong.is_empty() {
        return format!("put the cookbook into a cookbook path{searched}");
    }
    format!(
        "{}, or correct the run list or `depends` line that names it{searched} (found: {}){}",
        bring(vm, wrong),
        listed(&names),
        suggest(wrong, &names)
    )
}

/// How to get a cookbook into the chef-repo, depending on the tool that manages it.
fn bring(vm: &mut Vm, name: &str) -> String {
    let (host, repo) = (vm.host.clone(), run_mut(vm).repo.clone());
    let place = cookbook::cookbooks(vm).searched.first().cloned().unwrap_or_else(|| format!("{repo}/cookbooks"));
    let has = |file: &str| rchef_host::compose::exists(&*host, format!("{repo}/{file}").as_bytes());
    if has("Berksfile") {
        return format!("fetch it with `berks vendor {place}`, for the chef-repo has a Berksfile");
    }
    if has("Policyfile.rb") || has("Policyfile.lock.json") {
        return "fetch it with `chef install` and `chef export`, for the chef-repo has a Policyfile".into();
    }
    format!("put the cookbook into {place}/{name}, for instance with `knife supermarket download {name}`")
}

/// Names a symbolic link out of the chef-repo that was not followed on the way to a cookbook.
pub fn link_outside(vm: &mut Vm, cookbook: &str) -> Option<String> {
    let known = cookbook::cookbooks(vm);
    let (none, searched) = (known.all.is_empty(), known.searched.clone());
    let effects = vm.host.as_overlay()?.effects();
    effects.iter().find_map(|effect| {
        let target = effect.detail.strip_prefix(LEADS_OUTSIDE)?.trim_start();
        let link = String::from_utf8_lossy(&effect.subject).into_owned();
        // the link is the cookbook, or a directory above the cookbook path
        let leads = |folder: &String| *folder == link || folder.strip_prefix(&link).is_some_and(|rest| rest.starts_with('/'));
        let fits = link.rsplit('/').next() == Some(cookbook) || none && searched.iter().any(leads);
        fits.then(|| {
            format!(
                "{link} is a link that leads out of the chef-repo, which a simulated node does not follow: `--allow-path` with {target} lets the compile read it"
            )
        })
    })
}

fn no_recipe(vm: &mut Vm, about: Option<Subject>) -> String {
    let Some(Subject::Recipe { cookbook: name, recipe }) = about else {
        return "look at the names in the cookbook's recipes directory".into();
    };
    let found = cookbook::cookbooks(vm)
        .all
        .iter()
        .find(|cookbook| cookbook.name == name)
        .map(|cookbook| cookbook.files.clone());
    let recipes: Vec<String> = found
        .unwrap_or_default()
        .iter()
        .filter_map(|file| file.strip_prefix("recipes/")?.strip_suffix(".rb").map(str::to_string))
        .collect();
    if recipes.is_empty() {
        return format!("cookbook {name} has no recipes");
    }
    format!("cookbook {name} has the recipes {}{}", listed(&recipes), suggest(&recipe, &recipes))
}

/// Resources of the collection with names similar to the missing one.
fn no_resource(vm: &mut Vm, about: Option<Subject>) -> String {
    let wrong = match &about {
        Some(Subject::Target { name, .. }) => name.as_str(),
        _ => "",
    };
    let root = run_mut(vm).root.clone();
    let resources = if root.is_nil() { Vec::new() } else { context::resources(vm, &root).unwrap_or_default() };
    let names: Vec<String> = resources.iter().filter_map(|resource| vm.to_s_text(resource).ok()).collect();
    format!("declare the resource, or correct the name: targets are written 'TYPE[NAME]'{}", suggest(wrong, &names))
}

fn invalid(about: Option<&Subject>) -> String {
    match about {
        Some(Subject::Required) => "give the resource this property",
        Some(Subject::Action(_)) => "the resource has no such action: take one of those in the message",
        Some(Subject::Verification) => {
            "the new content was not put in place: the check that `verify` names does not accept it"
        }
        _ => "give the property a value of one of the kinds in the message",
    }
    .into()
}

/// The line that a metadata file without a name needs.
fn no_name(about: Option<Subject>) -> Option<String> {
    let Some(Subject::Nameless(path)) = about else { return None };
    let name = path.rsplit('/').next()?;
    Some(format!("add the line: name '{name}' to {path}/metadata.rb (`rchef check --fix` does)"))
}

/// Two directories of cookbooks with one name.
fn twice(about: Option<Subject>) -> Option<String> {
    let Some(Subject::Twice(first, second)) = about else { return None };
    Some(format!("{first} and {second} both have it: correct the `name` in the metadata of one, or take it away"))
}

/// A method, variable or constant that is not there, by what it was looked for in.
fn no_name_found(vm: &mut Vm, missing: &Missing) -> Option<String> {
    let wrong = missing.name.as_str();
    let receiver = &missing.receiver;
    if receiver.is_nil() {
        return Some(if wrong.ends_with('=') {
            "the value before the bracket is nil: attributes are written with a level, which makes the levels between: node.default['a']['b'] = value".into()
        } else {
            "the value before the dot or bracket is nil: often a node attribute that is not set (see `rchef compile --dump`); node.read('a', 'b') gives nil instead".into()
        });
    }
    if missing.kind == MissingKind::Constant {
        return Some(
            "no such class or module: check the spelling, and that the library that defines it is in a dependency"
                .into(),
        );
    }
    let class = vm.class_name_of(receiver);
    if class == "Chef::Node::Attribute" {
        if let Some((version, instead)) = rchef_lint::rules::removed_method(&format!("node.{wrong}")) {
            return Some(format!("Chef {version} removed node.{wrong}: use {instead}"));
        }
        return Some(match wrong {
            "set" | "set_unless" | "normal_unless" | "default_unless" | "override_unless" => {
                "node.set and the like went with Chef 14: write node.default['a']['b'] = value, or node.normal to keep the value in the node".into()
            }
            _ => as_method(wrong, "node"),
        });
    }
    if class.starts_with("Chef::Node::") {
        return Some(as_method(wrong, ""));
    }
    if vm.class_named("Chef::Recipe").is_some_and(|recipe| vm.is_a(receiver, recipe)) {
        return Some(match missing.kind {
            MissingKind::Method => "no resource or method has this name here: check the spelling, and that the cookbook that provides it is a dependency".into(),
            _ => "no variable, resource or method has this name here: check the spelling".into(),
        });
    }
    (missing.kind == MissingKind::Method)
        .then(|| "the object has no such method: check the spelling, and what kind of value it is".into())
}

/// About a method of `node` or of one of its attributes, which Chef 12 took for an attribute.
fn as_method(wrong: &str, node: &str) -> String {
    if wrong.ends_with(['?', '!']) {
        return "no method has this name here: check the spelling, and that the cookbook whose library defines it is a dependency".into();
    }
    let written = match wrong.strip_suffix('=') {
        Some(name) => format!("{node}['{name}'] = value"),
        None => format!("{node}['{wrong}']"),
    };
    let instead = if node.is_empty() { format!(" in place of .{wrong}") } else { String::new() };
    format!("attributes as methods went with Chef 13: write {written}{instead}")
}

/// The name of a property that the resource's class does not have.
fn no_property(vm: &mut Vm, about: Option<Subject>) -> Option<String> {
    let Some(Subject::Property { class, resource, name }) = about else { return None };
    let names = properties(vm, class);
    let own = if class::is_shipped(vm, class) { String::new() } else { format!(" {resource}") };
    Some(format!("the resource{own} has no property of this name{}", suggest(&name, &names)))
}

fn properties(vm: &mut Vm, id: rchef_ruby::ClassId) -> Vec<String> {
    class::all_properties(vm, id).iter().map(|property| property.name.to_string()).collect()
}

fn no_library(vm: &mut Vm, exception: &Value) -> String {
    let path = vm.call_name(exception, "path", &[]).and_then(|path| vm.to_s_text(&path)).unwrap_or_default();
    Some(path)
        .filter(|path| !path.is_empty())
        .and_then(|path| rchef_stdlib::load_hint(path.split_whitespace().next()?))
        .unwrap_or_else(|| "rchef has no library of that name: give the folder of a gem of pure Ruby with --gem-path, GEM_PATH or vendor/gems".into())
}
