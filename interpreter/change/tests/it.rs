//! Changes on a machine in memory: applied, assumed, described, rendered.

#![allow(clippy::unwrap_used)] // a failure is the test's

use rchef_change::access::Access;
use rchef_change::diff::Limits;
use rchef_change::group::Members;
use rchef_change::package::{Manager, PackageVerb};
use rchef_change::render::{Line, Renderer};
use rchef_change::user::Difference;
use rchef_change::{
    Account, Backup, Change, ChangeError, Command, EngineStep, GroupChange, PackageChange, PackageItem, RunCommand,
    ServiceAction, UserChange, WriteFile,
};
use rchef_host::overlay::Policy;
use rchef_host::overlay::skeleton::{self, SkeletonEntry};
use rchef_host::{Host, OverlayHost, OverlayOptions, Queries, RealHost, Users, compose};
use std::rc::Rc;

fn machine() -> OverlayHost {
    let host = OverlayHost::empty(Rc::new(RealHost::new()), &skeleton::linux(), OverlayOptions::default()).unwrap();
    host.plant(&SkeletonEntry::dir("/d", 0o755)).unwrap();
    host
}

fn write(host: &dyn Host, content: &str, mode: u32) -> Change {
    let access = Access { mode: Some(mode), ..Access::default() }.resolve(host).unwrap();
    let path = b"/d/f".to_vec();
    let now = compose::stat_opt(host, &path).unwrap();
    let replaces = now.as_ref().map(|stat| rchef_change::file::Replaced {
        content: compose::read_file(host, &path).unwrap().into(),
        modified: stat.mtime,
    });
    Change::WriteFile(WriteFile {
        path: path.clone(),
        target: path,
        content: Some(content.as_bytes().to_vec().into()),
        replaces,
        access: access.compare(host, now.as_ref(), false).unwrap(),
        atomic: true,
        backup: Backup { keep: 1, root: b"/backup".to_vec() },
        sensitive: false,
    })
}

fn steps(host: &dyn Host, change: &Change, why_run: bool) -> Vec<String> {
    let updates = Renderer { host, why_run, limits: Limits::default() }.updates(change);
    let lines = updates.into_iter().flatten();
    lines.filter_map(|line| if let Line::Step(text) = line { Some(text) } else { None }).collect()
}

#[test]
fn a_file_is_written_with_its_mode_and_kept() {
    let host = machine();
    let new = write(&host, "one\n", 0o640);
    assert_eq!(steps(&host, &new, true), ["create new file /d/f", "change mode from '' to '0640'"]);
    new.apply(&host).unwrap();
    assert_eq!(host.lstat_mode(), 0o640);
    let update = write(&host, "two\n", 0o600);
    assert_eq!(
        steps(&host, &update, true),
        ["update content in file /d/f from 2c8b08 to 27dd8e", "change mode from '0640' to '0600'"]
    );
    let json = update.to_json();
    assert_eq!((json["change"].as_str(), json["why"].as_str()), (Some("write_file"), Some("differs")));
    assert_eq!(json["aspects"][1]["to"], "0600");
    update.apply(&host).unwrap();
    assert_eq!((compose::read_file(&host, b"/d/f").unwrap(), host.lstat_mode()), (b"two\n".to_vec(), 0o600));
    let kept: Vec<_> = rchef_host::Files::readdir(&host, b"/backup/d").unwrap();
    assert_eq!(kept.len(), 1);
    // what is only assumed leaves no copies
    write(&host, "three\n", 0o600).assume(&host).unwrap();
    assert_eq!(rchef_host::Files::readdir(&host, b"/backup/d").unwrap().len(), 1);
}

/// The mode of the file that the test writes.
trait Mode {
    fn lstat_mode(&self) -> u32;
}
impl Mode for OverlayHost {
    fn lstat_mode(&self) -> u32 {
        rchef_host::Files::lstat(self, b"/d/f").unwrap().perm()
    }
}

#[test]
fn what_programs_would_do_is_assumed() {
    let host = machine();
    let package = Change::Packages(PackageChange {
        verb: PackageVerb::Install,
        items: vec![PackageItem { name: "hello".into(), to: Some("2.10".into()), ..PackageItem::default() }],
        shown: "hello".into(),
        version: None,
        may_downgrade: true,
        manager: Manager::Dpkg,
        commands: vec![Command::system(["apt-get", "install", "hello=2.10"])],
    });
    package.assume(&host).unwrap();
    assert_eq!(host.package("hello").unwrap().unwrap().version, "2.10");
    assert_eq!(package.to_json()["commands"][0], r#"["apt-get", "install", "hello=2.10"]"#);
    let service = |verb: &str| {
        let action =
            ServiceAction { verb: verb.into(), shown: "service[x]".into(), name: "x".into(), steps: Vec::new() };
        Change::Service(action)
    };
    service("start").assume(&host).unwrap();
    service("enable").assume(&host).unwrap();
    let state = host.services(&["x"]).unwrap()["x"].clone();
    assert_eq!((state.active.as_str(), state.unit_file.as_str()), ("active", "enabled"));
    let members = Members::Change { add: vec!["bob".into()], remove: Vec::new() };
    let group = GroupChange { verb: "create", name: "web".into(), gid: None, members, commands: Vec::new() };
    Change::Group(group).assume(&host).unwrap();
    assert_eq!(host.group_by_name(b"web").unwrap().unwrap().members, [b"bob".to_vec()]);
}

#[test]
fn packages_of_other_managers_are_assumed_where_these_look() {
    let options = OverlayOptions { policy: Policy::Simulate, ..OverlayOptions::default() };
    let host = OverlayHost::empty(Rc::new(RealHost::new()), &skeleton::linux(), options).unwrap();
    host.plant(&SkeletonEntry::dir("/var/db/pkg/app-editors/vim-9.0", 0o755)).unwrap();
    let change = |manager, verb, name: &str, to: Option<&str>| {
        let item = PackageItem { name: name.into(), to: to.map(str::to_string), ..PackageItem::default() };
        let shown = name.to_string();
        let (version, commands) = (None, Vec::new());
        let change = PackageChange { verb, items: vec![item], shown, version, may_downgrade: true, manager, commands };
        Change::Packages(change).assume(&host).unwrap();
        manager.installed(&host, name).unwrap()
    };
    for (manager, name) in [(Manager::Snap, "hello"), (Manager::Pacman, "hello"), (Manager::Portage, "app-editors/vim")]
    {
        assert_eq!(change(manager, PackageVerb::Install, name, Some("9.1")), ["9.1"], "{manager:?}");
        assert!(change(manager, PackageVerb::Remove, name, None).is_empty(), "{manager:?}");
    }
    assert_eq!(host.package("hello").unwrap(), None);
}

#[test]
fn an_assumed_user_has_a_number_and_shows_no_password() {
    let host = machine();
    let difference = |name, to: &str| Difference { name, from: String::new(), to: to.into() };
    let mut command = Command::system(["useradd", "-p", "secret", "bob"]);
    command.secrets = vec!["secret".into()];
    let user = Change::User(UserChange {
        verb: "create",
        name: "bob".into(),
        differences: vec![difference("password", "secret"), difference("shell", "/bin/zsh")],
        sensitive: false,
        commands: vec![command],
    });
    user.assume(&host).unwrap();
    let made = host.user_by_name(b"bob").unwrap().unwrap();
    assert_eq!((made.uid >= 1000, &made.shell[..]), (true, &b"/bin/zsh"[..]));
    assert!(!user.to_json().to_string().contains("secret"));
}

#[test]
fn failures_are_data() {
    let host = machine();
    let mut command = Command::line("true");
    command.user = Some(Account::Name("nobody-here".into()));
    let run = Change::Run(RunCommand {
        command,
        shown: "true".into(),
        live_stream: false,
        creates: None,
        met_by: Vec::new(),
    });
    let error = run.apply(&host).unwrap_err();
    let ChangeError::Command(failure) = &error else { unreachable!("a command that has failed") };
    assert_eq!((failure.code, failure.stderr.as_str()), (Some(1), "can't find user for nobody-here (ArgumentError)\n"));
    let touch = Change::TouchFile(rchef_change::TouchFile { path: b"/none/f".to_vec() });
    let ChangeError::Host(error) = touch.apply(&host).unwrap_err() else { unreachable!("a failed system call") };
    assert_eq!((error.name(), error.path.as_deref()), (Some("ENOENT"), Some(&b"/none/f"[..])));
    let block = Change::Engine(EngineStep::RubyBlock { name: "x".into(), safe: false });
    assert!(matches!(block.apply(&host), Err(ChangeError::NeedsEngine("ruby_block"))));
}
