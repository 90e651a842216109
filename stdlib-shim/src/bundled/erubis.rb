# Templates in the manner of Erubis 2.7: tags alone on a line leave no trace; values are not escaped unless written `<%==`.
require "erubis/native"
require "erubis/context"

module Erubis
  VERSION = "2.7.0"

  class Error < StandardError
  end

  module XmlHelper
    TABLE = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;", "'" => "&#039;" }.freeze

    def escape_xml(value) = value.to_s.gsub(/[&<>"]/, TABLE)
    alias escape_html escape_xml
    alias html_escape escape_xml
    alias h escape_xml
    module_function :escape_xml, :escape_html, :html_escape, :h
  end

  class Eruby
    attr_accessor :filename, :src, :trim, :escape, :pattern, :bufvar

    def self.load_file(path, properties = {})
      new(File.read(path), properties.merge(filename: path))
    end

    def initialize(input = nil, properties = {})
      @trim = properties[:trim] != false
      @escape = properties.fetch(:escape, escapes?)
      @pattern = properties[:pattern] || "<% %>"
      @bufvar = properties[:bufvar] || "_buf"
      @preamble = properties[:preamble]
      @postamble = properties[:postamble]
      @filename = properties[:filename]
      @src = convert(input) if input
    end

    def convert!(input) = @src = convert(input)

    def convert(input)
      Eruby.compile(input, *@pattern.split(" ", 2), @trim, @escape, @bufvar, [@preamble, @postamble])
    end

    def result(scope = TOPLEVEL_BINDING)
      return eval(@src, scope, @filename || "(erubis)", 1) unless scope.is_a?(Hash)
      binding_with = Object.new.instance_eval { binding }
      scope.each { |name, value| binding_with.local_variable_set(name, value) }
      eval(@src, binding_with, @filename || "(erubis)", 1)
    end

    def evaluate(context = nil)
      context = Context.new(context) if context.nil? || context.is_a?(Hash)
      context.instance_eval(@src, @filename || "(erubis)", 1)
    end
    alias process evaluate

    def def_method(object, signature, filename = nil)
      code = "def #{signature}\n#{@src}\nend"
      object.is_a?(Module) ? object.module_eval(code, filename || "(erubis)") : object.singleton_class.class_eval(code, filename || "(erubis)")
    end

    private

    def escapes? = false
  end

  class FastEruby < Eruby
  end

  class EscapedEruby < Eruby
    private

    def escapes? = true
  end
  EscapedFastEruby = EscapedEruby
end
