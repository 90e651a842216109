class Chef
  module Mixin
    # Who runs `brew`: its owner, unless a user is named.
    module Homebrew
      include Chef::Mixin::Which

      BREW_DIRS = %w{/opt/homebrew/bin /usr/local/bin /home/linuxbrew/.linuxbrew/bin}.freeze

      def find_homebrew_uid(user = nil)
        return user if user.is_a?(Integer)
        return Etc.getpwnam(user).uid if user

        @homebrew_owner_uid ||= File.stat(homebrew_bin_path).uid
      end

      def find_homebrew_username(user = nil) = @homebrew_owner_username ||= Etc.getpwuid(find_homebrew_uid(user)).name

      def homebrew_bin_path(given = nil)
        return given if given && File.exist?(given)

        found = which("brew", prepend_path: BREW_DIRS)
        found || raise(Chef::Exceptions::CannotDetermineHomebrewPath, 'Couldn\'t find the "brew" executable anywhere on the path.')
      end
    end

    # The name that Chef had before 18.
    HomebrewUser = Homebrew
  end
end
