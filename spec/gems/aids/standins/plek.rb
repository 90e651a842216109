# Addresses of services by their names, as in development.
class Plek
  def self.find(name, **) = "http://#{name}.dev.gov.uk"
  def self.new(*) = self
  def self.current = self
  def self.website_root = ENV["GOVUK_WEBSITE_ROOT"] || "http://www.dev.gov.uk"
  def self.asset_root = "http://static.dev.gov.uk"
  def website_root = self.class.website_root
end
