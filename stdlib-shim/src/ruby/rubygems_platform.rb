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
      def installable?(spec) = match(spec.platform)
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

    def read(text)
      parts = text.split("-", 3)
      @cpu = parts.shift if parts.size > 1 || parts[0].match?(/\Ai\d86|\Ax86/)
      @cpu = "x86" if @cpu&.match?(/\Ai\d86\z/)
      name, extra = parts
      case name
      when /\A(java|dalvik|dotnet|macruby|jruby)([\d.]*)\z/ then @os, @version = $1, ($2 unless $2.empty?)
      when /\A(darwin|freebsd|openbsd|netbsd|solaris|aix|mswin(?:64|32)?)[_-]?([\d.]*)/
        @os, @version = $1, ($2.empty? ? extra : $2)
        @version = @version[/\A\d+/] if @version && !@os.start_with?("mswin")
      when /\Alinux/ then @os, @version = "linux", extra&.sub(/\Agnu/, "").then { |rest| rest unless rest.to_s.empty? }
      when nil then @os = "unknown"
      else @os, @version = name, extra
      end
    end
  end
end
