//! A resource class in a library has `resource_name` and no `provides`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/HWRPWithoutProvides",
    summary: "A resource class in a library has `resource_name` and no `provides`",
    why: "Since Chef 16 the name alone does not make the resource available.",
    file: "libraries/a.rb",
    since: "16",
    replaced_by: "provides",
    fix: Fix::Safe,
    include: &["**/libraries/*.rb"],
    on: &[On::Kind(Kind::Class)],
    check,
    bad: r"class Chef
  class Resource
    class UlimitRule < Chef::Resource
      resource_name :ulimit_rule
    end
  end
end
",
    good: r"class Chef
  class Resource
    class UlimitRule < Chef::Resource
      resource_name :ulimit_rule
      provides :ulimit_rule
    end
  end
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(class) = resource_class(n) else { return };
    let root = cx.tree.root();
    let provided: Vec<&str> =
        root.all().filter(|call| call.is_call("provides")).filter_map(|call| call.arg(0).and_then(N::as_sym)).collect();
    if !provided.is_empty() {
        let mut named = root.all().filter(|call| call.is_call("resource_name") && call.argc() == 1);
        let first = named.find_map(|call| call.arg(0).and_then(N::as_sym));
        if first.is_none_or(|first| provided.contains(&first)) {
            return;
        }
    }
    let edits = n.all().filter(|call| call.is_call("resource_name")).map(|call| {
        let line = cx.tree.source[..call.start() as usize].rfind('\n').map_or(0, |at| at + 1);
        let line = cx.tree.source[line..].lines().next().unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        Edit::insert(call.end(), format!("\n{}{}", " ".repeat(indent), call.src().replace("resource_name", "provides")))
    });
    let edits = edits.collect();
    cx.report_edits(class.span(), edits);
}
