//! `rchef service`: systemd units (a timer, or a daemon) by which a machine converges regularly.

use crate::compile::parse;
use crate::diagnostic;
use clap::{Args, Parser, Subcommand};
use rchef_host::{Files, RealHost, compose};

/// Running regularly.
#[derive(Parser, Debug)]
#[command(
    name = "rchef service",
    about = "systemd units that run the client regularly",
    after_help = "A timer starts a run and nothing stays in memory between runs; --daemon is one service that sleeps between them, as chef-client -d.\n\nExamples:\n  rchef service print\n  rchef service install --interval 30min --splay 5min -- -z -c /etc/chef/client.rb\n  systemctl daemon-reload && systemctl enable --now rchef-client.timer"
)]
pub struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Print the units
    Print(Units),
    /// Write the units, and say what turns them on
    Install(Install),
}

/// What the units say.
#[derive(Args, Debug)]
struct Units {
    /// Time between runs, as systemd.time(7) writes it
    #[arg(long, value_name = "TIME", default_value = "30min")]
    interval: String,
    /// At most so much more before each run, at random
    #[arg(long, value_name = "TIME", default_value = "5min")]
    splay: String,
    /// A service that sleeps between runs, instead of a timer; intervals are seconds then
    #[arg(long)]
    daemon: bool,
    /// The program
    #[arg(long, value_name = "PATH", default_value = "/usr/bin/rchef")]
    program: String,
    /// Arguments of `rchef client` (default: -z -c /etc/chef/client.rb)
    #[arg(last = true)]
    arguments: Vec<String>,
}

#[derive(Args, Debug)]
struct Install {
    #[command(flatten)]
    units: Units,
    /// Where to
    #[arg(long, value_name = "DIR", default_value = "/etc/systemd/system")]
    directory: String,
}

/// Runs the command; gives the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match parse("rchef service", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let done = match &options.command {
        Command::Print(units) => units.files().map(|files| print(&files)),
        Command::Install(install) => install.units.files().and_then(|files| write(install, &files)),
    };
    match done {
        Ok(()) => 0,
        Err(text) => {
            diagnostic::complain(&format!("rchef service: {text}\n"));
            1
        }
    }
}

/// Quotes an argument for systemd.syntax(7).
fn quoted(word: &str) -> String {
    let word = word.replace('%', "%%").replace('$', "$$");
    let plain = |c: char| c.is_ascii_alphanumeric() || "/_.,:=@%+-$".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word;
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Units {
    /// The units as file names and contents.
    fn files(&self) -> Result<Vec<(&'static str, String)>, String> {
        for text in [&self.interval, &self.splay, &self.program].into_iter().chain(&self.arguments) {
            if text.contains(['\n', '\r']) {
                return Err("an argument has a line break, which a unit cannot hold".into());
            }
        }
        let usual = ["-z", "-c", "/etc/chef/client.rb"].map(String::from);
        let given = if self.arguments.is_empty() { &usual[..] } else { &self.arguments };
        let words: Vec<String> = given.iter().map(|word| quoted(word)).collect();
        let command = format!("{} client {}", quoted(&self.program), words.join(" "));
        if self.daemon {
            let seconds = |text: &str, what: &str| match text {
                "30min" => Ok("1800".to_string()),
                "5min" => Ok("300".to_string()),
                text if text.parse::<u64>().is_ok() => Ok(text.to_string()),
                _ => Err(format!("--{what} of a --daemon is a number of seconds, not {text}")),
            };
            let (interval, splay) = (seconds(&self.interval, "interval")?, seconds(&self.splay, "splay")?);
            return Ok(vec![(
                "rchef-client.service",
                daemon(&format!("{command} --interval {interval} --splay {splay}")),
            )]);
        }
        Ok(vec![
            ("rchef-client.service", one_run(&format!("{command} --once"))),
            ("rchef-client.timer", timer(&self.interval, &self.splay)),
        ])
    }
}

/// 2 and 3: runs that INT and TERM ended; 35 and 37: runs that requested a reboot.
const ENDINGS: &str = "SuccessExitStatus=2 3 35 37";

fn one_run(command: &str) -> String {
    format!(
        "[Unit]\nDescription=Converge this machine with rchef\nDocumentation=man:rchef(1)\nAfter=network-online.target\nWants=network-online.target\n\n[Service]\nType=oneshot\nExecStart={command}\n{ENDINGS}\n# a run that is stopped ends its change and its handlers first\nTimeoutStopSec=300\nKillMode=mixed\n"
    )
}

fn timer(interval: &str, splay: &str) -> String {
    format!(
        "[Unit]\nDescription=Converge this machine with rchef, regularly\n\n[Timer]\nOnBootSec=1min\nOnUnitActiveSec={interval}\nRandomizedDelaySec={splay}\n\n[Install]\nWantedBy=timers.target\n"
    )
}

fn daemon(command: &str) -> String {
    format!(
        "[Unit]\nDescription=Converge this machine with rchef, regularly\nDocumentation=man:rchef(1)\nAfter=network-online.target\nWants=network-online.target\n\n[Service]\nType=simple\nExecStart={command}\nExecReload=/bin/kill -HUP $MAINPID\n{ENDINGS}\nRestart=on-failure\nRestartSec=60\nTimeoutStopSec=300\nKillMode=mixed\n\n[Install]\nWantedBy=multi-user.target\n"
    )
}

fn print(files: &[(&'static str, String)]) {
    let parts: Vec<String> = files.iter().map(|(name, text)| format!("# {name}\n{text}")).collect();
    diagnostic::print(&parts.join("\n"));
}

fn write(install: &Install, files: &[(&'static str, String)]) -> Result<(), String> {
    let real = RealHost::new();
    let finish = compose::Finish { mode: Some(0o644), uid: None, gid: None, sync: true };
    for (name, text) in files {
        let path = format!("{}/{name}", install.directory);
        compose::atomic_write(&real, path.as_bytes(), text.as_bytes(), finish)
            .map_err(|error| format!("{path}: {}", error.message()))?;
        diagnostic::print(&format!("wrote {path}\n"));
    }
    real.settle();
    let unit = files.last().map_or("", |(name, _)| name);
    diagnostic::print(&format!("\nTo turn it on:\n  systemctl daemon-reload\n  systemctl enable --now {unit}\n"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_unit() {
        for (word, written) in [
            ("-z", "-z"),
            ("recipe[a b]", "\"recipe[a b]\""),
            ("50%", "50%%"),
            ("$HOME", "$$HOME"),
            ("a\"b", "\"a\\\"b\""),
            ("", "\"\""),
        ] {
            assert_eq!(quoted(word), written);
        }
    }
}
