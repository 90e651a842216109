//! The host of a compile (this machine behind an overlay, or a simulated node) and its limits.

use crate::compile::{Facts, Immediate, Node};
use crate::input::Request;
use crate::input::config::absolute;
use clap::Args;
use rchef_host::overlay::{Answer, Answerer, Identity, OverlayHost, OverlayOptions, Policy, skeleton};
use rchef_host::processes::Uname;
use rchef_host::{Clock, Environment, Files, Host, Processes, RealHost, compose};
use rchef_model::skim;
use rchef_ruby::Vm;
use rchef_ruby::embed::vm::LimitNames;
use rchef_ruby::regexp::{self, Regexp};
use serde_json::Value as Json;
use std::rc::Rc;
use std::time::Duration;

/// Default start of a simulated node's clock: 2026-01-01 00:00:00 UTC.
const START: i64 = 1_767_225_600_000_000_000;
/// How long code that the engine cannot interrupt may exceed `--limit-time`.
const GRACE: Duration = Duration::from_secs(5);

/// What a simulated node lets through of the machine, and how much a compile may use.
#[derive(Args, Debug, Clone)]
pub struct Access {
    /// Let a simulated node's code read this directory or file of the machine too; what it reads there is listed in the dump's `reads`
    #[arg(long = "allow-path", value_name = "PATH", help_heading = "Machine")]
    pub paths: Vec<String>,
    /// Let code really connect to the network (else no socket is opened)
    #[arg(long = "allow-network", help_heading = "Machine")]
    pub network: bool,
    /// Pass an environment variable of the caller to a simulated node, or set it
    #[arg(long = "env", value_name = "NAME[=VALUE]", help_heading = "Machine")]
    pub env: Vec<String>,
    /// Time at which a simulated node's clock starts: `2026-03-01T12:00:00Z`, `@SECONDS` or `now` (default: the facts' `ohai_time`, else 2026-01-01 00:00 UTC). It goes on by what code does; sleeping takes no time
    #[arg(long, value_name = "TIME", conflicts_with = "live", help_heading = "Machine")]
    pub at: Option<String>,
    /// Most seconds that a compile may take (0: any; default: 120, any with `--immediate=run`)
    #[arg(long = "limit-time", value_name = "SECONDS", help_heading = "Limits")]
    pub time: Option<u64>,
    /// Most steps (calls and iterations) that Ruby code may run (0: any)
    #[arg(long = "limit-steps", value_name = "NUMBER", default_value_t = 2_000_000_000, help_heading = "Limits")]
    pub steps: u64,
    /// Most memory, e.g. `500M` or `8G` (default: half of the machine's, 4G at most)
    #[arg(long = "limit-memory", value_name = "BYTES", value_parser = bytes, help_heading = "Limits")]
    pub memory: Option<usize>,
}

/// Parses a number of bytes with an optional suffix `K`, `M` or `G`.
fn bytes(text: &str) -> Result<usize, String> {
    let wrong = || "a number of bytes, e.g. 500M or 8G".to_string();
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&text[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let number: usize = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(unit).filter(|bytes| *bytes > 0).ok_or_else(wrong)
}

impl Access {
    /// Sets the VM's limits; the time starts now. With `--immediate=run`, which changes the machine, there is no default time limit.
    pub fn limit(&self, vm: &mut Vm, immediate: Immediate) {
        const SECONDS: u64 = 120;
        let seconds = self.time.unwrap_or(if immediate == Immediate::Run { 0 } else { SECONDS });
        vm.limits.names = LimitNames { steps: "--limit-steps", wall_time: "--limit-time", memory: "--limit-memory" };
        vm.limits.steps = (self.steps > 0).then_some(self.steps);
        if let Some(memory) = self.memory {
            (vm.limits.memory, vm.limits.size) = (Some(memory), memory / 4);
        }
        if seconds > 0 {
            let time = Duration::from_secs(seconds);
            let most = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
            vm.limits.wall_time = Some(vm.host.unsimulated_ns().saturating_add(most));
            let words = format!(
                "rchef: stopped: the limit of {seconds} s (--limit-time) is passed, and what was running could not be interrupted\n"
            );
            // without the timer there is still the engine's own limit
            let _ = rchef_host::end_after(time.saturating_add(GRACE), &words);
        }
    }
}

/// Absolute paths to search for gems: those of the command line, `vendor/gems` of the current directory, then, unless the node is simulated,
/// GEM_PATH.
pub fn gem_places(real: &RealHost, facts: &Facts, node: &Node, cwd: &str) -> Vec<String> {
    let named = node.options.gem_path.iter().map(String::as_str).chain(["vendor/gems"]).map(str::to_string);
    let passed = |name: &String| name == "GEM_PATH" || name.starts_with("GEM_PATH=");
    let environment = if is_simulated(facts, node) && !node.access.env.iter().any(passed) {
        Vec::new()
    } else {
        real.env(b"GEM_PATH").unwrap_or_default()
    };
    let environment = String::from_utf8_lossy(&environment).into_owned();
    let environment = environment.split(':').filter(|part| !part.is_empty()).map(str::to_string);
    let place = |path: String| rchef_host::files::absolute(cwd.as_bytes(), path.as_bytes());
    named.chain(environment).map(place).map(|path| String::from_utf8_lossy(&path).into_owned()).collect()
}

/// Whether code sees a simulated node, and only explicitly allowed places of the machine.
fn is_simulated(facts: &Facts, node: &Node) -> bool {
    !node.live && (facts.ohai.is_some() || facts.platform.is_some() || node.root.is_some())
}

/// The host of a compile: an overlay over this machine with `--live`, over a directory with `--root`, else over an empty root with the
/// chef-repo visible; with `--immediate=run` this machine itself. `ohai`: the facts.
pub fn host_for(
    real: &Rc<RealHost>,
    facts: &Facts,
    node: &Node,
    ohai: &[u8],
    request: &Request<'_>,
    own_output: bool,
) -> Result<Rc<dyn Host>, String> {
    let cwd = request.cwd;
    let simulated = is_simulated(facts, node);
    if node.immediate == Immediate::Run {
        if facts.ohai.is_some() || facts.platform.is_some() || node.root.is_some() {
            return Err("--immediate=run acts on this machine: it does not go with --platform, --ohai or --root".into());
        }
        return Ok(real.clone());
    }
    let mut settings = OverlayOptions {
        output_to_error: own_output,
        policy: if node.exec { Policy::Run } else { Policy::Record },
        passthrough: vec![request.repository.as_bytes().to_vec(), cwd.as_bytes().to_vec()],
        allowed: node.access.paths.iter().map(|path| absolute(cwd, path).into_bytes()).collect(),
        network: node.access.network,
        cwd: Some(b"/".to_vec()),
        ..OverlayOptions::default()
    };
    for stub in &node.stubs {
        settings.answers.push(answerer(stub)?);
    }
    settings.passthrough.extend(node.options.gem_path.iter().map(|path| absolute(cwd, path).into_bytes()));
    if simulated {
        simulate(real, node, ohai, &mut settings)?;
    } else if node.access.at.is_some() {
        return Err("--at sets the clock of a simulated node: it goes with --platform, --ohai or --root".into());
    }
    let host = match &node.root {
        Some(root) => {
            let root = absolute(cwd, root);
            if !real.stat(root.as_bytes()).is_ok_and(|stat| stat.is_dir()) {
                return Err(format!("--root {root}: there is no such directory"));
            }
            OverlayHost::below(real.clone(), root.as_bytes(), settings)
        }
        None if simulated => {
            let family = some_of(ohai, &["platform_family"]);
            let family = family["platform_family"].as_str().unwrap_or_default();
            let all = [skeleton::linux(), skeleton::of_family(family)].concat();
            OverlayHost::empty(real.clone(), &all, settings).map_err(|error| error.to_string())?
        }
        None => OverlayHost::over(real.clone(), settings),
    };
    // searching for a chefignore only reveals where the chef-repo is
    for (at, _) in request.repository.match_indices('/') {
        host.pass_as_written(format!("{}/chefignore", &request.repository[..at]).as_bytes());
    }
    host.quietly(|| {
        node.edited.iter().try_for_each(|(path, text)| compose::write_file(&host, path.as_bytes(), text, 0o644))
    })
    .map_err(|error| format!("corrections: {error}"))?;
    Ok(Rc::new(host))
}

/// Settings that hide this machine except for its visible files: values come from the facts or are constant.
fn simulate(real: &RealHost, node: &Node, ohai: &[u8], settings: &mut OverlayOptions) -> Result<(), String> {
    let facts = some_of(ohai, &["kernel", "machinename", "hostname", "cpu", "ohai_time"]);
    let text = |value: &Json, other: &str| value.as_str().unwrap_or(other).to_string();
    let kernel = &facts["kernel"];
    let name = facts["machinename"].as_str().or(facts["hostname"].as_str()).unwrap_or("localhost");
    settings.uname = Some(Uname {
        sysname: text(&kernel["name"], "Linux"),
        nodename: name.to_string(),
        release: text(&kernel["release"], ""),
        version: text(&kernel["version"], ""),
        machine: text(&kernel["machine"], "x86_64"),
    });
    settings.isolated = true;
    settings.identity = Some(Identity { uid: 0, gid: 0, groups: vec![0] });
    settings.processors =
        Some(facts["cpu"]["total"].as_u64().and_then(|total| usize::try_from(total).ok()).unwrap_or(1));
    settings.env = Some(environment(real, &node.access.env)?);
    let start = match node.access.at.as_deref() {
        Some("now") => real.wall_ns(),
        Some(text) => rchef_host::clock::parse_time(text).ok_or_else(|| {
            format!("--at {text}: a time is written 2026-03-01T12:00:00Z, 2026-03-01, @SECONDS or now")
        })?,
        None => facts["ohai_time"].as_f64().map_or(START, |seconds| (seconds * 1e9) as i64),
    };
    // real commands and network peers take real time
    if node.access.at.is_some() && (node.exec || node.access.network) {
        return Err("--at sets a simulated clock; with --exec and --allow-network the clock is the machine's".into());
    }
    settings.clock = (!node.exec && !node.access.network).then_some(start);
    Ok(())
}

/// Parses only these entries of a JSON object.
fn some_of(text: &[u8], keys: &[&str]) -> Json {
    let entries = skim::entries(text).unwrap_or_default();
    let value = |key: &&str| {
        let entry = entries.iter().rfind(|entry| skim::key(text, entry).is_some_and(|found| found == **key))?;
        Some((key.to_string(), serde_json::from_slice(text.get(entry.1.clone())?).ok()?))
    };
    Json::Object(keys.iter().filter_map(value).collect())
}

/// The environment that a service of root has, plus `--env`.
fn environment(real: &RealHost, given: &[String]) -> Result<Environment, String> {
    let fixed = [
        ("HOME", "/root"),
        ("LANG", "C.UTF-8"),
        ("LOGNAME", "root"),
        ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
        ("SHELL", "/bin/bash"),
        ("TZ", "UTC"),
        ("USER", "root"),
    ];
    let mut env: Environment = fixed.map(|(name, value)| (name.into(), value.into())).into_iter().collect();
    for entry in given {
        let (name, value) = match entry.split_once('=') {
            Some((name, value)) => (name, Some(value.as_bytes().to_vec())),
            None => (entry.as_str(), real.env(entry.as_bytes())),
        };
        if name.is_empty() {
            return Err(format!("--env {entry}: the form is NAME or NAME=VALUE"));
        }
        env.extend(value.map(|value| (name.as_bytes().to_vec(), value)));
    }
    Ok(env)
}

/// Parses `REGEX=OUTPUT[:STATUS]`.
pub fn answerer(stub: &str) -> Result<Answerer, String> {
    let wrong = |why: &str| format!("--stub-command {stub}: {why}; the form is REGEX=OUTPUT[:STATUS]");
    let (mut pattern, mut rest) = (String::new(), None);
    let mut escaped = false;
    for (at, c) in stub.char_indices() {
        match c {
            '=' if escaped => {
                pattern.pop();
                pattern.push('=');
                escaped = false;
            }
            '=' => {
                rest = Some(&stub[at + 1..]);
                break;
            }
            c => {
                escaped = c == '\\' && !escaped;
                pattern.push(c);
            }
        }
    }
    let rest = rest.ok_or_else(|| wrong("there is no `=`"))?;
    let (output, status) = match rest.rsplit_once(':') {
        Some((output, status)) if !status.is_empty() && status.bytes().all(|byte| byte.is_ascii_digit()) => {
            (output, status.parse::<i32>().map_err(|_| wrong("the status is too large"))?)
        }
        _ => (rest, 0),
    };
    let regexp = Regexp::new(pattern.as_bytes(), regexp::Options::default(), regexp::SourceKind::Utf8)
        .map_err(|error| wrong(&error.to_string()))?;
    let answer = Answer { stdout: output.replace("\\n", "\n").into_bytes(), stderr: Vec::new(), code: status };
    Ok(Rc::new(move |_, spec| {
        let line = String::from_utf8_lossy(&spec.display()).into_owned();
        let matches = regexp.unwatched().is_match_at(line.as_bytes(), regexp::TextKind::of(&line), 0);
        matches.is_ok_and(|matches| matches).then(|| answer.clone())
    }))
}
