//! A variant of `shell_out` that was removed.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/DeprecatedShelloutMethods",
    summary: "A variant of `shell_out` that was removed",
    why: "`shell_out` takes their work as options.",
    since: "14.3",
    removed_in: "15",
    replaced_by: "shell_out",
    exclude: NO_RESOURCES,
    on: &[On::Call(&[
        "shell_out_compact",
        "shell_out_compact!",
        "shell_out_compact_timeout",
        "shell_out_compact_timeout!",
        "shell_out_with_timeout",
        "shell_out_with_timeout!",
        "shell_out_with_systems_locale",
        "shell_out_with_systems_locale!",
    ])],
    check,
    bad: r"shell_out_compact('ls')
",
    good: r"shell_out('ls')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    cx.report(n.span());
}
