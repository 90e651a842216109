# What commands of IRB are made of.
module IRB
  module ExtendCommand
    class Nop
      attr_reader :irb_context

      def self.execute(conf, ...) = new(conf).execute(...)

      def initialize(conf)
        @irb_context = conf
      end

      def irb = @irb_context.irb
      def execute(*) = nil
    end
  end
end
