class Held
  attr_reader :a,
              :b
  attr_writer :c; attr_accessor :d
  attr :e
  class << self; attr_accessor :f; end
end
%i[a b c= d d= e].each { |name| p name, Held.instance_method(name).source_location }
p Held.method(:f).source_location, Held.new.method(:a).source_location
puts Held.instance_method(:a).inspect
Object.class_eval "attr_reader :zz", "named.rb", 7
p Object.instance_method(:zz).source_location
p Struct.new(:x).instance_method(:x).source_location
