//! Error descriptions of the formatters (SPEC-converge 4.4).

use super::{Colour, Output};
use rchef_host::compose;
use rchef_model::excerpt;
use rchef_recipe::resource::instance;
use rchef_recipe::run::run_mut;
use rchef_ruby::{ClassId, Symbol, Value, Vm, sym};

/// A title and sections.
pub struct Description {
    title: String,
    sections: Vec<(String, String)>,
}

/// Longest section text that is shown whole, in characters.
const LONGEST: usize = 10_000;

impl Description {
    fn new(title: impl Into<String>) -> Description {
        Description { title: title.into(), sections: Vec::new() }
    }
    fn section(&mut self, heading: impl Into<String>, text: impl Into<String>) {
        self.sections.push((heading.into(), text.into()));
    }
    pub fn display(&self, vm: &mut Vm, out: &Output) {
        let bar = "=".repeat(80);
        out.puts(vm, &bar, None);
        out.print(vm, &self.title, (false, true), None, Colour::Red);
        out.puts(vm, &bar, None);
        out.puts(vm, "\n", None);
        let system = ("System Info:".to_string(), system_info(vm));
        for (heading, text) in self.sections.iter().chain([&system]) {
            out.puts(vm, heading, None);
            out.puts(vm, &"-".repeat(heading.chars().count()), None);
            let length = text.chars().count();
            if length > LONGEST {
                let head: String = text.chars().take(LONGEST).collect();
                out.puts(vm, &head, None);
                out.puts(vm, &format!("\n... [truncated {} characters of output]", length - LONGEST), None);
            } else {
                out.puts(vm, text, None);
            }
            out.puts(vm, "\n", None);
        }
    }
}

fn system_info(vm: &mut Vm) -> String {
    let mut lines = vec![format!("chef_version={}", rchef_recipe::CHEF_VERSION)];
    let node = run_mut(vm).node.clone();
    if !node.is_nil() {
        for key in ["platform", "platform_version"] {
            let value = vm
                .call(&node, sym::AREF, &[Value::str(key)])
                .and_then(|value| vm.to_s_text(&value))
                .unwrap_or_default();
            lines.push(format!("{key}={value}"));
        }
    }
    let ruby = vm
        .const_get_from(ClassId::OBJECT, Symbol::intern_static("RUBY_DESCRIPTION"), false)
        .ok()
        .flatten()
        .and_then(|value| vm.to_s_text(&value).ok());
    lines.push(format!("ruby={}", ruby.unwrap_or_default()));
    let program = vm.global_get(Symbol::intern_static("$0")).and_then(|value| vm.to_s_text(&value)).unwrap_or_default();
    lines.push(format!("program_name={program}"));
    let executable = vm.host.clone().readlink(b"/proc/self/exe").unwrap_or_default();
    lines.push(format!("executable={}", String::from_utf8_lossy(&executable)));
    lines.join("\n")
}

pub fn message(vm: &mut Vm, exception: &Value) -> String {
    vm.call(exception, sym::MESSAGE, &[]).and_then(|text| vm.to_s_text(&text)).unwrap_or_default()
}

pub fn backtrace(vm: &mut Vm, exception: &Value) -> Vec<String> {
    let lines = match vm.call(exception, sym::BACKTRACE, &[]) {
        Ok(Value::Array(lines)) => lines.get(vm).items.clone(),
        _ => Vec::new(),
    };
    lines.iter().map(|line| vm.to_s_text(line).unwrap_or_default()).collect()
}

/// The backtrace lines in cookbooks, as Chef shows them: without templates if a template failed, since that has a section of its own.
fn in_cookbooks(vm: &mut Vm, exception: &Value) -> Vec<String> {
    let mut lines = backtrace(vm, exception);
    let roots: Vec<String> =
        rchef_recipe::cookbook::cookbooks(vm).all.iter().map(|cookbook| format!("{}/", cookbook.root)).collect();
    if vm.class_name_of(exception) == "Chef::Mixin::Template::TemplateError" {
        let in_cookbook =
            |line: &str, root: &String| line.strip_prefix(root).is_some_and(|rest| rest.starts_with("templates/"));
        lines.retain(|line| !roots.iter().any(|root| in_cookbook(line, root)));
    }
    lines.into_iter().filter(|line| roots.iter().any(|root| line.starts_with(root))).collect()
}

fn read_lines(vm: &mut Vm, path: &str) -> Vec<String> {
    let host = vm.host.clone();
    let bytes = compose::read_file(&*host, path.as_bytes()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).split_inclusive('\n').map(str::to_string).collect()
}

/// File and line at the start of a backtrace line.
fn place(text: &str) -> Option<(String, usize)> {
    let mut parts = text.splitn(3, ':');
    Some((parts.next()?.to_string(), parts.next()?.parse().ok()?))
}

/// An exception in a file of a cookbook.
pub fn compile(vm: &mut Vm, path: Option<&str>, exception: &Value) -> Description {
    let class = vm.class_name_of(exception);
    let place_in_title = path
        .filter(|_| class != "Chef::Exceptions::RecipeNotFound")
        .map(|path| format!(" in {path}"))
        .unwrap_or_default();
    let mut description = Description::new(format!("Recipe Compile Error{place_in_title}"));
    let text = message(vm, exception);
    let frozen = text.contains("can't modify frozen");
    let trace = in_cookbooks(vm, exception);
    description.section(class, text);
    let culprit = trace.first().and_then(|line| place(line));
    if let Some((file, line)) = culprit {
        let shown: Vec<String> = trace.iter().map(|line| format!("  {line}")).collect();
        description.section("Cookbook Trace: (most recent call first)", shown.join("\n"));
        let lines = read_lines(vm, &file);
        description.section("Relevant File Content:", excerpt::around(&file, &lines, line));
    }
    if frozen {
        description.section("Additional information:", excerpt::FROZEN);
    }
    description
}

/// A failed action of a resource.
pub fn resource(vm: &mut Vm, resource: &Value, action: Symbol, exception: &Value) -> Description {
    let shown = vm.to_s_text(resource).unwrap_or_default();
    let mut description = Description::new(format!("Error executing action `{action}` on resource '{shown}'"));
    let text = message(vm, exception);
    description.section(vm.class_name_of(exception), text);
    let trace = in_cookbooks(vm, exception);
    if !trace.is_empty() {
        description.section("Cookbook Trace: (most recent call first)", trace.join("\n"));
    }
    if let Ok(Some((file, line))) = instance::source_of(vm, resource) {
        let sensitive = vm.call_name(resource, "sensitive", &[]).is_ok_and(|value| value.truthy());
        let text = if sensitive {
            "suppressed sensitive resource output".to_string()
        } else {
            excerpt::declaration(&file, &read_lines(vm, &file), line.parse().unwrap_or(1))
        };
        description.section("Resource Declaration:", text);
    }
    let text = vm.call_name(resource, "to_text", &[]).and_then(|text| vm.to_s_text(&text)).unwrap_or_default();
    description.section("Compiled Resource:", text);
    let listing = Symbol::intern_static("source_listing");
    if vm.respond_to(exception, listing, false).unwrap_or(false) {
        let place =
            vm.call_name(exception, "source_location", &[]).and_then(|text| vm.to_s_text(&text)).unwrap_or_default();
        let listing = vm.call(exception, listing, &[]).and_then(|text| vm.to_s_text(&text)).unwrap_or_default();
        description.section("Template Context:", format!("{place}\n{listing}"));
    }
    description
}

/// The response of a server that could not solve a run list.
fn answer(vm: &mut Vm, exception: &Value) -> Option<String> {
    let response = vm.ivar_get(exception, Symbol::intern_static("@response"))?;
    let body = vm.ivar_get(&response, Symbol::intern_static("@body"))?;
    let body: serde_json::Value = serde_json::from_str(&vm.to_s_text(&body).ok()?).ok()?;
    Some(body["error"][0].as_str()?.to_string())
}

/// A missing cookbook of the run list, or a dependency of one.
pub fn cookbooks(vm: &mut Vm, recipes: &[String], exception: &Value) -> Description {
    let mut description = Description::new("Error Resolving Cookbooks for Run List:");
    let text = message(vm, exception);
    let missing = text
        .strip_prefix("Cookbook ")
        .and_then(|rest| rest.split_once(" not found"))
        .map(|(name, _)| format!("No such cookbook: {name}"))
        .or_else(|| answer(vm, exception));
    match missing {
        Some(missing) => description.section("Missing Cookbooks:", missing),
        None => description.section(vm.class_name_of(exception), text),
    }
    let list: Vec<String> = recipes.iter().map(|name| format!("* {name}")).collect();
    description.section("Expanded Run List:", list.join("\n"));
    description
}

/// A missing role of the run list.
pub fn run_list(vm: &mut Vm, run_list: &str, exception: &Value) -> Description {
    let mut description = Description::new("Error expanding the run_list:");
    let text = message(vm, exception);
    let role = text.rsplit(": ").next().unwrap_or_default();
    description.section("Missing Role(s) in Run List:", format!("* {role} included by 'top level'"));
    let list: Vec<String> = run_list.split(',').map(|item| format!("* {}", item.trim())).collect();
    description.section("Original Run List", list.join("\n"));
    description
}
