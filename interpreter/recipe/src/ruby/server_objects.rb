class Chef
  # What users, clients and keys of a Chef server share: fields with rules, and their JSON.
  module ServerObject
    module Fields
      # Declares fields whose accessors set a value or give it.
      def fields(*names, **rule)
        names.each { |name| define_method(name) { |value = nil| set_or_return(name, value, rule.dup) } }
      end

      def from_json(text) = from_hash(Chef::JSONCompat.from_json(text))
    end

    # The users of a server, for a class with `server` and `load`.
    module Users
      def list(inflate = false)
        answer = server.get("users")
        users = answer.is_a?(Array) ? addresses(answer) : answer
        inflate ? users.to_h { |name, _| [name, load(name)] } : users
      end

      private

      # A list of the form that the hosted server answers, as names with their addresses.
      def addresses(list)
        names = list.map { |entry| entry["user"]["username"] }
        names.to_h { |name| [name, "#{Chef::Config[:chef_server_url]}/users/#{name}"] }
      end
    end

    TRUE_OR_FALSE = [TrueClass, FalseClass].freeze

    def self.included(into) = into.extend(Fields)
    def to_hash = to_h
    def to_json(*args) = Chef::JSONCompat.to_json(to_h, *args)

    private

    # The given fields that are set.
    def set_fields(*names) = names.to_h { |name| [name, public_send(name)] }.compact

    # The block's result; if the server has the object already (or not yet), that of `other`.
    def unless_status(code, other)
      yield
    rescue Net::HTTPClientException => e
      raise unless e.response.code == code

      other.call
    end

    # Moves what a server since API version 1 answers of the key to where version 0 had it.
    def flat(answer)
      key = answer.delete("chef_key") or return answer
      answer["private_key"] = key["private_key"] if key["private_key"]
      answer["public_key"] = key["public_key"]
      answer
    end

    # Raises again unless the server and this client both know API version 0.
    def check_version_0(exception)
      known = server_client_api_version_intersection(exception, self.class::SUPPORTED_API_VERSIONS)
      raise exception unless known&.include?(0)
    end

    # Raises an exception that says so if the server no longer has API version 0.
    def only_version_0
      yield
    rescue Net::HTTPClientException => e
      header = e.response["x-ops-server-api-version"] if e.response.code == "406"
      raise unless header

      versions = Chef::JSONCompat.from_json(header)
      raise Chef::Exceptions::OnlyApiVersion0SupportedForAction, reregister_only_v0_supported_error_msg(versions["max_version"], versions["min_version"])
    end
  end

  # A public key of a user or a client.
  class Key
    include Chef::Mixin::ParamsValidate
    include ServerObject

    class << self
      def from_hash(hash)
        kind = %w{user client}.find { |each| hash.key?(each) }
        unless kind
          raise Chef::Exceptions::MissingKeyAttribute, "The hash passed to from_hash does not contain the key 'user' or 'client'. Please pass a hash that defines one of those keys."
        end
        new(hash[kind], kind).tap do |key|
          %w{name public_key private_key create_key expiration_date}.each { |field| key.public_send(field, hash[field]) if hash.key?(field) }
        end
      end

      def list_by_user(actor, inflate = false) = list(of_users.get("users/#{actor}/keys"), actor, :load_by_user, inflate)
      def list_by_client(actor, inflate = false) = list(of_clients.get("clients/#{actor}/keys"), actor, :load_by_client, inflate)
      def load_by_user(actor, name) = from_hash(of_users.get("users/#{actor}/keys/#{name}").merge("user" => actor))
      def load_by_client(actor, name) = from_hash(of_clients.get("clients/#{actor}/keys/#{name}").merge("client" => actor))
      def of_users = Chef::ServerAPI.new(Chef::Config[:chef_server_root])
      def of_clients = Chef::ServerAPI.new(Chef::Config[:chef_server_url])

      def list(keys, actor, load_method, inflate)
        inflate ? keys.to_h { |key| [key["name"], public_send(load_method, actor, key["name"])] } : keys
      end

      # SHA-1 of modulus and exponent, as pairs of hexadecimal digits.
      def generate_fingerprint(public_key)
        key = OpenSSL::PKey::RSA.new(public_key)
        numbers = [key.n, key.e].map { |number| OpenSSL::ASN1::Integer.new(number) }
        OpenSSL::Digest.hexdigest("SHA1", OpenSSL::ASN1::Sequence(numbers).to_der).scan(/../).join(":")
      end
    end

    attr_reader :actor_field_name

    def initialize(actor, actor_field_name)
      unless %w{user client}.include?(actor_field_name)
        raise Chef::Exceptions::InvalidKeyArgument, "the second argument to initialize must be either 'user' or 'client'"
      end

      @actor = actor
      @actor_field_name = actor_field_name
      @name = @public_key = @private_key = @expiration_date = @create_key = nil
    end

    fields :actor, regex: /^[a-z0-9\-_]+$/
    fields :name, :private_key, kind_of: String
    fields :expiration_date, regex: /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z|infinity)$/

    def public_key(value = nil)
      raise Chef::Exceptions::InvalidKeyAttribute, "you cannot set the public_key if create_key is true" if value && @create_key

      set_or_return(:public_key, value, kind_of: String)
    end

    def create_key(value = nil)
      raise Chef::Exceptions::InvalidKeyAttribute, "you cannot set create_key to true if the public_key field exists" if value == true && @public_key

      set_or_return(:create_key, value, kind_of: TRUE_OR_FALSE)
    end

    def chef_rest = @rest ||= of_user? ? self.class.of_users : self.class.of_clients
    def api_base = @api_base ||= "#{@actor_field_name}s"
    def delete_public_key = @public_key = nil
    def delete_create_key = @create_key = nil
    def fingerprint = self.class.generate_fingerprint(@public_key)

    def to_h
      set = { "name" => @name, "public_key" => @public_key, "private_key" => @private_key, "expiration_date" => @expiration_date, "create_key" => @create_key }
      { @actor_field_name => @actor }.merge(set.select { |_, value| value })
    end

    def create
      raise Chef::Exceptions::MissingKeyAttribute, "either public_key must be defined or create_key must be true" if @public_key.nil? && !@create_key
      if @name.nil? && @public_key.nil?
        raise Chef::Exceptions::MissingKeyAttribute, "a name cannot be auto-generated if no public key passed, either pass a public key or supply a name"
      end

      @name ||= fingerprint
      payload = { "name" => @name, "public_key" => @public_key, "create_key" => @create_key || nil, "expiration_date" => @expiration_date }.compact
      answer = chef_rest.post("#{api_base}/#{@actor}/keys", payload)
      self.class.from_hash(to_h.merge(answer["private_key"] ? { "private_key" => answer["private_key"] } : {}))
    end

    def update(put_name = nil)
      put_name ||= @name
      raise Chef::Exceptions::MissingKeyAttribute, "the name field must be populated or you must pass a name to update when update is called" if put_name.nil?

      answer = chef_rest.put("#{api_base}/#{@actor}/keys/#{put_name}", to_h)
      delete_create_key if answer["public_key"]
      self.class.from_hash(to_h.merge(answer))
    end

    def save = unless_status("409", method(:update)) { create }

    def destroy
      raise Chef::Exceptions::MissingKeyAttribute, "the name field must be populated when delete is called" if @name.nil?

      chef_rest.delete("#{api_base}/#{@actor}/keys/#{@name}")
    end

    private

    def of_user? = @actor_field_name == "user"
  end

  # A user of a server with API version 0.
  class User
    include Chef::Mixin::FromFile
    include Chef::Mixin::ParamsValidate
    include ServerObject
    extend ServerObject::Users

    class << self
      def server = Chef::ServerAPI.new(Chef::Config[:chef_server_url], { api_version: "0" })
      def load(name) = from_hash(server.get("users/#{name}"))

      def from_hash(hash)
        new.tap do |user|
          %w{name public_key admin}.each { |field| user.public_send(field, hash[field]) }
          %w{private_key password}.each { |field| user.public_send(field, hash[field]) if hash.key?(field) }
        end
      end
    end

    def initialize
      @name = ""
      @public_key = @private_key = @password = nil
      @admin = false
    end

    fields :name, regex: /^[a-z0-9\-_]+$/
    fields :admin, kind_of: TRUE_OR_FALSE
    fields :public_key, :private_key, :password, kind_of: String

    def chef_rest_v0 = @chef_rest_v0 ||= self.class.server

    def to_h
      optional = { "private_key" => @private_key, "password" => @password }.compact
      { "name" => @name, "public_key" => @public_key, "admin" => @admin }.merge(optional)
    end

    def destroy = chef_rest_v0.delete("users/#{@name}")

    def create
      answer = chef_rest_v0.post("users", { name: name, admin: admin, password: password }.merge(set_fields(:public_key)))
      self.class.from_hash(to_h.merge(answer))
    end

    def update(new_key = false)
      payload = { name: name, admin: admin, private_key: new_key || nil, password: password }.reject { |_, value| value.nil? }
      self.class.from_hash(to_h.merge(chef_rest_v0.put("users/#{name}", payload)))
    end

    def save(new_key = false) = unless_status("409", -> { update(new_key) }) { create }

    def reregister
      private_key(chef_rest_v0.put("users/#{name}", { name: name, admin: admin, private_key: true })["private_key"])
      self
    end

    def to_s = "user[#{@name}]"
    def inspect = "Chef::User name:'#{name}' admin:'#{admin.inspect}'public_key:'#{public_key}' private_key:#{private_key}"
  end

  # A user of a server with API version 1; requests fall back to version 0.
  class UserV1
    include Chef::Mixin::FromFile
    include Chef::Mixin::ParamsValidate
    include Chef::Mixin::ApiVersionRequestHandling
    include ServerObject
    extend ServerObject::Users

    SUPPORTED_API_VERSIONS = [0, 1].freeze
    FIELDS = %i{display_name first_name middle_name last_name email password public_key private_key}.freeze
    private_constant :FIELDS

    class << self
      def server = Chef::ServerAPI.new(Chef::Config[:chef_server_url])
      def load(username) = from_hash(server.get("users/#{username}"))

      def from_hash(hash)
        new.tap do |user|
          user.username(hash["username"])
          [*FIELDS, :create_key].each { |field| user.public_send(field, hash[field.to_s]) if hash.key?(field.to_s) }
        end
      end
    end

    fields :username, regex: /^[a-z0-9\-_]+$/
    fields(*FIELDS, kind_of: String)
    fields :create_key, kind_of: TRUE_OR_FALSE

    def chef_root_rest_v0 = @chef_root_rest_v0 ||= Chef::ServerAPI.new(Chef::Config[:chef_server_root], { api_version: "0" })
    def chef_root_rest_v1 = @chef_root_rest_v1 ||= Chef::ServerAPI.new(Chef::Config[:chef_server_root], { api_version: "1" })
    def to_h = { "username" => @username }.merge(set_fields(*FIELDS, :create_key).transform_keys(&:to_s))
    def destroy = self.class.server.delete("users/#{@username}")

    def create
      self.class.from_hash(to_h.merge(created))
    end

    def update(new_key = false)
      payload = { username: username }.merge(set_fields(*FIELDS - [:private_key]))
      payload[:private_key] = new_key if new_key
      answer = begin
        chef_root_rest_v1.put("users/#{username}", payload)
      rescue Net::HTTPClientException => e
        e.response.code == "400" ? check_key_refused(e) : check_version_0(e)
        chef_root_rest_v0.put("users/#{username}", payload)
      end
      self.class.from_hash(to_h.merge(answer))
    end

    def save(new_key = false) = unless_status("409", -> { update(new_key) }) { create }

    def reregister
      private_key(only_version_0 { chef_root_rest_v0.put("users/#{username}", to_h.merge("private_key" => true)) }["private_key"])
      self
    end

    def to_s = "user[#{@username}]"

    private

    def created
      raise Chef::Exceptions::InvalidUserAttribute, "You cannot set both public_key and create_key for create." unless @create_key.nil? || @public_key.nil?

      always = { username: @username, display_name: @display_name, email: @email }
      flat(chef_root_rest_v1.post("users", always.merge(set_fields(:first_name, :last_name, :password, :public_key, :create_key, :middle_name))))
    rescue Net::HTTPClientException => e
      check_version_0(e)
      always = { username: @username, display_name: @display_name, first_name: @first_name, last_name: @last_name, email: @email, password: @password }
      chef_root_rest_v0.post("users", always.merge(set_fields(:middle_name, :public_key)))
    end

    # Raises again unless the server refused the key, which API version 1 changes elsewhere.
    def check_key_refused(exception)
      text = Chef::JSONCompat.from_json(exception.response.body)["error"].first
      raise exception unless text.include?("Since Server API v1, all keys must be updated via the keys endpoint")
    end
  end

  # A client of a server with API version 1; requests fall back to version 0.
  class ApiClientV1
    include Chef::Mixin::FromFile
    include Chef::Mixin::ParamsValidate
    include Chef::Mixin::ApiVersionRequestHandling
    include ServerObject

    SUPPORTED_API_VERSIONS = [0, 1].freeze

    class << self
      def server(version, **options) = Chef::ServerAPI.new(Chef::Config[:chef_server_url], { **options, api_version: version, inflate_json_class: false })
      def http_api = server("1")
      def load(name) = from_hash(http_api.get("clients/#{name}"))
      def reregister(name) = load(name).reregister

      def from_hash(hash)
        new.tap do |client|
          client.name(hash["name"] || hash["clientname"])
          %w{admin validator}.each { |field| client.public_send(field, hash[field]) }
          %w{private_key public_key create_key}.each { |field| client.public_send(field, hash[field]) if hash.key?(field) }
        end
      end

      def list(inflate = false)
        return http_api.get("clients") unless inflate

        found = {}
        Chef::Search::Query.new.search(:client) do |client|
          client = from_hash(client) if client.instance_of?(Hash)
          found[client.name] = client
        end
        found
      end
    end

    def initialize
      @name = ""
      @public_key = @private_key = @create_key = nil
      @admin = @validator = false
    end

    fields :name, regex: /^[\-[:alnum:]_\.]+$/
    fields :admin, :validator, :create_key, kind_of: TRUE_OR_FALSE
    fields :public_key, kind_of: String
    fields :private_key, kind_of: [String, *TRUE_OR_FALSE]

    def chef_rest_v0 = @chef_rest_v0 ||= self.class.server("0")
    def chef_rest_v1 = @chef_rest_v1 ||= self.class.server("1")

    def chef_rest_v1_with_validator
      @chef_rest_v1_with_validator ||= self.class.server("1", client_name: Chef::Config[:validation_client_name], signing_key_filename: Chef::Config[:validation_key])
    end

    def to_h
      always = { "name" => @name, "validator" => @validator, "admin" => @admin, "chef_type" => "client" }
      always.merge({ "private_key" => @private_key, "public_key" => @public_key, "create_key" => @create_key }.compact)
    end

    def destroy = chef_rest_v1.delete("clients/#{@name}")
    def save = unless_status("404", method(:create)) { update }
    def create = self.class.from_hash(to_h.merge(created))

    def update
      payload = { name: name }.merge(set_fields(:validator, :admin))
      answer = begin
        chef_rest_v1.put("clients/#{name}", payload)
      rescue Net::HTTPClientException => e
        check_version_0(e)
        chef_rest_v0.put("clients/#{name}", payload)
      end
      self.class.from_hash(answer)
    end

    def reregister
      answer = only_version_0 { chef_rest_v0.put("clients/#{name}", { name: name, admin: admin, validator: validator, private_key: true }) }
      private_key(answer.respond_to?(:[]) ? answer["private_key"] : answer.private_key)
      self
    end

    def to_s = "client[#{@name}]"

    private

    def created
      raise Chef::Exceptions::InvalidClientAttribute, "You cannot set both public_key and create_key for create." unless create_key.nil? || public_key.nil?

      payload = { name: name, validator: validator, admin: admin }
      server = Chef::Config[:migrate_key_to_keystore] == true ? chef_rest_v1_with_validator : chef_rest_v1
      flat(server.post("clients", payload.merge(set_fields(:public_key, :create_key))))
    rescue Net::HTTPClientException => e
      check_version_0(e)
      chef_rest_v0.post("clients", payload.merge(set_fields(:public_key)))
    end
  end
end
