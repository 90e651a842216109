class Chef
  module Mixin
    # `validate(options, { name: { check => argument } })`: ValidationFailed unless each option passes its checks.
    module ParamsValidate
      extend self

      def validate(opts, map)
        map = map.validation_options if map.is_a?(Chef::Property)
        raise ArgumentError, "Options must be a hash" unless opts.is_a?(Hash)
        raise ArgumentError, "Validation Map must be a hash" unless map.is_a?(Hash)
        @validation_message ||= {}
        map.each do |key, checks|
          raise ArgumentError, "Validation map keys must be symbols or strings!" unless key.is_a?(Symbol) || key.is_a?(String)
          _pv_required(opts, key) if checks == true
          next unless checks.is_a?(Hash)
          @validation_message[key] = checks.delete(:validation_message) if checks.key?(:validation_message)
          checks.each do |check, argument|
            raise ArgumentError, "Validation map has unknown check: #{check}" unless respond_to?("_pv_#{check}", true)
            send("_pv_#{check}", opts, key, argument)
          end
        end
        opts
      end

      def lazy(&block) = Chef::DelayedEvaluator.new(&block)

      private

      def _validation_message(key, default) = (@validation_message || {}).fetch(key, default)
      def _pv_fail(key, text) = raise(Chef::Exceptions::ValidationFailed, _validation_message(key, text))
      def _pv_name_for(opts, key) = [key.to_s, key.to_sym].find { |name| opts.key?(name) }
      def _pv_opts_lookup(opts, key) = opts[_pv_name_for(opts, key)]

      def _pv_required(opts, key, wanted = true, accept_nil = false)
        name = _pv_name_for(opts, key)
        return true if !wanted || (name && (accept_nil || !opts[name].nil?))
        _pv_fail(key, "Required argument #{key.inspect} is missing!")
      end

      def _pv_equal_to(opts, key, allowed)
        value, allowed = _pv_opts_lookup(opts, key), Array(allowed)
        return true if value.nil? || allowed.include?(value)
        _pv_fail(key, "Option #{key} must be equal to one of: #{allowed.map(&:inspect).join(", ")}!  You passed #{value.inspect}.")
      end

      def _pv_kind_of(opts, key, classes)
        value, classes = _pv_opts_lookup(opts, key), Array(classes)
        return true if value.nil? || classes.any? { |kind| value.is_a?(kind) }
        _pv_fail(key, "Option #{key} must be a kind of #{classes}!  You passed #{value.inspect}.")
      end

      def _pv_respond_to(opts, key, methods)
        value = _pv_opts_lookup(opts, key)
        return if value.nil?
        lacking = Array(methods).find { |name| !value.respond_to?(name) }
        _pv_fail(key, "Option #{key} must have a #{lacking} method!") if lacking
      end

      def _pv_cannot_be(opts, key, predicates)
        value = _pv_opts_lookup(opts, key)
        return if value.nil?
        met = Array(predicates).any? { |name| value.respond_to?("#{name}?") && value.public_send("#{name}?") }
        _pv_fail(key, "Option #{key} cannot be #{predicates}") if met
      end

      def _pv_default(opts, key, default)
        return unless _pv_opts_lookup(opts, key).nil?
        opts[key] = default.is_a?(Chef::DelayedEvaluator) ? default : default.freeze
      end

      def _pv_regex(opts, key, regexps)
        value = _pv_opts_lookup(opts, key)
        return true if value.nil? || Array(regexps).flatten.any? { |regexp| regexp.match(value.to_s) }
        _pv_fail(key, "Property #{key}'s value #{value} does not match regular expression #{regexps.inspect}")
      end

      def _pv_callbacks(opts, key, callbacks)
        raise ArgumentError, "Callback list must be a hash!" unless callbacks.is_a?(Hash)
        value = _pv_opts_lookup(opts, key)
        return if value.nil?
        callbacks.each { |message, callback| _pv_fail(key, "Option #{key}'s value #{value} #{message}!") unless callback.call(value) }
      end

      def _pv_name_property(opts, key, wanted = true)
        return unless wanted && opts[key].nil?
        _pv_static("name_property cannot be evaluated without a resource.")
        opts[key] = instance_variable_get(:@name)
      end
      alias _pv_name_attribute _pv_name_property

      def _pv_static(text)
        raise Chef::Exceptions::CannotValidateStaticallyError, text if equal?(Chef::Mixin::ParamsValidate)
      end

      def _pv_is(opts, key, alternatives)
        return true unless _pv_name_for(opts, key)
        value, alternatives, errors = _pv_opts_lookup(opts, key), [alternatives].flatten(1), []
        passed = alternatives.any? do |alternative|
          case alternative
          when Proc
            _pv_static("is: proc { } must be evaluated once for each resource")
            instance_exec(value, &alternative)
          when Chef::Property
            begin
              validate(opts, { key => alternative.validation_options })
            rescue Chef::Exceptions::ValidationFailed => e
              raise if alternatives.size == 1
              errors << e
              false
            end
          else alternative === value
          end
        end
        return true if passed
        text = "Property #{key} must be one of: #{alternatives.map(&:inspect).join(", ")}!  You passed #{value.inspect}."
        text += " Errors:\n#{errors.map { |error| "- #{error}" }.join("\n")}" unless errors.empty?
        _pv_fail(key, text)
      end

      def _pv_coerce(opts, key, coercer)
        return unless (name = _pv_name_for(opts, key))
        _pv_static("coerce must be evaluated for each resource.")
        opts[name] = instance_exec(opts[key], &coercer)
      end
    end
  end
end
