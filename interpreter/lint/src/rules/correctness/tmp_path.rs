//! `remote_file` writes into /tmp.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/TmpPath",
    summary: "`remote_file` writes into /tmp",
    why: "Everybody may write there; another user can put a link in the file's place.",
    replaced_by: "Chef::Config[:file_cache_path]",
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["remote_file"])],
    check,
    bad: r"remote_file '/tmp/a.tgz'
",
    good: r##"remote_file "#{Chef::Config[:file_cache_path]}/a.tgz"
"##,
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let path = n.only_arg().filter(|path| n.recv().is_none() && path.is(Kind::Str));
    if let Some(path) = path.filter(|path| path.value().starts_with("/tmp/")) {
        cx.report(path.span());
    }
}
