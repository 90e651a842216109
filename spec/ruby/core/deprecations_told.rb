# Warnings of what is deprecated, in MRI's words, where the category is on.
$stderr = $stdout
def told(flag = true)
  Warning[:deprecated] = flag
  yield
ensure
  Warning[:deprecated] = false
end
told(false) { Dir.exists?("/") }
told { Dir.exists?("/") }
told { File.exists?("/") }
told { Object.new.taint }
told { "".untrusted? }
told { Object.new =~ 1 }
told { $; = "," }
told { p "a,b".split }
$; = nil
told { $, = "-" }
told { p [1, 2].join }
told { print "a", "b", "\n" }
$, = nil
told { $/ = "\n" }
told { lambda(&proc {}) }
told { lambda(&:upcase) }
told { lambda(&lambda {}) }
module Old
  GONE = 1
  deprecate_constant :GONE
end
told { Old::GONE }
module Warning
  class << self
    alias told warn
    def warn(text, category: nil) = print(category.inspect, text[/: warning: .*/m])
  end
end
told { Dir.exists?("/") }
$VERBOSE = true
p $never_assigned
Class.new { attr :a, true }
