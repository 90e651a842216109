class Chef
  module Mixin
    module ConvertToClassName
      extend self

      def convert_to_class_name(text) = normalize_snake_case_name(text).split("_").map { |part| part[0..0].upcase + part[1..].to_s }.join
      def normalize_snake_case_name(text) = text.gsub(/[^A-Za-z0-9_]/, "_").gsub(/\A_+/, "")

      def convert_to_snake_case(text, namespace = nil)
        text = text.sub(/\A#{Regexp.escape(namespace.to_s)}(::)?/, "") if namespace
        text.gsub(/::/, "_").gsub(/([A-Z])/) { "_#{$1}" }.downcase.gsub(/\A_+/, "").squeeze("_")
      end

      def constantize(name) = Object.const_get(name.to_s.delete_prefix("::"))
      def snake_case_basename(text) = convert_to_snake_case(text.rpartition("::").last)

      def filename_to_qualified_string(base, file)
        file = File.basename(file, ".rb")
        file == "default" ? normalize_snake_case_name(base.to_s) : normalize_snake_case_name("#{base}_#{file}")
      end
    end
  end
end
