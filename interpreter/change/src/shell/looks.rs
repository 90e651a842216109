//! Which command lines are read-only, so that a plan may run them for any code.
//!
//! A command counts as read-only if its program, options and operands are known to change nothing and to contact no other machine except for name
//! resolution. Any other command becomes an assumption of the plan.

use super::{base, commands_of, filters, is_of_system, versions};
use rchef_host::files::{FileKind, basename, lexical};
use rchef_host::options::{self, Given};
use rchef_host::{CommandSpec, Files, Processes, Stdio};

/// The operands that a program may have.
#[derive(Clone, Copy)]
enum Operands {
    /// None.
    None,
    /// Any words up to this number, since the program opens no file for them.
    Words(usize),
    /// Up to this number of words of letters, digits and `._@:+,/-`.
    Names(usize),
    /// Up to this number of files to read.
    Files(usize),
    /// A pattern, unless the option `-e` gives it, and files to read.
    Pattern,
    /// One of these verbs, and up to this number of names.
    Verb(&'static [&'static str], usize),
}

/// Programs with the arguments that keep them read-only.
struct Program {
    names: &'static str,
    /// Short options in the notation of getopt: `:` for a required value, `?` for an optional one.
    short: &'static str,
    /// Long options: `=` for a required value, `?` for an optional one.
    long: &'static str,
    /// At least one of these options must be given, unless empty.
    asks: &'static [&'static str],
    operands: Operands,
}

const fn program(names: &'static str, short: &'static str, long: &'static str, operands: Operands) -> Program {
    Program { names, short, long, asks: &[], operands }
}

const fn asking(asks: &'static [&'static str], program: Program) -> Program {
    Program { asks, ..program }
}

const MANY: usize = usize::MAX;

/// Programs that are read-only with any arguments.
const HARMLESS: &str = "arch basename dirname echo expr false groups id locale logname lsblk lscpu lsmod mountpoint nproc pidof printenv ps pwd readlink realpath stat tr true type uname uptime which whoami";

/// Programs whose `--version` is known to be read-only.
const VERSIONED: &str = "apache2 apt apt-get apt-cache bash curl dpkg gcc git gzip httpd make mysql mysqld nginx node openssl perl php postgres psql python python2 python3 redis-cli redis-server rpm ruby systemctl tar vim wget";

/// Whether a program changes nothing, whatever it is told.
pub(crate) fn only_tells(program: &str) -> bool {
    HARMLESS.split(' ').any(|name| name == program)
}

const PROGRAMS: &[Program] = &[
    program(
        "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum",
        "bctwz",
        "binary check text zero ignore-missing quiet status strict warn",
        Operands::Files(MANY),
    ),
    asking(
        &["p", "probe", "c", "cache-file"],
        program(
            "blkid",
            "po:s:c:u:n:d",
            "probe output= match-tag= cache-file= usages= match-types=",
            Operands::Files(MANY),
        ),
    ),
    program("cat", "AbeEnstTuv", "show-all number-nonblank number squeeze-blank", Operands::Files(MANY)),
    program("cksum", "", "", Operands::Files(MANY)),
    program("cmp", "bi:ln:s", "print-bytes ignore-initial= verbose bytes= silent quiet", Operands::Files(4)),
    asking(&["l"], program("crontab", "lu:", "", Operands::None)),
    program(
        "cut",
        "b:c:d:f:nsz",
        "bytes= characters= delimiter= fields= only-delimited output-delimiter= complement zero-terminated",
        Operands::Files(MANY),
    ),
    program(
        "df",
        "aB:hHiklmPTt:x:",
        "all human-readable si inodes local portability print-type total block-size= type= exclude-type= output?",
        Operands::Files(MANY),
    ),
    program(
        "diff",
        "abBdEiNqrsuU:wyZ",
        "brief report-identical-files ignore-case ignore-all-space ignore-space-change ignore-blank-lines new-file recursive text unified? minimal",
        Operands::Files(2),
    ),
    asking(
        &[
            "s",
            "l",
            "L",
            "S",
            "status",
            "list",
            "listfiles",
            "search",
            "print-architecture",
            "compare-versions",
            "get-selections",
            "print-foreign-architectures",
        ],
        program(
            "dpkg",
            "slLS",
            "status list listfiles search print-architecture compare-versions get-selections print-foreign-architectures no-pager",
            Operands::Words(MANY),
        ),
    ),
    // other queries extract the package into a directory first
    asking(&["c", "contents"], program("dpkg-deb", "c", "contents", Operands::Files(1))),
    asking(
        &["list", "listpackage", "truename"],
        program("dpkg-divert", "", "list listpackage truename", Operands::Words(MANY)),
    ),
    asking(
        &["W", "s", "l", "L", "S", "show", "status", "list", "listfiles", "search"],
        program(
            "dpkg-query",
            "Wsf:lLS",
            "show status list listfiles search showformat= no-pager",
            Operands::Words(MANY),
        ),
    ),
    program(
        "du",
        "0abcd:hklmPsSt:x",
        "all apparent-size bytes total max-depth= human-readable summarize separate-dirs threshold= exclude= one-file-system",
        Operands::Files(MANY),
    ),
    program(
        "file",
        "0bhikLNnr",
        "brief dereference no-dereference mime mime-type mime-encoding keep-going no-pad",
        Operands::Files(MANY),
    ),
    program(
        "findmnt",
        "AabcCDfhiJklmnO:o:PRrsT:t:Uuv",
        "all ascii bytes first-only json raw list df fstab mtab noheadings notruncate nofsroot options= output= pairs real pseudo submounts target= types= mountpoint= tree",
        Operands::Names(2),
    ),
    program("free", "bghklmtVw", "bytes kibi mebi gibi kilo mega giga human total wide si", Operands::None),
    program("getconf", "a", "", Operands::Words(2)),
    program("getent", "", "", Operands::Words(MANY)),
    program(
        "grep egrep fgrep",
        "aA:B:bcC:e:EFGHhiLlm:noPqrsUvwxyz",
        "extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case invert-match word-regexp line-regexp count color? colour? files-with-matches files-without-match max-count= only-matching quiet silent no-messages byte-offset line-number with-filename no-filename null after-context= before-context= context= text include= exclude= exclude-dir= recursive null-data",
        Operands::Pattern,
    ),
    program("head", "c:n:qvz", "bytes= lines= quiet silent verbose zero-terminated", Operands::Files(MANY)),
    program("hostname", "AdfIis", "all-fqdns all-ip-addresses domain fqdn long ip-address short", Operands::None),
    program("hostnamectl", "", "no-pager static transient pretty", Operands::Verb(&["status"], 0)),
    program("localectl", "", "no-pager", Operands::Verb(&["status", "list-locales", "list-keymaps"], 0)),
    program(
        "loginctl",
        "ap:",
        "all full no-legend no-pager property= value",
        Operands::Verb(&["list-sessions", "list-users", "show-user"], MANY),
    ),
    program("lsb_release", "acdirs", "all codename description id release short", Operands::None),
    program("lspci", "bDd:kmns:tv", "", Operands::None),
    program("lsusb", "d:s:t", "", Operands::None),
    program(
        "modinfo",
        "0adF:k:lnp",
        "author description license parameters filename null field=",
        Operands::Files(MANY),
    ),
    program(
        "pgrep",
        "acd:fG:g:ilnoP:s:t:u:U:vx",
        "count delimiter= full group= pgroup= ignore-case list-full list-name newest oldest parent= session= terminal= euid= uid= inverse exact",
        Operands::Words(1),
    ),
    asking(&["S", "status"], program("passwd", "aS", "all status", Operands::Names(1))),
    asking(
        &["q", "query"],
        program(
            "rpm",
            "acdfgilqRs",
            "all changelog configfiles docfiles file group info list nodigest nosignature provides query queryformat= qf= quiet requires scripts state whatprovides whatrequires",
            Operands::Names(MANY),
        ),
    ),
    program(
        "sort",
        "bcCdfghiMmnRrst:k:uVz",
        "ignore-leading-blanks check? dictionary-order ignore-case general-numeric-sort human-numeric-sort ignore-nonprinting month-sort merge numeric-sort random-sort reverse stable field-separator= key= unique version-sort zero-terminated sort=",
        Operands::Files(MANY),
    ),
    asking(&["s", "summary", "show"], program("swapon", "s", "summary show? noheadings raw bytes", Operands::None)),
    program("sysctl", "aAbeNnqr:X", "all values names pattern= ignore binary", Operands::Names(MANY)),
    program(
        "systemctl",
        "aln:o:p:qt:",
        "all failed full lines= no-ask-password no-legend no-pager output= plain property= quiet state= system type= value",
        Operands::Verb(
            &[
                "is-active",
                "is-enabled",
                "is-failed",
                "show",
                "status",
                "cat",
                "list-units",
                "list-unit-files",
                "get-default",
            ],
            MANY,
        ),
    ),
    program("tail", "c:n:qvz", "bytes= lines= quiet silent verbose zero-terminated", Operands::Files(MANY)),
    program(
        "timedatectl",
        "ap:",
        "all no-pager property= value",
        Operands::Verb(&["status", "show", "list-timezones"], 0),
    ),
    program(
        "uniq",
        "cdDf:is:uw:z",
        "count repeated all-repeated? skip-fields= group? ignore-case skip-chars= unique zero-terminated check-chars=",
        Operands::Files(1),
    ),
    asking(
        &["query", "display", "list", "get-selections"],
        program("update-alternatives alternatives", "", "query display list get-selections", Operands::Names(1)),
    ),
    program("wc", "clLmw", "bytes chars lines max-line-length words", Operands::Files(MANY)),
    program("who", "abdHlmpqrstTuw", "all boot count heading", Operands::Files(2)),
    program("apt-config", "", "", Operands::Verb(&["dump", "shell"], MANY)),
    program("openssl", "abdefoprv", "", Operands::Verb(&["version"], 0)),
];

/// The arguments of `git config` that read values.
const GIT_CONFIG: Program = asking(
    &["get", "get-all", "get-regexp"],
    program(
        "config",
        "f:",
        "get get-all get-regexp global system local worktree file= bool int path null name-only default=",
        Operands::Words(2),
    ),
);

/// The read-only arguments of `git rev-parse`. Other verbs are not allowed: they may fetch missing objects, check signatures, or run programs from
/// the repository's own configuration.
const REV_PARSE: Program = program(
    "rev-parse",
    "q",
    "verify quiet short? abbrev-ref? symbolic symbolic-full-name is-inside-work-tree is-inside-git-dir is-bare-repository show-toplevel show-prefix show-cdup git-dir absolute-git-dir",
    Operands::Names(MANY),
);

/// The options and operands of a command; None for an unknown option.
fn parsed<'a>(program: &Program, words: &[&'a str]) -> Option<Given<'a>> {
    let counts = ["head", "tail"].contains(&program.names);
    options::parsed(program.short, program.long, counts, words)
}

fn is_name(word: &str) -> bool {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "._@:+,/-".contains(c));
    plain && !word.contains("..") && !word.contains("://")
}

/// The machine and the working directory of the command.
struct Place<'a> {
    machine: &'a dyn Files,
    cwd: Vec<u8>,
}

impl Place<'_> {
    /// Whether reading a file has no effect and ends: a device, a pipe or a kernel log may act or block.
    fn is_readable(&self, path: &str, recursive: bool) -> bool {
        self.is_of_use(path, recursive, false)
    }

    /// Like `is_readable`; with `asked`, a block device is queried and not read as a whole.
    fn is_of_use(&self, path: &str, recursive: bool, asked: bool) -> bool {
        if path == "-" {
            return true;
        }
        let path = rchef_host::files::absolute(&self.cwd, path.as_bytes());
        let real = self.machine.realpath(&path).unwrap_or_else(|_| lexical(&path));
        let below =
            |folder: &str| real.strip_prefix(folder.as_bytes()).is_some_and(|rest| matches!(rest, [] | [b'/', ..]));
        if ["/proc/kmsg", "/proc/kcore", "/sys/kernel/debug", "/sys/kernel/tracing"].into_iter().any(below)
            // memory of processes
            || below("/proc") && [&b"pagemap"[..], b"mem", b"kpagecount", b"kpageflags", b"kpagecgroup"].contains(&basename(&real))
            || recursive && (real == b"/" || ["/proc", "/sys", "/dev"].into_iter().any(below))
        {
            return false;
        }
        match self.machine.stat(&path) {
            Ok(stat) => match stat.kind() {
                FileKind::File | FileKind::Directory => true,
                FileKind::BlockDevice => asked,
                _ => real == b"/dev/null",
            },
            Err(_) => !below("/dev"),
        }
    }

    fn takes(&self, program: &Program, words: &[&str]) -> bool {
        let Some(given) = parsed(program, words) else { return false };
        let recursive = program.names == "du"
            || ["grep egrep fgrep", "diff"].contains(&program.names) && given.has(&["r", "recursive"]);
        let asked = ["blkid", "df"].contains(&program.names);
        let readable = |files: &[&str]| files.iter().all(|file| self.is_of_use(file, recursive, asked));
        let asks = program.asks.is_empty() || given.has(program.asks);
        let is_given = given.has(&["e", "regexp"]);
        let operands = given.operands;
        asks && match program.operands {
            Operands::None => operands.is_empty(),
            Operands::Words(most) => operands.len() <= most,
            Operands::Names(most) => operands.len() <= most && operands.iter().all(|word| is_name(word)),
            // a word that starts with `+` may be an option in the obsolete syntax
            Operands::Files(most) => {
                let operands = if operands.is_empty() && recursive { vec!["."] } else { operands };
                operands.len() <= most && !operands.iter().any(|word| word.starts_with('+')) && readable(&operands)
            }
            Operands::Pattern => {
                let files = &operands[usize::from(!is_given).min(operands.len())..];
                readable(if files.is_empty() && recursive { &["."] } else { files })
            }
            Operands::Verb(verbs, most) => match &operands[..] {
                [verb, rest @ ..] => verbs.contains(verb) && rest.len() <= most,
                [] => false,
            },
        }
    }

    /// Whether a command is read-only.
    fn looks(&self, words: &[&str]) -> bool {
        let words: Vec<&str> = words.iter().copied().skip_while(|word| *word == "!").collect();
        let Some((path, rest)) = words.split_first() else { return false };
        let program = base(path);
        if !is_of_system(path) {
            return false;
        }
        let is_in = |names: &str| names.split(' ').any(|name| name == program);
        if is_in(HARMLESS) || *rest == ["--version"] && is_in(VERSIONED) {
            return true;
        }
        if versions::only_tells(program, rest) {
            return true;
        }
        match program {
            "awk" | "mawk" | "gawk" => filters::awk(rest),
            "sed" => filters::sed(rest),
            // a shell may run a command substitution in an array index
            "[" | "test" => {
                !rest.iter().any(|word| ["-v", "-R"].contains(word) || word.contains("$(") || word.contains('`'))
            }
            "printf" => rest.first().is_none_or(|word| *word == "--" || !word.starts_with('-')),
            "command" => matches!(rest, ["-v" | "-V", names @ ..] if !names.iter().any(|name| name.starts_with('-'))),
            "date" => date(rest),
            "git" => self.git(rest),
            "ls" => self.ls(rest),
            "ip" => ip(rest),
            program => {
                let Some(known) = PROGRAMS.iter().find(|known| known.names.split(' ').any(|name| name == program))
                else {
                    return false;
                };
                let special = match program {
                    "blkid" => blkid(known, rest),
                    "diff" => self.is_of_one_kind(known, rest),
                    // the mode of operation may be the first word
                    "rpm" => {
                        rest.first().is_some_and(|word| word.starts_with("-q") || *word == "--query")
                            && self.has_rpm_database()
                    }
                    _ => true,
                };
                special && self.takes(known, rest)
            }
        }
    }

    /// rpm would create a database if there is none.
    fn has_rpm_database(&self) -> bool {
        ["/var/lib/rpm", "/usr/lib/sysimage/rpm"].iter().any(|folder| self.machine.stat(folder.as_bytes()).is_ok())
    }

    /// Whether both operands of diff are files, or both directories: with one directory, diff opens the file of the same name in it.
    fn is_of_one_kind(&self, diff: &Program, words: &[&str]) -> bool {
        let is_directory = |path: &&str| {
            let path = rchef_host::files::absolute(&self.cwd, path.as_bytes());
            self.machine.stat(&path).is_ok_and(|stat| stat.is_dir())
        };
        parsed(diff, words).is_some_and(|given| given.operands.iter().filter(|path| is_directory(path)).count() != 1)
    }

    /// Whether `ls` ends: a recursive listing must not follow links or enter file systems that the kernel generates.
    fn ls(&self, words: &[&str]) -> bool {
        let options: Vec<&str> = words.iter().copied().take_while(|word| *word != "--").collect();
        let has = |letter: char, long: &str| {
            options.iter().any(|word| match word.strip_prefix("--") {
                Some(name) => !name.is_empty() && long.starts_with(name),
                None => word.starts_with('-') && word.contains(letter),
            })
        };
        if !has('R', "recursive") {
            return true;
        }
        let mut folders: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
        if folders.is_empty() {
            folders.push(".");
        }
        !has('L', "dereference") && folders.iter().all(|folder| self.is_readable(folder, true))
    }

    fn git(&self, words: &[&str]) -> bool {
        match words {
            ["--no-pager" | "--no-optional-locks", rest @ ..] => self.git(rest),
            ["-C", folder, rest @ ..] => {
                let cwd = rchef_host::files::absolute(&self.cwd, folder.as_bytes());
                Place { machine: self.machine, cwd }.git(rest)
            }
            ["config", rest @ ..] => {
                let given = parsed(&GIT_CONFIG, rest).unwrap_or_default();
                given.values(&["f", "file"]).all(|file| self.is_readable(file, false)) && self.takes(&GIT_CONFIG, rest)
            }
            // objects (with `:`, `@` and similar syntax) may have to be fetched
            ["rev-parse", rest @ ..] => {
                self.takes(&REV_PARSE, rest) && !rest.iter().any(|word| word.contains([':', '@']))
            }
            _ => false,
        }
    }
}

fn date(words: &[&str]) -> bool {
    let known =
        program("date", "d:I?Rr:u", "date= iso-8601? reference= rfc-3339= rfc-email utc universal", Operands::None);
    // an operand that is not a format would set the time; a time zone in a date may name a file
    parsed(&known, words).is_some_and(|given| {
        given.operands.iter().all(|word| word.starts_with('+'))
            && !given.options.iter().any(|(_, value)| value.is_some_and(|value| value.contains("TZ=")))
    })
}

/// blkid writes its results to a cache file, unless it probes or the cache is /dev/null.
fn blkid(known: &Program, words: &[&str]) -> bool {
    parsed(known, words).is_some_and(|given| given.values(&["c", "cache-file"]).all(|file| file == "/dev/null"))
}

fn ip(words: &[&str]) -> bool {
    let flags = ["-4", "-6", "-o", "-s", "-d", "-j", "-p", "-br", "-brief", "-json", "-oneline"];
    let objects = ["a", "addr", "address", "l", "link", "r", "route", "ru", "rule", "n", "neigh", "neighbour", "maddr"];
    let mut plain = words.iter().skip_while(|word| flags.contains(word));
    let object = plain.next().is_some_and(|object| objects.contains(object));
    let verb = plain.next().is_none_or(|verb| ["show", "list", "ls", "lst", "get"].contains(verb));
    // a link type may load a library
    object
        && verb
        && plain.all(|word| is_name(word) && !word.is_empty() && !"type".starts_with(word) && *word != "xstats")
}

/// Whether an environment variable has rchef's own value, or cannot change what a command does.
fn is_harmless(name: &[u8], value: &[u8], machine: &dyn Processes) -> bool {
    let own = machine.env(name);
    if own.as_deref() == Some(value) {
        return true;
    }
    match name {
        b"PATH" => {
            let own = own.unwrap_or_default();
            let folders: Vec<&[u8]> = own.split(|byte| *byte == b':').collect();
            value.split(|byte| *byte == b':').all(|folder| {
                folders.contains(&folder) || is_of_system(&format!("{}/", String::from_utf8_lossy(folder)))
            })
        }
        b"LANG" | b"LANGUAGE" => !value.contains(&b'/'),
        name if name.starts_with(b"LC_") => !value.contains(&b'/'),
        b"TERM" | b"COLUMNS" | b"LINES" | b"USER" | b"LOGNAME" | b"PWD" | b"OLDPWD" | b"DEBIAN_FRONTEND" => {
            !value.contains(&b'(')
        }
        _ => false,
    }
}

/// Whether the environment of a command cannot change what it does.
pub fn has_plain_environment(machine: &dyn Processes, spec: &CommandSpec) -> bool {
    let mut env = spec.env.iter().filter_map(|(name, value)| value.as_ref().map(|value| (name, value)));
    !spec.clear_env && env.all(|(name, value)| is_harmless(name, value, machine))
}

/// Whether a command is read-only in its whole environment.
pub fn only_looks<H: Files + Processes>(machine: &H, spec: &CommandSpec) -> bool {
    let Some(commands) = commands_of(spec) else { return false };
    // HOME only selects the configuration to read
    let reads_config = commands.iter().all(|(_, words)| {
        words.first().is_some_and(|word| word == "git") && words[1..].iter().any(|word| word == "config")
    });
    let mut env = spec.env.iter().filter_map(|(name, value)| value.as_ref().map(|value| (name, value)));
    let path = machine.env(b"PATH").unwrap_or_default();
    if spec.argv0.is_some()
        || !env.all(|(name, value)| is_harmless(name, value, machine) || reads_config && name == b"HOME")
        || !path.split(|byte| *byte == b':').all(|folder| folder.starts_with(b"/"))
    {
        return false;
    }
    let cwd = spec.cwd.clone().or_else(|| machine.getcwd().ok()).unwrap_or_default();
    let place = Place { machine, cwd };
    let input = match &spec.stdin {
        Stdio::File { path, .. } => place.is_readable(&String::from_utf8_lossy(path), false),
        _ => true,
    };
    input && commands.iter().all(|(_, words)| place.looks(&words.iter().map(String::as_str).collect::<Vec<_>>()))
}

/// Whether a single command is read-only in the root directory.
pub(crate) fn command_looks(machine: &dyn Files, words: &[&str]) -> bool {
    Place { machine, cwd: b"/".to_vec() }.looks(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rchef_host::overlay::skeleton::{self, SkeletonEntry};
    use rchef_host::{OpenFlags, OverlayHost, OverlayOptions, RealHost};
    use std::rc::Rc;

    #[test]
    fn commands_look_or_act() {
        let host = OverlayHost::over(Rc::new(RealHost::new()), OverlayOptions::default());
        host.plant(&SkeletonEntry::dir("/var/lib/rpm", 0o755)).unwrap();
        let (mut count, mut wrong) = ([0, 0], Vec::new());
        for row in include_str!("looks.txt").lines().filter(|row| !row.is_empty() && !row.starts_with("# ")) {
            let (kind, line) = row.split_once(' ').unwrap();
            let line = line.replace("\\n", "\n");
            assert!(["look", "acts"].contains(&kind), "{row}");
            count[usize::from(kind == "look")] += 1;
            if only_looks(&host, &CommandSpec::shell(line.as_str()).captured()) != (kind == "look") {
                wrong.push(row);
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(count[0] > 50 && count[1] > 100, "{count:?}");
    }

    #[test]
    fn what_a_command_is_given_counts() {
        let host = RealHost::new();
        let with = |name: &str, value: &str| {
            let mut spec = CommandSpec::shell("ls").captured();
            spec.env.insert(name.into(), Some(value.into()));
            only_looks(&host, &spec)
        };
        for (name, value, holds) in [
            ("LANG", "C.UTF-8", true),
            ("PATH", "/usr/bin:/bin", true),
            ("PATH", "/tmp/own:/usr/bin", false),
            ("PATH", ".", false),
            ("LD_PRELOAD", "/tmp/own.so", false),
            ("BASH_ENV", "/tmp/own", false),
            ("GIT_PAGER", "touch x", false),
            ("BASH_FUNC_ls%%", "() { touch x; }", false),
        ] {
            assert_eq!(with(name, value), holds, "{name}={value}");
        }
        let bare = OverlayHost::empty(Rc::new(RealHost::new()), &skeleton::linux(), OverlayOptions::default()).unwrap();
        assert!(!only_looks(&bare, &CommandSpec::shell("rpm -q x").captured()), "rpm makes a database");
        bare.set_env(b"PATH", b"/usr/bin:.").unwrap();
        assert!(!only_looks(&bare, &CommandSpec::shell("ls").captured()));
        let mut configured = CommandSpec::shell("git config --get user.name").captured();
        configured.env.insert("HOME".into(), Some("/srv/home".into()));
        assert!(only_looks(&host, &configured));
        configured.program = CommandSpec::shell("git config --get user.name && rpm -q x").program;
        assert!(!only_looks(&host, &configured), "rpm has macros there");
        let mut named = CommandSpec::shell("ls").captured();
        named.argv0 = Some(b"rm".to_vec());
        assert!(!only_looks(&host, &named));
        let mut placed = CommandSpec::shell("cat zero").captured();
        placed.cwd = Some(b"/dev".to_vec());
        assert!(!only_looks(&host, &placed));
        let mut fed = CommandSpec::shell("head -c 3").captured();
        fed.stdin = Stdio::File { path: b"/dev/zero".to_vec(), flags: OpenFlags::RDONLY, mode: 0 };
        assert!(!only_looks(&host, &fed));
        let mut recursive = CommandSpec::shell("grep -rq x").captured();
        assert!(only_looks(&host, &recursive));
        recursive.cwd = Some(b"/".to_vec());
        assert!(!only_looks(&host, &recursive));
        assert!(only_looks(&host, &CommandSpec::argv(["uniq", "-c", "a"])));
        assert!(!only_looks(&host, &CommandSpec::argv(["uniq", "-", "a"])));
    }
}
