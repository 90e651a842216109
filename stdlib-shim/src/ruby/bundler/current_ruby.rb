# What Ruby runs this, for the platforms of a Gemfile: `mri?`, `ruby_31?`, `on_3?`.
module Bundler
  def self.current_ruby = @current_ruby ||= CurrentRuby.new

  class CurrentRuby
    KNOWN_MINOR_VERSIONS = %w[1.8 1.9 2.0 2.1 2.2 2.3 2.4 2.5 2.6 2.7 3.0 3.1].freeze
    KNOWN_MAJOR_VERSIONS = KNOWN_MINOR_VERSIONS.map { |version| version[/\d+/] }.uniq.freeze
    KNOWN_PLATFORMS = %w[jruby maglev mingw mri mswin mswin64 rbx ruby truffleruby x64_mingw].freeze
    ENGINES = { "mri" => "ruby", "rbx" => "rbx", "jruby" => "jruby", "maglev" => "maglev", "truffleruby" => "truffleruby" }.freeze
    private_constant :ENGINES

    def ruby? = !jruby?
    ENGINES.each { |name, engine| define_method(:"#{name}?") { RUBY_ENGINE == engine } }
    # Never on Windows.
    %w[mswin mswin64 mingw x64_mingw].each { |name| define_method(:"#{name}?") { false } }

    [*KNOWN_MINOR_VERSIONS, *KNOWN_MAJOR_VERSIONS].each do |version|
      digits = version.delete(".")
      define_method(:"on_#{digits}?") { RUBY_VERSION.start_with?("#{version}.") }
      KNOWN_PLATFORMS.each { |platform| define_method(:"#{platform}_#{digits}?") { public_send(:"#{platform}?") && public_send(:"on_#{digits}?") } }
    end
  end
end
