module Net
  # The header of a request or response: names in any case, each with a list of values.
  module HTTPHeader
    MAX_KEY_LENGTH = 1024
    MAX_FIELD_LENGTH = 65_536

    def initialize_http_header(table)
      @header = {}
      table&.each do |name, value|
        warn "net/http: duplicated HTTP header: #{name}", uplevel: 3 if key?(name) && $VERBOSE
        if value.nil?
          warn "net/http: nil HTTP header: #{name}", uplevel: 3 if $VERBOSE
        else
          value = value.strip
          raise ArgumentError, "header #{name} has field value #{value.inspect}, this cannot include CR/LF" if value.count("\r\n") > 0
          @header[name.downcase.to_s] = [value]
        end
      end
    end

    def header_table = @header ||= {}
    private :header_table
    def size = header_table.size
    alias length size
    def [](name) = header_table[name.downcase.to_s]&.join(", ")
    def []=(name, value)
      return header_table.delete(name.downcase.to_s) unless value
      set_field(name, value)
    end
    def add_field(name, value)
      fields = header_table[name.downcase.to_s]
      return set_field(name, value) unless fields
      fields.concat(checked(value))
    end
    def set_field(name, value) = header_table[name.downcase.to_s] = checked(value)
    def checked(value)
      case value
      when Enumerable then value.flat_map { |each| checked(each) }
      else
        text = value.to_s
        raise ArgumentError, "header field value cannot include CR/LF" if text.b.count("\r\n") > 0
        [text]
      end
    end
    private :set_field, :checked
    def get_fields(name) = header_table[name.downcase.to_s]&.dup
    def fetch(name, *args, &block)
      found = header_table.fetch(name.downcase.to_s, *args, &block)
      found.is_a?(Array) ? found.join(", ") : found
    end
    def key?(name) = header_table.key?(name.downcase.to_s)
    def delete(name) = header_table.delete(name.downcase.to_s)
    def to_hash = header_table.dup
    def each_header
      return to_enum(:each_header) { header_table.size } unless block_given?
      header_table.each { |name, values| yield name, values.join(", ") }
    end
    alias each each_header
    def each_name(&block)
      return to_enum(:each_name) { header_table.size } unless block
      header_table.each_key(&block)
    end
    alias each_key each_name
    def each_capitalized_name
      return to_enum(:each_capitalized_name) { header_table.size } unless block_given?
      header_table.each_key { |name| yield capitalize(name) }
    end
    def each_value
      return to_enum(:each_value) { header_table.size } unless block_given?
      header_table.each_value { |values| yield values.join(", ") }
    end
    def each_capitalized
      return to_enum(:each_capitalized) { header_table.size } unless block_given?
      header_table.each { |name, values| yield capitalize(name), values.join(", ") }
    end
    alias canonical_each each_capitalized
    def capitalize(name) = name.to_s.split("-").map(&:capitalize).join("-")
    private :capitalize

    def range
      return nil unless key?("range")
      value = self["range"]
      set = value[/\Abytes=((?:,[ \t]*)*(?:\d+-\d*|-\d+)(?:[ \t]*,(?:[ \t]*\d+-\d*|[ \t]*-\d+)?)*)\z/, 1]
      raise HTTPHeaderSyntaxError, "invalid syntax for byte-ranges-specifier: '#{value}'" unless set
      found = set.split(",").map do |part|
        first, last = part.match(/(\d+)?\s*-\s*(\d+)?/)&.captures
        raise HTTPHeaderSyntaxError, "invalid byte-range-spec: '#{part}'" unless first || last
        next (-last.to_i..-1) unless first
        next (first.to_i..-1) unless last
        raise HTTPHeaderSyntaxError, "last-byte-pos MUST greater than or equal to first-byte-pos but '#{part}'" if first.to_i > last.to_i
        first.to_i..last.to_i
      end
      raise HTTPHeaderSyntaxError, "only one suffix-byte-range-spec with zero suffix-length" if found == [(0..-1)] && set.start_with?("-")
      found
    end
    def set_range(range, length = nil)
      unless range
        delete("range")
        return range
      end
      range = range...range + length if length
      case range
      when Numeric
        count = range.to_i
        shown = count > 0 ? "0-#{count - 1}" : "-#{-count}"
      when Range
        first, last = range.first, range.end
        last -= 1 if range.exclude_end?
        shown = last == -1 ? (first > 0 ? "#{first}-" : "-#{-first}") : between(first, last)
      else raise TypeError, "Range/Integer is required"
      end
      self["range"] = "bytes=#{shown}"
      range
    end
    def between(first, last)
      raise HTTPHeaderSyntaxError, "range.first is negative" if first < 0
      raise HTTPHeaderSyntaxError, "range.last is negative" if last < 0
      raise HTTPHeaderSyntaxError, "must be .first < .last" if first > last
      "#{first}-#{last}"
    end
    private :between
    alias range= set_range

    def content_length
      return nil unless key?("content-length")
      text = self["content-length"][/\d+/] or raise HTTPHeaderSyntaxError, "wrong Content-Length format"
      text.to_i
    end
    def content_length=(size)
      size ? header_table["content-length"] = [size.to_i.to_s] : header_table.delete("content-length")
    end
    def chunked? = self["transfer-encoding"]&.match?(/(?:\A|[^\-\w])chunked(?![\-\w])/i) ? true : false
    def content_range
      return nil unless header_table["content-range"]
      match = %r{\A\s*(\w+)\s+(\d+)-(\d+)/(\d+|\*)}i.match(self["content-range"]) or raise HTTPHeaderSyntaxError, "wrong Content-Range format"
      match[2].to_i..match[3].to_i
    end
    def range_length = (found = content_range) && found.end - found.begin + 1
    def content_type
      return nil unless main_type
      sub_type ? "#{main_type}/#{sub_type}" : main_type
    end
    def main_type = header_table["content-type"] && self["content-type"].split(";").first.split("/")[0]&.strip
    def sub_type = header_table["content-type"] && self["content-type"].split(";").first.to_s.split("/")[1]&.strip
    def type_params
      return {} unless header_table["content-type"]
      self["content-type"].to_s.split(";").drop(1).to_h { |pair| pair.split("=", 2).map(&:strip) }
    end
    def set_content_type(type, params = {}) = header_table["content-type"] = [type + params.map { |key, value| "; #{key}=#{value}" }.join]
    alias content_type= set_content_type
    def set_form_data(params, separator = "&")
      query = URI.encode_www_form(params)
      query.gsub!("&", separator) if separator != "&"
      self.body = query
      self.content_type = "application/x-www-form-urlencoded"
    end
    alias form_data= set_form_data
    def set_form(params, enctype = "application/x-www-form-urlencoded", options = {})
      @form = [params, enctype, options]
      self.body = nil
      self.content_type = enctype
    end
    def basic_auth(user, password) = header_table["authorization"] = [basic_encode(user, password)]
    def proxy_basic_auth(user, password) = header_table["proxy-authorization"] = [basic_encode(user, password)]
    def basic_encode(user, password) = "Basic #{["#{user}:#{password}"].pack("m0")}"
    private :basic_encode
    def connection_close? = tokens("connection").include?("close") || tokens("proxy-connection").include?("close")
    def connection_keep_alive? = tokens("connection").include?("keep-alive") || tokens("proxy-connection").include?("keep-alive")
    def tokens(name) = self[name].to_s.downcase.split(/\s*,\s*/)
    private :tokens
  end
end
