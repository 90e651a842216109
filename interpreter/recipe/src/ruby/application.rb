class Chef
  class Application
    class << self
      def fatal!(text, status = -1)
        Chef::Log.fatal(text)
        exit(status.is_a?(Integer) ? status : 1)
      end

      def exit!(text, status = 0)
        Chef::Log.debug(text)
        exit(status)
      end

      def debug_stacktrace(_error) = true
    end
  end

  # constants: Group Org
  { Group: Object, Org: :Group }.each do |name, superclass|
    superclass = const_get(superclass) if superclass.is_a?(Symbol)
    const_set(name, Class.new(superclass) {
      def self.method_missing(name, *) = raise(NotImplementedError, "#{self}.#{name}: rchef does not speak to a Chef server")
      def self.respond_to_missing?(*) = false
    })
  end
end
