# Etc: users and groups one after the other, and limits of the system; look-ups are native.
require "etc/native"

module Etc
  VERSION = "1.3.0"
  # What the kernel and the C library fix is a number here; the rest is asked.
  {
    SC_ARG_MAX: -> { [Process.getrlimit(:STACK)[0] / 4, 131_072].max.clamp(131_072, 6_291_456) }, SC_CHILD_MAX: -> { Process.getrlimit(:NPROC)[0] }, SC_HOST_NAME_MAX: 64, SC_LOGIN_NAME_MAX: 256,
    SC_NGROUPS_MAX: 65_536, SC_CLK_TCK: 100, SC_OPEN_MAX: -> { Process.getrlimit(:NOFILE)[0] }, SC_PAGESIZE: 4096, SC_RE_DUP_MAX: 32_767, SC_STREAM_MAX: 16, SC_SYMLOOP_MAX: nil,
    SC_TTY_NAME_MAX: 32, SC_TZNAME_MAX: nil, SC_VERSION: 200_809, SC_NPROCESSORS_CONF: -> { nprocessors }, SC_NPROCESSORS_ONLN: -> { nprocessors }
  }.each_with_index do |(name, value), index|
    const_set(name, index)
    (@limits ||= []) << value
  end
  SC_PAGE_SIZE = SC_PAGESIZE
  CS_PATH = 0

  class << self
    def sysconf(number)
      raise Errno::EINVAL, "sysconf" unless number.between?(0, @limits.size - 1)
      limit = @limits[number]
      limit.respond_to?(:call) ? limit.call : limit
    end

    def confstr(number)
      { CS_PATH => "/bin:/usr/bin" }.fetch(number) { raise Errno::EINVAL, "confstr" }
    end

    # The next entry of passwd, nil at the end.
    def getpwent = following(:passwd)
    def getgrent = following(:group)
    def setpwent = started.delete(:passwd) && nil
    def setgrent = started.delete(:group) && nil
    alias endpwent setpwent
    alias endgrent setgrent

    def passwd(&block) = every(:passwd, block)
    def group(&block) = every(:group, block)

    private

    def started = @started ||= {}
    def entries(kind)
      found = []
      Native.__send__(kind) { |entry| found << entry }
      found
    end
    def following(kind) = (started[kind] ||= entries(kind)).shift

    def every(kind, block)
      return following(kind) unless block
      raise "parallel #{kind} iteration" if @iterating == kind
      @iterating = kind
      begin
        entries(kind).each(&block)
      ensure
        @iterating = nil
      end
      nil
    end
  end
  %i(confstr sysconf getpwent setpwent endpwent getgrent setgrent endgrent passwd group).each do |name|
    define_method(name) { |*arguments, &block| Etc.public_send(name, *arguments, &block) }
    private name
  end

  class << Passwd
    include Enumerable
    def each(&block) = block ? Etc.passwd(&block) && self : to_enum(:each)
  end
  class << Group
    include Enumerable
    def each(&block) = block ? Etc.group(&block) && self : to_enum(:each)
  end
end

# The names of old.
Struct.const_set(:Passwd, Etc::Passwd)
Struct.const_set(:Group, Etc::Group)
Struct.deprecate_constant(:Passwd, :Group)
