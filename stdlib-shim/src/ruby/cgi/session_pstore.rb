require "cgi/session"
require "pstore"

class CGI
  class Session
    # Keeps anything that Marshal takes in a file.
    class PStore
      def initialize(session, option = {})
        path, @hash = session.new_store_file(option)
        @p = ::PStore.new(path)
        @p.transaction { File.chmod(0o600, @p.path) }
      end

      def restore
        @hash ||= @p.transaction { @p["hash"] ||= {} }
      end

      def update
        @p.transaction { @p["hash"] = @hash }
      end

      def close = update

      def delete
        path = @p.path
        File.unlink(path) if File.exist?(path)
      end
    end
  end
end
