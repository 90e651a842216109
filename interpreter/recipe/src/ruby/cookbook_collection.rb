class Chef
  # Cookbooks by name. Asking for one that is not there raises CookbookNotFound.
  class CookbookCollection < Mash
    def initialize(cookbooks = {})
      super() do |_, name|
        raise Chef::Exceptions::CookbookNotFound, "Cookbook #{name} not found. If you're loading #{name} from another cookbook, make sure you configure the dependency in your metadata"
      end
      cookbooks.each { |name, cookbook| self[name] = cookbook }
    end

    def validate!
      each_value do |cookbook|
        cookbook.metadata.validate_chef_version!
        cookbook.metadata.validate_ohai_version!
      end
    end
  end
end
