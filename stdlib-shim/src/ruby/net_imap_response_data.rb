# What Net::IMAP sends and receives, as objects: errors, flags, parts of responses, arguments of commands, and how text and times are written.
require "net/protocol"

module Net
  class IMAP < Protocol
    class Error < StandardError; end
    class DataFormatError < Error; end
    class ResponseParseError < Error; end

    # A response that is no success; its text is the message.
    class ResponseError < Error
      attr_accessor :response

      def initialize(response)
        @response = response
        super(response.data.text)
      end
    end

    class NoResponseError < ResponseError; end
    class BadResponseError < ResponseError; end
    class ByeResponseError < ResponseError; end
    class UnknownResponseError < ResponseError; end

    RESPONSE_ERRORS = Hash.new(ResponseError)
    RESPONSE_ERRORS.update("NO" => NoResponseError, "BAD" => BadResponseError)

    # Flags of messages, then those of mailboxes; REMOTE has the letters that the original has.
    {
      SEEN: :Seen, ANSWERED: :Answered, FLAGGED: :Flagged, DELETED: :Deleted, DRAFT: :Draft, RECENT: :Recent,
      NONEXISTENT: :NonExistent, NOINFERIORS: :Noinferiors, NOSELECT: :Noselect, HAS_CHILDREN: :HasChildren, HAS_NO_CHILDREN: :HasNoChildren,
      MARKED: :Marked, UNMARKED: :Unmarked, SUBSCRIBED: :Subscribed, REMOTE: :Remove,
      ALL: :All, ARCHIVE: :Archive, DRAFTS: :Drafts, JUNK: :Junk, SENT: :Sent, TRASH: :Trash
    }.each { |name, flag| const_set(name, flag) }

    class ContinuationRequest < Struct.new(:data, :raw_data); end
    class UntaggedResponse < Struct.new(:name, :data, :raw_data); end
    class IgnoredResponse < Struct.new(:raw_data); end
    class TaggedResponse < Struct.new(:tag, :name, :data, :raw_data); end
    class ResponseText < Struct.new(:code, :text); end
    class ResponseCode < Struct.new(:name, :data); end
    class MailboxList < Struct.new(:attr, :delim, :name); end
    class MailboxQuota < Struct.new(:mailbox, :usage, :quota); end
    class MailboxQuotaRoot < Struct.new(:mailbox, :quotaroots); end
    class MailboxACLItem < Struct.new(:user, :rights, :mailbox); end
    class Namespace < Struct.new(:prefix, :delim, :extensions); end
    class Namespaces < Struct.new(:personal, :other, :shared); end
    class StatusData < Struct.new(:mailbox, :attr); end
    class FetchData < Struct.new(:seqno, :attr); end
    class Envelope < Struct.new(:date, :subject, :from, :sender, :reply_to, :to, :cc, :bcc, :in_reply_to, :message_id); end
    class Address < Struct.new(:name, :route, :mailbox, :host); end
    class ContentDisposition < Struct.new(:dsp_type, :param); end
    class ThreadMember < Struct.new(:seqno, :children); end

    # The obsolete name that most kinds of bodies have for their subtype.
    module MediaSubtype
      def media_subtype
        warn("media_subtype is obsolete, use subtype instead.\n", uplevel: 1)
        subtype
      end
    end
    private_constant :MediaSubtype

    # What every body that is one part starts with.
    fields = %i(media_type subtype param content_id description encoding size)
    ending = %i(md5 disposition language extension)

    class BodyTypeBasic < Struct.new(*fields, *ending)
      include MediaSubtype
      def multipart? = false
    end

    class BodyTypeText < Struct.new(*fields, :lines, *ending)
      include MediaSubtype
      def multipart? = false
    end

    class BodyTypeMessage < Struct.new(*fields, :envelope, :body, :lines, *ending)
      include MediaSubtype
      def multipart? = false
    end

    class BodyTypeAttachment < Struct.new(:media_type, :subtype, :param)
      def multipart? = false
    end

    class BodyTypeMultipart < Struct.new(:media_type, :subtype, :parts, :param, :disposition, :language, :extension)
      include MediaSubtype
      def multipart? = true
    end

    class BodyTypeExtension < Struct.new(:media_type, :subtype, :params, :content_id, :description, :encoding, :size)
      def multipart? = false
    end

    class << self
      # Names of mailboxes are in a UTF-7 of IMAP's own, where `&` begins the base64 of UTF-16 and a comma stands for a slash.
      def decode_utf7(text)
        text.gsub(/&([^-]+)?-/n) do
          coded = $1 or next "&"
          "#{coded.tr(",", "/")}===".unpack1("m").encode(Encoding::UTF_8, Encoding::UTF_16BE)
        end
      end

      def encode_utf7(text)
        coded = text.gsub(/&|[^\x20-\x7e]+/) do |part|
          part == "&" ? "&-" : "&#{[part.encode(Encoding::UTF_16BE)].pack("m0").delete("=").tr("/", ",")}-"
        end
        coded.force_encoding(Encoding::BINARY)
      end

      def format_date(time) = time.strftime("%d-%b-%Y")
      def format_datetime(time) = time.strftime("%d-%b-%Y %H:%M %z")
    end

    # The ranges of the protocol's numbers.
    module NumValidator
      module_function

      def valid_number?(number) = number.between?(0, 0xffff_ffff)
      def valid_nz_number?(number) = number.between?(1, 0xffff_ffff)
      def valid_mod_sequence_value?(number) = number.between?(1, 0xffff_ffff_ffff_fffe)

      def ensure_number(number)
        raise DataFormatError, "number must be unsigned 32-bit integer: #{number}" unless valid_number?(number)
      end

      def ensure_nz_number(number)
        raise DataFormatError, "nz_number must be non-zero unsigned 32-bit integer: #{number}" unless valid_nz_number?(number)
      end

      def ensure_mod_sequence_value(number)
        raise DataFormatError, "mod_sequence_value must be unsigned 64-bit integer: #{number}" unless valid_mod_sequence_value?(number)
      end
    end

    # An argument of a command that says itself how it is written; the client's private methods write it.
    class CommandData
      def initialize(data)
        @data = data
      end

      # What is written as it is must not end the command: a line break would begin another one.
      def validate
        raise DataFormatError, "only literals may contain CR or LF" if @data.to_s.b.match?(/[\r\n]/)
      end
    end
    private_constant :CommandData

    class RawData < CommandData
      def send_data(imap, _tag) = imap.__send__(:put_string, @data)
    end

    class Atom < CommandData
      def send_data(imap, _tag) = imap.__send__(:put_string, @data)
    end

    class QuotedString < CommandData
      def send_data(imap, _tag) = imap.__send__(:send_quoted_string, @data)
    end

    class Literal < CommandData
      def validate = nil
      def send_data(imap, tag) = imap.__send__(:send_literal, @data, tag)
    end

    # Numbers of messages: one, a range, or a list of these; -1 in a range is the last one.
    class MessageSet < CommandData
      def send_data(imap, _tag) = imap.__send__(:put_string, written(@data))
      def validate = check(@data)

      private

      def written(data)
        case data
        when Integer then data == -1 ? "*" : data.to_s
        when Range then "#{written(data.first)}:#{written(data.last)}"
        when Array then data.map { |each| written(each) }.join(",")
        when ThreadMember then written([data.seqno, *data.children].compact)
        else data
        end
      end

      def check(data)
        case data
        when "*" then nil
        when Range then [data.first, data.last].each { |each| raise DataFormatError, data.inspect unless each.is_a?(Integer) || each == "*" }
        when Integer then NumValidator.ensure_nz_number(data)
        when Array then data.each { |each| check(each) }
        when ThreadMember then check(data.children)
        else raise DataFormatError, data.inspect
        end
      end
    end

    # The fields by which a client says what it is.
    class ClientID < CommandData
      def send_data(imap, tag) = imap.__send__(:send_data, written, tag)

      def validate
        valid = @data.to_h.keys.all? { |key| StringFormatter.valid_string?(key) }
        raise DataFormatError, @data.inspect unless valid
      rescue NoMethodError, TypeError
        raise DataFormatError, @data.inspect
      end

      private

      def written
        @data&.to_h&.flat_map { |key, value| [StringFormatter.string(key), StringFormatter.nstring(value)] }
      end
    end

    # How strings are written: as atoms where that can be, else in quotes, and what no quotes can hold as literals.
    module StringFormatter
      LITERAL_REGEX = /[\x80-\xff\r\n]/n

      module_function

      def form(text)
        bytes = text.b
        return :literal if bytes.match?(LITERAL_REGEX)
        bytes.empty? || bytes.match?(/[(){ \x00-\x1f\x7f%*"\\]/n) ? :quoted : :atom
      end

      def written(text, kind = form(text))
        case kind
        when :literal then "{#{text.bytesize}}\r\n#{text}"
        when :quoted then "\"#{text.gsub(/["\\]/) { |char| "\\#{char}" }}\""
        else text
        end
      end

      def valid_string?(text) = text.is_a?(Symbol) || text.respond_to?(:to_str)
      def valid_nstring?(text) = text.nil? || valid_string?(text)
      def nstring(text) = text.nil? ? nil : string(text)

      # These are never atoms.
      def string(text)
        text = text.to_s
        text.b.match?(LITERAL_REGEX) ? Literal.new(text) : QuotedString.new(text)
      end
    end
  end
end
