# Net::SMTP: mail is handed to a server by the protocol of RFC 5321.
require "net/protocol"
require "digest/md5"
require "timeout"
require "openssl"

module Net
  # What the errors of SMTP share: the response that caused them, whose first line is the message unless another is given.
  module SMTPError
    attr_reader :response

    def initialize(response, message: nil)
      @response = response
      @message = message
    end

    def message = @message || response.message
  end

  class SMTPAuthenticationError < ProtoAuthError
    include SMTPError
  end

  class SMTPServerBusy < ProtoServerError
    include SMTPError
  end

  class SMTPSyntaxError < ProtoSyntaxError
    include SMTPError
  end

  class SMTPFatalError < ProtoFatalError
    include SMTPError
  end

  class SMTPUnknownError < ProtoUnknownError
    include SMTPError
  end

  class SMTPUnsupportedCommand < ProtocolError
    include SMTPError
  end

  class SMTP < Protocol
    VERSION = "0.3.1"
    DEFAULT_AUTH_TYPE = :plain

    # What a server answers: the code of three digits, and all lines with their codes.
    class Response
      attr_reader :status, :string

      def self.parse(text) = new(text[0, 3], text)

      def initialize(status, string)
        @status = status
        @string = string
      end

      def status_type_char = @status[0, 1]
      def success? = status_type_char == "2"
      def continue? = status_type_char == "3"
      def message = @string.lines.first
      def cram_md5_challenge = @string.split(/ /)[1].unpack1("m")

      # The extensions that the lines after the first name, each with its arguments; an answer of one line has none.
      def capabilities
        return {} unless @string[3, 1] == "-"
        @string.lines.drop(1).to_h do |line|
          name, *arguments = line[4..].split(" ")
          [name, arguments]
        end
      end

      def exception_class
        case @status
        when /\A4/ then SMTPServerBusy
        when /\A50/ then SMTPSyntaxError
        when /\A53/ then SMTPAuthenticationError
        when /\A5/ then SMTPFatalError
        else SMTPUnknownError
        end
      end
    end

    # A mailbox with the parameters that its command MAIL or RCPT gets.
    class Address
      attr_reader :address, :parameters

      def initialize(address, *parameters, **named)
        if address.is_a?(Address)
          @address, @parameters = address.address, address.parameters
        else
          @address = address
          pairs = [*parameters, named].flat_map { |parameter| Array(parameter) }
          @parameters = pairs.map { |pair| Array(pair).compact.join("=") }
        end
      end

      def to_s = @address
    end

    class << self
      def default_port = 25
      def default_submission_port = 587
      def default_tls_port = 465
      alias default_ssl_port default_tls_port

      def default_ssl_context(ssl_context_params = nil)
        OpenSSL::SSL::SSLContext.new.tap { |context| context.set_params(ssl_context_params || {}) }
      end

      def start(address, port = nil, *args, helo: nil, user: nil, secret: nil, password: nil, authtype: nil, tls: false, starttls: :auto,
                tls_verify: true, tls_hostname: nil, ssl_context_params: nil, &block)
        raise ArgumentError, "wrong number of arguments (given #{args.size + 2}, expected 1..6)" if args.size > 4
        smtp = new(address, port, tls: tls, starttls: starttls, tls_verify: tls_verify, tls_hostname: tls_hostname, ssl_context_params: ssl_context_params)
        smtp.start(*args, helo: helo, user: user, secret: secret, password: password, authtype: authtype, &block)
      end
    end

    attr_accessor :tls_verify, :tls_hostname, :ssl_context_params, :esmtp, :open_timeout
    attr_reader :address, :port, :capabilities, :read_timeout
    attr_writer :debug_output
    alias esmtp? esmtp
    alias set_debug_output debug_output=

    def initialize(address, port = nil, tls: false, starttls: :auto, tls_verify: true, tls_hostname: nil, ssl_context_params: nil)
      @address = address
      @port = port || SMTP.default_port
      @tls, @starttls = tls, starttls
      @tls_verify, @tls_hostname, @ssl_context_params = tls_verify, tls_hostname, ssl_context_params
      @ssl_context_tls = @ssl_context_starttls = nil
      @esmtp = true
      @started = @error_occurred = false
      @capabilities = @socket = @debug_output = nil
      @open_timeout, @read_timeout = 30, 60
    end

    def inspect = "#<#{self.class} #{@address}:#{@port} started=#{@started}>"
    def started? = @started

    def read_timeout=(seconds)
      @socket.read_timeout = seconds if @socket
      @read_timeout = seconds
    end

    # What the server can is known when it has answered EHLO; before, these are nil.
    def capable?(key) = @capabilities && !!@capabilities[key]
    def capable_starttls? = capable?("STARTTLS")
    def capable_plain_auth? = auth_capable?("PLAIN")
    def capable_login_auth? = auth_capable?("LOGIN")
    def capable_cram_md5_auth? = auth_capable?("CRAM-MD5")
    def capable_auth_types = @capabilities&.fetch("AUTH", nil) || []

    def tls? = @tls
    alias ssl? tls?
    def starttls? = @starttls
    def starttls_always? = @starttls == :always
    def starttls_auto? = @starttls == :auto

    # TLS from the start of a connection excludes that it begins within one.
    def enable_tls(context = nil)
      raise ArgumentError, "SMTPS and STARTTLS is exclusive" if @starttls == :always
      @tls = true
      @ssl_context_tls = context
    end
    alias enable_ssl enable_tls

    def disable_tls
      @tls = false
      @ssl_context_tls = nil
    end
    alias disable_ssl disable_tls

    def enable_starttls(context = nil) = begin_with_starttls(:always, context)
    def enable_starttls_auto(context = nil) = begin_with_starttls(:auto, context)

    def disable_starttls
      @starttls = false
      @ssl_context_starttls = nil
    end

    def start(*args, helo: nil, user: nil, secret: nil, password: nil, authtype: nil)
      raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..4)" if args.size > 4
      arguments = [helo || args[0] || "localhost", user || args[1], secret || password || args[2], authtype || args[3]]
      make_contexts
      unless block_given?
        do_start(*arguments)
        return self
      end
      begin
        do_start(*arguments)
        yield self
      ensure
        do_finish
      end
    end

    def finish
      raise IOError, "not yet started" unless started?
      do_finish
    end

    def send_message(msgstr, from_addr, *to_addrs)
      raise IOError, "closed session" unless @socket
      mailfrom(from_addr)
      rcptto_list(to_addrs) { data(msgstr) }
    end
    alias send_mail send_message
    alias sendmail send_message

    def open_message_stream(from_addr, *to_addrs, &block)
      raise IOError, "closed session" unless @socket
      mailfrom(from_addr)
      rcptto_list(to_addrs) { data(&block) }
    end
    alias ready open_message_stream

    def authenticate(user, secret, authtype = DEFAULT_AUTH_TYPE)
      check_auth_method(authtype)
      check_auth_args(user, secret)
      public_send(auth_method(authtype), user, secret)
    end

    def auth_plain(user, secret)
      login(user, secret) { get_response("AUTH PLAIN #{base64_encode("\0#{user}\0#{secret}")}") }
    end

    def auth_login(user, secret)
      login(user, secret) do
        check_auth_continue(get_response("AUTH LOGIN"))
        check_auth_continue(get_response(base64_encode(user)))
        get_response(base64_encode(secret))
      end
    end

    def auth_cram_md5(user, secret)
      login(user, secret) do
        challenge = get_response("AUTH CRAM-MD5")
        check_auth_continue(challenge)
        get_response(base64_encode("#{user} #{cram_md5_response(secret, challenge.cram_md5_challenge)}"))
      end
    end

    def rset = getok("RSET")
    def starttls = getok("STARTTLS")
    def helo(domain) = getok("HELO #{domain}")
    def ehlo(domain) = getok("EHLO #{domain}")
    def quit = getok("QUIT")
    def mailfrom(from_addr) = getok(path("MAIL FROM", from_addr))
    def rcptto(to_addr) = getok(path("RCPT TO", to_addr))

    # Names the receivers and yields for the message. Those that the server refuses for want of authentication do not keep it from the others, and are
    # what the error that follows names.
    def rcptto_list(to_addrs)
      raise ArgumentError, "mail destination not given" if to_addrs.empty?
      accepted = 0
      refused = []
      to_addrs.flatten.each do |address|
        rcptto(address)
        accepted += 1
      rescue SMTPAuthenticationError
        refused << address.to_s.dump
      end
      raise ArgumentError, "mail destination not given" if accepted.zero?
      result = yield
      raise SMTPAuthenticationError.new(nil, message: "failed to deliver for #{refused.join(", ")}") unless refused.empty?
      result
    end

    def data(msgstr = nil, &block)
      raise ArgumentError, "message and block are exclusive" if msgstr && block
      raise ArgumentError, "message or block is required" unless msgstr || block
      response = critical do
        check_continue(get_response("DATA"))
        msgstr ? @socket.write_message(msgstr) : @socket.write_message_by_block(&block)
        recv_response
      end
      check_response(response)
      response
    end

    private

    def auth_capable?(type) = @capabilities && @capabilities.fetch("AUTH", []).include?(type)

    def begin_with_starttls(when_to, context)
      raise ArgumentError, "SMTPS and STARTTLS is exclusive" if @tls
      @starttls = when_to
      @ssl_context_starttls = context
    end

    # Contexts that were not given are made when a session starts, so that a wrong parameter is an error before anything is sent.
    def make_contexts
      parameters = { verify_mode: @tls_verify ? OpenSSL::SSL::VERIFY_PEER : OpenSSL::SSL::VERIFY_NONE, **(@ssl_context_params || {}) }
      @ssl_context_tls ||= SMTP.default_ssl_context(parameters) if @tls
      @ssl_context_starttls ||= SMTP.default_ssl_context(parameters) if @starttls
    end

    def do_start(helo_domain, user, secret, authtype)
      raise IOError, "SMTP session already started" if @started
      authtype ||= DEFAULT_AUTH_TYPE
      if user || secret
        check_auth_method(authtype)
        check_auth_args(user, secret)
      end
      connection = tcp_socket(@address, @port)
      logging "Connection opened: #{@address}:#{@port}"
      @socket = new_internet_message_io(tls? ? tlsconnect(connection, @ssl_context_tls) : connection)
      check_response(critical { recv_response })
      do_helo(helo_domain)
      start_over_with_tls(connection, helo_domain) if !tls? && (starttls_always? || (starttls_auto? && capable_starttls?))
      authenticate(user, secret, authtype) if user
      @started = true
    ensure
      unless @started
        connection&.close
        @socket = nil
      end
    end

    # The session begins anew within TLS: what was read before is thrown away with the old buffer, and the server is asked again what it can.
    def start_over_with_tls(connection, helo_domain)
      raise SMTPUnsupportedCommand.new(nil, message: "STARTTLS is not supported on this server") unless capable_starttls?
      starttls
      @socket = new_internet_message_io(tlsconnect(connection, @ssl_context_starttls))
      do_helo(helo_domain)
    end

    def ssl_socket(socket, context) = OpenSSL::SSL::SSLSocket.new(socket, context)

    # A context that was given says itself whether names are checked.
    def tlsconnect(connection, context)
      secured = ssl_socket(connection, context)
      logging "TLS connection started"
      begin_tls(secured, @tls_hostname || @address, check: false)
    end

    def new_internet_message_io(io) = InternetMessageIO.new(io, read_timeout: @read_timeout, debug_output: @debug_output)

    # A server that does not know EHLO is greeted by HELO.
    def do_helo(helo_domain)
      @capabilities = (@esmtp ? ehlo(helo_domain) : helo(helo_domain)).capabilities
    rescue SMTPError
      raise unless @esmtp
      @esmtp = @error_occurred = false
      retry
    end

    def do_finish
      quit if @socket && !@socket.closed? && !@error_occurred
    ensure
      @started = @error_occurred = false
      @socket&.close
      @socket = nil
    end

    def path(command, address)
      address = Address.new(address)
      ["#{command}:<#{address.address}>", *address.parameters].join(" ")
    end

    def login(user, secret, &steps)
      check_auth_args(user, secret)
      response = critical(&steps)
      raise SMTPAuthenticationError.new(response) unless response.success?
      response
    end

    def auth_method(type) = "auth_#{type.to_s.downcase}".to_sym

    def check_auth_method(type)
      raise ArgumentError, "wrong authentication type #{type}" unless respond_to?(auth_method(type), true)
    end

    def check_auth_args(user, secret, _authtype = DEFAULT_AUTH_TYPE)
      raise ArgumentError, "SMTP-AUTH requested but missing user name" unless user
      raise ArgumentError, "SMTP-AUTH requested but missing secret phrase" unless secret
    end

    def base64_encode(text) = [text].pack("m0")
    def cram_md5_response(secret, challenge) = OpenSSL::HMAC.hexdigest("MD5", secret, challenge)

    # A line that cannot be sent is no error within a dialogue: it may go on.
    def getok(line)
      Protocol.validate_line(line)
      response = critical { get_response(line) }
      check_response(response)
      response
    end

    def get_response(line)
      Protocol.validate_line(line)
      @socket.writeline(line)
      recv_response
    end

    # A code that a hyphen follows is not that of the last line.
    def recv_response
      text = +""
      loop do
        line = @socket.readline
        text << line << "\n"
        break unless line[3, 1] == "-"
      end
      Response.parse(text)
    end

    # After an error within a dialogue nobody knows what the server waits for: nothing is sent any more.
    def critical
      return Response.parse("200 dummy reply code") if @error_occurred
      begin
        yield
      rescue Exception
        @error_occurred = true
        raise
      end
    end

    def check_response(response)
      raise response.exception_class.new(response) unless response.success?
    end

    def check_continue(response)
      return if response.continue?
      raise SMTPUnknownError.new(response, message: "could not get 3xx (#{response.status}: #{response.string})")
    end

    def check_auth_continue(response)
      raise response.exception_class.new(response) unless response.continue?
    end

    def logging(message)
      @debug_output << "#{message}\n" if @debug_output
    end
  end

  SMTPSession = SMTP
end
