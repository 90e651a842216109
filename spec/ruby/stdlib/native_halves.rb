# A gem's Ruby half on the load path finds the library's native half.
require "tmpdir"
$stdout.sync = true
halves = {
  "digest" => "require 'digest.so'\nmodule Digest; HALF = 1; end\n",
  "date" => "require 'date_core'\nclass Date; HALF = 1; end\n",
  "psych" => "require 'psych.so'\nmodule Psych; HALF = 1; class Parser; attr_accessor :handler; end; end\n",
}
Dir.mktmpdir do |folder|
  halves.each { |name, text| File.write("#{folder}/#{name}.rb", text) }
  run = lambda do |program|
    reader, writer = IO.pipe
    child = fork do
      reader.close
      $stdout.reopen(writer)
      $LOAD_PATH.unshift(folder)
      eval(program)
      exit!(0)
    end
    writer.close
    puts reader.read
    Process.wait(child)
  end
  run.call(<<~'RUBY')
    require "digest"
    p Digest::HALF, Digest.hexencode("ab"), Digest::Instance.instance_methods(false).include?(:hexdigest)
    require "digest/md5"
    p Digest::MD5.hexdigest("a")
  RUBY
  run.call(<<~'RUBY')
    require "date"
    p Date::HALF, Date.new(2001, 2, 3).to_s, defined?(Date::Infinity), DateTime.new(2001, 2, 3).hour
    p Date.parse("3rd Feb 2001").yday
  RUBY
  run.call(<<~'RUBY')
    require "psych"
    p Psych::HALF, Psych.libyaml_version.size, defined?(Psych::Nodes), defined?(Psych::TreeBuilder)
    heard = Class.new(Psych::Handler) do
      attr_reader :seen
      def method_missing(name, *arguments)
        (@seen ||= []) << [name, *arguments]
      end
      def respond_to_missing?(*) = true
    end.new
    parser = Psych::Parser.new
    parser.handler = heard
    parser.parse("a: [1]\n", "x.yml")
    heard.seen.each { |event| p event unless event[0] == :event_location }
    require "stringio"
    emitter = Psych::Emitter.new(out = StringIO.new)
    emitter.start_stream(1)
    emitter.start_document([], [], true)
    emitter.scalar("x", nil, nil, true, false, 1)
    emitter.end_document(true)
    emitter.end_stream
    puts out.string
    p Psych::ClassLoader.new.send(:path2class, "File::Stat")
    begin
      Psych::ClassLoader.new.send(:path2class, "File::Nothing")
    rescue ArgumentError => error
      puts error.message
    end
    p Psych::Visitors::ToRuby.superclass, Psych::Visitors::ToRuby.private_method_defined?(:build_exception)
  RUBY
end
