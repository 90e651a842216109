class Chef
  module Mixin
    # The user that runs `brew`: a given one, else the owner of the executable.
    module Homebrew
      include Chef::Mixin::Which

      BREW_DIRS = %w{/opt/homebrew/bin /usr/local/bin /home/linuxbrew/.linuxbrew/bin}.freeze

      def find_homebrew_uid(user = nil)
        return user if user.is_a?(Integer)
        return Etc.getpwnam(user).uid if user

        @homebrew_owner_uid ||= owner_of_brew
      end

      def find_homebrew_username(user = nil) = @homebrew_owner_username ||= Etc.getpwuid(find_homebrew_uid(user)).name

      def homebrew_bin_path(given = nil)
        return given if given && File.exist?(given)

        found = which("brew", prepend_path: BREW_DIRS)
        found || raise(Chef::Exceptions::CannotDetermineHomebrewPath, 'Couldn\'t find the "brew" executable anywhere on the path.')
      end

      private

      def owner_of_brew
        File.stat(homebrew_bin_path).uid.tap { |uid| Chef::Log.debug("Found Homebrew owner #{Etc.getpwuid(uid).name}; executing `brew` commands as them") }
      end
    end

    # Chef's name before 18.
    HomebrewUser = Homebrew
  end
end
