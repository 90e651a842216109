class Chef
  # What resource classes declare, as data for documentation.
  module ResourceInspector
    class << self
      def extract_resource(resource, complete = false)
        shown = resource.properties.reject do |_, property|
          property.options[:skip_docs] || (!complete && property.options[:declared_in] == Chef::Resource)
        end
        instance = resource.new(resource.to_s, nil)
        {
          description: resource.description,
          default_action: resource.default_action,
          actions: resource.allowed_actions.to_h { |action| [action, instance.action_description(action)] },
          examples: resource.examples,
          introduced: resource.introduced,
          preview: resource.preview_resource,
          properties: shown.map { |name, property| property_data(name, property.options) },
        }
      end

      def get_default(default)
        case default
        when Chef::DelayedEvaluator then "lazy default"
        when Symbol then default.inspect
        else default
        end
      end

      def sort_equal_to(values)
        Array(values).sort.map(&:inspect)
      rescue ArgumentError
        Array(values).map(&:inspect)
      end

      # The resources of files, of which each may declare several.
      def load_from_resources(resources, complete)
        resources.each_with_object({}) do |file, found|
          known = classes
          Chef::Resource::LWRPBase.build_from_file(name, file["full_path"], Chef::RunContext.new(Chef::Node.new, nil, nil))
          # a file that declares only classes makes one more, named after this module
          made = (classes - known).reject { |klass| klass.resource_name.to_s.start_with?("Chef__ResourceInspector") }
          made.each { |klass| found[klass.resource_name] = extract_resource(klass, complete) }
        end
      end

      def extract_cookbook(path, complete)
        folder, name = File.split(File.expand_path(path))
        Chef::Cookbook::FileVendor.fetch_from_disk(path)
        load_from_resources(Chef::CookbookLoader.new(folder).load_cookbook(name).files_for(:resources), complete)
      end

      # All resources, or those of cookbooks (by their folders) and names, as JSON.
      def inspect(arguments = [], complete: false)
        named = Array(arguments)
        found = classes.to_h { |klass| [klass.resource_name, extract_resource(klass)] } if named.empty?
        found ||= named.each_with_object({}) do |argument, all|
          if File.directory?(argument)
            all.merge!(extract_cookbook(argument, complete))
          else
            klass = Chef::ResourceResolver.resolve(argument.to_sym)
            all[klass.resource_name] = extract_resource(klass, complete)
          end
        end
        Chef::JSONCompat.to_json_pretty(found)
      end

      def start = puts(inspect(ARGV, complete: true))

      private

      def classes = ObjectSpace.each_object(Class).select { |klass| klass < Chef::Resource }

      def property_data(name, options)
        {
          name: name,
          description: options[:description],
          introduced: options[:introduced],
          is: options[:is],
          deprecated: options[:deprecated] || false,
          required: options[:required] || false,
          default: options[:default_description] || get_default(options[:default]),
          name_property: options[:name_property] || false,
          equal_to: sort_equal_to(options[:equal_to]),
        }
      end
    end
  end
end
