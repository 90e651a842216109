# Coverage is not measured.
module SimpleCov
  def self.method_missing(*) = self
  def self.respond_to_missing?(*) = true
  def self.start(*) = self
  def self.running = false
  module Formatter
    def self.const_missing(name) = const_set(name, Class.new { def self.method_missing(*) = self })
    class HTMLFormatter; end
    class SimpleFormatter; end
    class LcovFormatter; def self.method_missing(*) = self; end
    class MultiFormatter; def self.new(*) = self; def self.[](*) = self; end
  end
end
