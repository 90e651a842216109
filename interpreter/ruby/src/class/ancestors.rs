//! The ancestors of classes in their order.
//!
//! Each class keeps the chain of what it has prepended and included, as MRI does with its internal classes: a module that comes is put behind the last one
//! that was found or put there, and stays where it is from then on. A module can stand more than once among the ancestors: one that a class has included
//! and then prepends, or that it prepends or has included before its superclass did. `super` leads from the nearer place to the farther one, so the
//! places must differ: the nearer one is taken by a stand-in, a module of its own with copies of the methods.

use super::listed::Listed;
use super::{ClassData, ClassId, ClassKind};
use crate::Symbol;
use crate::Vm;
use crate::method::Method;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A place in a chain.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    /// The class or module.
    of: ClassId,
    /// Whether what that has prepended begins here; otherwise it stands here itself, with its methods.
    is_head: bool,
    /// The number of the link: what is included into a module later comes to its newest places first.
    number: u64,
}
impl Link {
    /// The link of a class or module itself.
    pub(crate) fn own(of: ClassId) -> Link {
        Link { of, is_head: false, number: 0 }
    }
    /// Whether it is a place of the same methods.
    fn is_same(&self, other: &Link) -> bool {
        self.of == other.of && self.is_head == other.is_head
    }
    fn is_own(&self, of: ClassId) -> bool {
        self.of == of && !self.is_head
    }
    /// The module that stands here.
    pub(crate) fn module(&self) -> Option<ClassId> {
        (!self.is_head).then_some(self.of)
    }
}

impl Vm {
    /// The chain of a class or module without its superclass, with a head if `headed`, or if something is prepended.
    fn chain(&self, id: ClassId, headed: bool) -> Vec<Link> {
        let class = self.class(id);
        let head = Link { is_head: true, ..Link::own(id) };
        let head = (headed || !class.prepended.is_empty()).then_some(head);
        let own = std::iter::once(Link::own(id));
        head.into_iter()
            .chain(class.prepended.iter().copied())
            .chain(own)
            .chain(class.included.iter().copied())
            .collect()
    }
    fn set_chain(&mut self, id: ClassId, chain: &[Link]) {
        let own = chain.iter().position(|link| link.is_own(id)).unwrap_or_default();
        let class = self.class_mut(id);
        class.prepended = chain.get(1..own).unwrap_or_default().to_vec();
        class.included = chain[own + 1..].to_vec();
    }
    /// Whether the superclasses have a link in their chains.
    fn inherits(&self, id: ClassId, link: &Link) -> bool {
        let mut at = self.class(id).superclass;
        while let Some(superclass) = at {
            let class = self.class(superclass);
            if class.prepended.iter().chain(&class.included).any(|known| known.is_same(link)) {
                return true;
            }
            at = class.superclass;
        }
        false
    }
    /// Puts the links of a module into the chain of a class (MRI's `do_include_modules_at`): behind `after`, on behalf of the class or module that is at
    /// `at`. Those that follow there already are left out, and the next ones come behind them; those of superclasses are left out if `including`.
    fn put_links(
        &mut self,
        class: ClassId,
        chain: &mut Vec<Link>,
        at: usize,
        mut after: usize,
        module: &[Link],
        including: bool,
    ) {
        let mut origin = own_place(chain, at);
        for link in module {
            let searched = including || origin != after;
            let end = if including { chain.len() } else { origin };
            let found = (at + 1..end).find(|place| searched && chain[*place].is_same(link));
            if let Some(place) = found {
                after = after.max(place);
                continue;
            }
            if including && self.inherits(class, link) {
                continue;
            }
            after += 1;
            self.links += 1;
            chain.insert(after, Link { number: self.links, ..*link });
            if origin >= after {
                origin += 1;
            }
        }
    }
    /// The places of a module in the chains of classes and modules that have it, directly or by way of other modules, the newest first: these classes,
    /// with the numbers of the links.
    fn places_of_module(&self, module: ClassId) -> Vec<(ClassId, u64)> {
        let (mut holders, mut left) = (FxHashSet::default(), Vec::new());
        if self.class(module).is_module() {
            left.push(module);
        }
        let mut found = Vec::new();
        while let Some(next) = left.pop() {
            for dependent in &self.class(next).dependents {
                if !holders.insert(*dependent) {
                    continue;
                }
                let chain = self.chain(*dependent, false);
                let mut is_headed = false;
                for link in chain.iter().filter(|link| link.of == module) {
                    if !is_headed {
                        found.push((*dependent, link.number));
                    }
                    is_headed = link.is_head;
                }
                if chain.iter().any(|link| link.of == module) {
                    left.push(*dependent);
                }
            }
        }
        found.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
        found
    }

    /// Recomputes the ancestors of a class and its dependents, each one after its superclass, and invalidates their caches.
    pub(crate) fn rebuild_mro(&mut self, id: ClassId) {
        if self.class(id).dependents.is_empty() {
            return self.renew_mro(id);
        }
        let left = self.with_dependents(id);
        let mut renewed = Listed::default();
        let mut lineage = Vec::new();
        let mut at = 0;
        while let Some(holder) = left.get(at) {
            at += 1;
            let mut next = Some(ClassId(holder));
            while let Some(class) = next.filter(|class| left.contains(class.0) && renewed.insert(class.0)) {
                lineage.push(class);
                next = self.class(class).superclass;
            }
            while let Some(class) = lineage.pop() {
                self.renew_mro(class);
            }
        }
    }
    fn renew_mro(&mut self, id: ClassId) {
        let class = self.class(id);
        let inherited: Rc<[ClassId]> =
            class.superclass.map_or_else(|| Rc::from([]), |superclass| self.class(superclass).mro.clone());
        let prepended = class.prepended.iter().filter_map(Link::module);
        let included = class.included.iter().filter_map(Link::module);
        let mut ancestors: Vec<ClassId> = prepended.chain([id]).chain(included).collect();
        let count = ancestors.len();
        if class.kind == ClassKind::Singleton {
            // there may be very many of these, and classes are never freed: they have no stand-ins for what their classes have
            self.tell_apart(id, &mut ancestors, count);
            let farther: Vec<ClassId> = inherited.iter().filter(|known| !ancestors.contains(known)).copied().collect();
            ancestors.extend(farther);
        } else {
            ancestors.extend(inherited.iter());
            self.tell_apart(id, &mut ancestors, count);
        }
        let class = self.class_mut(id);
        class.mro = Rc::from(ancestors);
        class.cache.clear();
        self.renew_key(id);
    }
    /// Puts stand-ins where a module of the class's own ancestors, the first `count`, stands farther off as well.
    fn tell_apart(&mut self, id: ClassId, ancestors: &mut [ClassId], count: usize) {
        if count == 1 {
            return;
        }
        let inherited: FxHashSet<ClassId> = ancestors[count..].iter().copied().collect();
        let mut own: FxHashMap<ClassId, usize> = FxHashMap::default();
        for ancestor in ancestors[..count].iter_mut().rev() {
            let module = *ancestor;
            let farther = own.entry(module).or_default();
            if *farther > 0 || inherited.contains(&module) {
                *ancestor = self.stand_in(module, id, *farther);
            }
            *farther += 1;
        }
    }

    /// Gives a copy of a class or module what that has prepended and included.
    pub(crate) fn copy_chain(&mut self, from: ClassId, to: ClassId) {
        let (prepended, included) = (self.class(from).prepended.clone(), self.class(from).included.clone());
        for module in prepended.iter().chain(&included).filter_map(Link::module) {
            self.class_mut(module).dependents.insert(to);
        }
        let class = self.class_mut(to);
        (class.prepended, class.included) = (prepended, included);
        self.rebuild_mro(to);
    }
    /// Whether a class or module is among those that a module would bring, so that it cannot come into its chain.
    pub(crate) fn is_cyclic(&self, into: ClassId, module: ClassId) -> bool {
        self.chain(module, false).iter().any(|link| link.is_own(into))
    }
    /// Includes a module in a class or module, and in those that have that one, without calling hooks. Nothing happens where that would be cyclic: callers
    /// that serve Ruby code raise then.
    pub fn include_module(&mut self, into: ClassId, module: ClassId) {
        if self.is_cyclic(into, module) {
            return;
        }
        let brought = self.chain(module, false);
        let mut chain = self.chain(into, false);
        let before = chain.len();
        let own = own_place(&chain, 0);
        self.put_links(into, &mut chain, 0, own, &brought, true);
        let mut is_changed = chain.len() != before;
        self.set_chain(into, &chain);
        for (holder, number) in self.places_of_module(into) {
            let mut chain = self.chain(holder, false);
            let Some(at) = chain.iter().position(|link| link.of == into && link.number == number) else { continue };
            // MRI leaves out all older places, too, after one that has the module behind it; here each is looked at for itself
            let behind = chain[at..].iter().any(|link| link.of == module);
            if behind || brought.first().is_some_and(|link| self.inherits(holder, link)) {
                continue;
            }
            let (before, own) = (chain.len(), own_place(&chain, at));
            self.put_links(holder, &mut chain, at, own, &brought, true);
            is_changed |= chain.len() != before;
            self.set_chain(holder, &chain);
        }
        if !is_changed {
            return;
        }
        self.forget_cvar_holders(module);
        self.class_mut(module).dependents.insert(into);
        self.rebuild_mro(into);
        self.note_constants_of(module);
    }
    /// Prepends a module to a class or module, and in those that have that one, without calling hooks. Nothing happens where that would be cyclic.
    pub fn prepend_module(&mut self, to: ClassId, module: ClassId) {
        if self.is_cyclic(to, module) {
            return;
        }
        let brought = self.chain(module, false);
        let is_first = self.class(to).prepended.is_empty();
        let mut chain = self.chain(to, true);
        let before = chain.len();
        self.put_links(to, &mut chain, 0, 0, &brought, false);
        let mut is_changed = chain.len() != before;
        self.set_chain(to, &chain);
        // one that has this class or module may lack what is prepended here already: it came without what its superclass had
        for (holder, number) in self.places_of_module(to) {
            let mut chain = self.chain(holder, false);
            let Some(at) = chain.iter().position(|link| link.of == to && link.number == number) else { continue };
            let before = chain.len();
            if is_first && !chain[at].is_head {
                // its methods stand behind what is prepended from now on
                chain.insert(at, Link { is_head: true, ..chain[at] });
            }
            self.put_links(holder, &mut chain, at, at, &brought, false);
            is_changed |= chain.len() != before;
            self.set_chain(holder, &chain);
        }
        if !is_changed {
            return;
        }
        self.class_mut(module).dependents.insert(to);
        self.rebuild_mro(to);
        self.note_redefinition(to, None);
        self.note_constants_of(module);
    }
    /// What is found for a constant may change because a module has become an ancestor, unless it brings none: an object that is extended with it leaves
    /// the caches of all constants valid.
    fn note_constants_of(&mut self, module: ClassId) {
        if self.class(module).mro.iter().any(|ancestor| !self.class(*ancestor).consts.is_empty()) {
            self.const_serial += 1;
        }
    }

    /// The module that a stand-in stands for; any other class or module itself.
    pub(crate) fn module_behind(&self, id: ClassId) -> ClassId {
        self.class(id).stands_for.unwrap_or(id)
    }
    /// The stand-in for a module in a class's own ancestors, among which it stands so many times farther off.
    fn stand_in(&mut self, module: ClassId, class: ClassId, farther: usize) -> ClassId {
        if let Some(known) = self.class(module).stand_ins.get(&(class, farther)) {
            return *known;
        }
        let mut data = ClassData::new(ClassKind::Module, None);
        data.name = self.class(module).name.clone();
        data.stands_for = Some(module);
        let id = self.push_class(data);
        self.class_mut(id).mro = [id].into();
        self.class_mut(module).stand_ins.insert((class, farther), id);
        let names: Vec<Symbol> = self.own_methods(module).keys().copied().collect();
        for name in names {
            self.copy_method(module, id, name);
        }
        id
    }
    /// Gives the stand-ins of a module what became of its method.
    pub(crate) fn update_stand_ins(&mut self, module: ClassId, name: Symbol) {
        for id in self.class(module).stand_ins.values().copied().collect::<Vec<_>>() {
            self.copy_method(module, id, name);
        }
    }
    fn copy_method(&mut self, module: ClassId, to: ClassId, name: Symbol) {
        match self.own_method(module, name) {
            Some(id) => {
                let method = Method { owner: to, ..self.method(id).clone() };
                self.add_method(to, name, method);
            }
            None => self.remove_method(to, name),
        }
    }
}

/// Where the class or module whose place begins at `at` stands itself.
fn own_place(chain: &[Link], at: usize) -> usize {
    (at..chain.len()).find(|place| chain[*place].is_own(chain[at].of)).unwrap_or(at)
}
