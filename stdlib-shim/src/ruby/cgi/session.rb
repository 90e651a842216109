# What a program remembers of a visitor between requests.
require "cgi"
require "tmpdir"

class CGI
  class Session
    # There is no session, and none may begin.
    class NoSession < RuntimeError; end

    attr_reader :session_id, :new_session

    # Closes what keeps the data of a session that nobody holds any more.
    def self.callback(store) = ->(_id) { store[0]&.close }

    def initialize(request, option = {})
      @new_session = false
      key = option["session_key"] || "_session_id"
      id = option["session_id"]
      if !id && option["new_session"]
        id = create_new_id
        @new_session = true
      end
      id ||= given_id(request, key)
      unless id
        raise ArgumentError, "session_key `#{key}' should be supplied" if option.fetch("new_session", true) == false
        id = create_new_id
        @new_session = true
      end
      @session_id = id
      manager = option["database_manager"] || FileStore
      begin
        @dbman = manager.new(self, option)
      rescue NoSession
        raise ArgumentError, "invalid session_id `#{id}'" unless option.fetch("new_session", true) && !option["session_id"]
        id = @session_id = create_new_id
        @new_session = true
        retry
      end
      hand_out(request, key, id, option)
      @dbprot = [@dbman]
      ObjectSpace.define_finalizer(self, Session.callback(@dbprot))
    end

    def [](key) = data[key]
    def []=(key, value)
      @write_lock ||= true
      data[key] = value
    end

    def update = @dbman.update
    def close
      @dbman.close
      @dbprot.clear
    end
    def delete
      @dbman.delete
      @dbprot.clear
    end

    # For stores: a file for the data of this session; NoSession if there is none, and none may be made.
    def new_store_file(option = {})
      folder = option["tmpdir"] || Dir.tmpdir
      require "digest"
      name = "#{option.fetch("prefix", "cgi_sid_")}#{Digest::SHA256.hexdigest(session_id)[0, 16]}#{option["suffix"]}"
      path = File.join(folder, name)
      return [path, nil] if File.exist?(path)
      raise NoSession, "uninitialized session" unless new_session || option.fetch("new_session", true)
      [path, {}]
    end

    private

    def data = @data ||= @dbman.restore

    def create_new_id
      require "securerandom"
      SecureRandom.hex(16)
    end

    def given_id(request, key)
      value = request[key] if request.key?(key)
      value = value.read if value.respond_to?(:read)
      value = nil if value.to_s.empty?
      value || request.cookies[key]&.first
    end

    # The session's number goes back in a cookie, and in forms.
    def hand_out(request, key, id, option)
      hidden = { key => id } unless option["no_hidden"]
      unless option["no_cookies"]
        fields = { "name" => key, "value" => id, "expires" => option["session_expires"], "domain" => option["session_domain"],
                   "secure" => option["session_secure"], "path" => option["session_path"] || File.dirname(ENV["SCRIPT_NAME"] || "").then { |path| path == "." ? "" : path } }
        cookie = Cookie.new(fields)
      end
      request.instance_eval do
        @output_hidden = hidden if hidden
        @output_cookies = [cookie] if cookie
      end
    end

    # Keeps anything that Marshal takes in a file, a line each.
    class FileStore
      def initialize(session, option = {})
        option = { "prefix" => "cgi_sid_" }.merge(option)
        @path, @hash = session.new_store_file(option)
      end

      def restore
        return @hash if @hash
        @hash = {}
        locked do
          if File.exist?(@path)
            File.foreach(@path, chomp: true) do |line|
              key, value = line.split("=", 2)
              @hash[CGI.unescape(key)] = Marshal.load(CGI.unescape(value.to_s))
            end
          end
        end
        @hash
      end

      def update
        return unless @hash
        locked do
          File.open("#{@path}.new", File::CREAT | File::TRUNC | File::WRONLY, 0o600) do |file|
            @hash.each { |key, value| file.puts("#{CGI.escape(key)}=#{CGI.escape(Marshal.dump(value))}") }
          end
          File.rename("#{@path}.new", @path)
        end
      end

      def close = update

      def delete
        ["#{@path}.lock", "#{@path}.new", @path].each { |path| File.unlink(path) if File.exist?(path) }
      end

      private

      def locked
        File.open("#{@path}.lock", File::CREAT | File::RDWR, 0o600) do |lock|
          lock.flock(File::LOCK_EX)
          yield
        end
      end
    end

    # Keeps anything, as long as the program runs.
    class MemoryStore
      GLOBAL_HASH_TABLE = {}

      def initialize(session, option = nil)
        @session_id = session.session_id
        unless GLOBAL_HASH_TABLE.key?(@session_id)
          raise NoSession, "uninitialized session" unless session.new_session || option.nil? || option.fetch("new_session", true)
          GLOBAL_HASH_TABLE[@session_id] = {}
        end
      end

      def restore = GLOBAL_HASH_TABLE[@session_id]
      def update = nil
      def close = nil
      def delete
        GLOBAL_HASH_TABLE.delete(@session_id)
      end
    end

    # Keeps nothing.
    class NullStore
      def initialize(session, option = nil) = nil
      def restore = {}
      def update = nil
      def close = nil
      def delete = nil
    end
  end
end
