# `initialize`, `respond_to_missing?` and the like are private where they are defined, but not in a singleton class.
module Tool
  class << self
    def respond_to_missing?(*) = true
    def initialize_copy(_) = 1
    def initialize = 5
    define_method(:initialize_clone) { |_| 2 }
  end
end
def Tool.initialize_dup(_) = 3
p Tool.respond_to_missing?(:a), Tool.initialize, Tool.initialize_copy(1), Tool.initialize_clone(1), Tool.initialize_dup(1)

class Plain
  def respond_to_missing?(*) = true
  define_method(:initialize_copy) { |_| self }
end
p Plain.private_instance_methods(false).sort
