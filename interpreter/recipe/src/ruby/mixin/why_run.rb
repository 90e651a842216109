class Chef
  module Mixin
    # Requirements of providers, and their changes.
    module WhyRun
      # Runs changes, or only reports them in why-run mode.
      class ConvergeActions
        attr_reader :actions

        def initialize(resource, run_context, action)
          @resource = resource
          @run_context = run_context
          @action = action
          @actions = []
        end

        def events = @run_context.events
        def empty? = @actions.empty?

        def add_action(descriptions, &block)
          @actions << [descriptions, block]
          block.call unless Chef::Config[:why_run]
          events.resource_update_applied(@resource, @action, descriptions)
        end
      end

      # Requirements of an action: `assert(:create) { |a| a.assertion { … } }`.
      class ResourceRequirements
        class Assertion
          class AssertionFailure < RuntimeError
          end

          def initialize
            @block_action = false
            @failure_type = AssertionFailure
          end

          def block_action! = @block_action = true
          def block_action? = @block_action
          def assertion(&block) = @assertion = block
          def assertion_failed? = @assertion_failed

          def failure_message(*args)
            raise ArgumentError, "#{self.class}#failure_message takes 1 or 2 arguments, you gave #{args.inspect}" unless args.size.between?(1, 2)

            @failure_type, @failure_message = args.size == 1 ? [AssertionFailure, args[0]] : args
          end

          def whyrun(message, &block)
            @whyrun_message = message
            @whyrun_block = block
          end

          def run(action, events, resource)
            return if @assertion&.call

            @assertion_failed = true
            return assumed(action, events, resource) if Chef::Config[:why_run] && @whyrun_message
            return unless @failure_message

            events.provider_requirement_failed(action, resource, @failure_type, @failure_message)
            raise @failure_type, @failure_message
          end

          private

          def assumed(action, events, resource)
            events.provider_requirement_failed(action, resource, @failure_type, @failure_message)
            events.whyrun_assumption(action, resource, @whyrun_message)
            @whyrun_block&.call
          end
        end

        attr_accessor :action

        def initialize(resource, run_context, action)
          @resource = resource
          @run_context = run_context
          @action = action
          @assertions = Hash.new { |known, name| known[name] = [] }
          @blocked_actions = []
        end

        def events = @run_context.events
        def action_blocked?(action) = @blocked_actions.include?(action)

        # Adds a requirement if the current action is one of these.
        def assert(*actions)
          return unless actions.include?(action.to_sym) || actions.include?(:all_actions)

          assertion = Assertion.new
          yield assertion
          actions.each { |action| @assertions[action] << assertion }
        end

        def run(action)
          @assertions[action.to_sym].each { |assertion| break if check(assertion, action) }
        end

        private

        def check(assertion, action)
          assertion.run(action, events, @resource)
          if assertion.assertion_failed? && assertion.block_action?
            @blocked_actions << action
            true
          end
        end
      end
    end
  end
end
