# What can go wrong with gems: mostly for programs that rescue it.
require "rubygems"

module Gem
  class CommandLineError < Exception; end

  class UnknownCommandError < Exception
    attr_reader :unknown_command

    def initialize(unknown_command)
      super("Unknown command #{unknown_command}")
      @unknown_command = unknown_command
    end
  end

  class DependencyError < Exception; end
  class DependencyRemovalException < Exception; end

  class DependencyResolutionError < DependencyError
    attr_reader :conflict

    def initialize(conflict)
      @conflict = conflict
      first, second = conflicting_dependencies
      super("conflicting dependencies #{first} and #{second}\n#{conflict.explanation}")
    end
    def conflicting_dependencies = @conflict.conflicting_dependencies
  end

  class GemNotInHomeException < Exception
    attr_accessor :spec
  end

  class DocumentError < Exception; end
  class EndOfYAMLException < Exception; end

  class FilePermissionError < Exception
    attr_reader :directory

    def initialize(directory)
      @directory = directory
      super("You don't have write permissions for the #{directory} directory.")
    end
  end

  class FormatException
    attr_accessor :file_path
  end

  class SpecificGemNotFoundException < GemNotFoundException
    attr_reader :name, :version, :errors

    def initialize(name, version, errors = nil)
      super("Could not find a valid gem '#{name}' (#{version}) locally or in a repository")
      @name = name
      @version = version
      @errors = errors
    end
  end

  class ImpossibleDependenciesError < Exception
    attr_reader :conflicts, :request

    def initialize(request, conflicts)
      @request = request
      @conflicts = conflicts
      super(build_message)
    end
    def dependency = @request.dependency
    def build_message
      requester = @request.requester.respond_to?(:spec) ? @request.requester.spec.full_name : "The user"
      lines = ["#{requester} requires #{@request.dependency} but it conflicted:"]
      @conflicts.each { |_, conflict| lines << conflict.explanation }
      "#{lines.join("\n")}\n"
    end
  end

  class RuntimeRequirementNotMetError < InstallError
    attr_accessor :suggestion
    def message = [suggestion, super].compact.join("\n\t")
  end

  class OperationNotSupportedError < Exception; end
  class RemoteError < Exception; end
  class RemoteInstallationCancelled < Exception; end
  class RemoteInstallationSkipped < Exception; end
  class RemoteSourceException < Exception; end
  class RubyVersionMismatch < Exception; end
  class VerificationError < Exception; end

  # Ends the program with a status.
  class SystemExitException < SystemExit
    attr_accessor :exit_code

    def initialize(exit_code)
      super(exit_code, "Exiting RubyGems with exit_code #{exit_code}")
      @exit_code = exit_code
    end
  end

  class UninstallError < Exception
    attr_accessor :spec
  end

  class UnsatisfiableDependencyError < DependencyError
    attr_reader :dependency
    attr_accessor :errors

    # `dep`: a request, which knows whether the user made it.
    def initialize(dep, platform_mismatch = nil)
      if platform_mismatch && !platform_mismatch.empty?
        platforms = platform_mismatch.map { |each| each.platform.to_s }
        super("Unable to resolve dependency: No match for '#{dep}' on this platform. Found: #{platforms.join(", ")}")
      elsif dep.explicit?
        super("Unable to resolve dependency: user requested '#{dep}'")
      else
        super("Unable to resolve dependency: '#{dep.request_context}' requires '#{dep}'")
      end
      @dependency = dep
      @errors = []
    end
    def name = @dependency.name
    def version = @dependency.requirement
  end
  UnsatisfiableDepedencyError = UnsatisfiableDependencyError
end
