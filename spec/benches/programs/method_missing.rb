class Ghost
  def method_missing(name, *args)
    if name == :known then args.first
    elsif name.to_s.end_with?("=") then @last = args.first
    else super
    end
  end

  def respond_to_missing?(name, all = false) = name == :known || super
end
ghost = Ghost.new
sum = 0
400_000.times { |i| sum += ghost.known(i); ghost.value = i }
puts sum
