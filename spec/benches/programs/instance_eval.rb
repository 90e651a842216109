class Item
  def initialize(name) = @name = name

  %w[owner mode path].each do |property|
    define_method(property) { |value = nil| value.nil? ? instance_variable_get(:"@#{property}") : instance_variable_set(:"@#{property}", value) }
  end
end

class Recipe
  attr_reader :items
  def initialize = @items = []

  def file(name, &block)
    item = Item.new(name)
    item.instance_eval(&block) if block
    @items << item
  end
end
recipe = Recipe.new
recipe.instance_eval do
  150_000.times do |i|
    file "/etc/#{i}" do
      owner "root"
      mode "0644"
      path "/etc/#{i}"
    end
  end
end
puts recipe.items.size, recipe.items.last.path
