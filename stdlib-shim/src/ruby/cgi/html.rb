# HTML by methods: an element a method, its attributes a Hash, its content a block.
require "cgi/util"

class CGI
  module TagMaker
    # An element with its end, one whose end may be missing, and one that has none.
    def nn_element(element, attributes = {}, &block)
      name = element.upcase
      "#{nOE_element(name, attributes)}#{block&.call}</#{name}>"
    end
    def nn_element_def(attributes = {}, &block) = nn_element(__callee__, attributes, &block)

    def nOE_element(element, attributes = {})
      attributes = { attributes => nil } if attributes.is_a?(String)
      fields = attributes.filter_map do |name, value|
        next unless value
        value == true ? " #{CGI.escapeHTML(name.to_s)}" : " #{CGI.escapeHTML(name.to_s)}=\"#{CGI.escapeHTML(value.to_s)}\""
      end
      "<#{element.upcase}#{fields.join}>"
    end
    def nOE_element_def(attributes = {}, &block) = nOE_element(__callee__, attributes, &block)

    def nO_element(element, attributes = {}, &block)
      name = element.upcase
      text = nOE_element(name, attributes)
      block ? "#{text}#{block.call}</#{name}>" : text
    end
    def nO_element_def(attributes = {}, &block) = nO_element(__callee__, attributes, &block)
    private :nn_element, :nn_element_def, :nOE_element, :nOE_element_def, :nO_element, :nO_element_def
  end

  # Elements with arguments of their own.
  module HtmlExtension
    def a(href = "", &block)
      super(href.is_a?(String) ? { "HREF" => href } : href, &block)
    end
    def base(href = "", &block)
      super(href.is_a?(String) ? { "HREF" => href } : href, &block)
    end
    def blockquote(cite = {}, &block)
      super(cite.is_a?(String) ? { "CITE" => cite } : cite || {}, &block)
    end
    def caption(align = {}, &block)
      super(align.is_a?(String) ? { "ALIGN" => align } : align || {}, &block)
    end

    def checkbox(name = "", value = nil, checked = nil)
      return input(name.merge("TYPE" => "checkbox")) if name.is_a?(Hash)
      input("TYPE" => "checkbox", "NAME" => name, "VALUE" => value, "CHECKED" => checked)
    end
    def checkbox_group(name = "", *values) = button_group(:checkbox, name, values)
    def radio_button(name = "", value = nil, checked = nil)
      return input(name.merge("TYPE" => "radio")) if name.is_a?(Hash)
      input("TYPE" => "radio", "NAME" => name, "VALUE" => value, "CHECKED" => checked)
    end
    def radio_group(name = "", *values) = button_group(:radio_button, name, values)

    def file_field(name = "", size = 20, maxlength = nil)
      return input({ "TYPE" => "file" }.merge(name)) if name.is_a?(Hash)
      input("TYPE" => "file", "NAME" => name, "SIZE" => size.to_s, "MAXLENGTH" => maxlength&.to_s)
    end
    def text_field(name = "", value = nil, size = 40, maxlength = nil) = field("text", name, value, size, maxlength)
    def password_field(name = "", value = nil, size = 40, maxlength = nil) = field("password", name, value, size, maxlength)
    def hidden(name = "", value = nil)
      return input({ "TYPE" => "hidden" }.merge(name)) if name.is_a?(Hash)
      input("TYPE" => "hidden", "NAME" => name, "VALUE" => value)
    end
    def image_button(src = "", name = nil, alt = nil)
      return input({ "TYPE" => "image", "SRC" => "" }.merge(src)) if src.is_a?(Hash)
      input("TYPE" => "image", "SRC" => src, "NAME" => name, "ALT" => alt)
    end
    def reset(value = nil, name = nil) = push("reset", value, name)
    def submit(value = nil, name = nil) = push("submit", value, name)

    def form(method = "post", action = script_name, enctype = "application/x-www-form-urlencoded", &block)
      attributes = { "METHOD" => method, "ACTION" => action, "ENCTYPE" => enctype }
      attributes = { "METHOD" => "post", "ACTION" => action, "ENCTYPE" => enctype }.merge(method) if method.is_a?(Hash)
      body = block ? block.call : ""
      body += @output_hidden.map { |name, value| hidden(name, value) }.join if @output_hidden
      super(attributes) { body }
    end
    def multipart_form(action = nil, enctype = "multipart/form-data", &block)
      case action
      when String then attributes = { "METHOD" => "post", "ACTION" => action, "ENCTYPE" => enctype }
      when Hash then attributes = { "METHOD" => "post", "ENCTYPE" => enctype }.merge(action)
      else attributes = { "METHOD" => "post", "ENCTYPE" => enctype }
      end
      form(attributes, &block)
    end

    # The whole document; "PRETTY" lays it out, "DOCTYPE" replaces what is at its beginning.
    def html(attributes = {}, &block)
      attributes = {} if attributes.nil?
      attributes = { "PRETTY" => "  " } if attributes == "PRETTY"
      attributes = attributes.dup
      pretty = attributes.delete("PRETTY")
      pretty = "  " if pretty == true
      head = attributes.key?("DOCTYPE") ? attributes.delete("DOCTYPE").to_s : doctype
      text = head + super(attributes, &block)
      pretty ? CGI.pretty(text, pretty) : text
    end

    def img(src = "", alt = "", width = nil, height = nil)
      return super(src) if src.is_a?(Hash)
      super("SRC" => src, "ALT" => alt, "WIDTH" => width&.to_s, "HEIGHT" => height&.to_s)
    end

    def popup_menu(name = "", *values)
      attributes = { "NAME" => name }
      if name.is_a?(Hash)
        values = name["VALUES"]
        size = name["SIZE"].to_s if name["SIZE"]
        attributes = { "NAME" => name["NAME"], "SIZE" => size, "MULTIPLE" => name["MULTIPLE"] }
      end
      select(attributes) { values.map { |value| option_of(value) }.join }
    end
    alias scrolling_list popup_menu

    def textarea(name = "", cols = 70, rows = 10)
      attributes = name.is_a?(Hash) ? name : { "NAME" => name, "COLS" => cols.to_s, "ROWS" => rows.to_s }
      super(attributes)
    end

    private

    def field(type, name, value, size, maxlength)
      return input({ "TYPE" => type, "NAME" => "", "SIZE" => "40" }.merge(name)) if name.is_a?(Hash)
      input("TYPE" => type, "NAME" => name, "VALUE" => value, "SIZE" => size.to_s, "MAXLENGTH" => maxlength&.to_s)
    end

    def push(type, value, name)
      return input({ "TYPE" => type }.merge(value)) if value.is_a?(Hash)
      input("TYPE" => type, "VALUE" => value, "NAME" => name)
    end

    # Values: a text, or an Array of value, label and whether it is chosen, of which the last two may be missing.
    def parts_of(value)
      return [value, value, nil] if value.is_a?(String)
      checked = value.last == true ? true : nil
      label = value[1].is_a?(String) ? value[1] : value[0]
      [value[0], label, checked]
    end

    def button_group(method, name, values)
      name, values = name["NAME"], name["VALUES"] if name.is_a?(Hash)
      values.map do |value|
        content, label, checked = parts_of(value)
        __send__(method, name, content, checked) + label
      end.join
    end

    def option_of(value)
      content, label, chosen = parts_of(value)
      option("VALUE" => content, "SELECTED" => chosen) { label }
    end
  end

  # The elements of a version, by their kind.
  elements = lambda do |made, whole: "", open: "", empty: ""|
    { nn_element: whole, nO_element: open, nOE_element: empty }.each do |kind, names|
      names.split.each { |name| made.define_method(name) { |attributes = {}, &block| __send__(kind, name, attributes, &block) } }
    end
  end

  html4 = "a abbr acronym address b bdo big blockquote button caption cite code del dfn div dl em fieldset form h1 h2 h3 h4 h5 h6 i ins kbd label " \
    "legend map noscript object ol optgroup pre q samp script select small span strong style sub sup table textarea title tt ul var"
  open4 = "body colgroup dd dt head html li option p tbody td tfoot th thead tr"
  empty4 = "area base br col hr img input link meta param"

  module Html3
    def doctype = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">'
  end
  elements.call(
    Html3,
    whole: "a address applet b big blockquote caption center cite code dfn dir div dl em font form h1 h2 h3 h4 h5 h6 i kbd listing map menu ol pre " \
      "samp script select small strike strong style sub sup table textarea title tt u ul var xmp",
    open: "body dd dt head html li option p plaintext td th tr",
    empty: "area base basefont br hr img input isindex link meta param"
  )

  module Html4
    def doctype = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">'
  end
  elements.call(Html4, whole: html4, open: open4, empty: empty4)

  module Html4Tr
    def doctype = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">'
  end
  elements.call(Html4Tr, whole: "#{html4} applet center dir font iframe menu noframes s strike u", open: open4, empty: "#{empty4} basefont isindex")

  module Html4Fr
    def doctype = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN" "http://www.w3.org/TR/html4/frameset.dtd">'
  end
  elements.call(Html4Fr, whole: "frameset", empty: "frame")

  module Html5
    def doctype = "<!DOCTYPE HTML>"
  end
  elements.call(
    Html5,
    whole: "a abbr address article aside audio b bdi bdo blockquote button canvas caption cite code datalist del details dfn dialog div dl em fieldset " \
      "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup i iframe ins kbd label legend map mark menu meter nav noscript object ol output pre " \
      "progress q ruby s samp script section select small span strong style sub summary sup table textarea time title u ul var video",
    open: "#{open4} optgroup rp rt",
    empty: "#{empty4} command embed keygen source track wbr"
  )

  module HTML3
    include TagMaker
    include Html3
    include HtmlExtension
  end

  module HTML4
    include TagMaker
    include Html4
    include HtmlExtension
  end

  module HTML4Tr
    include TagMaker
    include Html4Tr
    include HtmlExtension
  end

  module HTML4Fr
    include TagMaker
    include Html4Tr
    include Html4Fr
    include HtmlExtension
  end

  module HTML5
    include TagMaker
    include Html5
    include HtmlExtension
  end
end
