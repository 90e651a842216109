# How Net::IMAP#authenticate answers a server's challenges, by the name of the mechanism.
require "digest/md5"
require "net/imap/response_data"
require "openssl"
require "securerandom"
require "strscan"

module Net
  class IMAP < Protocol
    module Authenticators
      def add_authenticator(auth_type, authenticator)
        authenticators[auth_type] = authenticator
      end

      def authenticator(auth_type, *args)
        name = auth_type.upcase
        made = authenticators.fetch(name) { raise ArgumentError, "unknown auth type - \"#{name}\"" }
        made.new(*args)
      end

      private

      def authenticators = @authenticators ||= {}
    end
    extend Authenticators

    # The name first, then the password.
    class LoginAuthenticator
      def initialize(user, password)
        @password = password
        @next = user
      end

      def process(_challenge)
        answer = @next
        @next = @password
        answer
      end
    end

    class PlainAuthenticator
      NULL = -"\0".b

      def initialize(username, password, authzid: nil)
        # The original's message has two spaces after the last of these names.
        { "username" => username, "password" => password, "authzid " => authzid }.each do |name, value|
          raise ArgumentError, "#{name} contains NULL" if value&.include?(NULL)
        end
        @answer = "#{authzid}\0#{username}\0#{password}"
      end

      def process(_challenge) = @answer
    end

    class CramMD5Authenticator
      def initialize(user, password)
        @user, @password = user, password
      end

      def process(challenge) = "#{@user} #{OpenSSL::HMAC.hexdigest("MD5", @password, challenge)}"
    end

    # RFC 2831. The second challenge has the server's proof that it knows the password, too; as in the original, it must be there and is not computed anew.
    class DigestMD5Authenticator
      QUOTED = %w(username authzid realm nonce cnonce digest-uri qop).freeze
      private_constant :QUOTED

      def initialize(user, password, authname = nil)
        @user, @password, @authname = user, password, authname
        @stage = 1
        @uses = Hash.new(0)
      end

      def process(challenge)
        case @stage
        when 1
          @stage = 2
          answer(directives(challenge))
        when 2
          @stage = nil
          raise ResponseParseError, challenge unless challenge.include?("rspauth=")
          ""
        else raise ResponseParseError, challenge
        end
      end

      private

      def directives(challenge)
        scanner = StringScanner.new(challenge)
        found = {}
        while scanner.scan(/(?:\s*,)?\s*(\w+)=(?:"((?:[^\\"]|\\.)*)"|([^,]+))\s*/)
          found[scanner[1]] = scanner[2]&.gsub(/\\(.)/m, '\1') || scanner[3]
        end
        raise DataFormatError, "Bad Challenge: '#{challenge}'" unless scanner.eos?
        found
      end

      def answer(given)
        # A server that names none only knows this one.
        qop = given.fetch("qop", "auth").split(/\s*,\s*/)
        raise Error, "Server does not support auth (qop = #{qop.join(",")})" unless qop.include?("auth")
        nonce, realm = given.values_at("nonce", "realm")
        fields = {
          "nonce" => nonce, "username" => @user, "realm" => realm, "cnonce" => SecureRandom.hex(16), "digest-uri" => "imap/#{realm}", "qop" => "auth",
          "maxbuf" => 65_535, "nc" => format("%08x", @uses[nonce] += 1), "charset" => given["charset"], "authzid" => @authname
        }.compact
        fields["response"] = response(fields)
        fields.map { |name, value| QUOTED.include?(name) ? "#{name}=\"#{value.gsub(/[\\"]/) { |char| "\\#{char}" }}\"" : "#{name}=#{value}" }.join(",")
      end

      def response(fields)
        secret = Digest::MD5.digest([@user, fields["realm"], @password].join(":"))
        first = [secret, *fields.values_at("nonce", "cnonce").map(&:b), fields["authzid"]&.b].compact.join(":")
        second = "AUTHENTICATE:#{fields["digest-uri"]}"
        Digest::MD5.hexdigest([Digest::MD5.hexdigest(first), *fields.values_at("nonce", "nc", "cnonce", "qop"), Digest::MD5.hexdigest(second)].join(":"))
      end
    end

    add_authenticator "LOGIN", LoginAuthenticator
    add_authenticator "PLAIN", PlainAuthenticator
    add_authenticator "CRAM-MD5", CramMD5Authenticator
    add_authenticator "DIGEST-MD5", DigestMD5Authenticator
  end
end
