# A lock that its owner may take again.
class Monitor
  def initialize
    @mon_mutex = Thread::Mutex.new
    @mon_count = 0
    @mon_owner = nil
  end

  def try_enter
    unless mon_owned?
      return false unless @mon_mutex.try_lock
      @mon_owner = Fiber.current
      @mon_count = 0
    end
    @mon_count += 1
    true
  end
  alias mon_try_enter try_enter
  alias try_mon_enter try_enter

  def enter
    unless mon_owned?
      @mon_mutex.lock
      @mon_owner = Fiber.current
      @mon_count = 0
    end
    @mon_count += 1
    nil
  end
  alias mon_enter enter

  def exit
    mon_check_owner
    @mon_count -= 1
    return unless @mon_count == 0
    @mon_owner = nil
    @mon_mutex.unlock
    nil
  end
  alias mon_exit exit

  def synchronize
    enter
    begin
      yield
    ensure
      self.exit
    end
  end
  alias mon_synchronize synchronize

  def mon_locked? = @mon_mutex.locked?
  def mon_owned? = @mon_mutex.locked? && @mon_owner == Fiber.current

  def mon_check_owner
    raise ThreadError, "current fiber not owner" unless mon_owned?
    nil
  end

  def new_cond = MonitorMixin::ConditionVariable.new(self)

  def wait_for_cond(condition, timeout)
    count = @mon_count
    @mon_owner = nil
    @mon_count = 0
    begin
      condition.wait(@mon_mutex, timeout) ? true : false
    ensure
      @mon_owner = Fiber.current
      @mon_count = count
    end
  end
end

module MonitorMixin
  class ConditionVariable
    def initialize(monitor)
      @monitor = monitor
      @cond = Thread::ConditionVariable.new
    end

    def wait(timeout = nil)
      @monitor.mon_check_owner
      @monitor.wait_for_cond(@cond, timeout)
    end

    def wait_while = (wait while yield)
    def wait_until = (wait until yield)

    def signal
      @monitor.mon_check_owner
      @cond.signal
    end

    def broadcast
      @monitor.mon_check_owner
      @cond.broadcast
    end
  end

  def self.extend_object(object)
    super
    object.__send__(:mon_initialize)
  end

  def mon_try_enter = @mon_data.try_enter
  alias try_mon_enter mon_try_enter
  def mon_enter = @mon_data.enter
  def mon_exit = (mon_check_owner; @mon_data.exit)
  def mon_locked? = @mon_data.mon_locked?
  def mon_owned? = @mon_data.mon_owned?
  def mon_synchronize(&block) = @mon_data.synchronize(&block)
  alias synchronize mon_synchronize
  def new_cond = ::MonitorMixin::ConditionVariable.new(@mon_data)

  private

  def initialize(...)
    super
    mon_initialize
  end

  def mon_initialize
    raise ThreadError, "already initialized" if defined?(@mon_data) && @mon_data_owner_object_id == object_id
    @mon_data = ::Monitor.new
    @mon_data_owner_object_id = object_id
  end

  def mon_check_owner = @mon_data.mon_check_owner
end
