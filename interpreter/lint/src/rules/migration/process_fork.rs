//! Code forks or replaces the process of the run.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Rchef/ProcessFork",
    summary: "Code forks or replaces the process of the run",
    why: "A compile has no process to copy: NotImplementedError is raised there. In a run the copy has the locks and connections of the run as well.",
    replaced_by: "shell_out, Process.spawn or a Thread",
    include: RUNS,
    exclude: TESTS,
    on: &[On::Call(&["fork", "daemon"])],
    check,
    bad: r"ruby_block 'a' do
  block { Process.wait(fork { sleep 1 }) }
end
",
    good: r"execute 'sleep 1'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let process = n.recv().is_some_and(|on| on.is_const("Process") || on.is_const("Kernel"));
    let plain = n.recv().is_none() && n.name() == "fork" && n.argc() == 0 && !cx.file.known.methods.contains("fork");
    // `fork true` in a resource's block is a property
    if process
        || plain && (n.block().is_some() || n.parent().is_some_and(|parent| parent.is_any(&[Kind::If, Kind::Lvasgn])))
    {
        cx.report(n.span());
    }
}
