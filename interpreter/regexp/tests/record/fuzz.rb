# Random cases in the form of cases.rb: SEED=n ruby -r ./fuzz.rb record.rb > ../mri.txt
srand((ENV["SEED"] || 1).to_i)
ATOMS = ["a", "b", "c", "é", "ß", "k", ".", "\\w", "\\W", "\\d", "\\s", "\\b", "\\B", "^", "$", "\\A", "\\z", "\\Z", "[ab]", "[^a]", "[a-c&&b-z]", "[[:alpha:]]", "[^\\w]", "\\p{L}", "[é-ü]", "\\R", "\\X", "\\h", "x", " ", "\\n", "\\1", "\\2", "\\k<1>", "\\G", "\\K", "ss", "fi"]
QUANTS = ["", "", "", "", "*", "+", "?", "*?", "+?", "??", "*+", "++", "{2}", "{1,2}", "{,2}?", "{0}", "{2,}", "{2}+"]
GROUPS = ["(%s)", "(?:%s)", "(?=%s)", "(?!%s)", "(?<=%s)", "(?<!%s)", "(?>%s)", "(?i:%s)", "(?m:%s)", "(?~%s)", "(?i)%s", "(?a:%s)", "(?u:%s)", "(?(1)%s)", "(?(1)%s)", "(%s)", "(%s)"]
def rnd(depth)
  n = rand(1..3)
  (0...n).map {
    item = if depth > 0 && rand < 0.45 then (rand < 0.3 ? "(?:" : "") .then { |w| g = GROUPS.sample % (rand < 0.3 ? "#{rnd(depth - 1)}|#{rnd(depth - 1)}" : rnd(depth - 1)); w.empty? ? g : "#{w}#{g})" }
           else ATOMS.sample end
    item + QUANTS.sample
  }.join
end
SUBJECTS = ["", "a", "ab", "aab\nbc", "abcabc", "éaßb", "SSKk", "ßss ﬁ fi", "a b\r\nc\n", "\n", "aaa", "xéü", "bca_1", "ÉAB"]
CASES = Array.new(2500) { [rnd(ENV.fetch("DEPTH", 2).to_i), [0, 0, 0, 1, 2, 4].sample, SUBJECTS.sample(4) + [["m", "abcab", rand(0..5)], ["r", "abcab", rand(0..5)], ["a", "aéb", rand(0..3)]]] }
$LOADED_FEATURES << File.expand_path("cases.rb", __dir__)
