//! The n smallest or largest of a list: `min(n)`, `max(n)`, `min_by(n)` and `max_by(n)`.

use super::order::{Comparison, merge_sort};
use crate::Vm;
use crate::error::Res;
use crate::value::Value;
use std::cmp::Ordering;

/// Keeps the first `count` of what is pushed, in the order of `compare`. Elements that are equal stay or go, and `compare` is called, as in MRI:
/// what is kept is partitioned around a pivot whenever it is four times as long as what is wanted.
struct Selection<'a, 'b, T> {
    kept: Vec<T>,
    count: usize,
    /// The last pivot: what is not before it cannot be among the first `count`.
    limit: Option<T>,
    compare: &'a mut Comparison<'b, T>,
}
impl<T: Clone> Selection<'_, '_, T> {
    fn push(&mut self, vm: &mut Vm, element: T) -> Res<()> {
        if let Some(limit) = &self.limit
            && (self.compare)(vm, &element, limit)? != Ordering::Less
        {
            return Ok(());
        }
        self.kept.push(element);
        if self.kept.len() == self.count.saturating_mul(4) {
            self.partition(vm)?;
        }
        Ok(())
    }
    /// Moves the first `count` to the front and drops the others.
    fn partition(&mut self, vm: &mut Vm) -> Res<()> {
        if self.kept.len() <= self.count {
            return Ok(());
        }
        let (mut left, mut right) = (0, self.kept.len() - 1);
        loop {
            let (before, pivots) = self.around_pivot(vm, left, right)?;
            if before <= self.count && self.count <= before + pivots {
                self.limit = self.kept.get(before).cloned();
                self.kept.truncate(self.count);
                return Ok(());
            }
            // the pivots' place is not the wanted one, so that there are elements on the side that is looked at next
            if self.count < before {
                right = before - 1;
            } else {
                left = before + pivots;
            }
        }
    }
    /// Orders `left..=right` around its middle element: where its equals begin then, and how many they are.
    fn around_pivot(&mut self, vm: &mut Vm, left: usize, right: usize) -> Res<(usize, usize)> {
        let kept = &mut self.kept;
        kept.swap(left + (right - left) / 2, right);
        let (mut before, mut pivots, mut at) = (left, 1, left);
        while at + pivots <= right {
            match (self.compare)(vm, &kept[at], &kept[right])? {
                Ordering::Equal => {
                    kept.swap(at, right - pivots);
                    pivots += 1;
                    continue;
                }
                Ordering::Less => {
                    kept.swap(at, before);
                    before += 1;
                }
                Ordering::Greater => {}
            }
            at += 1;
        }
        for (to, from) in (before..).zip((right + 1 - pivots..=right).rev()) {
            if from <= to {
                break;
            }
            kept.swap(to, from);
        }
        Ok((before, pivots))
    }
}

/// The largest count for which MRI's buffer could be.
const MOST: usize = i64::MAX as usize / 4;

/// The `count` smallest of a list in ascending order, or with `Ordering::Greater` the largest in descending order. ArgumentError for a negative or too big count.
pub(crate) fn select<T: Clone>(
    vm: &mut Vm,
    list: Vec<T>,
    count: &Value,
    wanted: Ordering,
    compare: &mut Comparison<'_, T>,
) -> Res<Vec<T>> {
    let number = vm.to_int(count)?;
    let Ok(count) = usize::try_from(number) else {
        return Err(vm.argument_error(format!("negative size ({number})")));
    };
    if count > MOST {
        return Err(vm.argument_error("too big size"));
    }
    if count == 0 {
        return Ok(Vec::new());
    }
    let is_largest = wanted == Ordering::Greater;
    let mut turned = |vm: &mut Vm, a: &T, b: &T| {
        let order = compare(vm, a, b)?;
        Ok(if is_largest { order.reverse() } else { order })
    };
    let mut selection = Selection { kept: Vec::new(), count, limit: None, compare: &mut turned };
    for element in list {
        selection.push(vm, element)?;
    }
    selection.partition(vm)?;
    let mut kept = selection.kept;
    merge_sort(vm, &mut kept, compare)?;
    if is_largest {
        kept.reverse();
    }
    Ok(kept)
}
