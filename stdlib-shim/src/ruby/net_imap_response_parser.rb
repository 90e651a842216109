# Responses of IMAP servers (RFC 3501 and the extensions that Net::IMAP knows) become objects.
require "strscan"
require "net/imap/response_data"

module Net
  class IMAP < Protocol
    # Reads by descent: every method takes what it is named after from where the scanner is.
    class ResponseParser
      special = '\x80-\xff(){ \x00-\x1f\x7f%*"\\\\\[\]+'
      # What may stand at a place, in the order in which it is looked for; errors name it.
      TOKENS = {
        SPACE: / +/n, NIL: /NIL(?=[#{special}])/ni, NUMBER: /\d+(?=[#{special}])/n, ATOM: /[^#{special}]+/n, QUOTED: /"((?:[^\x00\r\n"\\]|\\["\\])*)"/n,
        LPAR: /\(/n, RPAR: /\)/n, BSLASH: /\\/n, STAR: /\*/n, LBRA: /\[/n, RBRA: /\]/n, LITERAL: /\{(\d+)\}\r\n/n, PLUS: /\+/n, PERCENT: /%/n,
        CRLF: /\r\n/n, EOF: /\z/n
      }.freeze
      TEXT = /[^\x00\r\n]*/n
      CODE_TEXT = /[^\x00\r\n\]]*/n
      ASTRING = /[^\x80-\xff(){ \x00-\x1f\x7f%*"\\]+/n
      WORDS = /[^\x80-\xff(){ \x00-\x1f\x7f%*"\\\]]+/n
      FLAG = /\\([^\x80-\xff(){ \x00-\x1f\x7f%"\\]+)|([^\x80-\xff(){ \x00-\x1f\x7f%*"\\]+)/n
      private_constant :TOKENS, :TEXT, :CODE_TEXT, :ASTRING, :WORDS, :FLAG

      def parse(text)
        @text = text
        @scanner = StringScanner.new(text)
        @kind_at = nil
        result = response
        # Exchange puts a space before the end.
        accept(:SPACE)
        take(:CRLF)
        take(:EOF)
        result
      end

      private

      def response
        return continuation if accept(:PLUS)
        return tagged unless accept(:STAR)
        take(:SPACE)
        return numeric if at?(:NUMBER)
        unexpected unless at?(:ATOM)
        name = atom_name
        UNTAGGED.each { |names, reader| return __send__(reader, name) if names.include?(name) }
        take(:SPACE)
        UntaggedResponse.new(name, @scanner.scan(TEXT))
      end

      UNTAGGED = {
        %w(OK NO BAD BYE PREAUTH) => :condition, %w(FLAGS) => :flags, %w(ID) => :id, %w(LIST LSUB XLIST) => :list, %w(NAMESPACE) => :namespaces,
        %w(QUOTA) => :quota, %w(QUOTAROOT) => :quota_roots, %w(ACL) => :acl, %w(SEARCH SORT) => :search, %w(THREAD) => :threads, %w(STATUS) => :status,
        %w(CAPABILITY) => :capability, %w(NOOP) => :ignored
      }.freeze
      private_constant :UNTAGGED

      def untagged(name, data) = UntaggedResponse.new(name, data, @text)
      def continuation = ContinuationRequest.new(accept(:SPACE) ? response_text : ResponseText.new(nil, ""), @text)

      def tagged
        tag = astring_characters
        take(:SPACE)
        name = atom_name
        take(:SPACE)
        TaggedResponse.new(tag, name, response_text, @text)
      end

      def condition(name)
        take(:SPACE)
        untagged(name, response_text)
      end

      def ignored(_name)
        @scanner.skip(/.*(?=\r\n\z)/mn)
        IgnoredResponse.new(@text)
      end

      # What has a number but is not known is ignored, as the protocol demands of clients.
      def numeric
        number = self.number
        take(:SPACE)
        name = atom_name
        case name
        when "EXISTS", "RECENT", "EXPUNGE" then untagged(name, number)
        when "FETCH"
          take(:SPACE)
          untagged(name, FetchData.new(number, message_attributes(number)))
        else ignored(name)
        end
      end

      def message_attributes(number)
        attributes = {}
        take(:LPAR)
        until accept(:RPAR)
          next if accept(:SPACE)
          found = @scanner.check(kind_here ? TOKENS[kind_here] : /\S*/n)
          reader = ATTRIBUTES.fetch(found.upcase) { fail_with("unknown attribute `%s' for {%d}", found, number) }
          name, value = __send__(reader, take(:ATOM).upcase)
          attributes[name] = value
        end
        attributes
      end

      ATTRIBUTES = {
        "ENVELOPE" => :envelope_attribute, "FLAGS" => :flags_attribute, "INTERNALDATE" => :date_attribute, "RFC822" => :text_attribute,
        "RFC822.HEADER" => :text_attribute, "RFC822.TEXT" => :text_attribute, "RFC822.SIZE" => :number_attribute, "UID" => :number_attribute,
        "BODY" => :body_attribute, "BODYSTRUCTURE" => :body_attribute, "MODSEQ" => :modseq_attribute
      }.freeze
      private_constant :ATTRIBUTES

      def envelope_attribute(name) = [name, take(:SPACE) && envelope]
      def flags_attribute(name) = [name, take(:SPACE) && flag_list]
      def date_attribute(name) = [name, take(:SPACE) && unquoted(take(:QUOTED))]
      def number_attribute(name) = [name, take(:SPACE) && number]
      def modseq_attribute(name) = [name, take(:SPACE) && in_parentheses { number }]

      def text_attribute(name)
        take(:RBRA) if accept(:LBRA)
        take(:SPACE)
        [name, nstring]
      end

      def body_attribute(name)
        return [name, body] if accept(:SPACE)
        # The section, and from which byte on the part is where one was asked for.
        name = "#{name}#{section}#{accept(:ATOM)}"
        take(:SPACE)
        [name, nstring]
      end

      def section
        written = take(:LBRA) + take(:ATOM, :NUMBER, :RBRA)
        return written if written == "[]"
        if (space = accept(:SPACE))
          written += space + take(:LPAR)
          written += accept(:SPACE) || section_name until at?(:RPAR)
          written += take(:RPAR)
        end
        written + take(:RBRA)
      end

      def section_name = StringFormatter.written(astring.to_s)

      def envelope
        return if accept(:NIL)
        in_parentheses do
          Envelope.new(*spaced(%i(nstring nstring address_list address_list address_list address_list address_list address_list nstring nstring)))
        end
      end

      def address_list
        items { in_parentheses { Address.new(*spaced(%i(nstring nstring nstring nstring))) } } unless accept(:NIL)
      end

      def body
        return if accept(:NIL)
        in_parentheses { at?(:LPAR) ? multipart : single_part }
      end

      def multipart
        parts = []
        parts << body until accept(:SPACE)
        BodyTypeMultipart.new("MULTIPART", upcased, parts, *extensions(:parameters, :disposition, :language, :body_extensions))
      end

      def single_part
        type = upcased
        case type
        when "ATTACHMENT"
          take(:SPACE)
          return BodyTypeAttachment.new(type, nil, parameters)
        when "MIXED"
          # A multipart without its parts: what was read is the subtype.
          param, *ending = extensions(:parameters, :disposition, :language, :body_extensions)
          return BodyTypeBasic.new("MULTIPART", type, param, nil, nil, nil, nil, nil, *ending)
        end
        subtype = upcased if accept(:SPACE)
        return BodyTypeBasic.new(type, subtype) if at?(:RPAR) && type != "TEXT" && type != "MESSAGE"
        take(:SPACE)
        typed_part(type, subtype, spaced(%i(parameters nstring nstring upcased number)))
      end

      def typed_part(type, subtype, fields)
        kind, readers =
          case type
          when "TEXT" then [BodyTypeText, %i(number)]
          when "MESSAGE" then [BodyTypeMessage, %i(envelope body number)]
          else return BodyTypeBasic.new(type, subtype, *fields, *single_extensions)
          end
        if type == "MESSAGE" && at?(:RPAR)
          # A message may be described like any attachment, without what is in it.
          return subtype == "RFC822" ? kind.new(type, subtype, *fields) : BodyTypeExtension.new(type, subtype, *fields)
        end
        take(:SPACE)
        kind.new(type, subtype, *fields, *spaced(readers), *single_extensions)
      end

      def single_extensions = extensions(:nstring, :disposition, :language, :body_extensions)

      # These may end after any of them.
      def extensions(*readers)
        readers.each_with_object([]) do |reader, values|
          return values unless accept(:SPACE)
          values << __send__(reader)
        end
      end

      def parameters
        items { [upcased, take(:SPACE) && string] }.to_h unless accept(:NIL)
      end

      def disposition
        in_parentheses { ContentDisposition.new(*spaced(%i(upcased parameters))) } unless accept(:NIL)
      end

      def language = at?(:LPAR) ? items { upcased } : nstring&.upcase

      def body_extensions
        values = []
        until at?(:RPAR)
          values << body_extension unless accept(:SPACE)
        end
        values
      end

      def body_extension
        return in_parentheses { body_extensions } if at?(:LPAR)
        at?(:NUMBER) ? number : nstring
      end

      def flags(name)
        take(:SPACE)
        untagged(name, flag_list)
      end

      def list(name)
        take(:SPACE)
        attributes = flag_list
        take(:SPACE)
        delimiter = unquoted(take(:QUOTED, :NIL))
        take(:SPACE)
        untagged(name, MailboxList.new(attributes, delimiter, astring))
      end

      # Usage and limit stay the digits that they were; without a limit there are none.
      def quota(name)
        take(:SPACE)
        mailbox = astring
        take(:SPACE)
        numbers = in_parentheses do
          next if at?(:RPAR)
          take(:ATOM)
          Array.new(2) { take(:SPACE) && take(:NUMBER) }
        end
        untagged(name, MailboxQuota.new(mailbox, *numbers))
      end

      def quota_roots(name)
        take(:SPACE)
        mailbox = astring
        roots = []
        roots << astring while accept(:SPACE)
        untagged(name, MailboxQuotaRoot.new(mailbox, roots))
      end

      def acl(name)
        take(:SPACE)
        mailbox = astring
        rights = []
        rights << MailboxACLItem.new(*spaced(%i(astring astring)), mailbox) while accept(:SPACE) && !at?(:CRLF)
        untagged(name, rights)
      end

      def search(name)
        numbers = []
        while accept(:SPACE)
          next if at?(:CRLF)
          at?(:LPAR) ? in_parentheses { take(:ATOM) && take(:SPACE) && take(:NUMBER) } : numbers << number
        end
        untagged(name, numbers)
      end

      def threads(name)
        found = []
        found << thread_branch while accept(:SPACE) || at?(:LPAR)
        untagged(name, found.compact)
      end

      # Numbers follow each other down a branch; parentheses are several branches below the last one.
      def thread_branch
        return if at?(:CRLF)
        root = last = nil
        take(:LPAR)
        until accept(:RPAR)
          next if accept(:SPACE)
          branch = at?(:LPAR)
          root = last = ThreadMember.new(nil, []) if branch && !root
          member = branch ? thread_branch : ThreadMember.new(number, [])
          root ? last.children << member : root = member
          last = member unless branch
        end
        root
      end

      def status(name)
        take(:SPACE)
        mailbox = astring
        take(:SPACE)
        untagged(name, StatusData.new(mailbox, items { [atom_name, take(:SPACE) && number] }.to_h))
      end

      def capability(name)
        take(:SPACE)
        untagged(name, capabilities)
      end

      def capabilities
        names = []
        until at?(:CRLF) || at?(:RBRA)
          names << words.upcase unless accept(:SPACE)
        end
        names
      end

      def id(name)
        take(:SPACE)
        untagged(name, accept(:NIL) ? nil : items { [string, take(:SPACE) && nstring] }.to_h)
      end

      def namespaces(name)
        take(:SPACE)
        untagged(name, Namespaces.new(*spaced(%i(namespace_list namespace_list namespace_list))))
      end

      def namespace_list = accept(:NIL) ? [] : items { in_parentheses { Namespace.new(string, take(:SPACE) && string, namespace_extensions) } }

      def namespace_extensions
        return {} unless accept(:SPACE)
        name = string
        take(:SPACE)
        { name => items { string } }
      end

      def response_text
        return ResponseText.new(nil, @scanner.scan(TEXT)) unless @scanner.skip(TOKENS[:LBRA])
        code = response_code
        take(:RBRA)
        # Some servers leave out the space.
        @scanner.skip(/ /n)
        ResponseText.new(code, @scanner.scan(TEXT))
      end

      def response_code
        name = atom_name
        data =
          case name
          when "ALERT", "PARSE", "READ-ONLY", "READ-WRITE", "TRYCREATE", "NOMODSEQ" then nil
          when "BADCHARSET" then accept(:SPACE) ? items { at?(:QUOTED) ? string : words } : []
          when "CAPABILITY" then capabilities
          when "PERMANENTFLAGS" then take(:SPACE) && flag_list
          when "UIDVALIDITY", "UIDNEXT", "UNSEEN" then take(:SPACE) && number
          else accept(:SPACE) && @scanner.scan(CODE_TEXT)
          end
        ResponseCode.new(name, data)
      end

      # System flags are symbols, keywords are strings.
      def flag_list
        @scanner.scan_until(/\(([^)]*)\)/n) or fail_with("invalid flag list")
        @scanner[1].scan(FLAG).map { |flag, keyword| keyword || flag.capitalize.to_sym }
      end

      def in_parentheses
        take(:LPAR)
        value = yield
        take(:RPAR)
        value
      end

      # What is in parentheses, with spaces between.
      def items
        values = []
        take(:LPAR)
        until accept(:RPAR)
          values << yield unless accept(:SPACE)
        end
        values
      end

      # What the readers read, with a space between each two.
      def spaced(readers)
        readers.each_with_index.map do |reader, at|
          take(:SPACE) if at > 0
          __send__(reader)
        end
      end

      def nstring = string
      def upcased = string&.upcase
      def string = accept(:NIL) ? nil : string_of(take(:QUOTED, :LITERAL))
      def astring = at?(:QUOTED) || at?(:LITERAL) || at?(:NIL) ? string : astring_characters
      def astring_characters = (@scanner.scan(ASTRING) or unexpected(:ATOM)).b
      def words = -(@scanner.scan(WORDS) or unexpected(:ATOM)).b
      def atom_name = take(:ATOM).upcase
      def number = accept(:NIL) ? nil : take(:NUMBER).to_i

      # A literal's length precedes it; it may be any bytes.
      def string_of(token)
        return unquoted(token) if token.start_with?('"')
        size = token[1..].to_i
        start = @scanner.pos
        @scanner.pos = [start + size, @text.bytesize].min
        @text.byteslice(start, size)
      end

      def unquoted(token) = token.start_with?('"') ? token[1...-1].gsub(/\\(["\\])/n, '\1') : nil

      def at?(kind) = kind_here == kind

      def accept(kind) = at?(kind) ? @scanner.scan(TOKENS[kind]) : nil

      def take(*kinds)
        kind = kind_here
        kinds.include?(kind) ? @scanner.scan(TOKENS[kind]) : unexpected(*kinds)
      end

      # The kind of what is next: the first in the table that matches, found again only when the scanner has moved.
      def kind_here
        return @kind if @kind_at == @scanner.pos
        @kind_at = @scanner.pos
        @kind = TOKENS.find { |_, pattern| @scanner.match?(pattern) }&.first
      end

      def unexpected(*kinds)
        kind = kind_here or fail_with("unknown token - %s", @scanner.check(/\S*/n).dump)
        fail_with(kinds.empty? ? "unexpected token %s" : "unexpected token %s (expected %s)", kind, kinds.join(" or "))
      end

      def fail_with(pattern, *arguments)
        $stderr.printf("@str: %s\n@pos: %d\n", @text.dump, @scanner.pos) if IMAP.respond_to?(:debug) && IMAP.debug
        raise ResponseParseError, format(pattern, *arguments.first(pattern.count("%")))
      end
    end
  end
end
