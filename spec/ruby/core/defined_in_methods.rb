# Methods that a method defines are public, whatever `private` says in the class body.
class Named
  def initialize(name)
    self.class.__send__(:define_method, "#{name}?") { name }
    [:each].each { |one| self.class.__send__(:define_method, "#{one}?") { one } }
    self.class.send(:attr_accessor, :held)
  end

  def self.make
    Class.new do
      private
      define_method(:x) {}
      attr_reader :y
      def z = nil
    end
  end

  private

  [1].each { define_method(:o) {} }
  define_method(:n) {}
  attr_reader :a
end
named = Named.new(:required)
p named.required?, named.each?, named.held = 5
p Named.private_instance_methods(false).sort, Named.public_instance_methods(false).sort
made = Named.make
p made.private_instance_methods(false).sort, made.public_instance_methods(false).sort
class Outside
  private
  define_method(:a) {}
  public
  def self.go(&block) = class_eval(&block)
end
Outside.go { private; define_method(:c) {}; def d = nil }
Outside.go { define_method(:e) {} }
p Outside.private_instance_methods(false).sort, Outside.public_instance_methods(false).sort
