# Recorded from MRI 3.1; see the .out beside it.
def t(source)
  shown = begin
    eval(source).inspect
  rescue Exception => error
    "#{error.class}: #{error.message}"
  end
  puts "#{source} => #{shown}"
end
<<'CASES'.each_line(chomp: true) { |line| t(line) }
{a: 1}.fetch(:b)
{"a"=>1}.fetch("b")
{a: 1}.fetch(:b,2)
Hash.new(1){}
Hash.new(1,2)
Hash[1,2,3]
Hash[[[1,2],[3]]]
Hash[[1]]
Hash[[[1,2,3]]]
Hash[1]
Hash.new(capacity: 3)
h={};h.default_proc=1
h={};h.default_proc=->(a){}
h={};h.default_proc=->(a,b){1};h[3]
Hash.new(&->(a){})
Hash.new(&->(a,b,c){})
{a: 1}.to_h{|k,v| 1}
{a: 1}.to_h{|k,v| [1]}
{a: 1}.freeze[:b]=1
h={a: 1};h.each{h[:b]=1}
h={a: 1};h.each{h.rehash}
{a: 1}.dig
{a: 1}.dig(:a,:b)
{a: {b: 1}}.dig(:a,:b)
{1=>2}.invert
{a: 1} < 1
{a: 1} <= {a: 1,b: 2}
{a: 1}.to_proc.call(:a)
{a: 1}.to_proc.lambda?
{a: 1}.to_proc.arity
{a: 1}.any?{|k,v| v==1}
{a: 1}.any?([:a,1])
{a: nil}.compact
{a: 1}.compact!
{a: 1}.reject!{false}
{a: 1}.select!{true}
{a: 1}.sum{|k,v| v}
{a: 1}.flatten
{a: [1,[2]]}.flatten(2)
{a: [1,[2]]}.flatten(-1)
{a: [1,[2]]}.flatten(0)
{a: 1}.transform_keys({a: :b})
{a: 1, c: 2}.transform_keys({a: :b}){|k| k.to_s}
{a: 1}.transform_keys
{a: 1,b: 2}.transform_keys!(a: :b)
{a: 1, b: 2, c: 3}.transform_keys!({a: :b, b: :c, c: :a})
{1=>:a, 2=>:b}.transform_keys!(&:succ)
{a: 1}.shift
{}.shift
Hash.new(5).shift
{a: 1}.filter_map{|k,v| v}
{a: 1}.min_by{|k,v| v}
{a: 1}.each_pair{|*a| p a}
{a: 1}.each(&->(k,v){v})
{a: 1}.each(&->(k){p k})
{a: 1}.any?(&->(k,v){v})
{a: 1}.inspect
{"a"=>nil, 1=>:b, nil=>1.5, :"a b"=>2, [1]=>{}}
h={};h[:h]=h;h
h={};h[:h]=h;h==h
h={};h[h]=1;h.hash==h.hash
{a: 1}.hash=={a: 1}.hash
{a: 1,b: 2}.hash=={b: 2,a: 1}.hash
{a: 1,b: 2}=={b: 2,a: 1}
{1=>2}.eql?({1=>2.0})
{1=>2}=={1=>2.0}
{a: 1}.assoc(:a)
{a: 1}.rassoc(1)
{a: 1}.key(1)
{a: 1}.compare_by_identity
h={"a"=>1}.compare_by_identity;h["a"]
{}.compare_by_identity.inspect
{a: 1}.fetch_values(:a,:b)
{a: 1}.fetch_values(:b){|k| k}
{a: 1}.values_at(:a,:b)
{a: 1}.slice(:a,:c)
{a: 1}.except(:a)
Hash.new{|h,k| h[k]=k}.slice(1)
{a: 1}.merge
{a: 1}.merge({a: 2},{b: 3}){|k,o,n| o+n}
{a: 1}.merge(1)
{a: 1}.update({a: 3})
{a: 1}.replace(1)
{a: 1}.store("x",1)
{a: 1}.delete(:b){|k| k}
{a: 1}.delete(:b)
{a: 1}.sort
{b: 1,a: 2}.sort_by{|k,v| v}
{a: 1}.find{|k,v| v==1}
{a: 1}.each_with_index.to_a
{a: 1}.reduce([]){|a,(k,v)| a<<k}
{a: 1}.group_by{|k,v| v}
{a: 1}.partition{|k,v| v}
{a: 1}.each_with_object([]){|(k,v),a| a<<k}
{a: 1}.zip([1])
{a: 1}.deconstruct_keys(nil)
case {a: 1}; in {a:}; a; end
Hash.try_convert([1])
Hash.try_convert({a: 1})
Hash.ruby2_keywords_hash?({})
Hash.ruby2_keywords_hash({a: 1})
{a: 1}.count
{a: 1}.to_a
{a: 1}.each
{a: 1}.each.size
{a: 1}.select
{a: 1}.delete_if
{a: 1}.default_proc
{a: 1}.default
Hash.new{|h,k| 3}.default
Hash.new{|h,k| k}.default(5)
{a: 1}.key?(:a)
class HH<Hash;end;HH.new.merge({a: 1}).class
HH[a: 1].select{true}.class
HH[a: 1].to_h.class
HH[a: 1].reject{}.class
HH[a: 1].dup.class
HH[a: 1].transform_values{}.class
HH[a: 1].compact.class
HH[a: 1].slice(:a).class
HH[a: 1].except(:b).class
HH[a: 1].invert.class
HH[a: 1].inspect
HH[a: 1].to_hash.class
Hash.new(3).select{}.default
Hash.new(3).merge({}).default
Hash.new(3).reject{}.default
Hash.new(3).compact.default
Hash.new(3).to_h.default
Hash.new(3).slice.default
Hash.new(3).except.default
Hash.new(3).dup.default
Hash.new(3).invert.default
Hash.new(3).transform_values{}.default
Hash[Hash.new(3)].default
Hash.allocate
{a: 1}.clear
{1.0=>1}[1]
{2**70=>1}[2**70]
{0.0=>1}[-0.0]
{Float::NAN=>1}[Float::NAN]
{a: 1}.freeze.delete(:b)
{}.freeze.clear
{a: 1}.each{|k| p k}
{a: 1}.each{|k,| p k}
{a: 1}.each_key{|k| p k}
h={a: 1,b: 2};h.each{|k,v| h.delete(k)};h
h={a: 1};h.each{h[:a]=2};h
h={};h.default=3;h[1]
{a: 1}.sum
{a: 1}.flat_map{|k,v| [k]*v}
{a: 1}.none?
{a: 1}.uniq
{a: 1}.max_by{|k,v| v}
{a: 1}.each_entry.to_a
{a: 1}.lazy.map{|k,v| v}.to_a
{a: 2}.sum{|k,v| v}
{a: 1}.include?(:a)
{a: 1}.member?(:a)
{a: 1}.entries
{a: 1}.first
{a: 1}.first(1)
{a: 1}.min
{[1]=>2}.to_a
h={[1]=>1};h.keys[0]<<2;h[[1,2]]
h={[1]=>1};h.keys[0]<<2;h.rehash;h[[1,2]]
{a: 1}.transform_values(&:to_s)
{a: 1}.transform_values!(&:to_s)
{a: 1}.keep_if{false}
{a: 1}.length
{a: 1} > {}
{a: 1} >= {a: 2}
Hash[[[:a,1]]]
Hash[{a: 1}]
Hash[nil]
Hash[:a]
{a: 1}.delete
{a: 1}.each(1)
CASES
