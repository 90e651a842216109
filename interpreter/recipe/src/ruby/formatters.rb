class Chef
  module EventDispatch
    # Every event of a run as a method that does nothing: what formatters and handlers override.
    class Base
      EVENTS = %i{
        run_start run_started run_completed run_failed ohai_completed skipping_registration registration_start registration_completed
        registration_failed node_load_start node_run_list_overridden node_load_success node_load_failed run_list_expand_failed
        node_load_completed policyfile_loaded cookbook_resolution_start cookbook_resolution_failed cookbook_resolution_complete
        cookbook_clean_start removed_cookbook_file cookbook_clean_complete cookbook_sync_start synchronized_cookbook updated_cookbook_file
        cookbook_sync_failed cookbook_sync_complete cookbook_gem_start cookbook_gem_installing cookbook_gem_using cookbook_gem_finished
        cookbook_gem_failed cookbook_compilation_start library_load_start library_file_loaded library_file_load_failed library_load_complete
        lwrp_load_start lwrp_file_loaded lwrp_file_load_failed lwrp_load_complete ohai_plugin_load_start ohai_plugin_file_loaded
        ohai_plugin_file_load_failed ohai_plugin_load_complete attribute_load_start attribute_file_loaded attribute_file_load_failed
        attribute_load_complete definition_load_start definition_file_loaded definition_file_load_failed definition_load_complete
        recipe_load_start recipe_file_loaded recipe_file_load_failed recipe_not_found recipe_load_complete cookbook_compilation_complete
        converge_start action_collection_registration converge_complete converge_failed key_migration_status notifications_resolved
        resource_action_start resource_skipped resource_current_state_loaded resource_after_state_loaded
        resource_current_state_load_bypassed resource_bypassed resource_update_applied resource_update_progress resource_failed_retriable
        resource_failed resource_updated resource_up_to_date resource_completed stream_opened stream_closed stream_output handlers_start
        handler_executed handlers_completed provider_requirement_failed whyrun_assumption deprecation run_list_expanded msg
        attribute_changed
      }.freeze
      EVENTS.each { |event| define_method(event) { |*, **| } }
    end
  end

  # The classes that a cookbook's own formatter descends from. Which formatter prints is the client's choice (`--format doc|min|null`).
  module Formatters
    class UnknownFormatter < StandardError
    end

    def self.formatters_by_name = @formatters_by_name ||= {}
    def self.by_name(name) = formatters_by_name[name.to_s]
    def self.available_formatters = formatters_by_name.keys
    def self.register(name, formatter) = formatters_by_name[name.to_s] = formatter

    class Base < EventDispatch::Base
      def self.cli_name(name) = Formatters.register(name, self)

      attr_reader :out, :err
      alias output out

      def initialize(out, err)
        @out = out
        @err = err
      end

      %i{puts print}.each { |name| define_method(name) { |*args| out.public_send(name, *args) } }
    end

    class Doc < Base
      cli_name(:doc)
    end

    class Minimal < Base
      cli_name(:minimal)
      cli_name(:min)
    end

    class NullFormatter < Base
      cli_name(:null)
    end
  end
end
