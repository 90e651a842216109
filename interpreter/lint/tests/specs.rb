# Collects the cases of Cookstyle's own specs: code, at which path, with what offences and what correction.
#
#   ruby specs.rb CHECKOUT > cases.json
#
# The specs are loaded with stand-ins for RSpec's and RuboCop's methods that only note what they are given.

require 'json'

CASES = []

# Answers everything that a spec may ask, with itself.
class Anything
  def method_missing(*) = self
  def respond_to_missing?(*) = true
end

# What a spec says of one piece of code.
class Example
  MARK = /\A( *)(?:\^+|\^\{\})(?: |$)/

  def initialize(cop, lets) = (@cop, @lets = cop, lets)

  def expect_offense(source, file = nil, **variables)
    source = format(source, **variables) unless variables.empty?
    code = []
    offenses = []
    source.each_line do |line|
      mark = line.match(MARK)
      mark ? offenses << [[code.size, 1].max, mark[1].size + 1] : code << line
    end
    note(code.join, file, offenses)
  end

  def expect_no_offenses(source, file = nil) = note(source, file, [])
  # A configuration is known by the version of Chef that it is for.
  def target_chef_version(version) = { target: version.to_s }
  def expect_correction(text, **) = @last && @last[:correction] = text
  def expect_no_corrections = @last && @last[:correction] = @last[:code]
  def method_missing(name, *) = @lets.fetch(name) { Anything.new }
  def respond_to_missing?(*) = true

  private

  def note(code, file, offenses)
    config = @lets[:config]
    target = config[:target] if config.is_a?(Hash)
    CASES << (@last = { cop: @cop, file: file.to_s, code: code, offenses: offenses, target: target })
  end
end

# `describe` and `context`.
class Group
  def initialize(cop, lets) = (@cop, @lets = cop, lets)

  def it(*, **, &block)
    Example.new(@cop, @lets).instance_exec(&block) if block
  rescue StandardError => e
    warn "#{@cop}: #{e.message}"
  end

  def let(name, &block)
    @lets[name] = Example.new(@cop, @lets).instance_exec(&block)
  rescue StandardError
    @lets[name] = nil
  end

  def context(*, **, &block) = Group.new(@cop, @lets.dup).instance_exec(&block)
  alias describe context
  def method_missing(*, **) = Anything.new
  def respond_to_missing?(*) = true
end

module RuboCop
  module Cop
    # Departments and cops are made as they are named.
    module Chef
      DEPARTMENT = Module.new { def const_missing(name) = const_set(name, Class.new) }
      def self.const_missing(name) = const_set(name, Module.new.extend(DEPARTMENT))
    end
  end
end

def describe(cop, *, **, &block) = Group.new(cop.to_s.delete_prefix('RuboCop::Cop::').gsub('::', '/'), {}).instance_exec(&block)

module RSpec
  def self.describe(...) = Object.send(:describe, ...)
end

module Kernel
  alias require_of_ruby require
  def require(name) = name.match?(/spec_helper|rubocop/) || require_of_ruby(name)
end

Dir[File.join(ARGV.fetch(0), 'spec/rubocop/cop/chef/**/*_spec.rb')].sort.each { |path| load path }
puts JSON.pretty_generate(CASES)
