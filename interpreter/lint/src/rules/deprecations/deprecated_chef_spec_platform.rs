//! ChefSpec uses a platform version whose data Fauxhai has removed or will remove.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Deprecations/DeprecatedChefSpecPlatform",
    summary: "ChefSpec is given a platform version that Fauxhai has no data of, or will lose",
    why: "Fauxhai drops old platforms; a version given less exactly (`10` for `10.3`) lasts longer.",
    file: "spec/a_spec.rb",
    fix: Fix::Safe,
    include: &["**/spec/**/*.rb"],
    on: &[On::Call(&["new"])],
    check,
    bad: r"ChefSpec::SoloRunner.new(platform: 'centos', version: '7.3.1611')
",
    good: r"ChefSpec::SoloRunner.new(platform: 'centos', version: '7')
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let runner = n.recv().is_some_and(|class| {
        class.is(Kind::Const) && class.kid(0).is_some_and(|scope| scope.is_bare_const("ChefSpec"))
    });
    let Some(hash) = n.only_arg().filter(|_| runner) else { return };
    let value = |key: &str| hash.pair(&[key]).and_then(|pair| pair.kid(1)).filter(|value| value.is(Kind::Str));
    let (Some(platform), Some(version)) = (value("platform"), value("version")) else { return };
    let matching = || {
        OLD.iter().filter(|(name, constraints, better)| {
            *name == platform.value() && *better != version.value() && meets(version.value(), constraints)
        })
    };
    if matching().next().is_none() {
        return;
    }
    match matching().find(|(_, _, better)| !better.is_empty()) {
        Some((_, _, better)) => cx.report_fix(n.span(), Edit::replace(version.span(), format!("'{better}'"))),
        None => cx.report(n.span()),
    }
}

use crate::rules::version::meets;

/// Platform, versions, and the replacement, if known.
const OLD: &[(&str, &str, &str)] = &[
    ("amazon", "2017.12", "2"),
    ("amazon", "> 2010", ""),
    ("aix", "~> 6", ""),
    ("smartos", "5.10", ""),
    ("ubuntu", "< 16.04", ""),
    ("ubuntu", "> 16.04, < 18.04", ""),
    ("fedora", "< 32", "32"),
    ("freebsd", "= 12.0", "12"),
    ("freebsd", "< 12", ""),
    ("mac_os_x", "< 10.14", "10.15"),
    ("mac_os_x", "= 11.0", "11"),
    ("suse", "~> 12.0, < 12.4", "12"),
    ("suse", "< 12", ""),
    ("opensuse", "< 14", ""),
    ("opensuse", "~> 42.0", ""),
    ("opensuse", "~> 15.0, < 15.2", "15"),
    ("debian", "< 9", ""),
    ("debian", "> 9.0, < 9.12", "9"),
    ("centos", "< 6.0", ""),
    ("centos", "~> 6.0, < 6.10", "6"),
    ("centos", "~> 7.0, < 7.8", "7"),
    ("redhat", "< 6.0", ""),
    ("redhat", "~> 6.0, < 6.10", "6"),
    ("redhat", "~> 7.0, < 7.8", "7"),
    ("oracle", "< 6.0", ""),
    ("oracle", "~> 6.0, < 6.10", "6"),
    ("oracle", "~> 7.0, < 7.6", "7"),
];
