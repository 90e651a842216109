require "digest"

# A Hash in a file that is read and written in transactions.
class PStore
  VERSION = "0.1.1"
  class Error < StandardError; end

  RDWR_ACCESS = { mode: IO::RDWR | IO::CREAT | IO::BINARY, encoding: Encoding::ASCII_8BIT }.freeze
  RD_ACCESS = { mode: IO::RDONLY | IO::BINARY, encoding: Encoding::ASCII_8BIT }.freeze
  WR_ACCESS = { mode: IO::WRONLY | IO::CREAT | IO::TRUNC | IO::BINARY, encoding: Encoding::ASCII_8BIT }.freeze
  EMPTY_STRING = ""
  EMPTY_MARSHAL_DATA = Marshal.dump({})
  CHECKSUM_ALGO = Digest::SHA512
  EMPTY_MARSHAL_CHECKSUM = CHECKSUM_ALGO.digest(EMPTY_MARSHAL_DATA)

  attr_accessor :ultra_safe

  def initialize(file, thread_safe = false)
    folder = File.dirname(file)
    raise PStore::Error, format("directory %s does not exist", folder) unless File.directory?(folder)
    raise PStore::Error, format("file %s not readable", file) if File.exist?(file) && !File.readable?(file)
    @filename = file
    @abort = false
    @ultra_safe = false
    @thread_safe = thread_safe
    @lock = Thread::Mutex.new
    @open = false
    @read_only = false
  end

  def path = @filename

  def [](key)
    in_transaction
    @table[key]
  end

  def fetch(key, default = PStore::Error)
    in_transaction
    return @table[key] if @table.key?(key)
    raise PStore::Error, format("undefined root name `%s'", key) if default == PStore::Error
    default
  end

  def []=(key, value)
    in_transaction_to_write
    @table[key] = value
  end

  def delete(key)
    in_transaction_to_write
    @table.delete(key)
  end

  def roots
    in_transaction
    @table.keys
  end

  def root?(key)
    in_transaction
    @table.key?(key)
  end

  def commit
    in_transaction
    @abort = false
    throw :pstore_abort_transaction
  end

  def abort
    in_transaction
    @abort = true
    throw :pstore_abort_transaction
  end

  # What the block changes is written when it ends, or nothing of it if it is aborted or raises.
  def transaction(read_only = false)
    raise PStore::Error, "nested transaction" if @open || !@lock.try_lock && !(@thread_safe && wait_for_lock)
    @open = true
    begin
      @read_only = read_only
      @abort = false
      run(read_only) { yield self }
    ensure
      @open = false
      @table = nil
      @lock.unlock if @lock.owned?
    end
  end

  private

  def wait_for_lock
    raise PStore::Error, "nested transaction" if @lock.owned?
    @lock.lock
    true
  end

  def in_transaction
    raise PStore::Error, "not in transaction" unless @open
  end

  def in_transaction_to_write
    in_transaction
    raise PStore::Error, "in read-only transaction" if @read_only
  end

  def run(read_only)
    access = read_only ? RD_ACCESS : RDWR_ACCESS
    begin
      file = File.new(@filename, **access)
    rescue Errno::ENOENT
      raise unless read_only
      @table = {}
      return stopped { yield }
    end
    file.flock(read_only ? File::LOCK_SH : File::LOCK_EX)
    begin
      before = file.read
      @table = before.empty? ? {} : load(before)
      raise Error, "PStore file seems to be corrupted." unless @table.is_a?(Hash)
      value = stopped { yield }
      save(file, before) unless read_only || @abort
      value
    rescue StandardError
      @abort = true
      raise
    ensure
      file.close
    end
  end

  def stopped
    value = nil
    catch(:pstore_abort_transaction) { value = yield }
    value
  end

  def save(file, before)
    data = dump(@table)
    return if data == before
    if @ultra_safe
      temporary = "#{@filename}.tmp.#{Process.pid}"
      File.binwrite(temporary, data)
      File.rename(temporary, @filename)
    else
      file.rewind
      file.truncate(0)
      file.write(data)
      file.flush
    end
  end

  def dump(table) = Marshal.dump(table)
  def load(content) = Marshal.load(content)
end
