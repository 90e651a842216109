//! Code names a file of Chef's own installation.

use crate::rules::prelude::*;

/// Directories of Chef's packages.
const PATHS: &[&str] = &[
    "/opt/chef/",
    "/opt/cinc/",
    "/opt/chefdk/",
    "/opt/chef-workstation/",
    "/opscode/chef/",
    "\\opscode\\chef\\",
    "/usr/bin/chef-client",
];

pub static RULE: Rule = Rule {
    alias: "Rchef/InstallPath",
    summary: "Code names a file of Chef's own installation",
    why: "A node that rchef configures need not have Chef: the file, most often Chef's Ruby, is not there.",
    include: RUNS,
    exclude: TESTS,
    on: &[On::Kind(Kind::Str)],
    check,
    bad: r"execute '/opt/chef/embedded/bin/gem install a'
",
    good: r"gem_package 'a'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let text = n.value();
    if let Some(path) = PATHS.iter().find(|path| text.contains(**path)) {
        cx.report_saying(n.span(), format!("{path} is of Chef's own installation, which need not be there"));
    }
}
