class Chef
  # A client of a Chef server, with its name and keys; in local mode, the chef-repo's `clients` has them.
  class ApiClient
    include Chef::Mixin::FromFile
    include Chef::Mixin::ParamsValidate

    class << self
      def http_api = Chef::ServerAPI.new(Chef::Config[:chef_server_url], { api_version: "0" })
      def from_json(text) = from_hash(Chef::JSONCompat.parse(text))

      def from_hash(hash)
        made = new
        made.name(hash["name"] || hash["clientname"])
        made.private_key(hash["private_key"]) if hash.key?("private_key")
        made.public_key(hash["public_key"])
        made.admin(hash["admin"])
        made.validator(hash["validator"])
        made.create_key(hash["create_key"]) if hash.key?("create_key")
        made
      end
      alias json_create from_hash

      def list(inflate = false)
        return http_api.get("clients") unless inflate

        found = {}
        Chef::Search::Query.new.search(:client) { |client| found[client.name] = client if client.is_a?(self) }
        found
      end

      def load(name)
        answer = http_api.get("clients/#{name}")
        answer.is_a?(self) ? answer : from_hash(answer)
      end

      def reregister(name) = load(name).reregister
    end

    def initialize
      @name = ""
      @public_key = nil
      @private_key = nil
      @admin = false
      @validator = false
      @create_key = nil
    end

    def http_api = @http_api ||= self.class.http_api
    alias chef_rest_v0 http_api

    def name(arg = nil) = set_or_return(:name, arg, regex: /^[\-[:alnum:]_\.]+$/)
    %i{admin validator create_key}.each { |field| define_method(field) { |arg = nil| set_or_return(field, arg, kind_of: [TrueClass, FalseClass]) } }
    def public_key(arg = nil) = set_or_return(:public_key, arg, kind_of: String)
    def private_key(arg = nil) = set_or_return(:private_key, arg, kind_of: [String, FalseClass])

    def to_h
      found = { "name" => @name, "public_key" => @public_key, "validator" => @validator, "admin" => @admin, "json_class" => self.class.name, "chef_type" => "client" }
      found["private_key"] = @private_key if @private_key
      found["create_key"] = @create_key unless @create_key.nil?
      found
    end
    alias to_hash to_h

    def to_json(*args) = Chef::JSONCompat.to_json(to_h, *args)
    def to_s = "client[#{@name}]"
    def inspect = "Chef::ApiClient name:'#{name}' admin:'#{admin.inspect}' validator:'#{validator}' public_key:'#{public_key}' private_key:'#{private_key ? "set" : private_key}'"
    def destroy = http_api.delete("clients/#{@name}")
    def create = http_api.post("clients", self)

    def save = Chef::ServerAPI.write(http_api, "clients", name, { name: name, admin: admin, validator: validator })

    def reregister
      reregistered = http_api.put("clients/#{name}", name: name, admin: admin, validator: validator, private_key: true)
      reregistered.respond_to?(:[]) ? private_key(reregistered["private_key"]) : private_key(reregistered.private_key)
      self
    end
  end
end
