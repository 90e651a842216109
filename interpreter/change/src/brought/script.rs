//! What an installation script of a package does: the script is run on the overlay, as far as its commands have forms that debhelper writes or
//! that are common.
//!
//! What a condition asks is answered from the overlay. Where it cannot be told, both ways are taken, and what is done there is not known.

mod expansion;

use super::command::{self, Done};
use super::sh::{List, Node, assignment, parse};
use super::unit;
use rchef_host::compose;
use rchef_host::{Files, OpenFlags, OverlayHost, test_expression};
use rchef_text::fnmatch::{DOTMATCH, fnmatch};
use rchef_text::shell::{Redirection, Word};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most rounds of a loop.
const ROUNDS: usize = 1000;
/// Most calls of functions within each other.
const DEPTH: usize = 50;
/// Most commands of a script.
const STEPS: usize = 50_000;

/// How a list of commands ended.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Next,
    Break,
    Continue,
    Return,
    Exit,
}

/// Values of variables; absent where one is not known.
type Variables = BTreeMap<String, Option<String>>;

/// Takes the script of a package that is new on the machine as run; whether all of it is known.
pub(super) fn run(overlay: &OverlayHost, script: &str) -> bool {
    let program = script.lines().next().unwrap_or_default();
    let is_shell = !program.starts_with("#!") || ["/sh", "/bash", "/dash"].iter().any(|shell| program.contains(shell));
    let marked: String = script.lines().map(|line| format!("{}\n", mark(line))).collect();
    let Some(list) = parse(&marked).filter(|_| is_shell) else { return false };
    let mut shell = Shell {
        overlay,
        variables: [("DPKG_ROOT", ""), ("DPKG_MAINTSCRIPT_NAME", "postinst"), ("IFS", " \t\n")]
            .map(|(name, value)| (name.to_string(), Some(value.to_string())))
            .into(),
        functions: BTreeMap::new(),
        parameters: ["configure", ""].map(|word| Some(word.to_string())).into(),
        known: true,
        generated: false,
        unsure: 0,
        depth: 0,
        steps: 0,
        locals: Vec::new(),
        status: Some(true),
        output: Some(String::new()),
        started: Vec::new(),
    };
    shell.list(&list);
    if unit::may_start(overlay) {
        shell.started.iter().for_each(|name| unit::start(overlay, name));
    }
    shell.known
}

/// The library of debconf, which defines `db_get` and its like.
const DEBCONF: &str = "/usr/share/debconf/confmodule";

/// A builtin without effect that says where what debhelper has written begins and ends.
const MARK: &str = "rchef-generated";

fn mark(line: &str) -> String {
    match line.trim_start() {
        line if line.starts_with("# Automatically added by") => format!(": {MARK} yes"),
        line if line.starts_with("# End automatically added section") => format!(": {MARK} no"),
        _ => line.to_string(),
    }
}

/// A shell in the middle of a script.
struct Shell<'a> {
    overlay: &'a OverlayHost,
    variables: Variables,
    functions: BTreeMap<String, Rc<Node>>,
    parameters: Vec<Option<String>>,
    /// Whether everything so far was known.
    known: bool,
    /// Debhelper has written what runs: what it does beyond files, accounts and units of the package does not matter.
    generated: bool,
    /// How many conditions were not known to hold that what runs stands below.
    unsure: usize,
    depth: usize,
    /// Commands so far.
    steps: usize,
    /// Variables of the functions under way, with what they were before.
    locals: Vec<Vec<(String, Option<Option<String>>)>>,
    /// Whether the last command succeeded.
    status: Option<bool>,
    /// What was written to standard output.
    output: Option<String>,
    /// Units that are started.
    started: Vec<String>,
}

impl Shell<'_> {
    fn list(&mut self, list: &List) -> Flow {
        for node in list {
            let flow = self.node(node);
            if flow != Flow::Next {
                return flow;
            }
        }
        Flow::Next
    }

    fn not_known(&mut self) {
        self.known &= self.generated;
    }

    fn write(&mut self, text: Option<&str>) {
        self.output = self.output.take().zip(text).map(|(output, text)| output + text);
    }

    fn node(&mut self, node: &Node) -> Flow {
        match node {
            Node::Simple { assignments, words, redirections } => return self.simple(assignments, words, redirections),
            Node::Pipeline(parts) => {
                let before = self.output.take();
                // each part is a shell of its own
                let variables = self.variables.clone();
                for part in parts {
                    self.output = Some(String::new());
                    self.node(part);
                }
                self.variables = variables;
                self.output = before;
                self.write(None);
                self.status = None;
            }
            Node::Chain(first, rest) => return self.chain(first, rest),
            Node::Not(node) => {
                let flow = self.node(node);
                self.status = self.status.map(|status| !status);
                return flow;
            }
            Node::If(branches, otherwise) => return self.conditional(branches, otherwise),
            Node::Case(word, arms) => return self.case(word, arms),
            Node::For(name, words, body) => return self.for_each(name, words.as_deref(), body),
            Node::Loop { until, condition, body } => return self.repeat(*until, condition, body),
            Node::Group(list) => return self.list(list),
            Node::Subshell(list) => {
                let variables = self.variables.clone();
                self.list(list);
                self.variables = variables;
            }
            Node::Function(name, body) => {
                self.functions.insert(name.clone(), Rc::clone(body));
                self.status = Some(true);
            }
            Node::Redirected(node, redirections) => {
                let before = self.output.replace(String::new());
                let flow = self.node(node);
                let written = std::mem::replace(&mut self.output, before);
                self.hand_on(written.as_deref(), redirections);
                return flow;
            }
        }
        Flow::Next
    }

    /// Takes a way that may not be taken: what it changes of variables is not known afterwards.
    fn perhaps(&mut self, run: impl FnOnce(&mut Self) -> Flow) {
        let (before, parameters) = (self.variables.clone(), self.parameters.clone());
        self.unsure += 1;
        // otherwise what follows may not run, or with other words
        if run(self) != Flow::Next || self.parameters != parameters {
            self.not_known();
        }
        self.unsure -= 1;
        for (name, value) in &mut self.variables {
            if before.get(name) != Some(value) {
                *value = None;
            }
        }
        self.write(None);
        self.status = None;
    }

    fn chain(&mut self, first: &Node, rest: &[(bool, Node)]) -> Flow {
        let flow = self.node(first);
        if flow != Flow::Next {
            return flow;
        }
        for (wanted, node) in rest {
            match self.status {
                Some(status) if status == *wanted => {
                    let flow = self.node(node);
                    if flow != Flow::Next {
                        return flow;
                    }
                }
                Some(_) => {}
                None => self.perhaps(|shell| shell.node(node)),
            }
        }
        Flow::Next
    }

    fn conditional(&mut self, branches: &[(List, List)], otherwise: &List) -> Flow {
        for (at, (condition, body)) in branches.iter().enumerate() {
            let flow = self.list(condition);
            if flow != Flow::Next {
                return flow;
            }
            match self.status {
                Some(true) => return self.list(body),
                Some(false) => {}
                None => {
                    self.perhaps(|shell| shell.list(body));
                    self.perhaps(|shell| shell.conditional(&branches[at + 1..], otherwise));
                    return Flow::Next;
                }
            }
        }
        self.status = Some(true);
        self.list(otherwise)
    }

    fn case(&mut self, word: &Word, arms: &[(Vec<Word>, List)]) -> Flow {
        let value = self.text(word);
        let mut is_open = false;
        for (patterns, body) in arms {
            let found: Vec<Option<bool>> = patterns
                .iter()
                .map(|pattern| Some(fnmatch(self.pattern(pattern)?.as_bytes(), value.as_ref()?.as_bytes(), DOTMATCH)))
                .collect();
            let fits = found.contains(&Some(true));
            if fits && !is_open {
                return self.list(body);
            }
            if fits || found.contains(&None) {
                self.perhaps(|shell| shell.list(body));
                is_open = true;
            }
            if fits {
                return Flow::Next;
            }
        }
        self.status = Some(true);
        Flow::Next
    }

    fn for_each(&mut self, name: &str, words: Option<&[Word]>, body: &List) -> Flow {
        let values = match words {
            Some(words) => self.fields(words),
            None => self.parameters.clone().into_iter().collect(),
        };
        let Some(values) = values else {
            self.variables.insert(name.into(), None);
            self.perhaps(|shell| shell.round(body).unwrap_or(Flow::Next));
            return Flow::Next;
        };
        for value in values {
            self.variables.insert(name.into(), Some(value));
            if let Some(flow) = self.round(body) {
                return flow;
            }
        }
        Flow::Next
    }

    /// One round of a loop; how the loop ended, where it did.
    fn round(&mut self, body: &List) -> Option<Flow> {
        match self.list(body) {
            Flow::Next | Flow::Continue => None,
            Flow::Break => Some(Flow::Next),
            flow => Some(flow),
        }
    }

    fn repeat(&mut self, until: bool, condition: &List, body: &List) -> Flow {
        for _ in 0..ROUNDS {
            let flow = self.list(condition);
            if flow != Flow::Next {
                return flow;
            }
            match self.status.map(|status| status != until) {
                Some(true) => {
                    if let Some(flow) = self.round(body) {
                        return flow;
                    }
                }
                Some(false) => return Flow::Next,
                None => {
                    self.perhaps(|shell| shell.round(body).unwrap_or(Flow::Next));
                    return Flow::Next;
                }
            }
        }
        self.not_known();
        Flow::Next
    }

    fn simple(&mut self, assignments: &[(String, Word)], words: &[Word], redirections: &[Redirection]) -> Flow {
        if words.is_empty() {
            self.status = Some(true);
            for (name, word) in assignments {
                let value = self.text(word);
                self.variables.insert(name.clone(), value);
            }
            self.hand_on(Some(""), redirections);
            return Flow::Next;
        }
        if words
            .first()
            .and_then(Word::plain)
            .is_some_and(|word| ["local", "export", "readonly"].contains(&word.as_str()))
        {
            self.status = Some(true);
            let is_local = words[0].plain().as_deref() == Some("local");
            for word in &words[1..] {
                let (name, value) = match assignment(word) {
                    Some((name, value)) => (name, Some(value)),
                    None => (word.plain().unwrap_or_default(), None),
                };
                let before = self.variables.get(&name).cloned();
                if let Some(value) = value {
                    let value = self.text(&value);
                    self.variables.insert(name.clone(), value);
                }
                if let Some(locals) = self.locals.last_mut().filter(|_| is_local) {
                    locals.push((name, before));
                }
            }
            return Flow::Next;
        }
        // each word is known for itself
        let mut values = Vec::new();
        for word in words {
            match self.fields(std::slice::from_ref(word)) {
                Some(fields) => values.extend(fields.into_iter().map(Some)),
                None => values.push(None),
            }
        }
        let before = self.output.replace(String::new());
        let flow = self.command(&values);
        let written = std::mem::replace(&mut self.output, before);
        self.hand_on(written.as_deref(), redirections);
        flow
    }

    fn command(&mut self, words: &[Option<String>]) -> Flow {
        let [program, arguments @ ..] = words else { return Flow::Next };
        self.steps += 1;
        if self.steps > STEPS {
            self.known = false;
            return Flow::Exit;
        }
        let Some(program) = program else {
            self.status = None;
            self.write(None);
            self.not_known();
            return Flow::Next;
        };
        let known: Option<Vec<&str>> = arguments.iter().map(Option::as_deref).collect();
        if let Some(body) = self.functions.get(program).cloned() {
            return self.call(&body, arguments);
        }
        let before = self.status.replace(true);
        match (program.as_str(), known.as_deref()) {
            (":", Some([MARK, there])) => self.generated = *there == "yes",
            ("break" | "continue", levels) => {
                if !matches!(levels, Some([] | ["1"])) {
                    self.not_known();
                }
                return if program == "break" { Flow::Break } else { Flow::Continue };
            }
            ("return" | "exit", code) => {
                self.status = match code {
                    Some([]) => before,
                    Some([code, ..]) => Some(*code == "0"),
                    None => None,
                };
                return if program == "return" { Flow::Return } else { Flow::Exit };
            }
            // redirections of the shell itself
            ("exec", Some([])) => {}
            ("exec", _) => {
                self.command(arguments);
                return Flow::Exit;
            }
            ("set", Some(["--", words @ ..])) => {
                self.parameters = words.iter().map(|word| Some((*word).to_string())).collect();
            }
            ("shift", _) => drop(self.parameters.drain(..1.min(self.parameters.len()))),
            ("unset", Some(names)) => {
                names.iter().for_each(|name| drop(self.variables.insert((*name).into(), Some(String::new()))));
            }
            ("read" | "db_get", _) => {
                self.status = None;
                let names = known.unwrap_or_default();
                names.iter().for_each(|name| drop(self.variables.insert((*name).into(), None)));
                self.variables.insert("RET".into(), None);
            }
            ("." | "source", Some([DEBCONF, ..])) => {}
            ("." | "source", Some([path, ..])) => {
                let text = compose::read_file(self.overlay, path.as_bytes()).ok();
                return self.source(text.and_then(|text| String::from_utf8(text).ok()).as_deref());
            }
            ("eval", Some(words)) => return self.source(Some(&words.join(" "))),
            ("." | "source" | "eval", None) => return self.source(None),
            ("test", Some(words)) | ("[", Some([words @ .., "]"])) => {
                self.status = test_expression(self.overlay, words);
            }
            ("test" | "[", _) => self.status = None,
            ("echo", Some(words)) if !words.iter().any(|word| word.contains('\\') || word.starts_with('-')) => {
                self.write(Some(&format!("{}\n", words.join(" "))));
            }
            (program, _) => {
                let done = command::run(self.overlay, program, arguments, &mut self.started);
                self.done(&done);
            }
        }
        Flow::Next
    }

    /// Runs commands that are the value of a word or the text of a file in this shell. Where they are not known, no variable is known after them.
    fn source(&mut self, text: Option<&str>) -> Flow {
        if let Some(list) = text.and_then(parse) {
            return match self.nested(|shell| shell.list(&list)) {
                Flow::Return => Flow::Next,
                flow => flow,
            };
        }
        self.variables.values_mut().for_each(|value| *value = None);
        self.status = None;
        self.not_known();
        Flow::Next
    }

    /// Runs what stands in a function, a file or a value; nothing of it is known where it goes too deep.
    fn nested(&mut self, run: impl FnOnce(&mut Self) -> Flow) -> Flow {
        if self.depth == DEPTH {
            self.not_known();
            return Flow::Exit;
        }
        self.depth += 1;
        let flow = run(self);
        self.depth -= 1;
        flow
    }

    /// What a command has done.
    fn done(&mut self, done: &Done) {
        match done {
            Done::Told(status, output) => {
                self.status = *status;
                self.write(output.as_deref());
            }
            Done::Changed if self.unsure == 0 => self.status = Some(true),
            Done::Changed | Done::NotKnown => {
                self.status = if matches!(done, Done::Changed) { Some(true) } else { None };
                self.write(None);
                self.not_known();
            }
        }
    }

    fn call(&mut self, body: &Node, arguments: &[Option<String>]) -> Flow {
        let before = std::mem::replace(&mut self.parameters, arguments.to_vec());
        self.locals.push(Vec::new());
        let flow = self.nested(|shell| shell.node(body));
        for (name, before) in self.locals.pop().unwrap_or_default().into_iter().rev() {
            match before {
                Some(value) => self.variables.insert(name, value),
                None => self.variables.remove(&name),
            };
        }
        self.parameters = before;
        if flow == Flow::Exit { Flow::Exit } else { Flow::Next }
    }

    /// Leads what a command wrote to where its redirections lead it.
    fn hand_on(&mut self, text: Option<&str>, redirections: &[Redirection]) {
        let (mut text, mut taken) = (text, false);
        for redirection in redirections {
            let is_output = redirection.operator.starts_with('>') || redirection.operator.starts_with("&>");
            let is_standard = matches!(redirection.descriptor.as_deref(), None | Some("1"));
            let target = self.text(&redirection.target);
            match target.as_deref() {
                // standard input does not matter
                _ if !is_output => {}
                Some("/dev/null" | "/dev/stderr" | "/dev/tty") => {}
                Some("1" | "2" | "3" | "-") if redirection.operator == ">&" => {}
                Some(path) if path.starts_with('/') && self.unsure == 0 => {
                    // the text is that of standard output alone
                    let text = text.filter(|_| is_standard && !redirection.operator.starts_with('&'));
                    if !put(self.overlay, path, text, redirection.operator == ">>") {
                        self.not_known();
                    }
                }
                _ => self.not_known(),
            }
            if is_output && is_standard && !taken {
                (text, taken) = (Some(""), true);
            }
        }
        self.write(text);
    }
}

/// Writes a file that a script writes; whether its content is known.
fn put(overlay: &OverlayHost, path: &str, text: Option<&str>, appends: bool) -> bool {
    let Some(text) = text else { return false };
    let path = path.as_bytes();
    if !appends && !compose::exists(overlay, path) {
        return compose::write_file(overlay, path, text.as_bytes(), 0o644).is_ok();
    }
    let how = if appends { OpenFlags::APPEND } else { OpenFlags::TRUNC };
    let opened = overlay.open(path, OpenFlags::WRONLY | OpenFlags::CREAT | how, 0o644);
    opened.is_ok_and(|file| compose::write_all(&*file, text.as_bytes()).is_ok())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failure is the test's
    use super::super::machine;
    use super::*;
    use rchef_host::{Queries, Users};

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
        unit::directories(&host, "x.service", "/etc/x.service").unwrap();
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
            "grep -q x /etc/there || exit 0",
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
            case $(basename /a/b) in a | [x]) ;; b*) mkdir /srv/case ;; *) mkdir /srv/other ;; esac\n\
            N=\"a  b\"\nfor F in $N \"$N\"; do mkdir \"/srv/$F\"; done\n\
            cat <<EOF >/srv/text\nline 1\nEOF\necho more >>/srv/text\nlocal_of() { local N=z; return 1; }\n\
            if local_of || [ \"$N\" = \"a  b\" ]; then touch /srv/returned; fi\nln -sf /dev/null /srv/link\nrm -f /var/log/full/a\n\
            install -m 600 /srv/text /srv/installed\nwhile true; do break; done\n";
        assert!(!run(&host, script), "`[x]` and the text of `cat` are not known");
        let user = host.user_by_name(b"redis").unwrap().unwrap();
        let stat = host.stat(b"/var/log/redis").unwrap();
        assert_eq!((stat.uid, stat.gid, stat.perm()), (user.uid, user.gid, 0o2750));
        let mut made: Vec<String> =
            host.readdir(b"/srv").unwrap().iter().map(|entry| crate::lossy(&entry.name)).collect();
        made.sort();
        assert_eq!(made, ["a", "a  b", "b", "case", "installed", "link", "of-full", "returned", "text"]);
        assert_eq!(compose::read_file(&host, b"/srv/text").unwrap(), b"more\n");
        assert_eq!(host.stat(b"/srv/installed").unwrap().perm(), 0o600);
        assert!(host.lstat(b"/var/log/full/a").is_err());
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
        let mut made: Vec<String> =
            host.readdir(b"/srv").unwrap().iter().map(|entry| crate::lossy(&entry.name)).collect();
        made.sort();
        assert_eq!(made, ["a", "c", "last", "left", "of-default", "of-eval", "of-script", "unset"]);
        for line in [
            "mkdir /srv/d 2>/srv/errors",
            "for F in a; do for G in b; do break 2; done; done",
            "for F in x; do if grep -q x /etc/of-x; then continue; fi; mkdir /srv/$F; done",
            ". /etc/nothing",
            "eval $(ls)",
            "if grep -q x /etc/of-x; then shift; fi",
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
        assert!(!run(&host, "D=/srv/a\nif grep -q x /etc/y; then D=/srv/b; fi\nmkdir $D\n"));
        assert!(host.readdir(b"/srv").unwrap().is_empty());
        assert!(run(&host, "D=/srv/a\nif grep -q x /etc/y; then echo $D; fi\nmkdir $D\n"));
        assert!(host.stat(b"/srv/a").is_ok());
        assert!(!run(&host, "while [ -d /etc ]; do :; done\nmkdir /srv/b\n"), "a loop without an end");
        assert!(!run(&host, "f() { f; f; }\nf\n"), "a function without an end");
        let loops = "while true; do ".repeat(6) + ":" + &"; done".repeat(6);
        assert!(!run(&host, &loops), "loops without an end");
        assert!(!run(&host, &format!("{}:", "f() ".repeat(100_000))), "too deep");
        assert!(!run(&host, &format!("{}:{}", "( ".repeat(100_000), " )".repeat(100_000))), "too deep");
        assert!(!run(&host, "case $1 in [c]*) ;; configure) mkdir /srv/c ;; esac\n"), "which of both is not known");
        assert!(run(&host, "exec 3>&1\nexec mkdir /srv/d\nfrobnicate\n"));
        assert!(host.stat(b"/srv/d").is_ok());
    }
}
