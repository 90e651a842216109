# What is asked of FFI while files are loaded; no foreign function is called.
module FFI
  class Pointer; end
  class MemoryPointer < Pointer; end
  class Struct
    def self.layout(*) = nil
    def self.method_missing(*) = nil
    def self.respond_to_missing?(*) = true
  end
  class Union < Struct; end
  module Library
    def method_missing(*) = nil
    def respond_to_missing?(*) = true
  end
  module Platform
    IS_WINDOWS = false
    def self.windows? = false
  end
end
