# Net::IMAP: mail that stays on a server, by the protocol of RFC 3501. A thread of its own reads what the server sends; commands wait for what it notes.
require "monitor"
require "net/protocol"
require "openssl"
require "net/imap/response_data"
require "net/imap/response_parser"
require "net/imap/authenticators"

module Net
  class IMAP < Protocol
    VERSION = "0.2.3"
    CRLF = "\r\n"
    PORT = 143
    SSL_PORT = 993
    DATE_MONTH = %w(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec)

    include MonitorMixin
    include OpenSSL
    include OpenSSL::SSL

    @debug = false

    class << self
      # Whether the dialogue is written to the standard error; this holds for the subclasses, too.
      def debug = equal?(IMAP) ? @debug : IMAP.debug

      def debug=(flag)
        equal?(IMAP) ? @debug = flag : IMAP.debug = flag
      end

      def default_port = PORT
      def default_tls_port = SSL_PORT
      alias default_imap_port default_port
      alias default_imaps_port default_tls_port
      alias default_ssl_port default_tls_port
    end

    attr_reader :greeting, :responses, :response_handlers, :open_timeout, :idle_response_timeout
    attr_accessor :client_thread

    def initialize(host, port_or_options = {}, usessl = false, certs = nil, verify = true)
      super()
      options = port_or_options.respond_to?(:to_hash) ? port_or_options.to_hash : { port: port_or_options, ssl: usessl && create_ssl_params(certs, verify) }
      @host = host
      @port = options[:port] || (options[:ssl] ? SSL_PORT : PORT)
      @open_timeout = options[:open_timeout] || 30
      @idle_response_timeout = options[:idle_response_timeout] || 5
      @tag_prefix, @tagno = "RUBY", 0
      @parser = ResponseParser.new
      @responses = Hash.new([].freeze)
      @tagged_responses = {}
      @response_handlers = []
      @tagged_response_arrival, @continuation_request_arrival = new_cond, new_cond
      @at_line_start = true
      @sock = tcp_socket(@host, @port)
      begin
        start_tls_session(options[:ssl]) if options[:ssl]
        be_greeted
      rescue Exception
        @sock.close
        raise
      end
    end

    # The receiver's thread ends when nothing can come any more.
    def disconnect
      return if disconnected?
      begin
        @sock.to_io.shutdown
      rescue Errno::ENOTCONN
        # The server was first.
      rescue Exception => error
        @receiver_thread.raise(error)
      end
      @receiver_thread.join
      synchronize { @sock.close }
      raise error if error
    end

    def disconnected? = @sock.closed?

    def noop = send_command("NOOP")
    def logout = send_command("LOGOUT")
    def login(user, password) = send_command("LOGIN", user, password)
    def create(mailbox) = send_command("CREATE", mailbox)
    def delete(mailbox) = send_command("DELETE", mailbox)
    def rename(mailbox, newname) = send_command("RENAME", mailbox, newname)
    def subscribe(mailbox) = send_command("SUBSCRIBE", mailbox)
    def unsubscribe(mailbox) = send_command("UNSUBSCRIBE", mailbox)
    def check = send_command("CHECK")
    def close = send_command("CLOSE")
    def select(mailbox) = enter("SELECT", mailbox)
    def examine(mailbox) = enter("EXAMINE", mailbox)

    def capability = ask("CAPABILITY")[-1]
    def namespace = ask("NAMESPACE")[-1]
    def id(client_id = nil) = ask("ID", ClientID.new(client_id))&.last
    def list(refname, mailbox) = ask("LIST", refname, mailbox)
    def xlist(refname, mailbox) = ask("XLIST", refname, mailbox)
    def lsub(refname, mailbox) = ask("LSUB", refname, mailbox)
    def status(mailbox, attr) = ask("STATUS", mailbox, attr)[-1].attr
    def expunge = ask("EXPUNGE")
    def getacl(mailbox) = ask("GETACL", mailbox, answer: "ACL")[-1]
    def getquota(mailbox) = ask("GETQUOTA", mailbox, answer: "QUOTA")

    def getquotaroot(mailbox)
      synchronize { [*ask("GETQUOTAROOT", mailbox, answer: "QUOTAROOT"), *@responses.delete("QUOTA")] }
    end

    def setquota(mailbox, quota) = send_command("SETQUOTA", mailbox, RawData.new(quota.nil? ? "()" : "(STORAGE #{quota})"))
    def setacl(mailbox, user, rights) = send_command("SETACL", mailbox, user, rights || "")

    def append(mailbox, message, flags = nil, date_time = nil)
      send_command("APPEND", mailbox, *[flags, date_time].compact, Literal.new(message))
    end

    def search(keys, charset = nil) = search_internal("SEARCH", keys, charset)
    def uid_search(keys, charset = nil) = search_internal("UID SEARCH", keys, charset)
    def sort(sort_keys, search_keys, charset) = ask("SORT", sort_keys, charset, *criteria(search_keys))[-1]
    def uid_sort(sort_keys, search_keys, charset) = ask("UID SORT", sort_keys, charset, *criteria(search_keys), answer: "SORT")[-1]
    def thread(algorithm, search_keys, charset) = ask("THREAD", algorithm, charset, *criteria(search_keys))[-1]
    def uid_thread(algorithm, search_keys, charset) = ask("UID THREAD", algorithm, charset, *criteria(search_keys), answer: "THREAD")[-1]
    def fetch(set, attr, mod = nil) = fetch_internal("FETCH", set, attr, mod)
    def uid_fetch(set, attr, mod = nil) = fetch_internal("UID FETCH", set, attr, mod)
    def store(set, attr, flags) = store_internal("STORE", set, attr, flags)
    def uid_store(set, attr, flags) = store_internal("UID STORE", set, attr, flags)
    def copy(set, mailbox) = send_command("COPY", MessageSet.new(set), mailbox)
    def uid_copy(set, mailbox) = send_command("UID COPY", MessageSet.new(set), mailbox)
    def move(set, mailbox) = send_command("MOVE", MessageSet.new(set), mailbox)
    def uid_move(set, mailbox) = send_command("UID MOVE", MessageSet.new(set), mailbox)

    # TLS begins in the receiver's thread, before anything else is read. Where that fails the connection ends: nothing may be sent without TLS then.
    def starttls(options = {}, verify = true)
      options = create_ssl_params(options.to_str, verify) if options.respond_to?(:to_str)
      failure = nil
      answer = send_command("STARTTLS") do |response|
        next unless response.is_a?(TaggedResponse) && response.name == "OK"
        begin
          start_tls_session(options)
        rescue Exception => failure
          @sock.close
        end
      end
      raise failure if failure
      answer
    end

    def authenticate(auth_type, *args)
      authenticator = self.class.authenticator(auth_type, *args)
      send_command("AUTHENTICATE", auth_type) do |response|
        next unless response.is_a?(ContinuationRequest)
        send_string_data([authenticator.process(response.data.text.unpack1("m"))].pack("m0"))
        put_string(CRLF)
      end
    end

    def add_response_handler(handler = nil, &block)
      raise ArgumentError, "two Procs are passed" if handler && block
      @response_handlers.push(block || handler)
    end

    def remove_response_handler(handler) = @response_handlers.delete(handler)

    # What the server says meanwhile is the block's, until another thread, or the block, calls idle_done.
    def idle(timeout = nil, &response_handler)
      raise LocalJumpError, "no block given" unless response_handler
      answer = nil
      synchronize do
        tag = Thread.current[:net_imap_tag] = generate_tag
        put_string("#{tag} IDLE#{CRLF}")
        begin
          add_response_handler(&response_handler)
          @idle_done_cond = new_cond
          @idle_done_cond.wait(timeout)
          @idle_done_cond = nil
          raise @exception || Error.new("connection closed") if @receiver_thread_terminating
        ensure
          unless @receiver_thread_terminating
            remove_response_handler(response_handler)
            put_string("DONE#{CRLF}")
            answer = get_tagged_response(tag, @idle_response_timeout)
          end
        end
      end
      answer
    end

    def idle_done
      synchronize do
        raise Error, "not during IDLE" unless @idle_done_cond
        @idle_done_cond.signal
      end
    end

    private

    def tcp_socket(host, port) = super.tap { |socket| socket.setsockopt(:SOL_SOCKET, :SO_KEEPALIVE, true) }

    def be_greeted
      @greeting = get_response or raise Error, "connection closed"
      raise ByeResponseError, @greeting if @greeting.name == "BYE"
      @client_thread = Thread.current
      @receiver_thread_terminating = false
      @receiver_thread = Thread.start do
        receive_responses
      rescue Exception
        # The commands that wait have been told.
      end
    end

    def receive_responses
      loop do
        response = next_response or break
        ends = nil
        begin
          synchronize { ends = take_note(response) }
        rescue Exception => error
          # A handler's error is that of the command that waits.
          synchronize { tell_waiting(error) }
        end
        return if ends == :logout
        break if ends
      end
      synchronize do
        @receiver_thread_terminating = true
        tell_waiting(@exception)
        @idle_done_cond&.signal
      end
    end

    # A response, or nil with what ended the connection as the exception.
    def next_response
      synchronize { @exception = nil }
      get_response or synchronize do
        @exception = EOFError.new("end of file reached")
        nil
      end
    rescue Exception => error
      synchronize do
        @sock.close
        @exception = error
      end
      nil
    end

    def tell_waiting(error)
      @exception = error
      @tagged_response_arrival.broadcast
      @continuation_request_arrival.broadcast
    end

    # Whether the connection ends with this response, and whether that was asked for.
    def take_note(response)
      case response
      when TaggedResponse
        @tagged_responses[response.tag] = response
        @tagged_response_arrival.broadcast
        return :logout if response.tag == @logout_command_tag
        if response.tag == @continued_command_tag
          @continuation_request_exception = RESPONSE_ERRORS[response.name].new(response)
          @continuation_request_arrival.signal
        end
      when UntaggedResponse
        note(response)
        if response.name == "BYE" && @logout_command_tag.nil?
          @sock.close
          @exception = ByeResponseError.new(response)
          ends = :bye
        end
      when ContinuationRequest
        @continuation_request_arrival.signal
      end
      @response_handlers.each { |handler| handler.call(response) }
      ends
    end

    def note(response)
      record_response(response.name, response.data)
      code = response.data.code if response.data.instance_of?(ResponseText)
      record_response(code.name, code.data) if code
    end

    def record_response(name, data)
      @responses[name] = [] unless @responses.key?(name)
      @responses[name] << data
    end

    # The response to the command with the tag; nil if it does not come in time.
    def get_tagged_response(tag, timeout = nil)
      deadline = timeout && Process.clock_gettime(Process::CLOCK_MONOTONIC) + timeout
      until @tagged_responses.key?(tag)
        raise @exception if @exception
        timeout = deadline - Process.clock_gettime(Process::CLOCK_MONOTONIC) if deadline
        return if timeout && timeout <= 0
        @tagged_response_arrival.wait(timeout)
      end
      response = @tagged_responses.delete(tag)
      case response.name
      when "OK" then response
      when "NO" then raise NoResponseError, response
      when "BAD" then raise BadResponseError, response
      else raise UnknownResponseError, response
      end
    end

    # A line, and as many as follow literals in it. Nothing at the end of the connection.
    def get_response
      text = "".b
      while (line = @sock.gets(CRLF))
        text << line
        size = line[/\{(\d+)\}\r\n\z/n, 1] or break
        text << @sock.read(size.to_i).to_s
      end
      return if text.empty?
      $stderr.print(text.gsub(/^/n, "S: ")) if IMAP.debug
      @parser.parse(text)
    end

    # What is wrong with the arguments is an error before anything is sent. The block gets the responses until the command's own has come.
    def send_command(command, *arguments, &block)
      synchronize do
        arguments.each { |argument| validate_data(argument) }
        tag = generate_tag
        put_string("#{tag} #{command}")
        arguments.each do |argument|
          put_string(" ")
          send_data(argument, tag)
        end
        put_string(CRLF)
        @logout_command_tag = tag if command == "LOGOUT"
        add_response_handler(&block) if block
        begin
          get_tagged_response(tag)
        ensure
          remove_response_handler(block) if block
        end
      end
    end

    # Sends a command and takes the data that its responses brought.
    def ask(command, *arguments, answer: command)
      synchronize do
        send_command(command, *arguments)
        @responses.delete(answer)
      end
    end

    def enter(command, mailbox)
      synchronize do
        @responses.clear
        send_command(command, mailbox)
      end
    end

    # A response that came before its command is none: otherwise a server, or whoever is in its place, could say that TLS began where it did not.
    def generate_tag
      tag = format("%s%04d", @tag_prefix, @tagno += 1)
      @tagged_responses.delete(tag)
      tag
    end

    def put_string(text)
      @sock.print(text)
      return unless IMAP.debug
      $stderr.print("C: ") if @at_line_start
      $stderr.print(text.b.gsub(/\n(?!\z)/n, "\nC: "))
      @at_line_start = text.b.end_with?(CRLF)
    end

    def validate_data(data)
      case data
      when nil, String, Time then nil
      when Symbol then Atom.new(data.name).validate
      when Integer then NumValidator.ensure_number(data)
      when Array then data[0] == "CHANGEDSINCE" ? NumValidator.ensure_mod_sequence_value(data[1]) : data.each { |each| validate_data(each) }
      else data.validate
      end
    end

    def send_data(data, tag = nil)
      case data
      when nil then put_string("NIL")
      when String then send_string_data(data, tag)
      when Integer then put_string(data.to_s)
      when Array then send_list_data(data, tag)
      when Time then send_time_data(data)
      when Symbol then put_string("\\#{data}")
      else data.send_data(self, tag)
      end
    end

    def send_string_data(text, tag = nil)
      form = StringFormatter.form(text)
      form == :literal ? send_literal(text, tag) : put_string(StringFormatter.written(text, form))
    end

    def send_quoted_string(text) = put_string(StringFormatter.written(text, :quoted))

    # The bytes may only be sent when the server asks for them; one that has gone does not.
    def send_literal(text, tag = nil)
      synchronize do
        put_string("{#{text.bytesize}}#{CRLF}")
        @continued_command_tag = tag
        @continuation_request_exception = nil
        @continuation_request_arrival.wait unless @receiver_thread_terminating
        error = @continuation_request_exception || @exception
        raise error if error
        put_string(text)
      ensure
        @continued_command_tag = @continuation_request_exception = nil
      end
    end

    def send_list_data(list, tag = nil)
      put_string("(")
      list.each_with_index do |each, at|
        put_string(" ") if at > 0
        send_data(each, tag)
      end
      put_string(")")
    end

    # The names of months are English wherever the program runs.
    def send_time_data(time)
      utc = time.getutc
      put_string(format('"%2d-%s-%4d %02d:%02d:%02d +0000"', utc.day, DATE_MONTH[utc.month - 1], utc.year, utc.hour, utc.min, utc.sec))
    end

    # A text is sent as it is; in a list, numbers that need it become sets.
    def criteria(keys)
      return [RawData.new(keys)] if keys.instance_of?(String)
      keys.map { |key| key == -1 || key.is_a?(Range) || key.is_a?(Array) ? MessageSet.new(key) : key }
    end

    def search_internal(command, keys, charset)
      ask(command, *(["CHARSET", charset] if charset), *criteria(keys), answer: "SEARCH")[-1]
    end

    def fetch_internal(command, set, attr, mod)
      attr = attr.is_a?(Array) ? attr.map { |each| raw(each) } : raw(attr)
      fresh_data(command, set, *[attr, mod].compact)
    end

    def store_internal(command, set, attr, flags) = fresh_data(command, set, raw(attr), flags)
    def raw(text) = text.is_a?(String) ? RawData.new(text) : text

    # Only the data that this command brings.
    def fresh_data(command, set, *arguments)
      synchronize do
        @responses.delete("FETCH")
        ask(command, MessageSet.new(set), *arguments, answer: "FETCH")
      end
    end

    def create_ssl_params(certs = nil, verify = true) = Protocol.tls_parameters(verify ? VERIFY_PEER : VERIFY_NONE, certs)

    def start_tls_session(params = {})
      raise "already using SSL" if @sock.is_a?(OpenSSL::SSL::SSLSocket)
      context = OpenSSL::SSL::SSLContext.new
      context.set_params(params.respond_to?(:to_hash) ? params.to_hash : {})
      @sock = begin_tls(OpenSSL::SSL::SSLSocket.new(@sock, context), @host)
    end
  end
end
