//! Checks that need the whole pattern: references, calls, look-behind.
//! Rules: Onigmo `regcomp.c` (`disable_noname_group_capture`, `setup_subexp_call`, `subexp_inf_recursive_check`, `setup_look_behind`).

use crate::ast::{Anchor, CallTarget, Node};
use crate::parse::{Parse, Parsed, err};

/// Checks the pattern and assigns the final group numbers.
pub(crate) fn check(parsed: &mut Parsed) -> Parse<()> {
    if !parsed.names.is_empty() {
        drop_unnamed(parsed)?;
    }
    if parsed.has_calls {
        resolve_calls(&mut parsed.root, &parsed.names, parsed.groups)?;
        check_recursion(parsed)?;
    }
    let bodies = bodies(parsed);
    references(&parsed.root, &bodies)?;
    look_behinds(&parsed.root, &bodies)?;
    if has_excess(&parsed.root) { err("invalid conditional pattern") } else { Ok(()) }
}

fn has_excess(node: &Node) -> bool {
    matches!(node, Node::Condition { excess: true, .. }) || node.children().into_iter().any(has_excess)
}

/// The body of each group; group 0 is the whole pattern.
fn bodies(parsed: &Parsed) -> Vec<Option<&Node>> {
    let mut bodies = vec![None; parsed.groups + 1];
    bodies[0] = Some(&parsed.root);
    collect(&parsed.root, &mut bodies);
    bodies
}

/// With named groups, unnamed ones do not capture.
fn drop_unnamed(parsed: &mut Parsed) -> Parse<()> {
    let mut map = vec![0; parsed.groups + 1];
    let mut count = 0;
    number(&parsed.root, &mut map, &mut count);
    // Groups are numbered by their opening parentheses.
    let mut next = 0;
    for slot in &mut map {
        if *slot > 0 {
            next += 1;
            *slot = next;
        }
    }
    rename(&mut parsed.root, &map)?;
    for (_, groups) in &mut parsed.names {
        for g in groups {
            *g = map.get(*g).copied().unwrap_or(0);
        }
    }
    parsed.groups = count;
    Ok(())
}

fn number(node: &Node, map: &mut [usize], count: &mut usize) {
    if let Node::Capture { index, named: true, .. } = node
        && let Some(slot) = map.get_mut(*index)
    {
        *count += 1;
        *slot = *count;
    }
    for child in node.children() {
        number(child, map, count);
    }
}

fn rename(node: &mut Node, map: &[usize]) -> Parse<()> {
    match node {
        Node::Capture { named: false, node: inner, .. } => {
            *node = std::mem::replace(&mut **inner, Node::Empty);
            return rename(node, map);
        }
        Node::Capture { index, .. } => *index = map.get(*index).copied().unwrap_or(0),
        Node::Backref { by_name: false, .. } => return err("numbered backref/call is not allowed. (use name)"),
        Node::Backref { groups, .. } => {
            for g in groups {
                *g = map.get(*g).copied().unwrap_or(0);
            }
        }
        Node::Condition { group, .. } => {
            *group = match map.get(*group) {
                Some(&g) => g,
                None => return err("invalid backref number/name"),
            };
        }
        Node::Call(CallTarget::Number(n, _)) if *n > 0 => {
            return err("numbered backref/call is not allowed. (use name)");
        }
        _ => {}
    }
    for child in node.children_mut() {
        rename(child, map)?;
    }
    Ok(())
}

fn resolve_calls(node: &mut Node, names: &[(String, Vec<usize>)], groups: usize) -> Parse<()> {
    if let Node::Call(target) = node {
        match target {
            CallTarget::Number(n, text) if *n > groups => return err(format!("undefined group <{text}> reference")),
            CallTarget::Number(..) => {}
            CallTarget::Name(name) => match names.iter().find(|(n, _)| n == name) {
                None => return err(format!("undefined name <{name}> reference")),
                Some((_, found)) => match found[..] {
                    [one] => *target = CallTarget::Number(one, std::mem::take(name)),
                    _ => return err(format!("multiplex definition name <{name}> call")),
                },
            },
        }
    }
    for child in node.children_mut() {
        resolve_calls(child, names, groups)?;
    }
    Ok(())
}

/// Whether a group calls itself, and whether it always does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Recursion {
    No,
    Exists,
    Infinite,
}

fn check_recursion(parsed: &Parsed) -> Parse<()> {
    let bodies = bodies(parsed);
    for group in 0..bodies.len() {
        let mut walk = Walk { bodies: &bodies, group, open: vec![false; bodies.len()] };
        if let Some(body) = bodies[group]
            && walk.walk(body, true) != Recursion::No
        {
            return err("never ending recursion");
        }
    }
    Ok(())
}

fn collect<'a>(node: &'a Node, bodies: &mut [Option<&'a Node>]) {
    if let Node::Capture { index, node: body, .. } = node
        && let Some(slot) = bodies.get_mut(*index)
    {
        *slot = Some(body);
    }
    for child in node.children() {
        collect(child, bodies);
    }
}

struct Walk<'a, 'b> {
    bodies: &'b [Option<&'a Node>],
    group: usize,
    open: Vec<bool>,
}

impl Walk<'_, '_> {
    fn enter(&mut self, group: usize, head: bool) -> Recursion {
        if self.open.get(group).copied().unwrap_or(true) {
            return Recursion::No;
        }
        if group == self.group {
            return if head { Recursion::Infinite } else { Recursion::Exists };
        }
        let Some(Some(body)) = self.bodies.get(group).copied() else { return Recursion::No };
        self.open[group] = true;
        let r = self.walk(body, head);
        self.open[group] = false;
        r
    }

    fn walk(&mut self, node: &Node, mut head: bool) -> Recursion {
        match node {
            Node::Concat(v) => {
                let mut r = Recursion::No;
                for child in v {
                    r = r.max(self.walk(child, head));
                    if r == Recursion::Infinite {
                        return r;
                    }
                    head = head && child.min_len() == 0;
                }
                r
            }
            Node::Alt(v) => {
                let mut r = Recursion::Exists;
                for child in v {
                    let one = self.walk(child, head);
                    if one == Recursion::Infinite {
                        return one;
                    }
                    r = r.min(one);
                }
                r
            }
            Node::Repeat { node, min, .. } => match self.walk(node, head) {
                Recursion::Exists if *min == 0 => Recursion::No,
                r => r,
            },
            Node::Call(CallTarget::Number(group, _)) => self.enter(*group, head),
            Node::Capture { index, .. } => self.enter(*index, head),
            Node::Condition { yes, no, .. } => self.walk(yes, head).min(self.walk(no, head)),
            Node::Option(n) | Node::Atomic(n) | Node::Absent(n) | Node::Look(_, n) => self.walk(n, head),
            _ => Recursion::No,
        }
    }
}

fn references(node: &Node, bodies: &[Option<&Node>]) -> Parse<()> {
    match node {
        Node::Backref { groups: refs, .. } if refs.iter().any(|g| *g >= bodies.len()) => {
            return err("invalid backref number/name");
        }
        Node::Condition { group, .. } if *group >= bodies.len() => return err("invalid backref number/name"),
        _ => {}
    }
    for child in node.children() {
        references(child, bodies)?;
    }
    Ok(())
}

fn look_behinds(node: &Node, bodies: &[Option<&Node>]) -> Parse<()> {
    match node {
        Node::Look(look, body) if look.behind => look_behind(body, look.negative, bodies)?,
        _ => {}
    }
    for child in node.children() {
        look_behinds(child, bodies)?;
    }
    Ok(())
}

fn look_behind(body: &Node, negative: bool, bodies: &[Option<&Node>]) -> Parse<()> {
    if !allowed(body, negative) {
        return err("invalid pattern in look-behind");
    }
    match length(body, 1, bodies) {
        Length::Fixed(_) => Ok(()),
        Length::TopVaries => match body {
            Node::Alt(v) => v.iter().try_for_each(|branch| look_behind(branch, negative, bodies)),
            _ => err("invalid pattern in look-behind"),
        },
        Length::Varies => err("invalid pattern in look-behind"),
    }
}

fn allowed(node: &Node, negative: bool) -> bool {
    let here = match node {
        Node::Backref { .. } | Node::Atomic(_) | Node::Absent(_) | Node::Condition { .. } => false,
        Node::Newline | Node::Grapheme => false,
        Node::Capture { .. } => !negative,
        Node::Look(look, _) => look.behind,
        Node::Anchor(a) => !matches!(a, Anchor::TextEnd | Anchor::TextEndNewline),
        _ => true,
    };
    here && node.children().into_iter().all(|c| allowed(c, negative))
}

enum Length {
    Fixed(u32),
    Varies,
    /// Varies, but only between the outermost alternatives.
    TopVaries,
}

fn length(node: &Node, level: usize, bodies: &[Option<&Node>]) -> Length {
    match node {
        Node::Char { .. } | Node::Any { .. } | Node::Class { .. } => Length::Fixed(1),
        Node::Concat(v) => {
            let mut sum: u32 = 0;
            for child in v {
                match length(child, level + 1, bodies) {
                    Length::Fixed(n) => sum = sum.saturating_add(n),
                    _ => return Length::Varies,
                }
            }
            Length::Fixed(sum)
        }
        Node::Alt(v) => {
            let mut first = None;
            let mut varies = false;
            for child in v {
                match length(child, level + 1, bodies) {
                    Length::Fixed(n) => varies |= *first.get_or_insert(n) != n,
                    _ => return Length::Varies,
                }
            }
            match (varies, level) {
                (false, _) => Length::Fixed(first.unwrap_or(0)),
                (true, 1) => Length::TopVaries,
                (true, _) => Length::Varies,
            }
        }
        Node::Repeat { node, min, max, .. } => match length(node, level + 1, bodies) {
            Length::Fixed(n) if *max == Some(*min) => Length::Fixed(n.saturating_mul(*min)),
            _ => Length::Varies,
        },
        Node::Capture { node, .. } | Node::Option(node) | Node::Atomic(node) => length(node, level + 1, bodies),
        Node::Call(CallTarget::Number(n, _)) if level < 100 => match bodies.get(*n) {
            Some(Some(body)) => length(body, level + 1, bodies),
            _ => Length::Varies,
        },
        Node::Empty | Node::Anchor(_) | Node::Look(..) => Length::Fixed(0),
        _ => Length::Varies,
    }
}
