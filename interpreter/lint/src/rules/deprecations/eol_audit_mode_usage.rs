//! `control_group` of the audit mode is used.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/EOLAuditModeUsage",
    summary: "`control_group` of the audit mode is used",
    why: "Audit mode was removed.",
    removed_in: "15",
    replaced_by: "InSpec",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["control_group"])],
    check,
    bad: r"control_group 'Baseline' do
end
",
    good: r"log 'Baseline'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_none() {
        cx.report(n.selector());
    }
}
