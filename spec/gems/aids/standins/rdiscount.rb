# Markdown by kramdown.
require "kramdown"
class RDiscount
  def initialize(text, *) = (@text = text)
  def to_html = Kramdown::Document.new(@text).to_html
end
Markdown = RDiscount unless defined?(Markdown)
