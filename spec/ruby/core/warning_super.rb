module Warning
  def warn(message)
    super
  end
end
$VERBOSE = true
Kernel.warn 'one'
warn 'two', 'three'
eval 'def x; end; def x; end'
