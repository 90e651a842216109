//! Redirections of a script's commands.

use super::Shell;
use rchef_host::compose;
use rchef_host::{Files, OpenFlags, OverlayHost};
use rchef_text::shell::{Part, Redirection, Word};

/// A redirection with its expanded target, if known.
pub(super) struct Led {
    descriptor: Option<String>,
    operator: &'static str,
    target: Option<String>,
}

impl Led {
    fn is_output(&self) -> bool {
        self.operator.starts_with('>') || self.operator.starts_with("&>")
    }

    /// The file that it writes to.
    fn file(&self) -> Option<&str> {
        const STREAMS: &[&str] =
            &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/console", "/dev/fd/1", "/dev/fd/2"];
        let target = self.target.as_deref()?;
        (self.is_output() && self.operator != ">&" && !STREAMS.contains(&target)).then_some(target)
    }

    fn appends(&self) -> bool {
        self.operator.ends_with(">>")
    }
}

/// Where a standard descriptor is redirected to.
#[derive(Clone, PartialEq)]
enum Sink {
    /// Not redirected.
    Same,
    /// Discarded, or outside of the captured output.
    Nowhere,
    File(String),
    NotKnown,
}

impl Shell<'_> {
    /// Expands the targets and creates the files of redirections.
    pub(super) fn lead(&mut self, redirections: &[Redirection]) -> Vec<Led> {
        let mut led = Vec::new();
        for redirection in redirections {
            let target = if redirection.operator.starts_with("<<") {
                self.document(&redirection.target);
                None
            } else {
                self.target(&redirection.target)
            };
            let it = Led { descriptor: redirection.descriptor.clone(), operator: redirection.operator, target };
            if it.operator == "<<" {
                self.input = redirection.target.plain();
            } else if it.operator.starts_with('<') {
                self.input = None;
            }
            if let Some(path) = it.file() {
                let opened = path.starts_with('/')
                    && !path.starts_with("/dev/")
                    && !path.starts_with("/proc/")
                    && self.unsure == 0
                    && !self.only_tells
                    && open(self.overlay, path, "", it.appends());
                if !opened {
                    self.not_known();
                }
            } else if it.target.is_none() && it.is_output() {
                self.not_known();
            } else if let (">&" | "<&", Some(other)) = (it.operator, it.target.as_deref())
                && !["0", "1", "2", "-"].contains(&other)
                && !self.state.descriptors.contains(other)
            {
                // a descriptor that is not open, or bash's `>&FILE`
                self.not_known();
            } else if let ("<" | "<>", Some(path)) = (it.operator, &it.target)
                && (!compose::exists(self.overlay, path.as_bytes()) || it.operator == "<>")
            {
                self.not_known();
            }
            led.push(it);
        }
        led
    }

    /// The target of a redirection.
    fn target(&mut self, word: &Word) -> Option<String> {
        // bash expands file name patterns here, dash does not
        let is_pattern = word.parts.iter().any(|part| matches!(part, Part::Pattern(_)));
        self.text(word).filter(|_| !is_pattern)
    }

    /// A here-document: substitutions in it may have side effects.
    fn document(&mut self, word: &Word) {
        let text = |part: &Part| if let Part::Text(text) = part { text.clone() } else { String::new() };
        let text: String = word.parts.iter().map(text).collect();
        let acts = text.contains(['`', '{', '(']) || self.state.needs_values;
        if word.plain().is_none() && acts {
            self.not_known();
        }
    }

    /// Passes a command's output on through its redirections.
    pub(super) fn hand_on(&mut self, text: Option<&str>, led: &[Led]) {
        let (mut output, mut errors) = (Sink::Same, Sink::Same);
        let mut errors_go_along = false;
        for it in led.iter().filter(|it| it.is_output()) {
            let sink = match (it.operator, it.target.as_deref()) {
                (">&", Some("1")) => output.clone(),
                (">&", Some("2")) => {
                    if errors == Sink::Same && !errors_go_along {
                        Sink::Nowhere
                    } else {
                        errors.clone()
                    }
                }
                (">&", Some("-")) => Sink::Nowhere,
                (">&", _) | (_, None) => Sink::NotKnown,
                (_, Some("/dev/stdout" | "/dev/fd/1")) => output.clone(),
                (_, Some("/dev/null" | "/dev/stderr" | "/dev/fd/2" | "/dev/tty" | "/dev/console")) => Sink::Nowhere,
                (_, Some(path)) => Sink::File(path.to_string()),
            };
            let both = it.operator.starts_with("&>");
            if both || matches!(it.descriptor.as_deref(), None | Some("1")) {
                output = sink.clone();
            }
            if both || it.descriptor.as_deref() == Some("2") {
                errors_go_along = sink == output && output == Sink::Same;
                errors = sink;
            }
        }
        // assumes that a successful command writes nothing to standard error
        let with_errors = self.status != Some(0);
        if let Sink::File(_) = errors
            && (with_errors || text.is_none() || errors != output)
        {
            self.not_known();
        }
        match output {
            Sink::Same => self.write(text.filter(|_| !(errors_go_along && with_errors))),
            Sink::Nowhere => {}
            Sink::NotKnown if text == Some("") => {}
            Sink::NotKnown => {
                self.write(None);
                if self.captures > 0 {
                    self.output = None;
                }
            }
            Sink::File(path) => {
                let written = self.unsure == 0
                    && !self.only_tells
                    && text.is_some_and(|text| open(self.overlay, &path, text, true));
                if !written {
                    self.not_known();
                }
            }
        }
    }

    /// Redirections of `exec`, which persist in the shell.
    pub(super) fn keep(&mut self, led: &[Led]) {
        for it in led {
            let is_standard = matches!(it.descriptor.as_deref(), None | Some("1" | "2"));
            let harmless = match it.operator {
                "<" | "<&" => it.descriptor.as_deref().is_none_or(|descriptor| descriptor != "1"),
                ">&" => !is_standard || self.captures == 0,
                _ => false,
            };
            if !harmless {
                self.forget();
            } else if it.target.as_deref() != Some("-") {
                self.state.descriptors.extend(it.descriptor.clone());
            }
        }
    }
}

/// Writes to a redirection's file; gives whether that succeeded.
fn open(overlay: &OverlayHost, path: &str, text: &str, appends: bool) -> bool {
    let how = if appends { OpenFlags::APPEND } else { OpenFlags::TRUNC };
    let opened = overlay.open(path.as_bytes(), OpenFlags::WRONLY | OpenFlags::CREAT | how, 0o644);
    opened.is_ok_and(|file| compose::write_all(&*file, text.as_bytes()).is_ok())
}
