# Classes that nobody has named yet are listed as others are, and by their full names.
errors = ObjectSpace.each_object(Class).select { |one| one < SystemCallError && !one.singleton_class? }
p errors.map(&:to_s).include?("Errno::ETIMEDOUT"), SystemCallError.subclasses.include?(Errno::EXDEV)
names = ObjectSpace.each_object(Class).map(&:name)
p names.include?("Location"), names.include?("Thread::Backtrace::Location"), Thread::Backtrace::Location.name
