# What the parser warns of, without and with $VERBOSE.
sources = [
  "{a: p, :a => 2, 'b' => p, 'b' => 2, 1.0 => p, 1.0 => 2}",
  "if x = 1 then end",
  "def m\n  y = 1\n  2\nend",
  "def m(x)\n  x == 1\n  x\n  1\n  'literal'\n  nil\nend",
  "def m\n  if $0\n  2\n    end\nend",
  "def m\n  return 1\n  2\nend",
  "case 1\nwhen 1 then 2\nwhen 1 then 3\nend",
  "def m = p(1, *[2])\ndef n; p *[1]; p -1; p &:a; end",
  "/(?<name>a)/ =~ 'a'",
  "def m; _unused = 1; 3.times { |i| used = i }; end",
]
sources.each do |source|
  [nil, false, true].each do |level|
    $VERBOSE = level
    $stdout.puts "-- #{level.inspect}"
    $stderr = $stdout
    begin
      eval(source, binding, "source.rb", 1)
    ensure
      $stderr = STDERR
      $VERBOSE = false
    end
  end
end
module Warning
  def self.warn(text) = puts("caught: #{text}")
end
eval("{k: 1, k: 2}")
