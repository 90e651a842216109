//! Statements and bodies: what separates statements counts, and a body with clauses is a node around another.

use super::{Ast, Builder, Child, Found, child, from, node, to};
use ruby_prism as prism;
use ruby_prism::Node;

impl Builder<'_> {
    /// The empty statement at a place.
    pub(super) fn nothing(&self, at: usize) -> Ast {
        node("BEGIN", at, at, vec![Child::Nil])
    }
    fn byte(&self, at: usize) -> u8 {
        self.source.get(at).copied().unwrap_or(0)
    }
    /// Where spaces and escaped newlines end.
    fn blanks(&self, mut at: usize) -> usize {
        loop {
            match self.byte(at) {
                b' ' | b'\t' | 0x0b | 0x0c => at += 1,
                b'\r' if self.byte(at + 1) != b'\n' => at += 1,
                b'\\' if self.byte(at + 1) == b'\n' => at += 2,
                _ => return at,
            }
        }
    }
    /// Where a comment ends, at its newline.
    fn comment(&self, mut at: usize) -> usize {
        if self.byte(at) == b'#' {
            while at < self.source.len() && !self.is_newline(at) {
                at += 1;
            }
        }
        at
    }
    fn is_newline(&self, at: usize) -> bool {
        self.byte(at) == b'\n' || self.byte(at) == b'\r' && self.byte(at + 1) == b'\n'
    }
    fn after_newline(&self, at: usize) -> usize {
        if self.byte(at) == b'\r' { at + 2 } else { at + 1 }
    }
    /// The beginning of the line after a newline; here documents are in between.
    fn next_line(&self, at: usize) -> usize {
        let after = self.after_newline(at);
        self.documents.borrow().get(&at).map_or(after, |end| (*end).max(after))
    }
    /// The place of a newline that separates, and the newline itself: lines of nothing but a comment right after it are looked through.
    fn newline(&self, mut at: usize) -> (usize, usize) {
        loop {
            if self.next_line(at) >= self.source.len() {
                return (at, at);
            }
            let next = self.blanks(self.next_line(at));
            if self.byte(next) != b'#' {
                let skipped = self.source.get(self.after_newline(at)..self.next_line(at)).unwrap_or_default();
                let lines = skipped.iter().filter(|byte| **byte == b'\n').count();
                return (at + lines * super::LINES, at);
            }
            let end = self.comment(next);
            if !self.is_newline(end) {
                return (end, end);
            }
            at = end;
        }
    }
    /// The end of the separators after a statement: the first newline has no width, semicolons have.
    pub(super) fn trailing(&self, at: usize) -> usize {
        let at = at % super::AFTER;
        let mut end = at;
        let mut here = self.comment(self.blanks(at));
        if self.is_newline(here) {
            (end, here) = self.newline(here);
        } else if here >= self.source.len() && here > self.blanks(at) {
            // a comment without a newline at the end of the source
            return here - 1;
        }
        loop {
            here = self.comment(self.blanks(here));
            if self.byte(here) == b';' {
                here += 1;
                end = here;
            } else if self.is_newline(here) {
                here = self.next_line(here);
            } else {
                return end;
            }
        }
    }
    /// Whether a separator follows that makes an empty statement; with `lines` a newline does.
    fn separated(&self, at: usize, lines: bool) -> bool {
        let mut here = at;
        loop {
            here = self.comment(self.blanks(here));
            if self.byte(here) == b';' {
                return true;
            } else if self.is_newline(here) {
                if lines {
                    return true;
                }
                here = self.next_line(here);
            } else {
                return false;
            }
        }
    }
    /// The offset after `then`, `do` or the one separator that stands for it.
    pub(super) fn after_then(&self, at: usize, keyword: Option<&prism::Location<'_>>) -> usize {
        if let Some(keyword) = keyword.filter(|keyword| keyword.as_slice() != b":") {
            return to(keyword);
        }
        let here = self.comment(self.blanks(at));
        if self.byte(here) == b';' {
            here + 1
        } else if self.is_newline(here) {
            self.newline(here).0
        } else {
            here
        }
    }
    /// Statements after the token that ends at `at`. Nothing is an empty statement, and so is what a separator follows at once.
    pub(super) fn body_of(&self, found: Option<&prism::StatementsNode<'_>>, at: usize, lines: bool) -> Found {
        let statements: Vec<Node<'_>> = found.map(|found| found.body().iter().collect()).unwrap_or_default();
        if statements.is_empty() {
            return Some(self.nothing(at));
        }
        let mut made = None;
        if self.separated(at, lines) {
            made = Some(self.nothing(at));
        }
        for statement in &statements {
            let next = without_begin(self.node(statement)?);
            made = Some(match made {
                Some(made) => block_append(made, next),
                None => next,
            });
        }
        made
    }
    /// A body that may have clauses.
    pub(super) fn body(&self, found: Option<&Node<'_>>, at: usize, lines: bool) -> Found {
        match found {
            None => Some(self.nothing(at)),
            Some(Node::BeginNode { .. }) => self.clauses(&found?.as_begin_node()?, at, lines),
            Some(Node::StatementsNode { .. }) => self.body_of(found?.as_statements_node().as_ref(), at, lines),
            Some(other) => self.node(other),
        }
    }
    /// Statements with `rescue`, `else` and `ensure`.
    pub(super) fn clauses(&self, found: &prism::BeginNode<'_>, at: usize, lines: bool) -> Found {
        let statements = found.statements();
        let head = self.body_of(statements.as_ref(), at, lines)?;
        let begin = if self.separated(at, lines) || statements.is_none() {
            at
        } else {
            statements.as_ref().map_or(at, |statements| from(&statements.location()))
        };
        let mut otherwise = None;
        let rescue = match found.rescue_clause() {
            Some(rescue) => Some(self.rescue(&rescue)?),
            None => None,
        };
        if let Some(clause) = found.else_clause() {
            let keyword = to(&clause.else_keyword_loc());
            otherwise = Some(self.body_of(clause.statements().as_ref(), keyword, false)?);
        }
        let mut made = match (rescue, otherwise) {
            (Some(rescue), otherwise) => {
                let end = otherwise.as_ref().unwrap_or(&rescue).to;
                node("RESCUE", head.from, end, vec![Child::Node(head), Child::Node(rescue), child(otherwise)])
            }
            (None, Some(otherwise)) => block_append(head, otherwise),
            (None, None) => head,
        };
        if let Some(clause) = found.ensure_clause() {
            let keyword = to(&clause.ensure_keyword_loc());
            let body = self.body_of(clause.statements().as_ref(), keyword, false)?;
            let end = self.trailing(clause.statements().map_or(keyword, |all| to(&all.location())));
            made = node("ENSURE", begin, end, vec![Child::Node(made), Child::Node(body)]);
        }
        Some(made)
    }
    fn rescue(&self, clause: &prism::RescueNode<'_>) -> Found {
        let classes: Vec<Node<'_>> = clause.exceptions().iter().collect();
        let list = self.values(&classes)?;
        let mut header = to(&clause.keyword_loc());
        if let Some(last) = classes.last() {
            header = to(&last.location());
        }
        let target = match (clause.reference(), clause.operator_loc()) {
            (Some(target), Some(operator)) => {
                header = to(&target.location());
                let (start, end) = (from(&operator), header);
                let value = node("ERRINFO", start, end, Vec::new());
                Some(self.assign_to(&target, Some(value), start, end)?)
            }
            _ => None,
        };
        let at = self.after_then(header, clause.then_keyword_loc().as_ref());
        let mut body = self.body_of(clause.statements().as_ref(), at, false)?;
        let mut end = clause.statements().map_or(at, |all| to(&all.location()));
        end = self.trailing(end);
        if let Some(target) = target {
            body = block_append(target, body);
        }
        let next = match clause.subsequent() {
            Some(next) => Some(self.rescue(&next)?),
            None => None,
        };
        if let Some(next) = &next {
            end = next.to;
        }
        Some(node("RESBODY", from(&clause.keyword_loc()), end, vec![child(list), Child::Node(body), child(next)]))
    }
}

/// A statement is what stands in its `begin`.
pub(super) fn without_begin(mut found: Ast) -> Ast {
    while found.kind == "BEGIN" {
        match found.children.pop() {
            Some(Child::Node(inner)) => found = inner,
            Some(other) => {
                found.children.push(other);
                return found;
            }
            None => return found,
        }
    }
    found
}
/// Joins statements; a literal at the beginning is dropped, as it does nothing.
pub(super) fn block_append(head: Ast, tail: Ast) -> Ast {
    if matches!(head.kind, "LIT" | "STR" | "SELF" | "TRUE" | "FALSE" | "NIL") {
        return tail;
    }
    let to = tail.to;
    let mut block =
        if head.kind == "BLOCK" { head } else { node("BLOCK", head.from, head.to, vec![Child::Node(head)]) };
    if tail.kind == "BLOCK" {
        block.children.extend(tail.children);
    } else {
        block.children.push(Child::Node(tail));
    }
    block.to = to;
    block
}
/// The body of a method: what is returned at its end is just its value, and nil is nothing.
pub(super) fn settle(body: &mut Child) {
    let Child::Node(found) = body else { return };
    match found.kind {
        "NIL" => *body = Child::Nil,
        "RETURN" | "BEGIN" => {
            *body = found.children.pop().unwrap_or(Child::Nil);
            settle(body);
        }
        "BLOCK" => {
            if let Some(last) = found.children.last_mut() {
                settle(last);
            }
        }
        "IF" | "UNLESS" | "WHEN" => found.children.iter_mut().skip(1).for_each(settle),
        "CASE" => found.children.iter_mut().skip(1).take(1).for_each(settle),
        "ENSURE" => found.children.iter_mut().take(1).for_each(settle),
        "RESCUE" if found.children.get(2) == Some(&Child::Nil) => found.children.iter_mut().take(1).for_each(settle),
        _ => {}
    }
}
