# Net::FTP: files from and to a server of FTP.
require "net/protocol"

module Net
  class FTPError < StandardError; end
  class FTPReplyError < FTPError; end
  class FTPTempError < FTPError; end
  class FTPPermError < FTPError; end
  class FTPProtoError < FTPError; end
  class FTPConnectionError < FTPError; end

  class FTP < Protocol
    VERSION = "0.1.3"
    FTP_PORT = 21
    CRLF = "\r\n"
    DEFAULT_BLOCKSIZE = 16 * 1024
    attr_accessor :passive, :binary, :debug_mode, :resume, :open_timeout, :ssl_handshake_timeout
    attr_reader :last_response, :last_response_code, :welcome, :read_timeout
    alias lastresp last_response_code
    @default_passive = true

    class << self
      attr_accessor :default_passive
      def open(host, *args)
        ftp = new(host, *args)
        return ftp unless block_given?
        begin
          yield ftp
        ensure
          ftp.close
        end
      end
    end

    def initialize(host = nil, user_or_options = {}, password = nil, account = nil)
      options = user_or_options.is_a?(Hash) ? user_or_options : { username: user_or_options, password: password, account: account }
      raise NotImplementedError, "Net::FTP: TLS is not supported" if options[:ssl]
      @passive = options.fetch(:passive, self.class.default_passive)
      @binary = true
      @debug_mode = @resume = false
      @open_timeout = options[:open_timeout]
      @read_timeout = options[:read_timeout] || 60
      return unless host
      connect(host, options[:port] || FTP_PORT)
      login(options[:username], options[:password], options[:account]) if options[:username]
    end

    def read_timeout=(seconds)
      @socket.read_timeout = seconds if @socket
      @read_timeout = seconds
    end

    def connect(host, port = FTP_PORT)
      @host = host
      @socket = BufferedIO.new(TCPSocket.open(host, port, connect_timeout: @open_timeout), read_timeout: @read_timeout)
      @welcome = expect(response, "2")
      nil
    end

    def login(user = "anonymous", password = nil, account = nil)
      password ||= "anonymous@" if user == "anonymous"
      answer = command("USER #{user}")
      answer = command("PASS #{password}") if answer.start_with?("3")
      answer = command("ACCT #{account}") if answer.start_with?("3")
      raise FTPReplyError, answer unless answer.start_with?("2")
      @welcome = answer
      command("TYPE I") if @binary
      nil
    end

    def sendcmd(text) = command(text)
    def voidcmd(text) = expect(command(text), "2") && nil
    def noop = voidcmd("NOOP")
    def chdir(folder) = folder == ".." ? voidcmd("CDUP") : voidcmd("CWD #{folder}")
    def pwd = command("PWD")[/"((?:[^"]|"")*)"/, 1].to_s.gsub('""', '"')
    alias getdir pwd
    def mkdir(folder) = command("MKD #{folder}")[/"((?:[^"]|"")*)"/, 1].to_s
    def rmdir(folder) = voidcmd("RMD #{folder}")
    def delete(name) = voidcmd("DELE #{name}")
    def rename(from, to)
      expect(command("RNFR #{from}"), "3")
      voidcmd("RNTO #{to}")
    end
    def size(name) = expect(command("SIZE #{name}"), "213")[4..].to_i
    def mtime(name, local = false)
      parts = expect(command("MDTM #{name}"), "213")[4..].scan(/\A(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/)[0].map(&:to_i)
      local ? Time.local(*parts) : Time.utc(*parts)
    end
    def system = expect(command("SYST"), "215")[4..]
    def status(path = nil) = command(["STAT", path].compact.join(" "))
    def help(topic = nil) = command(["HELP", topic].compact.join(" "))
    def site(text) = voidcmd("SITE #{text}")
    def nlst(folder = nil) = lines(["NLST", folder].compact.join(" "))
    def list(*args, &block) = lines(["LIST", *args].join(" ")).each(&block || ->(line) { line })
    alias ls list
    alias dir list

    def retrbinary(request, size = DEFAULT_BLOCKSIZE, _offset = nil)
      transfer(request) do |data|
        until data.eof?
          yield data.readpartial(size)
        end
      end
    end
    def retrlines(request)
      transfer(request) { |data| data.each_line { |line| yield line.chomp } }
    end
    def storbinary(request, file, size = DEFAULT_BLOCKSIZE, _offset = nil)
      transfer(request) do |data|
        while (part = file.read(size))
          data.write(part)
          yield part if block_given?
        end
      end
    end
    def storlines(request, file)
      transfer(request) do |data|
        file.each_line do |line|
          data.write("#{line.chomp}#{CRLF}")
          yield line if block_given?
        end
      end
    end
    def getbinaryfile(remote, local = File.basename(remote), size = DEFAULT_BLOCKSIZE, &block)
      return retrbinary("RETR #{remote}", size, &block) if local.nil?
      File.open(local, "wb") do |file|
        retrbinary("RETR #{remote}", size) do |part|
          file.write(part)
          block&.call(part)
        end
      end
      nil
    end
    def gettextfile(remote, local = File.basename(remote))
      File.open(local, "w") { |file| retrlines("RETR #{remote}") { |line| file.puts(line); yield line if block_given? } }
      nil
    end
    def get(remote, local = File.basename(remote), size = DEFAULT_BLOCKSIZE, &block) = @binary ? getbinaryfile(remote, local, size, &block) : gettextfile(remote, local, &block)
    def putbinaryfile(local, remote = File.basename(local), size = DEFAULT_BLOCKSIZE, &block) = File.open(local, "rb") { |file| storbinary("STOR #{remote}", file, size, &block) }
    def puttextfile(local, remote = File.basename(local), &block) = File.open(local) { |file| storlines("STOR #{remote}", file, &block) }
    def put(local, remote = File.basename(local), size = DEFAULT_BLOCKSIZE, &block) = @binary ? putbinaryfile(local, remote, size, &block) : puttextfile(local, remote, &block)

    def quit = voidcmd("QUIT")
    def close
      @socket&.close unless closed?
      nil
    end
    def closed? = @socket.nil? || @socket.closed?

    private

    def command(text)
      raise FTPConnectionError, "not connected" if @socket.nil?
      Protocol.validate_line(text)
      @socket.write("#{text}#{CRLF}")
      response
    end

    # One answer: all its lines. Codes of 4 and 5 are errors.
    def response
      line = @socket.readline
      text = "#{line}\n"
      if (match = /\A(\d\d\d)-/.match(line))
        text << "#{line = @socket.readline}\n" until line.start_with?("#{match[1]} ")
      end
      @last_response = text
      @last_response_code = text[0, 3]
      case text[0]
      when "1", "2", "3" then text
      when "4" then raise FTPTempError, text
      when "5" then raise FTPPermError, text
      else raise FTPProtoError, text
      end
    end

    def expect(answer, start) = answer.start_with?(start) ? answer : raise(FTPReplyError, answer)

    # Where the server waits for the data connection; its own idea of its address is not followed.
    def passive_address
      if @socket.io.remote_address.ipv6?
        port = expect(command("EPSV"), "229")[/\(\|\|\|(\d+)\|\)/, 1] or raise FTPProtoError, @last_response
        return [@host, port.to_i]
      end
      numbers = expect(command("PASV"), "227").scan(/\d+/).drop(1).map(&:to_i)
      raise FTPProtoError, @last_response if numbers.size < 6
      [@host, numbers[4] * 256 + numbers[5]]
    end

    # The connection that data goes over, once the server has agreed to the request.
    def data_connection(request)
      if @passive
        data = TCPSocket.open(*passive_address, connect_timeout: @open_timeout)
        begin
          expect(command(request), "1")
        rescue StandardError
          data.close
          raise
        end
        return data
      end
      own = @socket.io.local_address
      server = TCPServer.new(own.ip_address, 0)
      begin
        port = server.local_address.ip_port
        voidcmd(own.ipv6? ? "EPRT |2|#{own.ip_address}|#{port}|" : "PORT #{[*own.ip_address.split("."), port / 256, port % 256].join(",")}")
        expect(command(request), "1")
        server.accept
      ensure
        server.close
      end
    end

    def transfer(request)
      data = data_connection(request)
      begin
        yield data
      ensure
        data.close unless data.closed?
      end
      expect(response, "2")
      nil
    end

    def lines(request)
      found = []
      transfer(request) { |data| data.each_line { |line| found << line.chomp } }
      found
    end
  end
end
