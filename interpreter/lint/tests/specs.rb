# Collects the cases of Cookstyle's own specs as JSON: what code, at which path, with what offences and what correction.
#   ruby collect.rb CHECKOUT > cases.json
require 'json'
CASES = []
class Anything
  def self.const_missing(name); const_set(name, Class.new(Anything)); end
  def method_missing(*) = self
  def respond_to_missing?(*) = true
  def to_s = '' 
end
class Example
  def initialize(cop, lets) = (@cop, @lets = cop, lets)
  def expect_offense(source, file = nil, **vars)
    source = format(source, **vars) unless vars.empty?
    code, marks = [], []
    source.each_line do |line|
      if (m = line.match(/\A( *)(\^+|\^\{\})( |$)/))
        marks << [[code.size, 1].max, m[1].size + 1]
      else
        code << line
      end
    end
    @code = code.join
    CASES << (@last = { cop: @cop, file: file.to_s, code: @code, offenses: marks, target: @lets[:target_chef_version]&.to_s })
  end
  def expect_no_offenses(source, file = nil)
    CASES << { cop: @cop, file: file.to_s, code: source, offenses: [], target: @lets[:target_chef_version]&.to_s }
  end
  def expect_correction(text, **) = @last && @last[:correction] = text
  def expect_no_corrections = @last && @last[:correction] = @last[:code]
  def allow_invalid_ruby = nil
  def method_missing(name, *) = @lets.fetch(name) { Anything.new }
end
class Group
  def initialize(cop, lets = {}) = (@cop, @lets = cop, lets)
  def it(*, **) = (Example.new(@cop, @lets).instance_eval(&Proc.new { |*| yield_self }) if false)
  def method_missing(*, **) = nil
end
Group.class_eval do
  define_method(:it) do |*_a, **_k, &block|
    begin
      Example.new(@cop, @lets).instance_exec(&block) if block
    rescue StandardError => e
      warn "#{@cop}: #{e.message}"
    end
  end
  define_method(:let) { |name, &block| @lets[name] = (block.call rescue nil) }
  define_method(:context) { |*_a, **_k, &block| Group.new(@cop, @lets.dup).instance_exec(&block) }
  alias_method :describe, :context
  define_method(:method_missing) { |*_a, **_k, &_b| Anything.new }
  define_method(:respond_to_missing?) { |*_a| true }
end
module RuboCop; module Cop; module Chef
  def self.const_missing(name); const_set(name, Module.new { def self.const_missing(n); n.to_s == n.to_s ? const_set(n, Class.new { define_singleton_method(:inspect) { name } }) : nil; end }); end
end; end; end
def require_relative(*) = nil
alias real_require require
def require(name) = %w(spec_helper).include?(name) ? nil : real_require(name)
def describe(cop, *_a, **_k, &block)
  name = cop.to_s[/Chef::(.*)/, 1].to_s.gsub('::', '/')
  Group.new("Chef/#{name}").instance_exec(&block)
end
module RSpec; def self.describe(...) = Object.send(:describe, ...); end
Dir["#{ARGV[0]}/spec/rubocop/cop/chef/**/*_spec.rb"].sort.each do |path|
  begin
    load path
  rescue Exception => e
    warn "#{path}: #{e.class} #{e.message[0, 100]}"
  end
end
puts JSON.generate(CASES)
