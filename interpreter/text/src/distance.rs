//! Distances between words and DidYouMean's choice of corrections (did_you_mean 1.6, Ruby 3.1).

/// The Levenshtein distance: the number of edits that turn one word into the other.
pub fn levenshtein(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, d) in b.iter().enumerate() {
            let cost = diagonal + usize::from(c != *d);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

/// The Jaro similarity, 0.0 to 1.0.
pub fn jaro(a: &str, b: &str) -> f64 {
    let (mut x, mut y): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if x.len() > y.len() {
        std::mem::swap(&mut x, &mut y);
    }
    let range = (y.len() / 2).saturating_sub(1);
    let (mut in_x, mut in_y) = (vec![false; x.len()], vec![false; y.len()]);
    let mut m = 0.0;
    for (i, c) in x.iter().enumerate() {
        let from = i.saturating_sub(range);
        for j in from..(i + range + 1).min(y.len()) {
            if !in_y[j] && y[j] == *c {
                (in_x[i], in_y[j]) = (true, true);
                m += 1.0;
                break;
            }
        }
    }
    if m == 0.0 {
        return 0.0;
    }
    let left = x.iter().zip(&in_x).filter(|(_, f)| **f);
    let right = y.iter().zip(&in_y).filter(|(_, f)| **f);
    let t = left.zip(right).filter(|(p, q)| p.0 != q.0).count();
    let t = (t / 2) as f64;
    (m / x.len() as f64 + m / y.len() as f64 + (m - t) / m) / 3.0
}

/// The Jaro-Winkler similarity with DidYouMean's weights.
pub fn jaro_winkler(a: &str, b: &str) -> f64 {
    let j = jaro(a, b);
    if j <= 0.7 {
        return j;
    }
    let prefix = a.chars().zip(b.chars()).take(4).take_while(|(x, y)| x == y).count();
    j + prefix as f64 * 0.1 * (1.0 - j)
}

fn normalize(s: &str) -> String {
    s.to_lowercase().replace('@', "")
}

/// `DidYouMean::SpellChecker.new(dictionary:).correct(input)`: indices into the dictionary, best first.
pub fn correct(input: &str, dictionary: &[&str]) -> Vec<usize> {
    let plain = input;
    let input = normalize(input);
    let length = input.chars().count();
    let threshold = if length > 3 { 0.834 } else { 0.77 };
    let normal: Vec<String> = dictionary.iter().map(|w| normalize(w)).collect();
    let mut words: Vec<(usize, f64)> = (0..dictionary.len())
        .filter(|&i| dictionary[i] != plain && jaro_winkler(&normal[i], &input) >= threshold)
        .map(|i| (i, jaro_winkler(dictionary[i], &input)))
        .collect();
    words.sort_by(|a, b| a.1.total_cmp(&b.1));
    words.reverse();
    let limit = length.div_ceil(4);
    let distance = |i: usize| levenshtein(&normal[i], &input);
    let mistyped: Vec<usize> = words.iter().map(|w| w.0).filter(|&i| distance(i) <= limit).collect();
    if !mistyped.is_empty() {
        return mistyped;
    }
    words.iter().map(|w| w.0).find(|&i| distance(i) < length.min(normal[i].chars().count())).into_iter().collect()
}
