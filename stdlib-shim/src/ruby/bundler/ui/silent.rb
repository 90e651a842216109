# Says nothing, and keeps the warnings.
require "bundler/ui"

module Bundler
  module UI
    class Silent
      attr_writer :shell

      def initialize
        @warnings = []
      end

      def add_color(text, _color) = text
      %i[info confirm error debug].each { |name| define_method(name) { |_message, _newline = nil| nil } }
      def warn(message, _newline = nil) = @warnings |= [message]
      def trace(_error, _newline = nil, _force = false) = nil
      def debug? = false
      def quiet? = false
      def ask(_message) = nil
      def yes?(_message) = raise("Cannot ask yes? with a silent shell")
      def no? = raise("Cannot ask no? with a silent shell")
      def level=(_name)
      end
      def level(_name = nil) = nil
      def silence = yield
      def unprinted_warnings = @warnings
    end
  end
end
