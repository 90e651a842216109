//! What a person is told when a run ends with an exception: class, message, place, the source line, the cause of the trouble in plain words.

use rchef_host::{RealHost, StandardStream, Streams, compose};
use rchef_ruby::{Error, Value, Vm, sym};
use std::borrow::Cow;
use std::process::ExitCode;

/// Writes to standard output.
pub fn print(text: &str) -> ExitCode {
    match RealHost::new()
        .standard(StandardStream::Output)
        .and_then(|handle| compose::write_all(&*handle, text.as_bytes()))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
/// Writes to standard error.
pub fn complain(text: &str) {
    if let Ok(handle) = RealHost::new().standard(StandardStream::Error) {
        let _ = compose::write_all(&*handle, text.as_bytes());
    }
}

/// The same for an error on its way.
pub fn describe(vm: &mut Vm, error: Error) -> String {
    let exception = vm.error_value(error);
    diagnose(vm, &exception)
}

/// An exception as a diagnostic.
pub fn diagnose(vm: &mut Vm, exception: &Value) -> String {
    let class = vm.class_name_of(exception);
    let message = vm.call(exception, sym::MESSAGE, &[]).and_then(|text| vm.to_s_text(&text)).unwrap_or_default();
    let mut out = format!("error: {class}: {message}\n");
    let lines = match vm.call(exception, sym::BACKTRACE, &[]) {
        Ok(Value::Array(lines)) => lines.get(vm).items.clone(),
        _ => Vec::new(),
    };
    let lines: Vec<String> = lines.iter().map(|line| vm.to_s_text(line).unwrap_or_default()).collect();
    let syntax_place = (class == "SyntaxError").then(|| message.lines().next().unwrap_or_default().to_string());
    if let Some(place) = syntax_place.as_ref().or(lines.first()) {
        let mut parts = place.splitn(3, ':');
        let (file, line) =
            (parts.next().unwrap_or_default(), parts.next().and_then(|line| line.parse::<u32>().ok()).unwrap_or(0));
        out.push_str(&format!("  --> {file}:{line}\n"));
        if let Some(text) = source_line(vm, file, line) {
            out.push_str(&format!("   |\n{line:>3}| {text}\n   |\n"));
        }
    }
    for line in lines.iter().skip(1).take(8) {
        out.push_str(&format!("  from {line}\n"));
    }
    if let Some(hint) = hint(&class, &message) {
        out.push_str(&format!("hint: {hint}\n"));
    }
    out
}

fn source_line(vm: &mut Vm, file: &str, line: u32) -> Option<String> {
    let host = vm.host.clone();
    let bytes = compose::read_file(&*host, file.as_bytes()).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    text.lines().nth(line.checked_sub(1)? as usize).map(str::to_string)
}

fn hint(class: &str, message: &str) -> Option<Cow<'static, str>> {
    if class == "LoadError"
        && let Some((_, feature)) = message.split_once("cannot load such file -- ")
        && let Some(hint) = rchef_stdlib::load_hint(feature.trim())
    {
        return Some(hint.into());
    }
    Some(Cow::Borrowed(match class {
        "Chef::Exceptions::CookbookNotFound" => {
            "put the cookbook into a cookbook path, or correct the `depends` line or run list that names it"
        }
        "Chef::Exceptions::RecipeNotFound" => {
            "look at the names in the cookbook's recipes directory; a bare cookbook name means its default recipe"
        }
        "Chef::Exceptions::ValidationFailed" => "give the property a value of one of the named kinds",
        "Chef::Exceptions::FileNotFound" => {
            "the file must be in the cookbook's templates or files directory, by the name that `source` gives"
        }
        "Chef::Exceptions::NoSuchResourceType" => {
            "the resource is not known on this platform: check its name, and that the cookbook that provides it is a dependency"
        }
        "SyntaxError" => "the file is not valid Ruby 3.1; correct the line shown",
        "LoadError" => "rchef has no library of that name; see the list of supported libraries",
        "NoMethodError" if message.contains("for nil:NilClass") => {
            "the value before the dot or bracket is nil: often a node attribute that is not set; check it with `rchef compile --dump` or use `node.read`"
        }
        "NoMethodError" | "NameError" if message.contains("cookbook: ") => {
            "no resource or method has this name here: check the spelling, and that the cookbook that provides it is a dependency"
        }
        _ => return None,
    }))
}
