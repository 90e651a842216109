//! What the static rules know of a failure: that Chef removed what the failing line uses, since when, and what replaces it.

use super::words::has_name;
use rchef_lint::engine::Engine;
use rchef_lint::file::File;
use rchef_lint::known::Known;
use std::sync::LazyLock;

/// What a rule says of a line.
pub struct Told {
    pub message: String,
    pub todo: Option<String>,
}

/// The rules about what Chef or Ruby removed.
static REMOVALS: LazyLock<Engine> = LazyLock::new(|| {
    let mut rules = rchef_lint::rules::all();
    rules.retain(|rule| rule.alias.starts_with("Chef/Deprecations/") || rule.alias.starts_with("Rchef/Removed"));
    Engine::new(rules)
});

/// What the first rule says that marks a name in a line (from 1) of the file at `path`.
pub fn told(path: &str, bytes: &[u8], line: usize, name: &str) -> Option<Told> {
    let source = crate::check::encoding::source(bytes)?;
    let known = Known::default();
    let file = File { path, root_name: "", cookbook_name: None, year: 0, known: &known };
    let active = REMOVALS.active(path, |_| true);
    // a comment that switches a rule off does not make the failure another one
    let report = REMOVALS.check(&file, &source, &active);
    let mut hits = report.hits.iter().chain(&report.suppressed);
    let hit = hits.find(|hit| {
        let start = source.place(hit.span.start);
        start.0 == line && has_name(&source.line_text(line).chars().skip(start.1 - 1).collect::<String>(), name)
    })?;
    let rule = REMOVALS.rule(hit);
    Some(match &hit.message {
        Some(message) => {
            let (removed, instead) = message.split_once(": use ").unwrap_or((message, ""));
            Told { message: removed.into(), todo: (!instead.is_empty()).then(|| format!("use {instead}")) }
        }
        None => Told {
            message: match rule.removed_in {
                "" => rule.summary.into(),
                version => format!("{}, which Chef {version} removed", rule.summary),
            },
            todo: (!rule.replaced_by.is_empty()).then(|| format!("use {}", rule.replaced_by)),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn removed_things() {
        for (code, name, message, todo) in [
            ("require 'chef/rest'", "chef/rest", "`Chef::REST` is used, which Chef 13 removed", "use Chef::ServerAPI"),
            (
                "require 'chef/mixin/language'",
                "chef/mixin/language",
                "Chef 14 removed the file chef/mixin/language",
                "use chef/dsl/data_query and chef/dsl/platform_introspection",
            ),
            (
                "Chef::Platform.set platform: :a",
                "set",
                "Chef 13 removed Chef::Platform.set",
                "use `provides` in the class of the resource or provider",
            ),
            (
                "partial_search(:node, 'x')",
                "partial_search",
                "`partial_search` is used",
                "use search with filter_result",
            ),
            (
                "Chef::ShellOut.new('x')",
                "ShellOut",
                "`Chef::ShellOut` is used, which Chef 13 removed",
                "use Mixlib::ShellOut",
            ),
        ] {
            let found = told("cookbooks/a/recipes/default.rb", code.as_bytes(), 1, name).unwrap();
            assert_eq!((found.message.as_str(), found.todo.as_deref()), (message, Some(todo)), "{code}");
        }
        assert!(told("cookbooks/a/recipes/default.rb", b"x = 1\nChef::REST", 1, "REST").is_none());
        assert!(told("cookbooks/a/recipes/default.rb", b"foo(Chef::REST)", 1, "foo").is_none());
    }
}
