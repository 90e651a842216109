//! A data bag item is loaded by its class.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/DatabagHelpers",
    summary: "A data bag item is loaded by its class",
    why: "`data_bag_item` does it, decrypts where needed, and caches.",
    level: Level::Info,
    replaced_by: "data_bag_item",
    fix: Fix::Unsafe,
    exclude: BERKSFILE_TOO,
    on: &[On::Call(&["load"])],
    check,
    bad: r"x = Chef::EncryptedDataBagItem.load('a', 'b')
",
    good: r"x = data_bag_item('a', 'b')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(class) = n.recv() else { return };
    if class.is_const("Chef::DataBagItem") || class.is_const("Chef::EncryptedDataBagItem") {
        cx.report_fix(n.span(), Edit::replace(class.span().join(n.selector()), "data_bag_item"));
    }
}
