class MyE < StandardError; end
class MyC; def initialize(e); @e=e; end; def corrections; ["x"]; end; end
DidYouMean::SPELL_CHECKERS["MyE"]=MyC
begin; DidYouMean::SPELL_CHECKERS.merge!("MyE"=>MyC); rescue => e; p e; end
p DidYouMean::SPELL_CHECKERS.class.instance_methods(false).sort 
begin; raise MyE,"m"; rescue => e; p e.to_s, e.original_message rescue p $!; end
p DidYouMean::Formatter.message_for([]), DidYouMean::Formatter.message_for(["a","b"]), DidYouMean::Formatter.new.message_for(["q"])
p DidYouMean::Jaro.distance("abc","abd"), DidYouMean::JaroWinkler.distance("abcd","abce"), DidYouMean::Levenshtein.distance("kitten","sitting"), DidYouMean::Levenshtein.min3(3,2,1)
t=DidYouMean::TreeSpellChecker.new(dictionary: %w[spec/models/concerns/vixen_spec.rb spec/models/post_spec.rb spec/mailers/a_spec.rb], separator: "/")
p t.correct("spec/modeals/concerns/vixen_spec.rb"), t.correct("sepc/models/pst_spec.rb"), t.dimensions, t.tree_depth, t.plausible_dimensions("spec/modles/x"), t.possible_paths([["spec"],["a","b"]]), t.find_leaves("spec/models"), t.dictionary_without_leaves, t.augment, t.separator, t.correct("zzz"), t.find_leaves("spec/mailers")
p DidYouMean::TreeSpellChecker.new(dictionary: %w[a-b c-d], separator: "-", augment: true).correct("a-d")
begin; xyzzy = 1; xyzy; rescue NameError => e; c=DidYouMean::VariableNameChecker.new(e); p c.name, c.corrections, c.ivar_names, c.cvar_names; p e.spell_checker.class; end
begin; Strng; rescue NameError => e; c=DidYouMean::ClassNameChecker.new(e); p c.class_name, c.corrections, c.scopes, c.class_names.size>10, c.class_names.first.class;p e.spell_checker.class; end
module Foo; class Barbaz; end; end
begin; Foo::Barbz; rescue NameError => e; c=DidYouMean::ClassNameChecker.new(e); p c.corrections, c.scopes, c.class_names.include?("Barbaz"); p e.spell_checker.class, e.corrections;  end
begin; require "jsn"; rescue LoadError => e; c=DidYouMean::RequirePathChecker.new(e); p c.path, c.corrections.include?("json"),c.corrections, e.spell_checker.class rescue p $!; end
begin; @abcd=1; @abc.foo; rescue NoMethodError => e; p e.spell_checker.class, e.corrections;end
begin; [].frist; rescue NoMethodError => e; c=DidYouMean::MethodNameChecker.new(e);p c.corrections, c.method_name, c.receiver, e.to_s, e.original_message; end
begin; {foo: 1}.fetch(:fo); rescue KeyError => e; p e.corrections, e.to_s; end
p DidYouMean::NameErrorCheckers.new(NameError.new("x","x",receiver: 1)).class rescue p $!
p DidYouMean::NameErrorCheckers.new(NameError.new("uninitialized constant X","X",receiver: Object)).class rescue p $!
p DidYouMean::NullChecker.new(1).corrections
p DidYouMean.spell_checkers.keys.sort
