//! Secrets are shown nowhere: a recipe gets them from an encrypted data bag item, a vault, the file of the key, a secret service or a sensitive property,
//! changes them in every way it likes, and fails with them; dump, diagnostics, log, stack trace and `explain` do not have them.
//!
//! `spec/secrets` has the chef-repo: `plain.json` is what `data_bags/creds/app.json` holds, encrypted with `secret`.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // a test drives the machine itself

use rchef_spec::scratch::Scratch;
use serde_json::Value as Json;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// What begins each secret, in the forms that the tests give it; none of these is in the source of a recipe.
const CANARIES: [&str; 15] = [
    "SENSx",
    "sensx",
    "canlowercase",
    "7391842",
    "SENSkey",
    "SENSdeep",
    "SENSCONST",
    "SENSvault",
    "DataBagKey",
    "VaultShared",
    "grün",
    "gr%C3%BCn",
    "U0VOU3",
    "aB/9",
    "aB%2F9",
];

/// The built `rchef`, brought up to date once.
fn binary() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| rchef_spec::binary::binary().unwrap())
}

/// What every recipe begins with.
const READ: &str = "secret = Chef::EncryptedDataBagItem.load_secret(File.join(__dir__, '../../../secret'))
item = data_bag_item('creds', 'app', secret)
pw, note, short, pin, pem, nested, phrase, constant = item['password'], item['note'], item['short'], item['pin'], item['tls'], item['nested'], item['phrase'], item['constant']
";

/// A copy of the chef-repo whose only recipe this is.
fn repository(recipe: &str) -> Scratch {
    let scratch = Scratch::new().unwrap();
    let repo = scratch.repo();
    scratch.copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("secrets"), &repo).unwrap();
    fs::remove_file(repo.join("plain.json")).unwrap();
    let book = repo.join("cookbooks/a");
    fs::create_dir_all(book.join("recipes")).unwrap();
    fs::write(book.join("metadata.rb"), "name 'a'\nversion '1.0.0'\n").unwrap();
    fs::write(book.join("recipes/default.rb"), format!("{READ}{recipe}\n")).unwrap();
    scratch
}

fn rchef(scratch: &Scratch, words: &[&str]) -> Output {
    Command::new(binary()).args(words).current_dir(scratch.repo()).output().unwrap()
}

const COMPILE: [&str; 5] = ["compile", "-o", "a", "--platform", "ubuntu-22.04"];

fn all(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The lines of a text that have a secret in them.
fn told(text: &str) -> Vec<String> {
    let pem = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("secrets/plain.json")).unwrap();
    let pem: Json = serde_json::from_str(&pem).unwrap();
    let key_lines: Vec<&str> =
        pem["tls"].as_str().unwrap().lines().filter(|line| !line.starts_with('-')).map(|line| &line[4..40]).collect();
    let has = |line: &str| CANARIES.iter().chain(&key_lines).any(|canary| line.contains(canary));
    text.lines().filter(|line| has(line)).map(str::to_string).collect()
}

/// Compiles a recipe with each of these lines by itself and all of them in one dump.
fn compiled_lines(lines: &[&str]) -> String {
    let output = rchef(&repository(&lines.join("\n")), &COMPILE);
    assert!(output.status.success(), "{}", all(&output));
    all(&output)
}

#[test]
fn dumps_have_no_form_of_a_decrypted_value() {
    let lines = [
        "file('/a1') { content pw }",
        "file('/a2') { content pem }",
        "file('/a3') { content({ key: pem }.to_json) }",
        "file('/a4') { content pem.gsub(\"\\n\", '\\\\n') }",
        "file('/a5') { content pem.lines.map { |line| \"    #{line}\" }.join }",
        "require 'yaml'; file('/a6') { content({ 'key' => pem, 'pw' => pw, 'phrase' => phrase }.to_yaml) }",
        "file('/a7') { content pem.lines[1] }",
        "file('/a8') { content pin.to_s }",
        "template('/a9') { variables(pin: pin, list: [pin], float: pin.to_f) }",
        "file('/b1') { content note }",
        "file('/b3') { content nested.keys.first }",
        "template('/b4') { variables(nested) }",
        "require 'cgi'; file('/b5') { content CGI.escape(pw) }",
        "require 'shellwords'; execute('x1') { command \"mysql -p#{Shellwords.escape(pw)}\" }",
        "file('/b6') { content pw.upcase }",
        "require 'base64'; file('/b7') { content Base64.strict_encode64(pw) }",
        "file('/b8') { content Base64.encode64(pem) }",
        "file('/b9') { content Base64.strict_encode64(\"user:#{pw}\") }",
        "file('/c1') { content pw[0..-2] }",
        "file('/c2') { content pw[1..] }",
        "file('/c3') { content pw.inspect }",
        "file('/c4') { content phrase.to_json }",
        "file('/c5') { content ERB::Util.html_escape(phrase) }",
        "file('/c6') { content ERB::Util.url_encode(phrase) }",
        "file('/c7') { content({ a: { pw: pw }.to_json }.to_json) }",
        "file('/c8') { content pw.unpack1('H*') }",
        "node.default['a']['pw'] = pw; node.override['a'][pw] = 1; node.default['a']['pin'] = pin",
        "log \"the password is #{pw}\"",
        "file(pw) { action :nothing }",
        "execute('x2') { command 'true'; only_if \"test #{pw}\"; environment('A' => pw) }",
        "file('/d1') { content secret }",
    ];
    let text = compiled_lines(&lines);
    assert!(told(&text).is_empty(), "{:#?}", told(&text));
    // three letters are hidden where they are all of a value
    let short = compiled_lines(&["file('/b2') { content short }", "file('/b3') { content \"a #{short}\" }"]);
    assert!(!short.contains("content: Q9z") && short.contains("a Q9z"), "{short}");
}

#[test]
fn every_decryptor_feeds_the_register() {
    let lines = [
        "raw = JSON.parse(File.read(File.join(__dir__, '../../../data_bags/creds/app.json')))",
        "file('/d1') { content Chef::EncryptedDataBagItem::Decryptor.for(raw['password'], 'DataBagKey+7qWx0Lp2').for_decrypted_item }",
        "file('/d2') { content Chef::EncryptedDataBagItem.load('creds', 'app', secret).to_h['constant'] }",
        "Chef::Config[:node_name] = 'node1'; Chef::Config[:client_key] = File.join(__dir__, '../../../client.pem')",
        "file('/d3') { content chef_vault_item('vault', 'db')['login'] }",
        "file('/d4') { content secret(name: 'k', service: :example, config: { 'k' => %w{SENS x-service-1}.join }) }",
        "file('/d5') { content Chef::EncryptedDataBagItem::Encryptor.new('x', 'DataBagKey+7qWx0Lp2').key }",
    ];
    // without `READ`: each of these is the first that decrypts
    for count in [0, 1, 2, 3, 4] {
        let chosen: Vec<&str> = [&lines[..1], &lines[3..4], &lines[[1, 2, 4, 5, 6][count]..][..1]].concat();
        let scratch = repository("");
        let secret = if count == 1 { READ.lines().next().unwrap() } else { "" };
        fs::write(scratch.repo().join("cookbooks/a/recipes/default.rb"), format!("{secret}\n{}\n", chosen.join("\n")))
            .unwrap();
        let output = rchef(&scratch, &COMPILE);
        assert!(output.status.success(), "{}", all(&output));
        assert!(told(&all(&output)).is_empty(), "{}: {:#?}", chosen[2], told(&all(&output)));
    }
}

#[test]
fn names_and_what_is_no_secret_stay() {
    let text = compiled_lines(&[
        "user nested['username']",
        "service('canlowercase') { subscribes :restart, 'user[deployer]' }",
        "file('/etc/canlowercase.conf') { content 'listen 8080'; owner 'root' }",
        "execute('deployer-setup') { command 'sudo -u deployer true'; timeout 8080 }",
    ]);
    for kept in [
        "user[deployer]",
        "service[canlowercase]",
        "/etc/canlowercase.conf",
        "listen 8080",
        "owner: root",
        "sudo -u deployer true",
        "timeout: 8080",
    ] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
}

#[test]
fn sensitive_properties() {
    let secret = "pw = %w{SENS x-3}.join";
    let output = rchef(&repository(&format!("{secret}\nuser('x') {{ password [pw] }}")), &COMPILE);
    assert!(!output.status.success() && all(&output).contains("Property password must be one of"), "{}", all(&output));
    assert!(told(&all(&output)).is_empty(), "{:#?}", told(&all(&output)));
    let text = compiled_lines(&[
        secret,
        "execute(pw + ' go') { sensitive true }",
        "log(pw + ' said') { sensitive true }",
        "user('y') { password pw + 'u' }",
        "file('/x') { content \"it has #{pw}u\" }",
        "execute('named') { command pw + '-command'; sensitive true }",
        "notify_group('z') { notifies :run, \"execute[#{pw} go]\" }",
    ]);
    assert!(told(&text).is_empty(), "{:#?}", told(&text));
    assert!(text.contains("execute[named]"), "{text}");
}

/// Ways to end a recipe with an exception that tells a secret.
const FAILURES: [&str; 30] = [
    "pw.no_such_method",
    "pem.no_such_method",
    "pin.no_such_method",
    "raise \"wrong password #{pw}\"",
    "raise ArgumentError, pem",
    "Integer(pw)",
    "Float(pw)",
    "{}.fetch(pw)",
    "ENV.fetch(pw)",
    "node.default['a'].fetch(pw)",
    "JSON.parse(pw)",
    "JSON.parse('{\"a\": ' + pw)",
    "require 'yaml'; YAML.load(\"a: [#{pw}\")",
    "include_recipe pw",
    "include_recipe \"a::#{pw}\"",
    "Object.const_get(constant)",
    "Object.const_get(pw)",
    "File.read(pw)",
    "File.read(\"/nowhere/#{pw}\")",
    "eval(\"raise 'x' # #{pw}\\n\")",
    "eval(\"#{pw} =\")",
    "send(pw)",
    "public_send(constant.downcase)",
    "require pw",
    "data_bag_item('creds', pw)",
    "file('/x') { mode pw }",
    "file('/x') { action pw.to_sym }",
    "declare_resource(constant.downcase.to_sym, 'x')",
    "log('x') { notifies :run, \"execute[#{pw}]\" }; resources(\"execute[#{pw}]\")",
    "throw pw",
];

#[test]
fn failures_tell_none() {
    let mut wrong = Vec::new();
    for failure in FAILURES {
        let scratch = repository(failure);
        for words in [
            &COMPILE[..],
            &["explain", "a.b", "a", "--platform", "ubuntu-22.04"],
            &["check", "-o", "a", "--platform", "ubuntu-22.04"],
        ] {
            let output = rchef(&scratch, words);
            assert!(!output.status.success() || words[0] == "check", "{failure}");
            wrong.extend(told(&all(&output)).into_iter().map(|line| format!("{} {failure}: {line}", words[0])));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_run_tells_none() {
    let mut wrong = Vec::new();
    for recipe in [
        "raise \"wrong password #{pw}\"",
        "log(\"#{pw} said\") { sensitive true }\nlog \"plain #{pw}\"\nChef::Log.warn(pw)",
        "ruby_block('x') { block { raise pem } }",
        "execute(\"false #{pw}\")",
        "execute(\"echo #{pw}; false\") { sensitive true }",
        "file(\"/nowhere/#{pw}/x\") { content pw }",
    ] {
        let scratch = repository(recipe);
        let config = scratch.repo().join("client.rb");
        fs::write(
            &config,
            format!(
                "cache_path '{0}/cache'\nfile_cache_path '{0}/cache'\nnode_path '{0}/nodes'\n",
                scratch.root.display()
            ),
        )
        .unwrap();
        let log = scratch.root.join("log").display().to_string();
        for words in [
            &["client", "-z", "-o", "a", "-c", "client.rb", "-N", "node1"][..],
            &["client", "-z", "-o", "a", "-c", "client.rb", "-N", "node1", "-l", "info", "-L", &log],
        ] {
            let output = rchef(&scratch, words);
            assert!(all(&output).contains("Infra Phase"), "{}", all(&output));
            let mut text = all(&output);
            text += &fs::read_to_string(&log).unwrap_or_default();
            text += &fs::read_to_string(scratch.root.join("cache/chef-stacktrace.out")).unwrap_or_default();
            wrong.extend(told(&text).into_iter().map(|line| format!("{recipe}: {line}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_ruby_code_prints_has_none() {
    let recipe = "puts pw, [pem], \"at the end of a line: #{phrase}\"
print pin, ' ', pw.inspect, \"\\n\"
$stderr.puts pem
STDOUT << { pw: pw }.to_json << \"\\n\"
$stdout.write(\"#{constant}\\n\")
warn phrase
p nested
puts 'what is no secret stays'
";
    let text = all(&rchef(&repository(recipe), &COMPILE));
    assert!(told(&text).is_empty(), "{:#?}", told(&text));
    assert!(text.contains("what is no secret stays") && text.contains("at the end of a line: {SENSITIVE}"), "{text}");
    // what comes to the same descriptor another way
    let recipe = "$stdout.syswrite(\"#{pw}\\n\") == pw.bytesize + 1 or raise 'another count'
$stderr.write_nonblock(\"#{phrase}\\n\") == phrase.bytesize + 1 or raise 'another count'
$stdout.dup.puts pem
STDERR.clone.syswrite pw
IO::Buffer.for(pw).write($stdout, pw.bytesize) == pw.bytesize or raise 'another count'
IO.for_fd(2, 'w').write pw
copy = $stdout.dup
$stdout.reopen($stderr)
$stdout.puts pw
$stdout.reopen(copy)
puts pw, 'the end'
";
    let text = all(&rchef(&repository(recipe), &COMPILE));
    assert!(told(&text).is_empty(), "{:#?}", told(&text));
    assert!(text.contains("the end") && !text.contains("another count"), "{text}");
    // by another name of the descriptor, with the output in a pipe and in a file
    let recipe = "%w{/dev/stdout /dev/stderr /dev/fd/1 /proc/self/fd/2}.each do |path|
  File.open(path, 'a') { |file| file.puts pw }
  IO.write(path, \"#{phrase}\\n\", mode: 'a')
  File.open(path, 'a') { |file| file.syswrite pw }
  IO.for_fd(IO.sysopen(path, 'a'), 'a').puts pw
end
[$stdout, $stderr].each do |to|
  IO::Buffer.for(pw).pwrite(to, pw.bytesize, 0)
  to.pwrite(\"#{pw}\\n\", 0)
rescue Errno::ESPIPE
end
$stdout.puts 'the end'
";
    let scratch = repository(recipe);
    for words in [&COMPILE[..], &["plan", "-o", "a", "--new-node"]] {
        let shown = scratch.repo().join("shown");
        let file = fs::OpenOptions::new().create(true).append(true).open(&shown).unwrap();
        let to = || file.try_clone().unwrap();
        Command::new(binary()).args(words).current_dir(scratch.repo()).stdout(to()).stderr(to()).status().unwrap();
        for text in [all(&rchef(&scratch, words)), fs::read_to_string(&shown).unwrap()] {
            assert!(told(&text).is_empty(), "{words:?} {:#?}", told(&text));
            assert!(text.contains("the end"), "{words:?} {text}");
        }
    }
    // what goes elsewhere keeps its bytes
    let recipe = "copy, (from, to) = $stdout.dup, IO.pipe
$stdout.reopen(to)
$stdout.puts pw
$stdout.flush
$stdout.syswrite pw
$stdout.reopen(copy)
to.close
file('/got') { content((from.read == \"#{pw}\\n#{pw}\").to_s) }
";
    let text = all(&rchef(&repository(recipe), &COMPILE));
    assert!(text.contains("content: \"true\""), "{text}");
    // what the register is told of later is not known yet
    let shown = all(&rchef(&repository("puts 'before'"), &COMPILE));
    assert!(shown.contains("before"), "{shown}");
}

#[test]
fn reports_of_handlers_have_none() {
    let scratch = repository("raise \"no login with #{pw}\"");
    let root = scratch.root.display().to_string();
    let config = format!(
        "cache_path '{root}/cache'
file_cache_path '{root}/cache'
node_path '{root}/nodes'
class Told < Chef::Handler
  def report = File.write('{root}/told', run_status.formatted_exception)
end
exception_handlers << Told.new << Chef::Handler::JsonFile.new(path: '{root}/reports')
"
    );
    fs::write(scratch.repo().join("client.rb"), config).unwrap();
    let output = rchef(&scratch, &["client", "-z", "-o", "a", "-c", "client.rb", "-N", "node1"]);
    assert!(!output.status.success(), "{}", all(&output));
    let mut found = String::new();
    let reports = fs::read_dir(scratch.root.join("reports")).unwrap().map(|entry| entry.unwrap().path());
    for path in reports.chain([scratch.root.join("told")]) {
        found += &fs::read_to_string(path).unwrap();
    }
    assert!(found.contains("no login with {SENSITIVE}"), "{found}\n{}", all(&output));
    assert!(told(&found).is_empty(), "{:#?}", told(&found));
}

#[test]
fn a_dump_that_reveals_is_for_its_owner() {
    let scratch = repository("file('/x') { content pw }");
    let file = scratch.repo().join("dump.yaml");
    fs::write(&file, "old and longer than nothing").unwrap();
    let words = [&COMPILE[..], &["--reveal-sensitive", "--dump-file", "dump.yaml"]].concat();
    let output = Command::new(binary())
        .args(&words)
        .current_dir(scratch.repo())
        .env("RCHEF_REVEAL_SENSITIVE", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", all(&output));
    assert!(fs::read_to_string(&file).unwrap().contains("SENSx"));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn plans_have_none() {
    let recipe = "execute(\"n #{pw}\")
execute(\"q #{pw}\") { action :nothing }
bash(\"b #{pem}\") { code 'x' }
script(\"s #{pw}\") { interpreter 'sh'; code 'x' }
ruby_block(\"r #{pw}\") { block { raise 'no' } }
file('/srv/note') { notifies :run, \"execute[q #{pw}]\" }
file('/srv/v1') { content 'x'; sensitive true; verify 'some-tool --password SENSxverify %{path}' }
file('/srv/v2') { content 'x'; sensitive true; verify { |path| shell_out(\"some-tool --password SENSxblock #{path}\").exitstatus == 0 } }
file('/srv/v3') { content 'x'; sensitive true; only_if 'sort /SENSxguard' }
file('/srv/v4') { content 'x'; sensitive true; not_if 'test -n SENSxtest' }

";
    for form in [&[][..], &["--json"], &["--format", "markdown"], &["--no-guards"]] {
        let words = [&["plan", "-o", "a", "--new-node"][..], form].concat();
        let output = rchef(&repository(recipe), &words);
        assert!(output.status.success(), "{form:?} {}", all(&output));
        let text = all(&output);
        assert!(told(&text).is_empty(), "{form:?} {:#?}", told(&text));
        assert!(text.contains("/srv/v1"), "{form:?} {text}");
    }
    let scratch = repository(recipe);
    let output = rchef(&scratch, &["plan", "-o", "a", "--new-node", "--out", "kept"]);
    assert!(output.status.success(), "{}", all(&output));
    let kept = fs::read_to_string(scratch.repo().join("kept")).unwrap();
    assert!(kept.contains("/srv/v1") && told(&kept).is_empty(), "{:#?}", told(&kept));
}
