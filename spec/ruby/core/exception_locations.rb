# `set_backtrace` sets what `backtrace` gives; the locations are those of the last `raise`.
begin; raise 'a'; rescue => e
  e.set_backtrace(['x:1']); p e.backtrace_locations&.map(&:lineno), e.backtrace
end
class E2 < StandardError; def set_backtrace(b); end; end
begin; raise E2; rescue => e; p e.backtrace_locations&.map(&:lineno), e.backtrace; end
class E3 < StandardError; def set_backtrace(b); super(b + ['more']); end; end
begin; raise E3; rescue => e; p e.backtrace_locations&.map(&:lineno), e.backtrace; end
e = RuntimeError.new('z'); e.set_backtrace(['q']); begin; raise e; rescue => f; p f.backtrace_locations, f.backtrace; end
p RuntimeError.new.backtrace_locations
begin; raise RuntimeError, 'm', ['here']; rescue => f; p f.backtrace_locations, f.backtrace; end
begin; Integer('x'); rescue => e; g = e.exception('other'); p g.backtrace_locations&.size, g.backtrace&.size; end
begin; raise E2; rescue => e;  begin; raise e; rescue => g; p g.backtrace_locations&.map(&:lineno), g.backtrace; end; end
