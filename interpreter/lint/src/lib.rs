//! Static checks of cookbooks: Ruby files are parsed and never run.
//!
//! | | |
//! |--|--|
//! | [`ast`] | the tree that rules read |
//! | [`rule`] | what a rule is |
//! | [`rules`] | the rules, a folder per department, a module per rule |
//! | [`engine`] | one walk over a file for all rules |
//! | [`suppress`] | comments that switch rules off |
//! | [`fix`] | corrections of several findings together |
//! | [`known`] | what rules know beside the file: Chef's resources, the repository's cookbooks |
//! | [`config`] | what a repository wants: `.rubocop.yml`, `rchef.toml` |
//! | [`discover`], [`glob`] | which files are looked at |
//!
//! The crate takes bytes and paths; files are read and written by its caller.

pub mod ast;
pub mod config;
pub mod discover;
pub mod engine;
pub mod file;
pub mod fix;
pub mod glob;
pub mod known;
pub mod resource;
pub mod rule;
pub mod rules;
pub mod source;
pub mod suppress;

/// The cookbook's name in a `metadata.rb`.
#[must_use]
pub fn cookbook_name(metadata: &[u8]) -> Option<String> {
    let source = source::Source::new(metadata)?;
    ast::parse(&source.text, |parsed| {
        let tree = parsed.ok()?;
        let name = tree.root().all().find(|call| call.is_call("name") && call.argc() == 1)?;
        name.arg(0)?.as_str().map(str::to_string)
    })
}

/// The run list of a `Policyfile.rb`, or its run list named `named`; only string literals are read.
#[must_use]
pub fn policy_run_list(policyfile: &[u8], named: Option<&str>) -> Vec<String> {
    let Some(source) = source::Source::new(policyfile) else { return Vec::new() };
    ast::parse(&source.text, |parsed| {
        let Ok(tree) = parsed else { return Vec::new() };
        let wanted = |call: &ast::N<'_>| match named {
            None => call.is_call("run_list"),
            Some(name) => {
                call.is_call("named_run_list")
                    && call.arg(0).is_some_and(|first| first.is_sym(name) || first.is_str(name))
            }
        };
        let Some(call) = tree.root().all().find(wanted) else { return Vec::new() };
        let texts = call.args().into_iter().skip(usize::from(named.is_some())).flat_map(ast::N::all);
        texts.filter_map(ast::N::as_str).map(str::to_string).collect()
    })
}

/// The cookbooks that a `Policyfile.rb` or `Berksfile` takes from a directory, with its path; only string literals are read.
#[must_use]
pub fn cookbook_paths(text: &[u8]) -> Vec<(String, String)> {
    let Some(source) = source::Source::new(text) else { return Vec::new() };
    ast::parse(&source.text, |parsed| {
        let Ok(tree) = parsed else { return Vec::new() };
        let calls = tree.root().all().filter(|call| call.is_call("cookbook"));
        let found = calls.filter_map(|call| {
            let path = call.args().into_iter().find_map(|arg| arg.pair(&["path"])?.kid(1)?.as_str());
            Some((call.arg(0)?.as_str()?.to_string(), path?.to_string()))
        });
        found.collect()
    })
}

/// The entries of the run lists in a role's Ruby file, with their places without quotes; only string literals are read.
#[must_use]
pub fn role_run_lists(text: &str) -> Vec<(ast::Span, String)> {
    ast::parse(text, |parsed| {
        let Ok(tree) = parsed else { return Vec::new() };
        let mut found = Vec::new();
        for call in tree.root().all() {
            if call.is_call("run_list") {
                call.args().into_iter().for_each(|arg| entries(arg, &mut found));
            } else if call.is_call("env_run_lists") {
                let pairs = call.args().into_iter().flat_map(ast::N::pairs);
                pairs.for_each(|(_, list)| entries(list, &mut found));
            }
        }
        found
    })
}

/// The string literals of an argument, or of the Array that it is.
fn entries(node: ast::N<'_>, found: &mut Vec<(ast::Span, String)>) {
    if node.is(ast::Kind::Array) {
        node.kids().for_each(|kid| entries(kid, found));
    } else if let Some(text) = node.as_str() {
        let span = node.span();
        let start = span.start + node.src().find(text).and_then(|at| u32::try_from(at).ok()).unwrap_or(0);
        let end = start.saturating_add(u32::try_from(text.len()).unwrap_or(0)).min(span.end);
        found.push((ast::Span::new(start, end), text.to_string()));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn roles() {
        for (text, found) in [
            ("run_list 'recipe[web]' # was 'recipe[old]'\n", vec![(10, "recipe[web]")]),
            (
                "description \"replaces 'recipe[legacy]'\"\nrun_list %w(recipe[a] role[b])\n",
                vec![(52, "recipe[a]"), (62, "role[b]")],
            ),
            ("=begin\nrun_list 'recipe[x]'\n=end\nrun_list([\"a::b\"], \"recipe[#{x}]\")\n", vec![(44, "a::b")]),
            ("env_run_lists 'prod' => ['role[c]'], '_default' => []\n", vec![(26, "role[c]")]),
            ("run_list(['a'].map { |one| \"recipe[#{one}]\" })\n", vec![]),
            ("run_list 'a\n", vec![]),
        ] {
            let all = super::role_run_lists(text);
            let all: Vec<(u32, &str)> = all.iter().map(|(span, text)| (span.start, text.as_str())).collect();
            assert_eq!(all, found, "{text}");
        }
    }

    #[test]
    fn policies() {
        let text = b"name 'a'\nrun_list 'a::default', 'b'\nnamed_run_list :test, ['c']\n";
        assert_eq!(super::policy_run_list(text, None), ["a::default", "b"]);
        assert_eq!(super::policy_run_list(text, Some("test")), ["c"]);
        assert!(super::policy_run_list(text, Some("none")).is_empty());
        let text = b"cookbook 'a', '~> 1.0', path: './x/a'\ncookbook 'b'\ngroup(:i) { cookbook('c', :path => 'c') }\ncookbook n, path: 'd'\n";
        let pair = |name: &str, path: &str| (name.to_string(), path.to_string());
        assert_eq!(super::cookbook_paths(text), [pair("a", "./x/a"), pair("c", "c")]);
    }
}
