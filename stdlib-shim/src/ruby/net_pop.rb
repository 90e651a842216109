# Net::POP3: mail is fetched from a server by the protocol of RFC 1939.
require "net/protocol"
require "digest/md5"
require "timeout"
require "openssl"

module Net
  class POPError < ProtocolError; end
  class POPAuthenticationError < ProtoAuthError; end
  class POPBadResponse < POPError; end

  class POP3 < Protocol
    VERSION = "0.1.1"
    @ssl_params = nil

    class << self
      # Of TLS for all sessions that are made afterwards.
      attr_reader :ssl_params

      def default_port = default_pop3_port
      def default_pop3_port = 110
      def default_pop3s_port = 995
      def socket_type = InternetMessageIO

      # The class whose sessions log in in this way.
      def APOP(isapop) = isapop ? Net::APOP : POP3

      def start(address, port = nil, account = nil, password = nil, isapop = false, &block)
        new(address, port, isapop).start(account, password, &block)
      end

      def foreach(address, port = nil, account = nil, password = nil, isapop = false, &block)
        start(address, port, account, password, isapop) { |pop| pop.each_mail(&block) }
      end

      def delete_all(address, port = nil, account = nil, password = nil, isapop = false, &block)
        start(address, port, account, password, isapop) { |pop| pop.delete_all(&block) }
      end

      def auth_only(address, port = nil, account = nil, password = nil, isapop = false)
        new(address, port, isapop).auth_only(account, password)
      end

      def enable_ssl(*args)
        @ssl_params = create_ssl_params(*args)
      end

      def disable_ssl
        @ssl_params = nil
      end

      def use_ssl? = !@ssl_params.nil?
      def verify = @ssl_params[:verify_mode]
      def certs = @ssl_params[:ca_file] || @ssl_params[:ca_path]

      # The settings as a hash; otherwise how peers are verified, and a file or folder with certificates.
      def create_ssl_params(verify_or_params = {}, certs = nil)
        return verify_or_params.to_hash if verify_or_params.respond_to?(:to_hash)
        tls_parameters(verify_or_params, certs)
      end
    end

    attr_reader :address, :read_timeout
    attr_accessor :open_timeout

    def initialize(addr, port = nil, isapop = false)
      @address, @port, @apop = addr, port, isapop
      @ssl_params = POP3.ssl_params
      @command = @socket = @debug_output = nil
      @started = false
      @open_timeout, @read_timeout = 30, 60
      forget_mails
    end

    def inspect = "#<#{self.class} #{@address}:#{@port} open=#{@started}>"
    def apop? = @apop
    def port = @port || (use_ssl? ? POP3.default_pop3s_port : POP3.default_pop3_port)
    def started? = @started
    alias active? started?

    def read_timeout=(seconds)
      @command.socket.read_timeout = seconds if @command
      @read_timeout = seconds
    end

    def set_debug_output(arg)
      @debug_output = arg
    end

    def use_ssl? = !@ssl_params.nil?

    def enable_ssl(verify_or_params = {}, certs = nil, port = nil)
      @ssl_params = POP3.create_ssl_params(verify_or_params, certs).dup
      @port = (verify_or_params.respond_to?(:to_hash) ? @ssl_params.delete(:port) : port) || @port
    end

    def disable_ssl
      @ssl_params = nil
    end

    def auth_only(account, password)
      raise IOError, "opening previously opened POP session" if started?
      start(account, password) { nil }
    end

    def start(account, password)
      raise IOError, "POP session already started" if @started
      unless block_given?
        do_start(account, password)
        return self
      end
      begin
        do_start(account, password)
        yield self
      ensure
        do_finish
      end
    end

    def finish
      raise IOError, "POP session not yet started" unless started?
      do_finish
    end

    def n_mails
      read_statistics unless @n_mails
      @n_mails
    end

    def n_bytes
      read_statistics unless @n_bytes
      @n_bytes
    end

    # A server is not asked for the list of no mails.
    def mails
      @mails ||= n_mails.zero? ? [] : command.list.map { |number, size| POPMail.new(number, size, self, command) }
      @mails.dup
    end

    def each_mail(&block) = mails.each(&block)
    alias each each_mail

    def delete_all
      mails.each do |mail|
        yield mail if block_given?
        mail.delete unless mail.deleted?
      end
    end

    # Nothing is deleted before the session ends: what was marked is kept.
    def reset
      command.rset
      mails.each { |mail| mail.instance_variable_set(:@deleted, false) }
    end

    # Called for the first mail that is asked for its unique id: one command brings them all.
    def set_all_uids
      uids = command.uidl
      @mails.each { |mail| mail.uid = uids[mail.number] }
    end

    def logging(message)
      @debug_output << "#{message}\n" if @debug_output
    end

    private

    def do_start(account, password)
      connection = Timeout.timeout(@open_timeout, OpenTimeout) { TCPSocket.open(@address, port) }
      connection = tls(connection) if use_ssl?
      @socket = InternetMessageIO.new(connection, read_timeout: @read_timeout, debug_output: @debug_output)
      logging "POP session started: #{@address}:#{@port} (#{@apop ? "APOP" : "POP"})"
      on_connect
      @command = POP3Command.new(@socket)
      apop? ? @command.apop(account, password) : @command.auth(account, password)
      @started = true
    ensure
      unless @started
        connection&.close
        @socket = @command = nil
      end
    end

    def tls(connection)
      context = OpenSSL::SSL::SSLContext.new
      context.set_params(@ssl_params)
      begin_tls(OpenSSL::SSL::SSLSocket.new(connection, context), @address)
    end

    # For subclasses.
    def on_connect = nil

    def do_finish
      forget_mails
      @command&.quit
    ensure
      @started = false
      @command = nil
      @socket&.close
      @socket = nil
    end

    def command
      raise IOError, "POP session not opened yet" if @socket.nil? || @socket.closed?
      @command
    end

    def forget_mails
      @mails = @n_mails = @n_bytes = nil
    end

    def read_statistics
      @n_mails, @n_bytes = command.stat
    end
  end

  POP = POPSession = POP3Session = POP3

  # Sessions that log in without sending the password.
  class APOP < POP3
    def apop? = true
  end

  APOPSession = APOP

  # A mail that lies on the server; its text is fetched when it is asked for.
  class POPMail
    attr_reader :number, :length
    attr_writer :uid
    alias size length

    def initialize(number, length, pop, command)
      @number, @length, @pop, @command = number, length, pop, command
      @deleted = false
      @uid = nil
    end

    def inspect = "#<#{self.class} #{@number}#{" deleted" if @deleted}>"
    def deleted? = @deleted

    def pop(dest = +"", &block)
      if block
        @command.retr(@number, &block)
        return nil
      end
      @command.retr(@number) { |part| dest << part }
      dest
    end
    alias all pop
    alias mail pop

    # The header and this many lines of the body.
    def top(lines, dest = +"")
      @command.top(@number, lines) { |part| dest << part }
      dest
    end

    def header(dest = +"") = top(0, dest)

    def delete
      @command.dele(@number)
      @deleted = true
    end
    alias delete! delete

    def unique_id
      @pop.set_all_uids unless @uid
      @uid
    end
    alias uidl unique_id
  end

  # The commands of the protocol.
  class POP3Command
    attr_reader :socket

    def initialize(socket)
      @socket = socket
      @error_occurred = false
      @apop_stamp = check_response(critical { recv_response }).slice(/<[!-~]+@[!-~]+>/)
    end

    def inspect = "#<#{self.class} socket=#{@socket}>"

    def auth(account, password)
      log_in do
        check_response_auth(get_response("USER %s", account))
        get_response("PASS %s", password)
      end
    end

    # The server's greeting has a stamp, which the password is hashed with.
    def apop(account, password)
      raise POPAuthenticationError, "not APOP server; cannot login" unless @apop_stamp
      log_in { get_response("APOP %s %s", account, Digest::MD5.hexdigest("#{@apop_stamp}#{password}")) }
    end

    def list
      read_list("LIST") do |line|
        numbers = line.match(/\A(\d+)[ \t]+(\d+)/) or raise POPBadResponse, "bad response: #{line}"
        numbers.captures.map(&:to_i)
      end
    end

    def stat
      answer = run("STAT")
      numbers = answer.match(/\A\+OK\s+(\d+)\s+(\d+)/) or raise POPBadResponse, "wrong response format: #{answer}"
      numbers.captures.map(&:to_i)
    end

    def uidl(number = nil)
      return run("UIDL %d", number).split(/ /)[1] if number
      read_list("UIDL") { |line| line.split(" ") }.to_h { |at, uid| [at.to_i, uid] }
    end

    def rset = run("RSET")
    def dele(number) = run("DELE %d", number)
    def quit = run("QUIT")
    def top(number, lines = 0, &block) = read_message("TOP %d %d", number, lines, &block)
    def retr(number, &block) = read_message("RETR %d", number, &block)

    private

    def run(*request) = check_response(critical { get_response(*request) })
    def log_in(&steps) = check_response_auth(critical(&steps))

    def read_message(*request, &block)
      critical do
        check_response(get_response(*request))
        @socket.each_message_chunk(&block)
      end
    end

    def read_list(*request)
      critical do
        check_response(get_response(*request))
        items = []
        @socket.each_list_item { |line| items << yield(line) }
        return items
      end
      raise POPError, "#{request[0]} after an error: the session cannot go on"
    end

    def get_response(pattern, *arguments)
      request = format(pattern, *arguments)
      Protocol.validate_line(request)
      @socket.writeline(request)
      recv_response
    end

    def recv_response = @socket.readline

    def check_response(answer, error = POPError)
      raise error, answer unless answer.match?(/\A\+OK/i)
      answer
    end

    def check_response_auth(answer) = check_response(answer, POPAuthenticationError)

    # After an error within a dialogue nobody knows what the server waits for: nothing is sent any more.
    def critical
      return "+OK dummy ok response" if @error_occurred
      begin
        yield
      rescue Exception
        @error_occurred = true
        raise
      end
    end
  end
end
