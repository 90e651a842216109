//! S-expressions and their layout.

/// Maximum width in columns; wider lists are broken.
const WIDTH: usize = 110;

pub(super) enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

pub(super) fn atom(text: impl Into<String>) -> Sexp {
    Sexp::Atom(text.into())
}

pub(super) fn list(head: &str, rest: Vec<Sexp>) -> Sexp {
    let mut items = vec![atom(head)];
    items.extend(rest);
    Sexp::List(items)
}

impl Sexp {
    fn width(&self) -> usize {
        match self {
            Sexp::Atom(text) => text.len(),
            Sexp::List(items) => items.iter().map(Sexp::width).sum::<usize>() + items.len() + 1,
        }
    }

    pub(super) fn render(&self) -> String {
        let mut out = String::new();
        self.write(0, &mut out);
        out
    }

    fn write(&self, indent: usize, out: &mut String) {
        let items = match self {
            Sexp::Atom(text) => {
                out.push_str(text);
                return;
            }
            Sexp::List(items) => items,
        };
        let broken = indent + self.width() > WIDTH;
        out.push('(');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                if broken && matches!(item, Sexp::List(_)) {
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', indent + 2));
                } else {
                    out.push(' ');
                }
            }
            item.write(indent + 2, out);
        }
        out.push(')');
    }
}
