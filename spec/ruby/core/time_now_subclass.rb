# Time.now makes an instance by `new`, and gives it `in:` even where nothing was said.
class Told < Time
  def self.new(*args, **options) = (p [args, options]; super)
end
p Told.now.class, Told.now(in: "+09:00").utc_offset

class Initialized < Time
  def initialize(*args, **options) = (p [args, options]; super)
end
p Initialized.now.class, Initialized.now(in: "UTC").utc?

# As a library does it that sets the clock: without arguments `new` is the time that it set.
class Frozen < Time
  class << self
    alias_method :plain_new, :new
    alias_method :plain_now, :now
    def now = $at || plain_now
    def new(*args) = args.empty? ? now : plain_new(*args)
    ruby2_keywords :new
  end
end
p Frozen.now.class, Frozen.new(2020, 1, 2).year
$at = Frozen.at(0)
p Frozen.now.to_i, Frozen.new.to_i
