# What String's `unicode_normalize` does, as functions.
module UnicodeNormalize
  FORMS = %i[nfc nfd nfkc nfkd].freeze
  private_constant :FORMS

  class << self
    def normalize(string, form = :nfc)
      raise ArgumentError, "Invalid normalization form #{form}." unless FORMS.include?(form)
      string.unicode_normalize(form)
    end
    def normalized?(string, form = :nfc)
      raise ArgumentError, "Invalid normalization form #{form}." unless FORMS.include?(form)
      string.unicode_normalized?(form)
    end
    def nfd_one(string) = string.unicode_normalize(:nfd)
    def nfc_one(string) = string.unicode_normalize(:nfc)
  end
end
