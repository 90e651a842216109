class Chef
  # Cookbooks by name; looking up an unknown name raises CookbookNotFound.
  class CookbookCollection < Mash
    def initialize(cookbooks = {})
      super() { |_, name| Chef::CookbookVersion.send(:not_found, name) }
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
