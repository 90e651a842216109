# Sends a message to every element.
module Enumerable
  class Every < BasicObject
    def initialize(all)
      @all = all
    end
    def method_missing(...)
      @all.map { |one| one.__send__(...) }
    end
  end
  def every = Every.new(self)
end
