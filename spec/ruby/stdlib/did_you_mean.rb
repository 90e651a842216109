require "did_you_mean"
class MyKey < KeyError; end
DidYouMean.correct_error(MyKey, DidYouMean::KeyErrorChecker)
begin; raise MyKey.new("nope", receiver: { "foo" => 1 }, key: "fooo"); rescue => e; p e.message, e.corrections, e.spell_checker.class; end
begin; { foo: 1 }.fetch(:fooo); rescue => e; p e.message, e.corrections; end
begin; [].frist; rescue => e; p e.corrections.first, e.spell_checker.class; end
p DidYouMean.spell_checkers["KeyError"]
require "pp"
q = PP.new; q.text "a"; p q.output; q.breakable; q.text "b"; p q.output; q.flush; p q.output
puts PP.pp([["aaaaaaaa"] * 3] * 3, "".dup, 30)
