# The kinds of machine that gems are built for.
module Gem
  class Platform
    RUBY = "ruby".freeze
    CURRENT = "current".freeze
    attr_accessor :cpu, :os, :version

    class << self
      def local = @local ||= new(RUBY_PLATFORM)
      def new(arch)
        case arch
        when CURRENT then local
        when RUBY, nil, "" then RUBY
        else super
        end
      end
      def match(platform) = Gem.platforms.any? { |own| platform.nil? || own == platform || (own != RUBY && own =~ platform) }
      def match_spec?(spec) = match(spec.platform)
      def match_gem?(platform, _name) = match(platform)
      def installable?(spec) = spec.respond_to?(:installable_platform?) ? spec.installable_platform? : match_spec?(spec)
      # What is built for a machine goes before what runs on all.
      def sort_priority(platform) = platform == RUBY ? -1 : 1
    end

    def initialize(arch)
      case arch
      when Array then @cpu, @os, @version = arch
      when Platform then @cpu, @os, @version = arch.to_a
      when String then read(arch)
      else raise ArgumentError, "invalid argument #{arch.inspect}"
      end
    end

    def to_a = [cpu, os, version]
    def to_s = to_a.compact.join("-")
    def inspect = "#<#{self.class}:0x#{object_id.to_s(16)} @cpu=#{cpu.inspect}, @os=#{os.inspect}, @version=#{version.inspect}>"
    def ==(other) = self.class === other && to_a == other.to_a
    alias eql? ==
    def hash = to_a.hash

    def ===(other)
      return nil unless other.is_a?(Platform)
      ([cpu, other.cpu].include?("universal") || [cpu, other.cpu].include?(nil) || cpu == other.cpu || (cpu == "arm" && other.cpu.to_s.start_with?("arm"))) &&
        os == other.os && (version == other.version || version.nil? || other.version.nil?)
    end
    def =~(other)
      other = self.class.new(other) if other.is_a?(String)
      self === other
    end

    private

    # The kinds of systems that have a version behind their name, and how it is written there.
    VERSIONED = {
      "aix" => /aix(\d+)?/, "darwin" => /darwin(\d+)?/, "macruby" => /^macruby$|^macruby(\d+(?:\.\d+)*)/, "freebsd" => /freebsd(\d+)?/, "hpux" => /^hpux$|^hpux(\d+)/,
      "java" => /^java$|^jruby$|^java([\d.]*)/, "dalvik" => /^dalvik(\d+)?$/, "dotnet" => /^dotnet$|^dotnet([\d.]*)/, "linux" => /linux-?(?!gnu)(\w+)?/, "mingw32" => /mingw32()/,
      "mingw" => /mingw-?(\w+)?/, "openbsd" => /openbsd(\d+\.\d+)?/, "solaris" => /solaris(\d+\.\d+)?/, "cygwin" => /cygwin()/, "netbsdelf" => /^netbsdelf$()/
    }.freeze
    NUMBER = /\A\d+(?:\.\d+)?\z/
    private_constant :VERSIONED, :NUMBER

    def read(text)
      @cpu, *rest = text.split("-")
      @cpu = "x86" if @cpu&.match?(/i\d86/)
      # what follows the system's name is part of it, but for a plain number
      rest = [rest.join("-")] if rest.size > 1 && !rest.last.match?(NUMBER)
      if rest.size == 2
        @os, @version = rest
      else
        @cpu, rest = nil, [@cpu] if rest.empty?
        name_system(rest.first.to_s)
      end
    end

    def name_system(text)
      if (windows = text.match(/(mswin\d+)(?:_(\d+))?/))
        @os, @version = windows.captures
        @cpu ||= "x86" if @os.end_with?("32")
        return
      end
      @os, form = VERSIONED.find { |_, pattern| pattern.match?(text) } || ["unknown", /()/]
      version = form.match(text)[1]
      @version = version unless version.to_s.empty?
    end
  end
end
