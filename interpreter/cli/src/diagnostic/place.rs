//! The place in the chef-repo that an exception comes from.

use super::Case;
use rchef_host::compose;
use rchef_model::version::{Constraint, split};
use rchef_recipe::cookbook::{self, Cookbook};
use rchef_recipe::run::{Subject, run_mut, subject};
use rchef_recipe::subject::reason;
use rchef_ruby::embed::error::Reason;
use rchef_ruby::{Symbol, Value, Vm};

/// A line of a file.
pub struct Place {
    pub file: String,
    pub line: usize,
}

fn parse(text: &str) -> Option<Place> {
    let mut parts = text.splitn(3, ':');
    let file = parts.next()?.trim();
    let line = parts.next()?.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    (!file.is_empty()).then(|| Place { file: file.to_string(), line })
}

/// The source line at a place.
pub fn source_line(vm: &mut Vm, place: &Place) -> Option<String> {
    let host = vm.host.clone();
    let bytes = compose::read_file(&*host, place.file.as_bytes()).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    text.lines().nth(place.line.checked_sub(1)?).map(str::to_string)
}

/// The most relevant place: the template, the syntax error, the code that raised, the resource's declaration, a file that the message names.
pub fn of(vm: &mut Vm, exception: &Value, case: &Case) -> Option<Place> {
    if case.class == "Chef::Mixin::Template::TemplateError" {
        return template(vm, exception);
    }
    if let Some(Reason::Syntax { path, line, .. }) = reason(vm, exception) {
        return Some(Place { file: path, line: line as usize });
    }
    if let Some(first) = case.trace.first() {
        return parse(first);
    }
    if let Some(resource) = &case.resource {
        return declaration(vm, resource);
    }
    match subject(vm, exception)? {
        Subject::Json { path, line } => {
            let file = if path.starts_with('/') { path } else { format!("{}/{path}", run_mut(vm).repo) };
            Some(Place { file, line })
        }
        Subject::Line { path, line } => Some(Place { file: path, line }),
        Subject::Cookbook(name) => dependency(vm, &name),
        Subject::Target { source, .. } => parse(&source),
        _ => None,
    }
}

/// The line of the template that failed; of the partial if that failed.
fn template(vm: &mut Vm, exception: &Value) -> Option<Place> {
    let class = vm.class_named("Chef::Mixin::Template::TemplateError")?;
    let mut failed = exception.clone();
    loop {
        let original = vm.call_name(&failed, "original_exception", &[]).ok()?;
        if !vm.is_a(&original, class) {
            break;
        }
        failed = original;
    }
    let line = vm.call_name(&failed, "line_number", &[]).ok()?;
    let Value::Hash(options) = vm.call_name(&failed, "options", &[]).ok()? else { return None };
    let file = vm.hash_get_sym(&options, Symbol::intern_static("filename"))?;
    Some(Place { file: vm.to_s_text(&file).ok()?, line: vm.to_s_text(&line).ok()?.parse().ok()? })
}

/// The place of `RES (CB::RCP line N)`.
fn declaration(vm: &mut Vm, resource: &str) -> Option<Place> {
    let (_, inside) = resource.rsplit_once(" (")?;
    let (recipe, line) = inside.strip_suffix(')')?.split_once(" line ")?;
    let (cookbook, recipe) = recipe.split_once("::")?;
    let root = run_mut(vm).cookbook_roots.iter().find(|(_, name)| name == cookbook)?.0.clone();
    Some(Place { file: format!("{root}/recipes/{recipe}.rb"), line: line.parse().ok()? })
}

/// The `depends` line for a missing cookbook.
fn dependency(vm: &mut Vm, name: &str) -> Option<Place> {
    let all = cookbook::cookbooks(vm).all.clone();
    let named = |cookbook: &Cookbook| cookbook.metadata.depends.iter().find(|(needed, _)| needed == name).cloned();
    let (by, (_, constraint)) = all.iter().find_map(|cookbook| Some((cookbook, named(cookbook)?)))?;
    let (file, line) = metadata_line(vm, by, "depends", name, Some(&constraint.to_string()));
    Some(Place { file: format!("{}/{file}", by.root), line })
}

/// The metadata file of a cookbook, and the line in it where a statement (`depends`, `gem`) names something, if possible with this constraint; the
/// first line where none does, as when a loop names it.
pub fn metadata_line(
    vm: &Vm,
    known: &Cookbook,
    statement: &str,
    name: &str,
    constraint: Option<&str>,
) -> (&'static str, usize) {
    for file in ["metadata.json", "metadata.rb"] {
        let Ok(bytes) = compose::read_file(&*vm.host, format!("{}/{file}", known.root).as_bytes()) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let line = match file {
            "metadata.json" => json_line(&text, statement, name),
            _ => ruby_line(&text, statement, name, constraint),
        };
        return (file, line.unwrap_or(1));
    }
    ("metadata.rb", 1)
}

/// The line of `depends 'NAME'`, of several the one that has the constraint; where no line has both words, that of the name in quotes.
fn ruby_line(text: &str, statement: &str, name: &str, constraint: Option<&str>) -> Option<usize> {
    let quoted = [format!("'{name}'"), format!("\"{name}\"")];
    let after = |line: &str| -> Option<String> {
        quoted.iter().find_map(|quoted| Some(line.split_once(quoted.as_str())?.1.to_string()))
    };
    let says =
        |line: &str| line.trim_start().strip_prefix(statement).is_some_and(|rest| rest.starts_with([' ', '(', '\t']));
    let stated: Vec<(usize, String)> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| says(line))
        .filter_map(|(at, line)| Some((at, after(line)?)))
        .collect();
    // branches of a condition may declare it differently
    let exact = stated.iter().find(|(_, rest)| constraint.is_some_and(|wanted| written(rest) == normal(wanted)));
    let line = exact.or(stated.first()).map(|(at, _)| *at);
    line.or_else(|| text.lines().position(|line| after(line).is_some())).map(|at| at + 1)
}

/// The constraint in what follows a dependency's name.
fn written(rest: &str) -> String {
    let quote = |letter: char| letter == '\'' || letter == '"';
    let inner = rest.trim_start().strip_prefix(',').and_then(|rest| rest.trim_start().strip_prefix(quote));
    normal(inner.and_then(|inner| inner.split(quote).next()).unwrap_or(Constraint::DEFAULT))
}

/// A constraint in one form, however it is spaced.
fn normal(constraint: &str) -> String {
    split(constraint).map_or_else(|_| constraint.to_string(), |(operator, raw)| format!("{} {raw}", operator.as_str()))
}

/// The line of a name below the key that a statement has in `metadata.json`.
fn json_line(text: &str, statement: &str, name: &str) -> Option<usize> {
    let key = if statement == "depends" { "\"dependencies\"" } else { "\"gems\"" };
    let start = text.find(key)? + key.len();
    let at = start + text[start..].find(&format!("\"{name}\""))?;
    Some(text[..at].matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::{json_line, ruby_line};

    #[test]
    fn lines_of_metadata() {
        let ruby = "name 'a'\ndescription 'uses \"gone\"'\ngem \"gone\"\ndepends('gone', '~> 1')\nsupports 'x'\n";
        assert_eq!(ruby_line(ruby, "depends", "gone", None), Some(4));
        assert_eq!(ruby_line(ruby, "gem", "gone", None), Some(3));
        assert_eq!(ruby_line("%w(a gone).each { |name| depends name }\n", "depends", "gone", None), None);
        assert_eq!(ruby_line("['a',\n 'gone'].each { |name| depends name }\n", "depends", "gone", None), Some(2));
        let branches = "if old\n  depends 'gone', '< 6.0'\nelsif new\n  depends 'gone', '>=7'\nelse\n  depends 'gone' # all\nend\n";
        for (constraint, line) in [("< 6.0", 2), (">= 7", 4), (">= 0.0.0", 6), ("= 9", 2)] {
            assert_eq!(ruby_line(branches, "depends", "gone", Some(constraint)), Some(line), "{constraint}");
        }
        let json = "{\n\"description\": \"gone\",\n\"gems\": [[\"gone\"]],\n\"dependencies\": {\"b\": \">= 0\",\n\"gone\": \">= 0\"}}";
        assert_eq!((json_line(json, "depends", "gone"), json_line(json, "gem", "gone")), (Some(5), Some(3)));
        assert_eq!(json_line(json, "depends", "no"), None);
    }
}
