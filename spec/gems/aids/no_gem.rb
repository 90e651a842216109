# versions are not asked for: the runner has set the load path
module Kernel
  def gem(*) = true
  private :gem
end
