module Observable
  VERSION = "0.1.1"

  def add_observer(observer, func = :update)
    raise NoMethodError, "observer does not respond to `#{func}'" unless observer.respond_to?(func)
    (@observer_peers ||= {})[observer] = func
  end

  def delete_observer(observer)
    @observer_peers&.delete(observer)
  end

  def delete_observers
    @observer_peers&.clear
  end

  def count_observers = @observer_peers ? @observer_peers.size : 0

  def changed(state = true)
    @observer_state = state
  end

  def changed? = !!@observer_state

  def notify_observers(*args)
    return unless @observer_state
    @observer_peers&.each { |observer, func| observer.__send__(func, *args) }
    @observer_state = false
  end
end
