require "rexml/document"

module REXML
  # The callbacks of `Document.parse_stream`; a listener overrides those that it wants.
  module StreamListener
    def tag_start(_name, _attributes) = nil
    def tag_end(_name) = nil
    def text(_text) = nil
    def instruction(_name, _instruction) = nil
    def comment(_comment) = nil
    def doctype(_name, _pub_sys, _long_name, _uri) = nil
    def doctype_end = nil
    def attlistdecl(_element, _attributes, _raw) = nil
    def elementdecl(_content) = nil
    def entitydecl(_content) = nil
    def notationdecl(_content) = nil
    def entity(_content) = nil
    def cdata(_content) = nil
    def xmldecl(_version, _encoding, _standalone) = nil
  end
end
