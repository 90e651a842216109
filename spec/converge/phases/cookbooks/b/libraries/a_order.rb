# what loads, in order
module Order
  NOTES = []
  def self.note(text) = NOTES << text
end
