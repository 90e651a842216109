//! Files, directories and the environment on a host that lives in memory: no descriptors, nothing of the machine is touched.

use rchef_host::overlay::{Identity, OverlayHost, OverlayOptions, skeleton};
use rchef_host::{Host, RealHost};
use rchef_ruby::Vm;
use std::rc::Rc;

/// Evaluates on an empty overlay.
fn eval(source: &str) -> String {
    let machine: Rc<dyn Host> = Rc::new(RealHost::new());
    let identity = Some(Identity { uid: 0, gid: 0, groups: vec![] });
    let options = OverlayOptions { cwd: Some(b"/".to_vec()), identity, ..OverlayOptions::default() };
    let host = OverlayHost::empty(machine, &skeleton::linux(), options).unwrap();
    let mut vm = Vm::new(Rc::new(host)).unwrap();
    match vm.run_main(source.as_bytes(), "recipe.rb") {
        Ok(value) => vm.inspect(&value).unwrap(),
        Err(error) => {
            let exception = vm.error_value(error);
            vm.inspect(&exception).unwrap()
        }
    }
}

#[test]
fn files_in_memory() {
    let cases = [
        (
            r#"File.write("/etc/a", "one\ntwo\n"); [File.read("/etc/a"), File.size("/etc/a"), File.readlines("/etc/a", chomp: true)]"#,
            r#"["one\ntwo\n", 8, ["one", "two"]]"#,
        ),
        (
            r#"File.open("/x", "w+") { |f| f.puts 1; f.rewind; [f.gets, f.eof?, f.fileno > 2, f.tty?, f.stat.size] }"#,
            r#"["1\n", true, true, false, 2]"#,
        ),
        (
            r#"Dir.mkdir("/d"); %w[b a].each { |n| File.write("/d/#{n}.rb", "") }; [Dir["/d/*"], Dir.children("/d"), Dir.exist?("/d")]"#,
            r#"[["/d/a.rb", "/d/b.rb"], ["a.rb", "b.rb"], true]"#,
        ),
        (
            r#"Dir.mkdir("/w"); Dir.chdir("/w") { File.write("r", "x"); [Dir.pwd, File.expand_path("r"), File.exist?("/w/r")] }"#,
            r#"["/w", "/w/r", true]"#,
        ),
        (r#"File.read("/none")"#, "#<Errno::ENOENT: No such file or directory @ rb_sysopen - /none>"),
        (
            r#"File.symlink("/etc", "/l"); [File.symlink?("/l"), File.readlink("/l"), File.directory?("/l")]"#,
            r#"[true, "/etc", true]"#,
        ),
        (
            r#"ENV["RCHEF_X"] = "1"; [ENV["RCHEF_X"], ENV.delete("RCHEF_X"), ENV.key?("RCHEF_X")]"#,
            r#"["1", "1", false]"#,
        ),
    ];
    for (source, expected) in cases {
        assert_eq!(eval(source), expected, "{source}");
    }
}

/// Output that is kept back reaches the file when nobody closes it.
#[test]
fn unclosed_files_are_written() {
    let folder = std::env::temp_dir().join(format!("rchef-io-{}", std::process::id()));
    let path = folder.to_string_lossy().into_owned();
    let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
    vm.run_main(format!("$keep = File.open({path:?}, 'w'); $keep.write 'kept'").as_bytes(), "-e").unwrap();
    assert_eq!(vm.finish(Ok(())), 0);
    assert_eq!(std::fs::read(&folder).unwrap(), b"kept");
    std::fs::remove_file(&folder).unwrap();
}
