class Chef
  class DataBag
    include Chef::Mixin::ParamsValidate

    VALID_NAME = /^[\.\-[:alnum:]_]+$/.freeze
    RESERVED_NAMES = /^(node|role|environment|client)$/.freeze

    class << self
      def chef_server_rest = Chef::ServerAPI.new(Chef::Config[:chef_server_url])
      def from_hash(hash) = new.tap { |bag| bag.name(hash["name"]) }
      alias json_create from_hash

      def validate_name!(name)
        raise Exceptions::InvalidDataBagName, "DataBags must have a name matching #{VALID_NAME.inspect}, you gave #{name.inspect}" unless VALID_NAME.match?(name)
        raise Exceptions::InvalidDataBagName, "DataBags may not have a name matching #{RESERVED_NAMES.inspect}, you gave #{name.inspect}" if RESERVED_NAMES.match?(name)
      end

      def list(inflate = false)
        return folders.flat_map { |folder| Dir[File.join(Chef::Util::PathHelper.escape_glob_dir(folder), "*")].map { |path| File.basename(path) }.sort }.to_h { |name| [name, name] } if Chef::Config[:solo_legacy_mode]
        return list(false).to_h { |name, _| [name, load(name)] } if inflate

        Chef::ServerAPI.new(Chef::Config[:chef_server_url]).get("data")
      end

      def load(name)
        return Chef::ServerAPI.new(Chef::Config[:chef_server_url]).get("data/#{name}") unless Chef::Config[:solo_legacy_mode]

        folders.each_with_object({}) do |folder, bag|
          Dir.glob(File.join(Chef::Util::PathHelper.escape_glob_dir(folder, name.to_s), "*.json")).each do |path|
            item = Chef::JSONCompat.parse(IO.read(path))
            known = bag[item["id"]]
            if known && known != item
              raise Chef::Exceptions::DuplicateDataBagItem, "Data bag '#{name}' has items with the same name '#{item["id"]}' but different content."
            end
            bag[item["id"]] = item
          end
        end
      end

      private

      def folders
        Array(Chef::Config[:data_bag_path]).each do |folder|
          raise Chef::Exceptions::InvalidDataBagPath, "Data bag path '#{folder}' not found. Please create this directory." unless File.directory?(folder)
        end
      end
    end

    def initialize(chef_server_rest: nil)
      @name = ""
      @chef_server_rest = chef_server_rest
    end

    def name(arg = nil) = set_or_return(:name, arg, regex: VALID_NAME)
    def to_h = { "name" => @name, "json_class" => self.class.name, "chef_type" => "data_bag" }
    alias to_hash to_h
    def to_json(*args) = Chef::JSONCompat.to_json(to_h, *args)
    def to_s = "data_bag[#{@name}]"
    def chef_server_rest = @chef_server_rest ||= Chef::ServerAPI.new(Chef::Config[:chef_server_url])
    def destroy = chef_server_rest.delete("data/#{@name}")

    def create
      chef_server_rest.post("data", self)
      self
    end

    def save
      if Chef::Config[:why_run]
        Chef::Log.warn("In why-run mode, so NOT performing data bag save.")
      else
        begin
          create
        rescue Net::HTTPClientException => e
          raise unless e.response.code == "409"
        end
      end
      self
    end
  end

  class DataBagItem
    VALID_ID = /^[\.\-[:alnum:]_]+$/.freeze

    class << self
      def chef_server_rest = Chef::ServerAPI.new(Chef::Config[:chef_server_url])
      def object_name(data_bag_name, id) = "data_bag_item_#{data_bag_name}_#{id}"
      def json_create(hash) = from_hash(hash)

      def load(data_bag, name)
        if Chef::Config[:solo_legacy_mode]
          bag = Chef::DataBag.load(data_bag)
          raise Exceptions::InvalidDataBagItemID, "Item #{name} not found in data bag #{data_bag}. Other items found: #{bag.keys.join(", ")}" unless bag.include?(name)

          item = bag[name]
        else
          item = Chef::ServerAPI.new(Chef::Config[:chef_server_url]).get("data/#{data_bag}/#{name}")
        end
        return item if item.is_a?(DataBagItem)

        from_hash(item).tap { |made| made.data_bag(data_bag) }
      end
    end

    def chef_server_rest = @chef_server_rest ||= Chef::ServerAPI.new(Chef::Config[:chef_server_url])
    def validate_id!(id) = self.class.validate_id!(id)

    def object_name
      raise Exceptions::ValidationFailed, "You must have an 'id' or :id key in the raw data" unless raw_data.key?("id")
      raise Exceptions::ValidationFailed, "You must have declared what bag this item belongs to!" unless data_bag

      self.class.object_name(data_bag, raw_data["id"])
    end
    alias name object_name

    def to_json(*args)
      Chef::JSONCompat.to_json({ "name" => object_name, "json_class" => self.class.name, "chef_type" => "data_bag_item", "data_bag" => data_bag, "raw_data" => raw_data }, *args)
    end

    def pretty_print(printer) = printer.pp({ "data_bag_item('#{data_bag}', '#{id}')" => to_hash })
    def destroy(data_bag = self.data_bag, item = name) = chef_server_rest.delete("data/#{data_bag}/#{item}")

    def create
      chef_server_rest.post("data/#{data_bag}", self)
      self
    end

    def save(item_id = raw_data["id"])
      if Chef::Config[:why_run]
        Chef::Log.warn("In why-run mode, so NOT performing data bag item save.")
        return self
      end
      Chef::ServerAPI.write(chef_server_rest, "data/#{data_bag}", item_id, self)
      self
    end
  end
end
