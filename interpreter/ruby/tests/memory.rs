//! The allocator that keeps small blocks: contents stay, blocks are aligned, whichever thread frees them; what is counted comes to nothing.

#![allow(clippy::unwrap_used)] // a failure is the test's

use rchef_ruby::embed::memory::{Counting, keep_small_blocks, live};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Numbers that look random, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }
}

/// Makes, grows, shrinks and drops vectors of all sizes; each holds bytes that say what it should hold.
fn churn(seed: u64, rounds: usize) -> Vec<Vec<u8>> {
    let mut numbers = Numbers(seed);
    let mut kept: Vec<Vec<u8>> = Vec::new();
    for round in 0..rounds {
        let fill = round as u8;
        match numbers.below(4) {
            0 | 1 => {
                let size = numbers.below(700) + 1;
                kept.push(vec![fill; size]);
            }
            2 if !kept.is_empty() => {
                let at = numbers.below(kept.len());
                let block = &mut kept[at];
                let first = block[0];
                block.resize(numbers.below(900) + 1, first);
                block.shrink_to_fit();
            }
            _ if !kept.is_empty() => {
                let at = numbers.below(kept.len());
                let block = kept.swap_remove(at);
                assert!(block.iter().all(|byte| *byte == block[0]));
            }
            _ => {}
        }
    }
    kept
}

#[test]
fn blocks_hold_what_was_put_in_them() {
    keep_small_blocks();
    let before = live();
    for block in churn(1, 50_000) {
        assert!(block.iter().all(|byte| *byte == block[0]));
    }
    assert_eq!(live(), before);

    // blocks of this thread are freed by others, theirs by this one, and both go on allocating
    for seed in 0..20 {
        let mine = churn(seed, 4_000);
        let theirs = std::thread::spawn(move || {
            assert!(mine.iter().all(|block| block.iter().all(|byte| *byte == block[0])));
            drop(mine);
            churn(seed + 100, 4_000)
        });
        let theirs = theirs.join().unwrap();
        assert!(theirs.iter().all(|block| block.iter().all(|byte| *byte == block[0])));
    }

    let zeroed = vec![0u64; 40];
    assert!(zeroed.iter().all(|number| *number == 0));
    #[repr(align(16))]
    struct Wide([u8; 16]);
    let wide: Vec<Box<Wide>> = (0..100).map(|index| Box::new(Wide([index; 16]))).collect();
    assert!(wide.iter().all(|block| std::ptr::from_ref(&**block).addr() % 16 == 0 && block.0[0] == block.0[15]));
    #[repr(align(128))]
    struct Line(u8);
    let lines: Vec<Box<Line>> = (0..100).map(|index| Box::new(Line(index))).collect();
    assert!(
        lines
            .iter()
            .enumerate()
            .all(|(index, line)| { std::ptr::from_ref(&**line).addr() % 128 == 0 && usize::from(line.0) == index })
    );
}
