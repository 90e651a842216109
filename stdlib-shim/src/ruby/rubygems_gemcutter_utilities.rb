# What commands share that speak with a server of gems as one of its users.
require "rubygems/remote_fetcher"
require "rubygems/config_file"
require "rubygems/user_interaction"

module Gem
  module GemcutterUtilities
    include Text

    ERROR_CODE = 1
    API_SCOPES = %i[index_rubygems push_rubygem yank_rubygem add_owner remove_owner access_webhooks show_dashboard].freeze
    attr_writer :host, :scope

    def add_key_option
      add_option("-k", "--key KEYNAME", Symbol, "Use the given API key", "from #{Gem.configuration.credentials_path}") { |value, options| options[:key] = value }
    end

    def add_otp_option
      add_option("--otp CODE", "Digit code for multifactor authentication", "You can also use the environment variable GEM_HOST_OTP_CODE") do |value, options|
        options[:otp] = value
      end
    end

    # From the environment, or the credentials: the key that an option names, the one of the host, the one of rubygems.org.
    def api_key
      return ENV["GEM_HOST_API_KEY"] if ENV["GEM_HOST_API_KEY"]
      return verify_api_key(options[:key]) if options[:key]
      Gem.configuration.api_keys.fetch(host) { Gem.configuration.rubygems_api_key }
    end

    def otp = options[:otp] || ENV["GEM_HOST_OTP_CODE"]

    def host
      named = ENV["RUBYGEMS_HOST"].to_s
      @host ||= named.empty? ? (Gem.host unless Gem.configuration.disable_default_gem_server) : named
    end

    # The answer to a request, which the block fills. Asks for a code or a password where the server wants one.
    def rubygems_api_request(method, path, host = nil, allowed_push_host = nil, scope: nil, &block)
      require "net/http"
      self.host = host if host
      fail_with("You must specify a gem server") unless self.host
      unless allowed_push_host.nil? || same_server?(self.host, allowed_push_host)
        fail_with("#{self.host.inspect} is not allowed by the gemspec, which only allows #{allowed_push_host.inspect}")
      end
      uri = URI.parse("#{self.host}/#{path}")
      response = request_with_otp(method, uri, &block)
      if mfa_unauthorized?(response)
        ask_otp
        response = request_with_otp(method, uri, &block)
      end
      return response unless api_key_forbidden?(response)
      update_scope(scope)
      request_with_otp(method, uri, &block)
    end

    def mfa_unauthorized?(response) = response.is_a?(Net::HTTPUnauthorized) && response.body.start_with?("You have enabled multifactor authentication")

    # Lets the key do one thing more.
    def update_scope(scope)
      place = host
      say("The existing key doesn't have access of #{scope} on #{pretty_host(place)}. Please sign in to update access.")
      form = { api_key: api_key, scope => true }
      response = as_user(:put, place, scope, *ask_credentials, form)
      with_response(response) { say("Added #{scope} scope to the existing API key") }
    end

    # Gets a key from the server, for a name and a password, unless there is one; the credentials keep it.
    def sign_in(sign_in_host = nil, scope: nil)
      place = sign_in_host || host
      return if api_key
      say("Enter your #{pretty_host(place)} credentials.")
      say("Don't have an account yet? Create one at #{place}/sign_up")
      email, password = ask_credentials
      say("\n")
      name = get_key_name(scope)
      form = { name: name, **get_scope_params(scope), **get_mfa_params(email, password) }
      with_response(as_user(:post, place, scope, email, password, form)) do |answer|
        say("Signed in with API key: #{name}.")
        set_api_key(host, answer.body)
      end
    end

    def verify_api_key(key)
      Gem.configuration.api_keys.fetch(key) { fail_with("No such API key. Please add it to your configuration (done automatically on initial `gem push`).") }
    end

    # Shows what a server says, or gives the answer to the block; ends the program if it is not content.
    def with_response(response, error_prefix = nil)
      if response.is_a?(Net::HTTPSuccess)
        return block_given? ? yield(response) : say(clean_text(response.body))
      end
      say(clean_text([error_prefix, response.body].compact.join(": ")))
      terminate_interaction(ERROR_CODE)
    end

    def set_api_key(host, key)
      default_host? ? Gem.configuration.rubygems_api_key = key : Gem.configuration.set_api_key(host, key)
    end

    private

    def fail_with(text)
      alert_error(text)
      terminate_interaction(ERROR_CODE)
    end

    def same_server?(*addresses) = addresses.map { |each| URI.parse(each).then { |uri| [uri.scheme, uri.host] } }.uniq.size == 1

    def request_with_otp(method, uri)
      RemoteFetcher.fetcher.request(uri, Net::HTTP.const_get(method.to_s.capitalize)) do |request|
        request["OTP"] = otp if otp
        yield request
      end
    end

    def as_user(method, place, scope, email, password, form)
      rubygems_api_request(method, "api/v1/api_key", place, scope: scope) do |request|
        request.basic_auth(email, password)
        request["OTP"] = otp if otp
        request.body = URI.encode_www_form(form)
      end
    end

    def ask_credentials = [ask("   Email: "), ask_for_password("Password: ")]
    def ask_otp
      say("You have enabled multi-factor authentication. Please enter OTP code.")
      options[:otp] = ask("Code: ")
    end

    def default_host? = host == DEFAULT_HOST
    def pretty_host(place) = default_host? ? "RubyGems.org" : place
    def api_key_forbidden?(response) = response.is_a?(Net::HTTPForbidden) && response.body.start_with?("The API key doesn't have access")

    # What a new key may do: one thing, or what the user wants.
    def get_scope_params(scope)
      return { scope => true } if scope
      say("Please select scopes you want to enable for the API key (y/n)")
      chosen = API_SCOPES.select { |each| ask_yes_no(each.to_s, false) }
      say("\n")
      chosen.to_h { |each| [each, true] }
    end

    def get_mfa_params(email, password)
      return {} unless default_host? && %w[ui_only ui_and_gem_signin].include?(get_user_mfa_level(email, password))
      ask_yes_no("Would you like to enable MFA for this key? (strongly recommended)") ? { mfa: true } : {}
    end

    def get_user_mfa_level(email, password)
      response = rubygems_api_request(:get, "api/v1/profile/me.yaml") { |request| request.basic_auth(email, password) }
      with_response(response) do |answer|
        require "yaml"
        YAML.safe_load(clean_text(answer.body))["mfa"]
      end
    end

    # A name for a new key, that tells machine, user and time if the user gives none.
    def get_key_name(scope)
      require "socket"
      default = "#{Socket.gethostname || "unknown-host"}-#{ENV["USER"] || ENV["USERNAME"] || "unknown-user"}-#{Time.now.strftime("%Y%m%d%H%M%S")}"
      given = scope ? "" : ask("API Key name [#{default}]: ").to_s
      given.empty? ? default : given
    end
  end
end
