//! A compile with simulated facts sees nothing of the machine but the chef-repo, and ends: each test is a way in or on that a hostile cookbook has
//! tried.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // a test drives the machine itself

use rchef_spec::scratch::Scratch;
use serde_json::Value as Json;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What must not be seen: in a file beside the repository, and in the environment.
const CANARY: &str = "canary-7f3a91";
/// Most seconds that any of these compiles may take; they take a hundredth of it.
const SOON: Duration = Duration::from_secs(20);

/// The built `rchef`, brought up to date once.
fn binary() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| rchef_spec::binary::binary().unwrap())
}

/// A chef-repo with one cookbook `a` whose recipe this is; beside it a file that holds [`CANARY`].
fn repository(recipe: &str) -> Scratch {
    let scratch = Scratch::new().unwrap();
    let book = scratch.repo().join("cookbooks/a");
    fs::create_dir_all(book.join("recipes")).unwrap();
    fs::write(book.join("metadata.rb"), "name 'a'\nversion '1.0.0'\n").unwrap();
    fs::write(book.join("recipes/default.rb"), recipe).unwrap();
    fs::create_dir_all(scratch.root.join("outside")).unwrap();
    fs::write(scratch.root.join("outside/secret"), CANARY).unwrap();
    scratch
}

fn command(repo: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(words).current_dir(repo).env("SECRET", CANARY).stdin(Stdio::piped());
    command
}

/// Runs to the end, which must come soon.
fn finish(mut command: Command) -> Output {
    let begun = Instant::now();
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    if let Some(mut input) = child.stdin.take() {
        use std::io::Write;
        let _ = input.write_all(CANARY.as_bytes());
    }
    let output = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    output
}

fn compile(scratch: &Scratch, arguments: &[&str]) -> Output {
    let words = ["compile", "-o", "a", "--platform", "ubuntu-22.04", "--dump=json"];
    finish(command(&scratch.repo(), &[&words[..], arguments].concat()))
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The names of the `log` resources that a recipe declares.
fn logs(output: &Output) -> Vec<String> {
    let document: Json = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let names = document["resources"].as_array().into_iter().flatten().map(|found| found["name"].clone());
    let names: Vec<String> = names.map(|name| name.as_str().unwrap_or_default().to_string()).collect();
    assert!(!names.is_empty(), "{}", text(output));
    names
}

/// What a recipe's expression gives, or the class of its exception.
fn tried(expression: &str) -> String {
    format!("log((begin; ({expression}).to_s; rescue Exception => e; e.class.name; end))\n")
}

fn shows(expressions: &[&str], arguments: &[&str]) -> Vec<String> {
    let recipe: String = expressions.iter().map(|expression| tried(expression)).collect();
    logs(&compile(&repository(&recipe), arguments))
}

#[test]
fn links_open_nothing_outside() {
    let scratch = repository(
        "repo = File.expand_path('../../..', __dir__)
links = Dir.children(\"#{repo}/links\").sort
links.each { |link| File.readlink(\"#{repo}/links/#{link}\") }
found = links.flat_map { |link| [\"#{repo}/links/#{link}/secret\", \"#{repo}/links/#{link}/etc/shadow\", \"#{repo}/links/#{link}/proc/self/environ\"] }
found << \"#{repo}/../outside/secret\" << \"#{repo}/vendor/gems/etc/shadow\" << \"#{repo}/chefignore/etc/shadow\" << \"#{repo}/../chefignore/etc/shadow\"
log \"opened: #{found.select { |path| File.exist?(path) }}\"
log \"listed: #{Dir.exist?('/proc/1')} #{Dir.children('/root')}\"
",
    );
    let (repo, outside) = (scratch.repo(), scratch.root.join("outside"));
    fs::create_dir_all(repo.join("links")).unwrap();
    fs::create_dir_all(repo.join("vendor")).unwrap();
    symlink("/", repo.join("links/root")).unwrap();
    symlink(&outside, repo.join("links/absolute")).unwrap();
    symlink("../../outside", repo.join("links/relative")).unwrap();
    symlink("/", repo.join("vendor/gems")).unwrap();
    symlink("/", repo.join("chefignore")).unwrap();
    symlink("/", scratch.root.join("chefignore")).unwrap();
    let output = compile(&scratch, &[]);
    // the simulated node has a file cache of its own
    assert_eq!(logs(&output), ["opened: []", "listed: false [\".chef\"]"]);
    assert!(text(&output).contains("leads outside, to /"), "{}", text(&output));
    // a flag names the place; what is read there is listed
    let allowed = compile(&scratch, &["--allow-path", "../outside"]);
    let opened = &logs(&allowed)[0];
    assert!(opened.contains("links/absolute/secret") && opened.contains("links/relative/secret"), "{opened}");
    assert!(!opened.contains("shadow"), "{opened}");
    let document: Json = serde_json::from_slice(&allowed.stdout).unwrap();
    let reads = document["reads"].to_string();
    assert!(reads.contains(&outside.join("secret").display().to_string()), "{reads}");
}

#[test]
fn a_cookbook_path_that_is_a_link_opens_nothing() {
    let scratch = repository("log 'x'\n");
    fs::rename(scratch.repo().join("cookbooks"), scratch.root.join("outside/cookbooks")).unwrap();
    symlink("../outside/cookbooks", scratch.repo().join("cookbooks")).unwrap();
    for arguments in [&[][..], &["--cookbook-path", "cookbooks"]] {
        let output = compile(&scratch, arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output).contains("--allow-path"), "{}", text(&output));
    }
    assert_eq!(logs(&compile(&scratch, &["--allow-path", "../outside/cookbooks"])), ["x"]);
    assert_eq!(logs(&compile(&scratch, &["--cookbook-path", "../outside/cookbooks"])), ["x"]);
}

#[test]
fn the_repositorys_own_configuration_opens_nothing_outside() {
    let look =
        "outside = File.expand_path('../../../../outside', __dir__)\nlog File.exist?(\"#{outside}/secret\").to_s\n";
    let settings = [
        "data_bag_path",
        "node_path",
        "role_path",
        "environment_path",
        "cookbook_path",
        "chef_repo_path",
        "json_attribs",
    ];
    for setting in settings {
        let scratch = repository(look);
        fs::write(scratch.root.join("outside/attributes.json"), format!("{{\"a\": \"{CANARY}\"}}")).unwrap();
        let name = if setting == "json_attribs" { "outside/attributes.json" } else { "outside" };
        let outside = scratch.root.join(name).display().to_string();
        fs::create_dir_all(scratch.repo().join(".chef")).unwrap();
        fs::write(scratch.repo().join(".chef/config.rb"), format!("{setting} '{outside}'\n")).unwrap();
        let refused = compile(&scratch, &[]);
        assert_eq!(refused.status.code(), Some(1), "{setting}: {}", text(&refused));
        assert!(
            text(&refused).contains(&format!("{setting} names {outside}, which is not in the chef-repo")),
            "{}",
            text(&refused)
        );
        assert!(!text(&refused).contains(CANARY));
    }
    // the command line names places, a configuration file among them
    let scratch = repository(look);
    fs::create_dir_all(scratch.repo().join(".chef")).unwrap();
    fs::write(scratch.repo().join(".chef/config.rb"), "data_bag_path '../outside'\nrole_path 'my/roles'\n").unwrap();
    for allowed in [
        ["--allow-path", "../outside"],
        ["--config-option", "data_bag_path=../outside"],
        ["--config", ".chef/config.rb"],
    ] {
        assert_eq!(logs(&compile(&scratch, &allowed)), ["true"], "{allowed:?}");
    }
    // a link that leads out is no configuration of the repository
    for (link, target) in [(".chef/config.rb", "../../outside/secret"), (".chef", "../outside")] {
        let scratch = repository(look);
        if link.contains('/') {
            fs::create_dir_all(scratch.repo().join(".chef")).unwrap();
        }
        fs::write(scratch.root.join("outside/config.rb"), format!("raise '{CANARY}'")).unwrap();
        symlink(target, scratch.repo().join(link)).unwrap();
        let refused = compile(&scratch, &[]);
        assert_eq!(refused.status.code(), Some(1));
        assert!(
            text(&refused).contains("leads out of the chef-repo") && !text(&refused).contains(CANARY),
            "{}",
            text(&refused)
        );
    }
}

#[test]
fn shared_attributes_are_stopped_by_the_limit_on_memory() {
    let tree = "tree = { 'a' => 1 }; 26.times { tree = { 'l' => tree, 'r' => tree } }\n";
    let list = "tree = [1]; 28.times { tree = [tree, tree] }\n";
    for (shared, write) in [
        (tree, "node.default['x'] = tree"),
        (tree, "node.normal['x'] = tree"),
        (tree, "Mash.new(tree)"),
        (tree, "Chef::Mixin::DeepMerge.merge({}, tree)"),
        (list, "node.default['x'] = { 'y' => tree }"),
    ] {
        let output =
            compile(&repository(&format!("{shared}{write}\n")), &["--limit-memory", "300M", "--limit-time", "15"]);
        assert_eq!(output.status.code(), Some(1), "{write}: {}", text(&output));
        assert!(text(&output).contains("NoMemoryError"), "{write}: {}", text(&output));
    }
}

#[test]
fn a_cookbooks_name_is_no_path() {
    let scratch = repository("log 'x'\n");
    let book = scratch.repo().join("cookbooks/a");
    fs::write(book.join("metadata.rb"), "name '../../evil'\nversion '1.0.0'\n").unwrap();
    let temporary = scratch.root.join("tmp/deep");
    fs::create_dir_all(&temporary).unwrap();
    let mut check = command(&book, &["check", "-o", "a", "--platform", "debian-12"]);
    check.env("TMPDIR", &temporary);
    finish(check);
    let left: Vec<_> =
        fs::read_dir(scratch.root.join("tmp")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["deep"]);
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

#[test]
fn links_in_cookbooks_that_go_round_end() {
    let scratch = repository("log 'x'\n");
    let files = scratch.repo().join("cookbooks/a/files");
    fs::create_dir_all(files.join("deep")).unwrap();
    fs::write(files.join("real"), "1").unwrap();
    symlink("real", files.join("linked")).unwrap();
    for (target, name) in [("/", "root"), (".", "here"), ("..", "up"), ("deep", "other"), ("self", "self")] {
        symlink(target, files.join(name)).unwrap();
        symlink(target, files.join("deep").join(name)).unwrap();
    }
    for words in [
        &["compile", "-o", "a", "--platform", "ubuntu-22.04", "--dump=json"][..],
        &["compile", "-o", "a", "--live", "--dump=json"],
    ] {
        assert_eq!(logs(&finish(command(&scratch.repo(), words))), ["x"]);
    }
}

#[test]
fn devices_and_pipes_in_the_repository_do_not_open() {
    let scratch = repository(&tried("File.open(File.expand_path('../../../pipe', __dir__)) { 'opened' }"));
    nix::unistd::mkfifo(&scratch.repo().join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(logs(&compile(&scratch, &[])), ["Errno::ENXIO"]);
}

#[test]
fn a_lock_takes_cookbooks_from_the_repository_only() {
    let scratch = repository("log 'x'\n");
    let outside = scratch.root.join("outside/a");
    fs::rename(scratch.repo().join("cookbooks/a"), &outside).unwrap();
    fs::create_dir_all(scratch.repo().join("policies")).unwrap();
    let words = ["compile", "--policy-name", "p", "--platform", "ubuntu-22.04", "--dump=json"];
    for source in [&*outside.display().to_string(), "../outside/a"] {
        let lock = serde_json::json!({
            "name": "p", "revision_id": "1", "run_list": ["recipe[a::default]"],
            "cookbook_locks": { "a": { "version": "1.0.0", "identifier": "1", "source": source } },
        });
        fs::write(scratch.repo().join("policies/p.lock.json"), lock.to_string()).unwrap();
        let output = finish(command(&scratch.repo(), &words));
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output);
        assert!(said.contains("which is outside of the chef-repo") && said.contains("--allow-path"), "{said}");
        let allowed = [&words[..], &["--allow-path", "../outside/a"]].concat();
        assert_eq!(logs(&finish(command(&scratch.repo(), &allowed))), ["x"]);
    }
    let lock = fs::read_to_string(scratch.repo().join("policies/p.lock.json")).unwrap();
    fs::write(scratch.repo().join("policies/p.lock.json"), lock.replace("../outside/a", "/")).unwrap();
    assert_eq!(finish(command(&scratch.repo(), &words)).status.code(), Some(1));
}

#[test]
fn the_environment_and_standard_input_are_the_nodes() {
    let looks = [
        "ENV.to_h",
        "ENV['SECRET'].inspect",
        "$stdin.read.inspect",
        "Dir.home",
        "Etc.getlogin",
        "Chef::Config[:file_cache_path]",
    ];
    let shown = shows(&looks, &[]);
    let environment = r#"{"HOME"=>"/root", "LANG"=>"C.UTF-8", "LOGNAME"=>"root", "PATH"=>"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "SHELL"=>"/bin/bash", "TZ"=>"UTC", "USER"=>"root"}"#;
    assert_eq!(shown[..5], [environment, "nil", "\"\"", "/root", "root"]);
    assert_eq!(shows(&["ENV['SECRET'] + ENV['B']"], &["--env", "SECRET", "--env", "B=2"]), [format!("{CANARY}2")]);
}

#[test]
fn the_node_is_the_same_on_every_machine() {
    let looks = [
        "Etc.uname",
        "Etc.nprocessors",
        "[Process.uid, Process.euid, Process.gid, Process.groups]",
        "[$$, Process.ppid, Process.getpgid(0)]",
        "Process.getrlimit(:NOFILE)",
        "Process.clock_gettime(Process::CLOCK_BOOTTIME)",
        "Process.times.to_a",
        "Time.now.to_f",
        "Time.now.zone",
        "File.umask",
        "Socket.gethostname",
        "File.stat('/tmp').mtime",
        "SecureRandom.hex",
        "File.read('/dev/urandom', 8).inspect",
        "rand",
        "Random.new.seed",
        "[].hash == [].hash",
        "Etc.getpwuid.name",
        "Dir.pwd",
        "require('tmpdir') && Dir.mktmpdir",
        "File.stat('..').mode",
    ];
    let recipe: String = looks.iter().map(|look| tried(look)).collect();
    let (one, other) = (repository(&recipe), repository(&recipe));
    let first = compile(&one, &[]);
    let mut command = Command::new("sh");
    command.arg("-c").arg("umask 077; ulimit -n 99; exec \"$0\" \"$@\"").arg(binary());
    command.args(["compile", "-o", "a", "--platform", "ubuntu-22.04", "--dump=json"]).current_dir(other.repo());
    command.env_clear().envs([("HOME", "/nowhere"), ("TZ", "Asia/Tokyo"), ("USER", "somebody"), ("LC_ALL", "C")]);
    let second = finish(command);
    assert_eq!(logs(&first), logs(&second));
    assert_eq!(String::from_utf8_lossy(&first.stdout), String::from_utf8_lossy(&second.stdout));
    let names = logs(&first);
    assert!(names[0].contains(":nodename=>\"chef\"") && names[0].contains(":release=>\"5.15.0\""), "{names:?}");
    assert_eq!(names[1..3], ["1", "[0, 0, 0, [0]]"]);
}

#[test]
fn the_clock_costs_no_time() {
    let shown = shows(
        &[
            "Time.now.utc.strftime('%F %T')",
            "sleep 86_400; Time.now.utc.strftime('%F %T')",
            "require 'timeout'; Timeout.timeout(3600) { sleep 0.5 until File.exist?('/run/x') }",
            "Timeout.timeout(5) { sleep }",
            "pipe = IO.pipe; IO.select([pipe[0]], nil, nil, 600).inspect",
            "Queue.new.pop(timeout: 900) rescue Thread.new { sleep 900 }.join.value",
            "Timeout.timeout(1) { loop {} }",
            "Time.now.utc.strftime('%F')",
        ],
        &[],
    );
    assert_eq!(shown[..5], ["2026-01-01 00:00:00", "2026-01-02 00:00:00", "Timeout::Error", "Timeout::Error", "nil"]);
    assert_eq!(shown[6..], ["Timeout::Error", "2026-01-02"]);
    let at = ["--at", "2030-05-06T07:08:09Z"];
    assert_eq!(shows(&["Time.now.utc.strftime('%F %T')"], &at), ["2030-05-06 07:08:09"]);
    let now = shows(&["Time.now.to_i"], &["--at", "now"])[0].parse::<u64>().unwrap();
    let real = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    assert!(now.abs_diff(real) < 60, "{now} {real}");
    for (arguments, why) in [(&["--at", "noon"][..], "a time is written"), (&["--at", "now", "--exec"], "--exec")] {
        let output = compile(&repository("log 'x'\n"), arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output).contains(why), "{}", text(&output));
    }
}

#[test]
fn facts_say_when_the_clock_starts() {
    let scratch = repository(&tried("[Time.now.to_i, Etc.nprocessors, Etc.uname[:nodename]]"));
    let facts = r#"{"platform":"ubuntu","platform_version":"22.04","platform_family":"debian","os":"linux","hostname":"web1","fqdn":"web1.example.com",
        "kernel":{"name":"Linux","release":"6.1.0","version":"v","machine":"x86_64"},"cpu":{"total":12},"ohai_time":1700000000.5}"#;
    fs::write(scratch.repo().join("node.json"), facts).unwrap();
    let output = finish(command(&scratch.repo(), &["compile", "-o", "a", "--ohai", "node.json", "--dump=json"]));
    assert_eq!(logs(&output), [r#"[1700000000, 12, "web1"]"#]);
}

#[test]
fn processes_are_neither_seen_nor_signalled() {
    let me = std::process::id().to_string();
    let looks: Vec<String> = ["kill(0, PID)", "kill(15, PID)", "getpgid(PID)", "kill(0, 1)", "kill(9, -1)"]
        .iter()
        .map(|call| format!("Process.{}", call.replace("PID", &me)))
        .collect();
    let looks: Vec<&str> = looks.iter().map(String::as_str).collect();
    assert_eq!(shows(&looks, &[]), ["Errno::ESRCH"; 5]);
    assert_eq!(
        shows(
            &[
                "Process.kill(0, $$)",
                "Process.kill(:TERM, $$)",
                "trap('USR1') { log 'trapped' }; Process.kill(:USR1, $$)"
            ],
            &[]
        ),
        ["1", "SignalException", "trapped", "1"]
    );
    for signal in ["KILL", "STOP", "INT"] {
        let output = compile(&repository(&format!("Process.kill(:{signal}, $$)\nlog 'not reached'\n")), &[]);
        assert_eq!(output.status.code(), Some(1), "{signal}");
        assert!(text(&output).contains("\"status\": \"failed\""), "{}", text(&output));
    }
}

#[test]
fn a_recipe_cannot_keep_it_from_ending() {
    let recipe = "%w(TERM INT QUIT HUP ALRM).each { |signal| trap(signal, 'IGNORE') }\nwarn 'ready'\nloop {}\n";
    for (signal, number) in [("TERM", 15), ("INT", 2), ("QUIT", 3), ("HUP", 1)] {
        use std::io::Read;
        use std::os::unix::process::ExitStatusExt;
        let scratch = repository(recipe);
        // a shell that runs the tests in the background, or nohup(1), makes its processes ignore INT, QUIT or HUP
        let mut command = Command::new("env");
        command.arg("--default-signal").arg(binary()).args(["compile", "-o", "a", "--platform", "ubuntu-22.04"]);
        command.current_dir(scratch.repo()).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut ready = [0; 5];
        child.stderr.take().unwrap().read_exact(&mut ready).unwrap();
        let sent = nix::sys::signal::kill(
            nix::unistd::Pid::from_raw(child.id() as i32),
            nix::sys::signal::Signal::try_from(number).unwrap(),
        );
        sent.unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{signal}");
    }
}

#[test]
fn sockets_are_not_opened() {
    let filter = "require 'socket'; s = UDPSocket.new; s.getsockopt(1, 26).inspect";
    let shown = shows(
        &[
            filter,
            "s = UDPSocket.new; s.setsockopt(1, 26, [1, 0x414141410000].pack('Sx6Q'))",
            "s = UDPSocket.new; s.setsockopt(0, 35, IPAddr.new('239.1.2.3').hton + [0].pack('N'))",
            "Socket.new(:INET, :RAW, 1)",
            "TCPSocket.new('127.0.0.1', 22)",
            "UNIXSocket.pair.inspect",
            "UDPSocket.open { |s| s.connect('10.0.0.1', 1); s.addr }",
        ],
        &[],
    );
    let unreachable = "Errno::ENETUNREACH";
    assert_eq!(
        shown,
        [
            "Errno::ENOPROTOOPT",
            "Errno::ENOPROTOOPT",
            "Errno::ENODEV",
            "Errno::EPERM",
            unreachable,
            unreachable,
            unreachable
        ]
    );
}

#[test]
fn limits_end_what_does_not_end() {
    for (recipe, arguments, said) in [
        ("loop {}", &["--limit-steps", "100000"][..], "the limit of 100000 steps is used up (--limit-steps)"),
        ("begin; loop {}; rescue Exception; retry; end", &["--limit-steps", "100000"], "--limit-steps"),
        ("loop {}", &["--limit-time", "1"], "(--limit-time)"),
        (
            "a = []; loop { a << 'x' * 1000 }",
            &["--limit-memory", "200M"],
            "the limit of 209715200 bytes is used up (--limit-memory)",
        ),
        ("r, w = IO.pipe; r.read", &["--limit-time", "1"], "the limit of 1 s (--limit-time) is passed"),
    ] {
        let output = compile(&repository(recipe), arguments);
        assert_eq!(output.status.code(), Some(1), "{recipe}");
        assert!(text(&output).contains(said), "{recipe}: {}", text(&output));
    }
    let scratch = repository("loop {}");
    for words in [
        &["check", "-o", "a", "--platform", "ubuntu-22.04", "--limit-steps", "100000"][..],
        &["explain", "a.b", "a", "--platform", "ubuntu-22.04", "--limit-steps", "100000"],
    ] {
        let output = finish(command(&scratch.repo(), words));
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output).contains("--limit-steps"), "{}", text(&output));
    }
    // the time that a reader takes does not count
    let long = repository("5_000.times { |i| log \"line #{i} #{'x' * 40}\" }\n");
    let mut command = Command::new("sh");
    command.arg("-c").arg("\"$0\" compile -o a --platform ubuntu-22.04 --limit-time 1 | (sleep 7; tail -n 1)");
    let output = finish({
        command.arg(binary()).current_dir(long.repo());
        command
    });
    assert_eq!(text(&output), "lints: []\n");
    let wrong = compile(&scratch, &["--limit-memory", "much"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn gems_are_not_looked_for_where_anybody_may_put_them() {
    let scratch = repository("");
    let home = |set: &[(&str, &Path)]| {
        let mut gem = Command::new(binary());
        gem.args(["ruby", "-e", "require 'rubygems'; puts Gem.home"]).env_clear().current_dir("/");
        if fs::metadata(&scratch.root).unwrap().uid() == 0 {
            // root has a folder of its own
            gem.uid(65534).gid(65534);
        }
        for (name, value) in set {
            gem.env(name, value);
        }
        let output = gem.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
    };
    let found = home(&[]);
    assert!(found.is_absolute() && !found.starts_with("/tmp") && !found.starts_with("/var/tmp"), "{found:?}");
    for open in ["/tmp", "/tmp/below", "relative"] {
        let found = home(&[("HOME", Path::new(open))]);
        assert!(!found.starts_with(open), "{found:?}");
    }
    let found = home(&[("HOME", Path::new("/nonexistent"))]);
    assert!(found.starts_with("/nonexistent"), "{found:?}");
}
