# The methods of a Mutex for any object: extended with the module, or an instance of a class that includes it.
module Mutex_m
  VERSION = "0.1.1"
  PLAIN = %i(locked? lock unlock try_lock synchronize).freeze
  private_constant :PLAIN

  # Gives a module or class the short names, one at a time what it does not take from elsewhere.
  def self.define_aliases(target)
    PLAIN.each { |name| target.alias_method(name, :"mu_#{name}") }
  end

  def self.append_features(target)
    super
    define_aliases(target) unless target.instance_of?(Module)
  end

  def self.extend_object(object)
    super
    object.mu_extended
  end

  def mu_extended
    Mutex_m.define_aliases(singleton_class) unless PLAIN.all? { |name| respond_to?(name) }
    mu_initialize
  end

  def mu_synchronize(&block) = @_mutex.synchronize(&block)
  def mu_locked? = @_mutex.locked?
  def mu_try_lock = @_mutex.try_lock
  def mu_lock = @_mutex.lock
  def mu_unlock = @_mutex.unlock
  def sleep(timeout = nil) = @_mutex.sleep(timeout)

  private

  def mu_initialize
    @_mutex = Thread::Mutex.new
  end

  def initialize(*args, **kw)
    mu_initialize
    super
  end
end
