class Chef
  class Resource
    class NAsserts < Chef::Resource
      provides :n_asserts
      resource_name :n_asserts
      property :blocked, [true, false], default: false
      default_action :go
      allowed_actions :go, :other
    end
  end
  class Provider
    class NAsserts < Chef::Provider
      provides :n_asserts
      def whyrun_supported? = true
      def load_current_resource = @current_resource = new_resource
      def define_resource_requirements
        requirements.assert(:go) do |a|
          a.assertion { puts 'asked for :go'; false }
          a.failure_message RuntimeError, 'the action needs something'
          a.whyrun(['Assuming that it would be there', 'and so on']) { puts 'modifier ran' }
          a.block_action! if new_resource.blocked
        end
        requirements.assert(:all_actions) do |a|
          a.assertion { puts 'asked for all'; true }
          a.failure_message 'not told'
        end
        requirements.assert(:other) { |a| a.assertion { raise 'not asked' } }
      end
      def action_go = converge_by('go on') { raise 'not run in a why-run' }
      def action_other = nil
    end
  end
end
