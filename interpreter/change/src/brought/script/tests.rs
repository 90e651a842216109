//! Scripts on an empty machine.

#![allow(clippy::unwrap_used)] // a failure fails the test
use super::*;
use crate::brought::machine;
use rchef_host::{Queries, Users, compose};

/// Runs a script as the `postinst` of a new package.
fn run(host: &OverlayHost, text: &str) -> bool {
    super::run(host, &Script { text, name: "postinst", package: "x", parameters: &["configure", ""] })
}

#[test]
fn directories_accounts_and_files_of_a_script() {
    let host = machine();
    compose::create_dir_all(&host, b"/usr/share/x", 0o755).unwrap();
    compose::write_file(&host, b"/usr/share/x/x.conf", b"x\n", 0o644).unwrap();
    let script = "set -e\nHOME_OF_X=/var/lib/x\nmkdir -p $HOME_OF_X/spool > /dev/null 2>&1\n\
        adduser --force-badname \\\n  --system --group \\\n --gecos \"X daemon\" --home $HOME_OF_X --no-create-home _x\n\
        ucf --three-way /usr/share/x/x.conf /etc/x/x.conf >/dev/null\n";
    assert!(run(&host, script));
    let user = host.user_by_name(b"_x").unwrap().unwrap();
    assert_eq!((user.gecos, user.dir), (b"X daemon,,,".to_vec(), b"/var/lib/x".to_vec()));
    assert_eq!(host.group_by_name(b"_x").unwrap().unwrap().gid, user.gid);
    assert!(host.stat(b"/var/lib/x/spool").unwrap().is_dir());
    assert_eq!(compose::read_file(&host, b"/etc/x/x.conf").unwrap(), b"x\n");
}

#[test]
fn directories_that_come_with_an_owner_and_with_a_unit() {
    let host = machine();
    assert!(run(&host, "adduser --system --group _x\ninstall -o _x -g _x -m 2750 -d /var/lib/x/y\n"));
    let user = host.user_by_name(b"_x").unwrap().unwrap();
    let stat = host.stat(b"/var/lib/x/y").unwrap();
    assert_eq!((stat.uid, stat.gid, stat.perm()), (user.uid, user.gid, 0o2750));
    let unit = b"[Service]\nUser=_x\nLogsDirectory=x x/more\nLogsDirectoryMode=0750\nConfigurationDirectory=x\nRuntimeDirectory=x-%i\n";
    compose::write_file(&host, b"/etc/x.service", unit, 0o644).unwrap();
    host.unit_directories("x.service", "/etc/x.service").unwrap();
    for path in ["/var/log/x", "/var/log/x/more"] {
        let stat = host.stat(path.as_bytes()).unwrap();
        assert_eq!((stat.uid, stat.gid, stat.perm()), (user.uid, user.gid, 0o750), "{path}");
    }
    assert_eq!(host.stat(b"/etc/x").unwrap().uid, 0);
    assert!(host.lstat(b"/run/x-%i").is_err());
}

#[test]
fn owners_groups_and_modes_of_a_script() {
    let host = machine();
    let script = "D=/srv/x\nmkdir $D\naddgroup --system _g\nif ! dpkg-statoverride --list $D >/dev/null; then\n  \
        chown root:_g $D\n  chmod 2750 $D\nfi\nmkdir /srv/y\ndpkg-statoverride --update --add root _g 0710 /srv/y\n";
    assert!(run(&host, script));
    let gid = host.group_by_name(b"_g").unwrap().unwrap().gid;
    for (path, mode) in [("/srv/x", 0o2750), ("/srv/y", 0o710)] {
        let stat = host.stat(path.as_bytes()).unwrap();
        assert_eq!((stat.uid, stat.gid, stat.perm()), (0, gid, mode), "{path}");
    }
    for line in ["chown nobody_here /srv/x", "chmod g+w /srv/x", "chown -R root /srv/x", "chmod 600 /srv/nothing"] {
        assert!(!run(&host, line), "{line}");
    }
}

#[test]
fn lines_of_a_loop_run_for_each_of_its_words() {
    let host = machine();
    let script = "for D in /srv/a \"/srv/b c\"; do\n  mkdir -p \"${D}/x\"\ndone\nmkdir /srv/after\nfor F in $(ls); do\n  mkdir /srv/$F\ndone\n";
    assert!(!run(&host, script), "what `ls` tells is not known");
    for path in ["/srv/a/x", "/srv/b c/x", "/srv/after"] {
        assert!(host.stat(path.as_bytes()).unwrap().is_dir(), "{path}");
    }
    assert_eq!(host.readdir(b"/srv").unwrap().len(), 3);
}

#[test]
fn an_enabled_unit_gets_its_other_names() {
    let host = machine();
    let unit = b"[Service]\nExecStart=/bin/x\n[Install]\nWantedBy=multi-user.target\nAlias=y.service z.service\n";
    compose::create_dir_all(&host, b"/lib/systemd/system", 0o755).unwrap();
    compose::create_dir_all(&host, b"/etc/systemd/system", 0o755).unwrap();
    compose::write_file(&host, b"/lib/systemd/system/x.service", unit, 0o644).unwrap();
    assert!(run(&host, "# Automatically added by dh\ndeb-systemd-helper enable 'x.service' >/dev/null || true\n"));
    for name in ["x.service", "y.service", "z.service"] {
        assert_eq!(host.services(&[name]).unwrap()[name].unit_file, "enabled", "{name}");
    }
    assert!(host.lstat(b"/etc/systemd/system/z.service").is_ok());
}

#[test]
fn a_line_that_cannot_be_taken_as_run_is_not_known() {
    let host = machine();
    compose::write_file(&host, b"/etc/there", b"", 0o644).unwrap();
    assert!(!run(&host, "mkdir -p /etc/there/below\n"));
    assert!(run(&host, "[ -d /etc ] || frobnicate\nif false; then frobnicate; fi\n"));
    for line in [
        "frobnicate --all",
        "mkdir /srv/x && frobnicate",
        "[ -d /x ] || frobnicate",
        "mkdir srv/x",
        "db_get x/y\nif [ \"$RET\" = true ]; then mkdir /srv/perhaps; fi",
        "tty -s || exit 0",
        "echo $SOME >/etc/written",
        "sed -i s/a/b/ /etc/there",
        "if [ -e /x ]; then",
        "if true; then frobnicate; fi",
        "mkdir -p `dirname \"$A\"`",
        "mkdir /srv/$X",
        "cp $A /srv/b",
        "(frobnicate)",
    ] {
        assert!(!run(&host, line), "{line}");
    }
    assert!(run(
        &host,
        "case \"$1\" in\n configure|reconfigure)\n  made() {\n  mkdir /srv/z # /srv/q\n }\n made\n ;;\n *)\n exit 1\n ;;\nesac\n"
    ));
    assert!(host.stat(b"/srv/z").is_ok() && host.stat(b"/srv/q").is_err());
    assert!(run(&host, "if [ -e /x ]; then\n :\nfi\nexit 0\n"));
    assert!(!run(&host, "#!/usr/bin/perl\nexit 0;\n"));
}

#[test]
fn conditions_functions_and_values_of_a_script() {
    let host = machine();
    compose::create_dir_all(&host, b"/var/log/full", 0o755).unwrap();
    compose::write_file(&host, b"/var/log/full/a", b"", 0o644).unwrap();
    compose::create_dir_all(&host, b"/var/log/empty", 0o755).unwrap();
    let script = "USER=redis\nSetup_dir () {\n\tDIR=\"${1}\"\n\tMODE=\"${2}\"\n\tmkdir -p ${DIR}\n\
        \tif ! dpkg-statoverride --list ${DIR} >/dev/null 2>&1\n\tthen\n\t\tchown ${USER}:${3} ${DIR}\n\t\tchmod ${MODE} ${DIR}\n\tfi\n}\n\
        if [ \"$1\" = \"configure\" ]\nthen\n\tadduser --system --home /var/lib/redis --quiet --group ${USER} || true\n\
        \tSetup_dir /var/log/redis 2750 ${USER}\nfi\n\
        if [ -z \"$2\" ] && [ -n \"$(ls -A /var/log/empty 2> /dev/null)\" ]; then mkdir /srv/of-empty; fi\n\
        if [ -n \"`ls -A /var/log/full`\" ]; then mkdir /srv/of-full; elif true; then mkdir /srv/other; fi\n\
        if dpkg --compare-versions \"$2\" lt-nl 1.0; then mkdir /srv/old; fi\n\
        case $(basename /a/b) in a | x) ;; b*) mkdir /srv/case ;; *) mkdir /srv/other ;; esac\n\
        N=\"a  b\"\nfor F in $N \"$N\"; do mkdir \"/srv/$F\"; done\n\
        echo more >>/srv/text\nlocal_of() { local N=z; return 1; }\n\
        if local_of || [ \"$N\" = \"a  b\" ]; then touch /srv/returned; fi\nln -sf /dev/null /srv/link\nrm -f /var/log/full/a\n\
        install -m 600 /srv/text /srv/installed\nwhile true; do break; done\n";
    assert!(run(&host, script));
    let user = host.user_by_name(b"redis").unwrap().unwrap();
    let stat = host.stat(b"/var/log/redis").unwrap();
    assert_eq!((stat.uid, stat.gid, stat.perm()), (user.uid, user.gid, 0o2750));
    let mut made: Vec<String> = host.readdir(b"/srv").unwrap().iter().map(|entry| crate::lossy(&entry.name)).collect();
    made.sort();
    assert_eq!(made, ["a", "a  b", "b", "case", "installed", "link", "of-full", "returned", "text"]);
    assert_eq!(compose::read_file(&host, b"/srv/text").unwrap(), b"more\n");
    assert_eq!(host.stat(b"/srv/installed").unwrap().perm(), 0o600);
    assert!(host.lstat(b"/var/log/full/a").is_err());
    assert!(!run(&host, "case b in [x]) ;; b*) mkdir /srv/of-case ;; esac\n"), "which of both is not known");
    assert!(!run(&host, "cat -n <<EOF >/srv/of-cat\nline 1\nEOF\n"), "what `cat` writes is not known");
    assert!(host.stat(b"/srv/of-cat").is_ok(), "the file is there all the same");
}

#[test]
fn how_functions_loops_and_shells_end() {
    let host = machine();
    compose::write_file(&host, b"/etc/of-x", b"D=/srv/of-default\nreturn\nD=/srv/x\n", 0o644).unwrap();
    let script = "fails() { false; return; }\nif fails; then mkdir /srv/not; else mkdir /srv/last; fi\n\
        if (exit 3); then mkdir /srv/not; else mkdir /srv/left; fi\n\
        for F in a b c; do if [ $F = b ]; then continue; fi; mkdir /srv/$F; done\n\
        sets() { local V; V=of-sets; }\nV=of-script\nsets\nmkdir /srv/$V\nunset V\n[ -z \"$V\" ] && mkdir /srv/unset\n\
        D=/srv/of-script\n. /usr/share/debconf/confmodule\n[ ! -r /etc/of-x ] || . /etc/of-x\nmkdir $D\n\
        eval \"E=of-eval\"\nmkdir /srv/$E\n";
    assert!(run(&host, script));
    let mut made: Vec<String> = host.readdir(b"/srv").unwrap().iter().map(|entry| crate::lossy(&entry.name)).collect();
    made.sort();
    assert_eq!(made, ["a", "c", "last", "left", "of-default", "of-eval", "of-script", "unset"]);
    for line in [
        "mkdir /srv/d 2>/srv/errors",
        "for F in a; do for G in b; do break 2; done; done",
        "for F in x; do if tty -s; then continue; fi; mkdir /srv/$F; done",
        ". /etc/nothing",
        "eval $(ls)",
        "if tty -s; then shift; fi",
        "a='a'; eval 'eval \"$a\"'; eval \"'\"",
    ] {
        assert!(!run(&host, line), "{line}");
    }
    assert!(!run(&host, "D=/srv/e\n. /etc/nothing\nmkdir $D\n"), "what it does to D is not known");
    assert!(host.stat(b"/srv/e").is_err());
}

#[test]
fn a_way_that_may_not_be_taken_leaves_its_variables_open() {
    let host = machine();
    assert!(!run(&host, "D=/srv/a\nif tty -s; then D=/srv/b; fi\nmkdir $D\n"));
    assert!(host.readdir(b"/srv").unwrap().is_empty());
    assert!(run(&host, "D=/srv/a\nif tty -s; then echo $D; fi\nmkdir $D\n"));
    assert!(host.stat(b"/srv/a").is_ok());
    assert!(!run(&host, "while [ -d /etc ]; do true; done\nmkdir /srv/b\n"), "a loop without an end");
    assert!(!run(&host, "f() { f; f; }\nf\n"), "a function without an end");
    assert!(run(&host, "f() { true; }\nf\n( true )\nwhile [ -d /no ]; do true; done\n"), "with an end");
    let loops = "while true; do ".repeat(6) + "true" + &"; done".repeat(6);
    assert!(!run(&host, &loops), "loops without an end");
    assert!(!run(&host, &format!("{}true", "f() ".repeat(100_000))), "too deep");
    assert!(!run(&host, &format!("{}true{}", "( ".repeat(100_000), " )".repeat(100_000))), "too deep");
    assert!(!run(&host, "case $1 in [c]*) ;; configure) mkdir /srv/c ;; esac\n"), "which of both is not known");
    assert!(run(&host, "exec 3>&1\nexec mkdir /srv/d\nfrobnicate\n"));
    assert!(host.stat(b"/srv/d").is_ok());
}

/// Compares what scripts leave in /srv with recordings of real shells, made by `record` beside this file.
#[test]
fn scripts_leave_what_they_leave_in_truth() {
    let sections = || include_str!("cases.txt").split("=== ").skip(1).map(|section| section.split_once('\n').unwrap());
    let (mut wrong, mut count) = (Vec::new(), [0, 0]);
    for (head, rest) in sections().filter(|(head, _)| !head.starts_with("file ")) {
        let (kind, name) = head.split_once(' ').unwrap();
        let (text, tree) = rest.split_once("---\n").unwrap();
        assert!(["known", "open"].contains(&kind), "{head}");
        let host = prepared();
        for (head, text) in sections() {
            let Some((mode, path)) = head.strip_prefix("file ").and_then(|head| head.split_once(' ')) else { continue };
            let mode = u32::from_str_radix(mode, 8).unwrap();
            compose::create_dir_all(&host, rchef_host::files::dirname(path.as_bytes()), 0o755).unwrap();
            let text = text.strip_suffix('\n').unwrap();
            compose::write_file(&host, path.as_bytes(), text.as_bytes(), mode).unwrap();
        }
        let script = Script { text, name: "postinst", package: "rrfoo", parameters: &["configure", ""] };
        let known = super::run(&host, &script);
        count[usize::from(known)] += 1;
        if known != (kind == "known") {
            wrong.push(format!("{name}: is {}", if known { "known" } else { "open" }));
        }
        let found = listed(&host, "/srv").concat();
        if known && found.trim_end() != tree.trim_end() {
            wrong.push(format!("{name}: leaves\n{found}in truth\n{tree}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count[0] > 60 && count[1] > 100, "{count:?}");
}

/// The relevant state of the machine on which the cases were recorded.
fn prepared() -> OverlayHost {
    let host = machine();
    let write =
        |path: &str, text: &str, mode| compose::write_file(&host, path.as_bytes(), text.as_bytes(), mode).unwrap();
    write("/etc/os-release", "ID=debian\n", 0o644);
    host
}

/// Lists the files below a directory in the format of `record`.
fn listed(host: &OverlayHost, folder: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in host.readdir(folder.as_bytes()).unwrap() {
        let path = format!("{folder}/{}", crate::lossy(&entry.name));
        if let Ok(to) = host.readlink(path.as_bytes()) {
            lines.push(format!("{path} -> {}\n", crate::lossy(&to)));
            continue;
        }
        let stat = host.stat(path.as_bytes()).unwrap();
        let content = compose::read_file(host, path.as_bytes()).ok().filter(|_| stat.is_file());
        let content = content.map(|text| format!(" {:?}", crate::lossy(&text))).unwrap_or_default();
        lines.push(format!("{path} {:o} {}:{}{content}\n", stat.mode, stat.uid, stat.gid));
        if stat.is_dir() {
            lines.extend(listed(host, &path));
        }
    }
    lines.sort();
    lines
}

#[test]
fn modules_and_sites_of_apache() {
    let host = machine();
    let write = |path: &str, text: &str| {
        compose::create_dir_all(&host, rchef_host::files::dirname(path.as_bytes()), 0o755).unwrap();
        compose::write_file(&host, path.as_bytes(), text.as_bytes(), 0o644).unwrap();
    };
    write("/etc/apache2/mods-available/status.load", "# Depends: mime\nLoadModule status_module x.so\n");
    write("/etc/apache2/mods-available/status.conf", "");
    write("/etc/apache2/mods-available/mime.load", "# a comment\n\n# Conflicts: other\nLoadModule mime_module x.so\n");
    write("/etc/apache2/mods-available/other.load", "LoadModule other_module x.so\n");
    write("/etc/apache2/sites-available/000-default.conf", "");
    for folder in ["/etc/apache2/mods-enabled", "/etc/apache2/sites-enabled"] {
        compose::create_dir_all(&host, folder.as_bytes(), 0o755).unwrap();
    }
    let enabled = || {
        let mut found = Vec::new();
        for folder in
            ["/etc/apache2/mods-enabled", "/etc/apache2/sites-enabled", "/var/lib/apache2/module/enabled_by_maint"]
        {
            let entries = host.readdir(folder.as_bytes()).unwrap_or_default();
            found.extend(entries.iter().map(|entry| crate::lossy(&entry.name)));
        }
        found.sort();
        found
    };
    assert!(run(&host, "a2enmod -m -q status\na2ensite 000-default.conf\n"));
    let both = ["000-default.conf", "mime", "mime.load", "status", "status.conf", "status.load"];
    assert_eq!(enabled(), both);
    assert_eq!(host.readlink(b"/etc/apache2/mods-enabled/mime.load").unwrap(), b"../mods-available/mime.load");
    assert!(run(&host, "a2enmod -m status\n"));
    for line in ["a2enmod nothing", "a2dismod -f mime", "a2enmod 'm*'", "a2dismod --what status", "a2enmod"] {
        assert!(!run(&host, line), "{line}");
    }
    assert_eq!(enabled(), both);
    assert!(run(&host, "a2dismod -f status\na2dismod -f mime.load\na2dissite -q 000-default\n"));
    assert_eq!(enabled(), Vec::<String>::new());
    assert!(run(&host, "a2enmod other\n"));
    assert!(!run(&host, "a2enmod mime\n"), "it conflicts with what is enabled");
}

#[test]
fn what_is_noted_elsewhere_counts() {
    let host = machine();
    host.set_purpose(rchef_host::Purpose::Query);
    assert!(run(&host, "echo a >/srv/a\nucf /srv/a /srv/b\nucf /srv/a /srv/b\n"));
    assert!(!run(&host, "rm /srv/b\nucf /srv/a /srv/b\n"), "ucf leaves out what somebody has deleted");
    assert!(host.stat(b"/srv/b").is_err());
    assert!(!run(&host, "deb-systemd-helper enable none.service\n"), "it fails");
    assert!(!run(&host, "if test -e /srv/a -o; then mkdir /srv/c; fi\n"), "a side is missing");
}

#[test]
fn numbers_of_accounts_are_as_useradd_chooses_them() {
    let host = machine();
    let append = |path: &str, text: &str| {
        let before = compose::read_file(&host, path.as_bytes()).unwrap();
        compose::write_file(&host, path.as_bytes(), &[&before, text.as_bytes()].concat(), 0o644).unwrap();
    };
    append("/etc/group", "a:x:999:\nb:x:998:\nc:x:1001:\n");
    append("/etc/passwd", "b:x:998:998::/:/bin/sh\nd:x:1000:1000::/:/bin/sh\n");
    assert!(run(
        &host,
        "useradd -r u\ngroupadd --system g\nuseradd --system --gid g v\nuseradd w\nuseradd -u 1005 x\nuseradd y\n"
    ));
    let found = |name: &str| host.user_by_name(name.as_bytes()).unwrap().map(|user| (user.uid, user.gid)).unwrap();
    let group = |name: &str| host.group_by_name(name.as_bytes()).unwrap().unwrap().gid;
    assert_eq!((found("u"), group("g"), found("v")), ((999, 997), 996, (997, 996)));
    assert_eq!((found("w"), found("x"), found("y")), ((1001, 1002), (1005, 1005), (1006, 1006)));
    for line in
        ["adduser --system Upper", "useradd -- -abc", "useradd -c a:b z", "useradd -d srv/z z", "useradd -u +5 z"]
    {
        assert!(!run(&host, line), "{line}");
    }
}

#[test]
fn the_programs_of_apache_refuse_what_is_no_link_of_theirs() {
    let host = machine();
    for folder in ["mods-available", "mods-enabled"] {
        compose::create_dir_all(&host, format!("/etc/apache2/{folder}").as_bytes(), 0o755).unwrap();
    }
    for name in ["a", "b", "c"] {
        compose::write_file(&host, format!("/etc/apache2/mods-available/{name}.load").as_bytes(), b"", 0o644).unwrap();
    }
    host.symlink(b"/etc/hostname", b"/etc/apache2/mods-enabled/a.load").unwrap();
    host.symlink(b"/nowhere", b"/etc/apache2/mods-enabled/b.load").unwrap();
    compose::write_file(&host, b"/etc/hostname", b"x", 0o644).unwrap();
    compose::write_file(&host, b"/etc/apache2/mods-enabled/c.load", b"", 0o644).unwrap();
    assert!(!run(&host, "a2enmod a\n") && !run(&host, "a2enmod c\n") && !run(&host, "a2dismod c\n"));
    assert!(run(&host, "a2enmod b\n"), "a link to nowhere is replaced");
    assert_eq!(host.readlink(b"/etc/apache2/mods-enabled/b.load").unwrap(), b"../mods-available/b.load");
    assert!(!run(&host, "a2x\u{e9} foo\n"));
}

#[test]
fn a_missing_link_to_configuration_is_no_change_of_the_module() {
    let host = machine();
    for folder in ["mods-available", "mods-enabled"] {
        compose::create_dir_all(&host, format!("/etc/apache2/{folder}").as_bytes(), 0o755).unwrap();
    }
    for name in ["a.load", "a.conf"] {
        compose::write_file(&host, format!("/etc/apache2/mods-available/{name}").as_bytes(), b"", 0o644).unwrap();
    }
    host.symlink(b"../mods-available/a.load", b"/etc/apache2/mods-enabled/a.load").unwrap();
    assert!(run(&host, "a2enmod -mq a\n"));
    assert!(host.readlink(b"/etc/apache2/mods-enabled/a.conf").is_ok());
    assert!(host.stat(b"/var/lib/apache2/module/enabled_by_maint/a").is_err());
    compose::write_file(&host, b"/etc/apache2/envvars", b"export APACHE_CONFDIR=/srv/apache\n", 0o644).unwrap();
    assert!(!run(&host, "a2dismod a\n"), "it would act elsewhere");
}

#[test]
fn what_fails_after_an_unknown_command_does_not_end_the_script() {
    let host = machine();
    assert!(!run(&host, "set -e\nsed -i s/a/b/ /srv/f\nchmod 600 /srv/made\nmkdir /srv/after\n"));
    assert!(host.stat(b"/srv/after").is_ok());
    assert!(!run(&host, "set -e\nchmod 600 /srv/made\nmkdir /srv/not\n"));
    assert!(host.stat(b"/srv/not").is_err(), "nothing has made the file, so the script ends");
}
