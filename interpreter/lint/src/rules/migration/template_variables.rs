//! A template shows a variable that the resource does not give it, or calls something on it.

use crate::rules::prelude::*;
use std::collections::BTreeSet;

pub static RULE: Rule = Rule {
    alias: "Rchef/TemplateVariables",
    summary: "A template uses a variable that the resource does not give it",
    why: "The variable is nil: where it is shown there is nothing, and where something is called on it rendering fails with NoMethodError when the resource converges.",
    include: DECLARES,
    exclude: TESTS,
    on: &[On::Block(&["template"])],
    check,
    bad: r"template '/etc/site.conf' do
  source 'site.conf.erb'
  variables(port: 80)
end
",
    good: r"template '/etc/site.conf' do
  source 'site.conf.erb'
  variables(hosts: ['a'])
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(own) = cx.file.cookbook().filter(|_| is_resource(n)) else { return };
    let Some(body) = n.body() else { return };
    // helpers may set variables, and templates of other cookbooks are not read
    let statements: Vec<N<'t>> = if body.is(Kind::Begin) { body.kids().collect() } else { vec![body] };
    let plain =
        |node: &N<'t>| node.is(Kind::Send) || node.is(Kind::Block) && matches!(node.name(), "not_if" | "only_if");
    let other = ["cookbook", "local", "helpers", "helper", "variables"];
    if !statements.iter().all(plain)
        || statements.iter().any(|call| {
            other[..4].contains(&call.name())
                || call.is_call("action") && call.arg(0).is_some_and(|action| action.is_sym("nothing"))
        })
    {
        return;
    }
    let source = statements.iter().find(|call| call.is_call("source")).map(|call| call.only_arg().and_then(N::as_str));
    let name = match source {
        Some(Some(name)) => name.to_string(),
        Some(None) => return,
        None => {
            let Some(path) = n.arg(0).and_then(N::as_str) else { return };
            format!("{}.erb", path.rsplit('/').next().unwrap_or(path))
        }
    };
    let Some(Some(needed)) = own.templates.get(&name) else { return };
    let mut given = BTreeSet::new();
    for call in statements.iter().filter(|call| call.is_call("variables")) {
        let Some(hash) = call.only_arg().filter(|hash| hash.is(Kind::Hash)) else { return };
        for pair in hash.kids() {
            let key = Some(pair).filter(|pair| pair.is(Kind::Pair)).and_then(|pair| pair.kid(0));
            let Some(key) = key.and_then(|key| key.as_sym().or(key.as_str())) else { return };
            given.insert(key);
        }
    }
    for variable in needed.iter().filter(|variable| !given.contains(variable.name.as_str())) {
        let message = match variable.called {
            true => format!(
                "templates/…/{name}:{} calls a method of @{}, which `variables` does not give",
                variable.line, variable.name
            ),
            false => format!(
                "templates/…/{name}:{} shows @{}, which `variables` does not give: nothing stands there",
                variable.line, variable.name
            ),
        };
        cx.report_saying(n.call().span(), message);
    }
}
