# A class with one instance.
module Singleton
  VERSION = "0.1.1"
  module SingletonClassMethods
    def instance
      @singleton__instance__ ||= new
    end

    def clone = Singleton.__init__(super)
    def _load(_text) = instance

    private

    def inherited(child)
      super
      Singleton.__init__(child)
    end
  end

  class << Singleton
    def __init__(klass)
      klass.instance_eval do
        @singleton__instance__ = nil
        @singleton__mutex__ = Thread::Mutex.new
      end
      klass
    end

    private

    def append_features(mod)
      raise TypeError, "Inclusion of the OO-Singleton module in module #{mod}" unless mod.instance_of?(Class)
      super
    end

    def included(base)
      super
      base.private_class_method(:new, :allocate)
      base.extend(SingletonClassMethods)
      Singleton.__init__(base)
    end
  end

  def clone = raise(TypeError, "can't clone instance of singleton #{self.class}")
  def dup = raise(TypeError, "can't dup instance of singleton #{self.class}")
  def _dump(_depth = -1) = ""
end
