//! Globs and helper functions that several rules share.

use crate::ast::{Kind, N, Span};
use crate::rule::{Cx, Edit};

pub const METADATA: &[&str] = &["**/metadata.rb"];
/// Metadata files and Berksfiles.
pub const BERKSFILE_TOO: &[&str] = &["**/metadata.rb", "**/Berksfile"];
/// Files that declare no resources.
pub const NO_RESOURCES: &[&str] = &["**/attributes/*.rb", "**/metadata.rb", "**/Berksfile"];
/// Files that may define custom resources, in both styles.
pub const RESOURCES: &[&str] = &["**/resources/*.rb", "**/libraries/*.rb"];
/// Files that may define custom resources or providers.
pub const PROVIDERS: &[&str] = &["**/resources/*.rb", "**/providers/*.rb", "**/libraries/*.rb"];
/// Files in the folders for resources and providers.
pub const RESOURCE_FILES: &[&str] = &["**/resources/*.rb", "**/providers/*.rb"];

/// Files whose code declares resources.
pub const DECLARES: &[&str] =
    &["**/recipes/*.rb", "**/recipe.rb", "**/resources/*.rb", "**/providers/*.rb", "**/definitions/*.rb"];
/// Cookbook files that run on nodes.
pub const RUNS: &[&str] = &[
    "**/recipes/*.rb",
    "**/recipe.rb",
    "**/attributes/*.rb",
    "**/attributes.rb",
    "**/resources/*.rb",
    "**/providers/*.rb",
    "**/definitions/*.rb",
    "**/libraries/**/*.rb",
    "**/libraries/*.rb",
];
/// Files that look like those of cookbooks but never run on nodes.
pub const TESTS: &[&str] = &["**/spec/**/*", "**/test/**/*", "**/files/**/*"];

/// Whether a call includes one of the recipes (also `run_context.include_recipe`).
pub fn includes_recipe(call: N<'_>, names: &[&str]) -> bool {
    call.is_send("include_recipe")
        && call.recv().is_none_or(|on| on.is_call("run_context") && on.argc() == 0)
        && call.only_arg().and_then(N::as_str).is_some_and(|name| names.contains(&name))
}

/// Whether a call is `depends` on one of the cookbooks, with or without a version.
pub fn depends(call: N<'_>, names: &[&str]) -> bool {
    call.is_call("depends") && call.arg(0).and_then(N::as_str).is_some_and(|name| names.contains(&name))
}

/// Whether a call is `depends` on one of the cookbooks, without a version.
pub fn depends_plainly(call: N<'_>, names: &[&str]) -> bool {
    call.argc() == 1 && depends(call, names)
}

/// Whether a call is `require` of one of the libraries.
pub fn requires(call: N<'_>, names: &[&str]) -> bool {
    call.is_call("require") && call.only_arg().and_then(N::as_str).is_some_and(|name| names.contains(&name))
}

/// Reports a node, with a correction that removes it and the white space before it.
pub fn report_removal<'t>(cx: &mut Cx<'t>, node: N<'t>) {
    let edit = cx.remove_with_space(node);
    cx.report_fix(node.span(), edit);
}

/// Reports a node, with a correction that replaces it.
pub fn report_replacement<'t>(cx: &mut Cx<'t>, node: N<'t>, text: impl Into<String>) {
    cx.report_fix(node.span(), Edit::replace(node.span(), text));
}

/// Reports a node, with a correction that replaces a substring in its source.
pub fn report_word<'t>(cx: &mut Cx<'t>, node: N<'t>, from: &str, to: &str) {
    report_replacement(cx, node, node.src().replace(from, to));
}

/// Reports a call, with a correction that renames it at the start of its lines.
pub fn report_new_name<'t>(cx: &mut Cx<'t>, node: N<'t>, from: &str, to: &str) {
    report_replacement(cx, node, replace_at_lines(node.src(), from, to));
}

/// Replaces a prefix of each line.
pub fn replace_at_lines(text: &str, from: &str, to: &str) -> String {
    let mut out = String::with_capacity(text.len() + to.len());
    for line in text.split_inclusive('\n') {
        match line.strip_prefix(from) {
            Some(rest) => {
                out.push_str(to);
                out.push_str(rest);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// Whether a line of a text begins with a word, ignoring case.
pub fn line_begins(text: &str, word: &str) -> bool {
    text.lines().any(|line| line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)))
}

/// Whether a tree contains a call of this name without a receiver.
pub fn calls(tree: N<'_>, name: &str) -> bool {
    tree.all().any(|node| node.is_call(name))
}

/// The value of a string; interpolated code is left as it is written.
pub fn text_of(node: N<'_>) -> Option<String> {
    match node.kind() {
        Kind::Str => Some(node.value().to_string()),
        Kind::Dstr => Some(node.kids().map(|part| part.as_str().unwrap_or_else(|| part.src())).collect()),
        _ => None,
    }
}

/// The enclosing condition if it is on a single line (`x if y`), else the node.
pub fn with_inline_condition(node: N<'_>) -> N<'_> {
    node.parent()
        .filter(|parent| parent.is_any(&[Kind::If, Kind::While, Kind::Until, Kind::Case]) && parent.single_line())
        .unwrap_or(node)
}

/// The right name of a platform family that does not exist, or `Some(None)` if it is not known; None for any other name.
pub fn wrong_family(name: &str) -> Option<Option<&'static str>> {
    Some(match name {
        "archlinux" => Some("arch"),
        "centos" | "oracle" | "redhat" | "scientific" => Some("rhel"),
        "darwin" | "mac_os_x_server" | "macos" | "macosx" => Some("mac_os_x"),
        "debuan" | "ubuntu" => Some("debian"),
        "mingw32" | "mswin" => Some("windows"),
        "opensuse" | "opensuseleap" | "sles" => Some("suse"),
        "linux" => None,
        _ => return None,
    })
}

/// The right name of a platform that does not exist, or `Some(None)` if it is not known; None for any other name.
pub fn wrong_platform(name: &str) -> Option<Option<&'static str>> {
    Some(match name {
        "archlinux" => Some("arch"),
        "amazonlinux" => Some("amazon"),
        "darwin" | "macos" | "macosx" | "mac_os_x_server" => Some("mac_os_x"),
        "debuan" => Some("debian"),
        "mingw32" | "mswin" | "windwos" => Some("windows"),
        "mint" => Some("linuxmint"),
        "oel" | "oraclelinux" => Some("oracle"),
        "rhel" => Some("redhat"),
        "schientific" | "scientificlinux" => Some("scientific"),
        "sles" => Some("suse"),
        "solaris" => Some("solaris2"),
        "ubundu" | "ubunth" | "ubunutu" => Some("ubuntu"),
        "aws" | "linux" | "xcp" => None,
        _ => return None,
    })
}

/// The class of a resource in a library: `class Chef; class Resource; class X < Chef::Resource`, each the only content of the outer one.
pub fn resource_class(class: N<'_>) -> Option<N<'_>> {
    let opens = |class: &N<'_>, name: &str| {
        class.is(Kind::Class) && class.kid(1).is_none() && class.kid(0).is_some_and(|path| path.is_bare_const(name))
    };
    let outer = Some(class).filter(|class| opens(class, "Chef"))?.body()?;
    let inner = Some(outer).filter(|class| opens(class, "Resource"))?.body()?;
    let named = inner.kid(0).is_some_and(|path| path.is(Kind::Const) && path.kid(0).is_none());
    let derived = inner.kid(1).is_some_and(|parent| parent.is_const("Chef::Resource"));
    (inner.is(Kind::Class) && named && derived).then_some(inner)
}

/// Reports conditions of a `case` that are wrong names, with a correction.
pub fn report_wrong_names<'t>(cx: &mut Cx<'t>, case: N<'t>, wrong: fn(&str) -> Option<Option<&'static str>>) {
    for when in case.whens() {
        let conditions: Vec<N<'t>> = when.conditions().collect();
        for condition in &conditions {
            let Some(Some(right)) = condition.as_str().and_then(wrong) else { continue };
            if conditions.iter().any(|other| other.is_str(right)) {
                // the right name is another condition, so the wrong one is removed together with the commas around it
                let mut span = cx.with_space_before(condition.span());
                let source = cx.tree.source;
                let before = source[..span.start as usize].trim_end_matches(',');
                let after = &source[span.end as usize..];
                span.start = u32::try_from(before.len()).unwrap_or(span.start);
                span.end += u32::try_from(after.len() - after.trim_start_matches(',').len()).unwrap_or(0);
                cx.report_fix(condition.span(), Edit::remove(span));
            } else {
                report_replacement(cx, *condition, format!("'{right}'"));
            }
        }
    }
}

/// Reports keys of a hash, single or in arrays, that are wrong names.
pub fn report_wrong_keys<'t>(cx: &mut Cx<'t>, hash: N<'t>, wrong: fn(&str) -> Option<Option<&'static str>>) {
    for (key, _) in hash.pairs() {
        let keys = if key.is(Kind::Array) { key.kids().collect() } else { vec![key] };
        for key in keys.into_iter().filter(|key| key.as_str().and_then(wrong).is_some()) {
            cx.report(key.span());
        }
    }
}

/// The first definition of `initialize` in a tree.
pub fn first_initialize(tree: N<'_>) -> Option<N<'_>> {
    tree.all().find(|node| node.is(Kind::Def) && node.name() == "initialize")
}

/// Whether a file defines actions as custom resources do: `action :name do`.
pub fn has_actions(tree: N<'_>) -> bool {
    tree.all().any(|node| node.is(Kind::Block) && node.call().is_call("action"))
}

/// Reports a resource that runs one of the commands: as its name (`execute 'sleep 5'`, case-sensitive), or in one of the properties in `places`
/// (ignoring case).
pub fn report_command<'t>(cx: &mut Cx<'t>, node: N<'t>, commands: &[&str], places: &[(&str, &str)]) {
    let span = node.span();
    if node.is(Kind::Send) {
        let first = node.arg(0).map_or("", N::src);
        let begins = |line: &str| {
            let inner = line.strip_prefix(['"', '\'']).unwrap_or_default();
            commands.iter().any(|command| inner.starts_with(command))
        };
        if first.lines().any(begins) {
            cx.report(span);
        }
        return;
    }
    for (kind, property) in places {
        for code in crate::resource::properties(node, &[kind], &[property]) {
            let code = crate::resource::quoted_value(code).unwrap_or_default();
            if commands.iter().any(|command| line_begins(code, command)) {
                cx.report(span);
            }
        }
    }
}

/// The options of `property :name, ...`: the hash that is its last argument.
pub fn options(call: N<'_>) -> Option<N<'_>> {
    let named = call.recv().is_none() && call.argc() > 1 && call.arg(0).is_some_and(|name| name.is(Kind::Sym));
    call.last_arg().filter(|hash| named && hash.is(Kind::Hash))
}

/// Reports a place, with a correction that removes an option and the comma and white space before it.
pub fn report_option_removal<'t>(cx: &mut Cx<'t>, place: Span, option: N<'t>) {
    let mut span = cx.with_space_before(option.span());
    let before = cx.tree.source[..span.start as usize].trim_end_matches(',');
    span.start = u32::try_from(before.len()).unwrap_or(span.start);
    cx.report_fix(place, Edit::remove(span));
}

/// Reports a call, with a correction that removes it, the white space before it and its heredoc.
pub fn report_field_removal<'t>(cx: &mut Cx<'t>, call: N<'t>) {
    let edit = Edit::remove(cx.with_space_before(call.span_with_heredoc()));
    cx.report_fix(call.span(), edit);
}

/// The whole lines of a range, including the last line break.
pub fn whole_lines(source: &str, span: Span) -> Span {
    let start = source[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let end = source[span.end as usize..].find('\n').map_or(source.len(), |at| span.end as usize + at + 1);
    Span::new(u32::try_from(start).unwrap_or(span.start), u32::try_from(end).unwrap_or(span.end))
}
