//! The conditions of a `case` of many literals, to look a value up among them.

use super::{Node, When};
use crate::Symbol;

/// The Integers and Symbols among literal conditions in their order, each with the index of the first clause that has it.
#[derive(Debug)]
pub struct Literals {
    numbers: Vec<(i64, usize)>,
    symbols: Vec<(Symbol, usize)>,
}

impl Literals {
    /// From so many conditions on, a search is faster than a comparison with each.
    const FEWEST: usize = 8;

    /// None if there are few conditions, or others than literals to which only an equal value of the same class is equal.
    pub fn of(whens: &[When]) -> Option<Box<Literals>> {
        let (mut numbers, mut symbols, mut all) = (Vec::new(), Vec::new(), 0);
        for (index, when) in whens.iter().enumerate() {
            all += when.conditions.len();
            for condition in &when.conditions {
                match condition {
                    Node::Int(number) => numbers.push((*number, index)),
                    Node::Sym(symbol) => symbols.push((*symbol, index)),
                    Node::Str(_) | Node::Nil | Node::True | Node::False => {}
                    _ => return None,
                }
            }
        }
        if all < Literals::FEWEST {
            return None;
        }
        numbers.sort_unstable();
        numbers.dedup_by_key(|(number, _)| *number);
        symbols.sort_unstable();
        symbols.dedup_by_key(|(symbol, _)| *symbol);
        Some(Box::new(Literals { numbers, symbols }))
    }

    /// The index of the clause for an Integer.
    pub fn number(&self, number: i64) -> Option<usize> {
        let at = self.numbers.binary_search_by_key(&number, |(known, _)| *known).ok()?;
        Some(self.numbers[at].1)
    }

    /// The index of the clause for a Symbol.
    pub fn symbol(&self, symbol: Symbol) -> Option<usize> {
        let at = self.symbols.binary_search_by_key(&symbol, |(known, _)| *known).ok()?;
        Some(self.symbols[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::Literals;
    use crate::tree::{InlineCache, Node, When};

    fn clause(conditions: Vec<Node>) -> When {
        When { conditions, line: 1, body: Node::Nil, cache: InlineCache::default() }
    }

    #[test]
    fn the_first_clause_of_several_is_found() {
        let clauses = [clause((0..8).rev().map(Node::Int).collect()), clause(vec![Node::Int(3), Node::Int(9)])];
        let found = Literals::of(&clauses);
        assert!(found.is_some_and(|found| [3, 9, 10].map(|number| found.number(number)) == [Some(0), Some(1), None]));
    }

    #[test]
    fn what_an_integer_may_be_equal_to_without_being_it_is_no_literal() {
        let numbers = || (0..8).map(Node::Int);
        assert!(Literals::of(&[clause(numbers().collect())]).is_some());
        assert!(Literals::of(&[clause(numbers().chain([Node::Float(9.0)]).collect())]).is_none());
        assert!(Literals::of(&[clause(numbers().take(7).collect())]).is_none());
    }
}
