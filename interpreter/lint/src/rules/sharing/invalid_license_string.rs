//! The license is not an SPDX identifier.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Sharing/InvalidLicenseString",
    summary: "The license is no SPDX identifier",
    why: "Tools know licenses by these.",
    level: Level::Info,
    file: "metadata.rb",
    replaced_by: "an SPDX identifier, or 'all rights reserved'",
    fix: Fix::Safe,
    include: METADATA,
    on: &[On::Call(&["license"])],
    check,
    bad: r"license 'Apache 2.0'
",
    good: r"license 'Apache-2.0'
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(license) = n.arg(0).filter(|license| n.recv().is_none() && license.is(Kind::Str)) else { return };
    let name = license.value();
    if name.eq_ignore_ascii_case("all rights reserved") || IDENTIFIERS.lines().any(|known| known == name) {
        return;
    }
    let right = match name.replace(',', "").to_lowercase().as_str() {
        "all_rights" => "all rights reserved",
        "apache 2.0" | "apache v2" | "apache v2.0" | "apache license version 2.0" | "apache2" => "Apache-2.0",
        "mit" | "mit license" => "MIT",
        "3-clause bsd" => "BSD-3-Clause",
        "gnu public license 3.0" | "gpl v3" | "gplv3" => "GPL-3.0",
        "gpl v2" | "gplv2" => "GPL-2.0",
        _ => {
            cx.report(license.span());
            return;
        }
    };
    report_replacement(cx, license, format!("'{right}'"));
}

/// The identifiers of the SPDX license list, one a line.
const IDENTIFIERS: &str = include_str!("spdx.txt");
