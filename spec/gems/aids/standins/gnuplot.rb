# Nothing is plotted.
module Gnuplot
  def self.open(*) = nil
  class Plot; end
  class DataSet; end
end
