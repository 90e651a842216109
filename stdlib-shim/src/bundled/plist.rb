require "rexml/document"
require "base64"

# Property lists in XML, in the manner of the gem plist.
module Plist
  VERSION = "3.6.0"

  class UnsupportedDate < StandardError
  end

  def self.parse_xml(source, options = {})
    text = source.respond_to?(:read) ? source.read : source.match?(/\A\s*</) ? source : File.read(source)
    root = REXML::Document.new(text).root
    node = root&.name == "plist" ? root.elements.to_a.first : root
    node && value(node)
  end

  def self.value(node)
    case node.name
    when "dict"
      node.elements.to_a.each_slice(2).to_h { |key, item| [key.text.to_s, value(item)] }
    when "array" then node.elements.to_a.map { |item| value(item) }
    when "string" then node.texts.map(&:value).join
    when "integer" then Integer(node.text.strip)
    when "real" then node.text.to_f
    when "true" then true
    when "false" then false
    when "date"
      require "date"
      DateTime.parse(node.text)
    when "data"
      require "stringio"
      StringIO.new(Base64.decode64(node.text.to_s.gsub(/\s+/, "")))
    else raise "Unimplemented element #{node.name}"
    end
  end

  module Emit
    HEADER = %(<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">\n)

    def self.dump(object, envelope = true, options = {})
      indent = options.fetch(:indent, "\t")
      body = node(object, indent.to_s, 0, options)
      envelope ? "#{HEADER}#{body}</plist>\n" : body
    end

    def self.save_plist(object, path, options = {}) = File.write(path, dump(object, true, options))
    def to_plist(envelope = true, options = {}) = Emit.dump(self, envelope, options)
    def save_plist(path, options = {}) = Emit.save_plist(self, path, options)

    def self.node(object, step, depth, options)
      pad = step * depth
      case object
      when Array
        return "#{pad}<array/>\n" if object.empty?
        "#{pad}<array>\n#{object.map { |item| node(item, step, depth + 1, options) }.join}#{pad}</array>\n"
      when Hash
        return "#{pad}<dict/>\n" if object.empty?
        pairs = options.fetch(:sort, true) ? object.sort_by { |key, _| key.to_s } : object
        inner = pairs.reject { |_, item| item.nil? }.map { |key, item| "#{step * (depth + 1)}<key>#{escape(key.to_s)}</key>\n#{node(item, step, depth + 1, options)}" }
        "#{pad}<dict>\n#{inner.join}#{pad}</dict>\n"
      when true, false then "#{pad}<#{object}/>\n"
      when Time then "#{pad}<date>#{object.utc.strftime("%Y-%m-%dT%H:%M:%SZ")}</date>\n"
      when Integer then "#{pad}<integer>#{object}</integer>\n"
      when Float then "#{pad}<real>#{object}</real>\n"
      when String, Symbol then "#{pad}<string>#{escape(object.to_s)}</string>\n"
      else
        data = object.respond_to?(:read) ? object.tap(&:rewind).read : Marshal.dump(object)
        "#{pad}<data>\n#{Base64.encode64(data).lines.map { |line| pad + line }.join}#{pad}</data>\n"
      end
    end

    def self.escape(text) = text.gsub("&", "&amp;").gsub("<", "&lt;").gsub(">", "&gt;")
  end
end

[Array, Hash].each { |klass| klass.include(Plist::Emit) }
