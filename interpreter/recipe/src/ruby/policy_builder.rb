class Chef
  module PolicyBuilder
    class Policyfile
      # The run list of a policy, which has no roles, as subscribers of `run_list_expanded` read it.
      RunListExpansionIsh = Struct.new(:recipes, :roles) do
        def to_h = { id: "_policy_node", run_list: recipes.map { |name| { type: "recipe", name: name, skipped: false, version: nil } } }
        alias to_hash to_h
        def to_json(*args) = to_h.to_json(*args)
      end
    end
  end
end
