//! Code needs a gem with a compiled extension.

use crate::rules::prelude::*;

/// First components of the `require` paths of gems with compiled extensions, and alternatives.
const GEMS: &[(&str, &str)] = &[
    ("augeas", "the `line` cookbook's resources or a template"),
    ("bcrypt", "a hash that an attribute holds"),
    ("charlock_holmes", "String#encode"),
    ("curb", "Net::HTTP"),
    ("eventmachine", "plain sockets"),
    ("google-protobuf", "a command of the service"),
    ("grpc", "a command of the service"),
    ("hiredis", "the `redis-cli` command"),
    ("hpricot", "rexml/document"),
    ("libvirt", "the `virsh` command"),
    ("libxml", "rexml/document"),
    ("msgpack", "JSON"),
    ("mysql", "the `mysql` command"),
    ("mysql2", "the `mysql` command"),
    ("nokogiri", "rexml/document"),
    ("oci8", "the `sqlplus` command"),
    ("oj", "JSON"),
    ("pg", "the `psql` command"),
    ("rugged", "the `git` command"),
    ("rmagick", "the `convert` command"),
    ("shadow", "`getent shadow`"),
    ("snappy", "Zlib"),
    ("sqlite3", "the `sqlite3` command"),
    ("tiny_tds", "the `sqlcmd` command"),
    ("yajl", "JSON"),
    ("zookeeper", "the service's own command"),
];

pub static RULE: Rule = Rule {
    alias: "Rchef/GemWithExtension",
    summary: "Code needs a gem that has compiled code",
    why: "A node without Ruby cannot load it: `require` raises LoadError.",
    level: Level::Error,
    exclude: TESTS,
    include: &[
        "**/recipes/*.rb",
        "**/resources/*.rb",
        "**/providers/*.rb",
        "**/libraries/**/*.rb",
        "**/libraries/*.rb",
        "**/metadata.rb",
    ],
    on: &[On::Call(&["require", "gem", "chef_gem"])],
    check,
    bad: r"require 'mysql2'
",
    good: r"shell_out!('mysql -e status')
",
    ..Rule::BASE
};

/// The alternative to a gem, by its name or a `require` path of it.
pub(super) fn instead(name: &str) -> Option<&'static str> {
    let first = name.split('/').next().unwrap_or(name);
    let bare = |name: &str| name.trim_start_matches("ruby-").trim_end_matches("-ruby").to_string();
    GEMS.iter().find(|(gem, _)| *gem == first || *gem == bare(first)).map(|(_, instead)| *instead)
}

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    if n.recv().is_some() {
        return;
    }
    let Some(name) = n.arg(0).and_then(N::as_str) else { return };
    if let Some(instead) = instead(name) {
        // code that rescues the LoadError works without the gem
        let rescued = n.ancestors().any(|outer| outer.is_any(&[Kind::Rescue, Kind::Resbody]));
        if !rescued {
            cx.report_saying(
                n.span(),
                format!("the gem {name} has compiled code, which cannot be loaded without Ruby: use {instead}"),
            );
        }
    }
}
