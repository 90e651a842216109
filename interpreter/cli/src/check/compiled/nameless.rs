//! Resources that a cookbook of the run has under a name that Chef 18 no longer takes.

use super::judge::Case;
use super::linked::code_of;
use super::words::has_name;
use serde_json::Value as Json;

/// The place where a loaded file of a cookbook names a resource with `resource_name` alone, if what a failure did not find has that name: before Chef 16 that
/// made it a word of recipes, since then only `provides` does.
pub fn resource(case: &Case<'_>, about: &Json) -> Option<String> {
    let kinds = ["method", "variable", "resource"];
    let name = about["name"].as_str().filter(|_| kinds.iter().any(|kind| about["kind"] == *kind))?;
    let files = case.dump["reached"].as_array().into_iter().flatten().filter_map(Json::as_str);
    let mut classes = files.filter(|file| file.contains("/libraries/") || file.contains("/resources/"));
    classes.find_map(|file| {
        let lines = (case.text)(file)?;
        let says = |word: &str, line: &str| code_of(line).trim_start().starts_with(word) && has_name(line, name);
        let names = ["resource_name", "self.resource_name", "@resource_name"];
        let at = lines.iter().position(|line| names.iter().any(|word| says(word, line)))?;
        (!lines.iter().any(|line| says("provides", line))).then(|| format!("{file}:{}", at + 1))
    })
}
