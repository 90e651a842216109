//! A resource class in a library does not set `unified_mode`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/HWRPWithoutUnifiedTrue",
    summary: "A resource class in a library does not set `unified_mode`",
    why: "Unified mode, in which a resource's action converges as it is read, is the default from Chef 18 on.",
    file: "libraries/a.rb",
    since: "15.3",
    replaced_by: "unified_mode true",
    include: &["**/libraries/*.rb"],
    on: &[On::Kind(Kind::Class)],
    check,
    bad: r"class Chef
  class Resource
    class UlimitRule < Chef::Resource
      provides :ulimit_rule
    end
  end
end
",
    good: r"class Chef
  class Resource
    class UlimitRule < Chef::Resource
      provides :ulimit_rule
      unified_mode true
    end
  end
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if let Some(class) = resource_class(n).filter(|_| !calls(cx.tree.root(), "unified_mode")) {
        cx.report(class.span());
    }
}
