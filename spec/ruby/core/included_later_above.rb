# A module that a class includes stays before the class's ancestors when one of these includes it later.
module Named
  def name_of = "Named"
end
class Module
  def name_of = "Module"
end
class Extended
  extend Named
end
p Extended.name_of
class Object
  include Named
end
p Extended.name_of, Class.new(Extended).name_of
class Above
  def said = "Above"
end
module Said
  def said = "Said"
end
class Below < Above
  include Said
end
class Above
  include Said
end
p Below.new.said, Above.new.said
