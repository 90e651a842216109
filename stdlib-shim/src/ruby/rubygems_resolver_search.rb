# The search of a resolver: a gem is decided at a time, its best candidates first. Where that fails, it goes on at the latest decision that has to do with the failure.
require "rubygems/resolver"
require "tsort"

module Gem
  class Resolver
    class Search
      # A gem that is asked for: its candidates once it is decided, the gems that it needs, and the requests for it, of which the last ones are the user's.
      Node = Struct.new(:name, :candidates, :needs, :requests, :own) do
        def copy = Node.new(name, candidates, needs.dup, requests.dup, own.dup)
        def all_requests = requests + own
        def choice = candidates&.last
      end
      # A decision: the request, groups of candidates that are left to try, what is to be decided afterwards, the gems so far, and the names that made tries fail.
      Step = Struct.new(:request, :groups, :waiting, :nodes, :blamed)
      private_constant :Node, :Step

      def initialize(resolver)
        @resolver = resolver
        @steps, @conflicts, @needs = [], {}, {}
      end

      def run(requests)
        nodes = {}
        requests.each { |request| node(nodes, request.name).own << request }
        push(requests, nodes)
        while (step = @steps.last).request
          groups = step.groups
          next retreat(culprits(step)) if groups.empty?
          try(step, groups.pop)
        end
        finish(step.nodes)
      end

      private

      def node(nodes, name) = nodes[name] ||= Node.new(name, nil, [], [], [])

      # The next decision of those that wait; a request that was decided is not asked again.
      def push(waiting, nodes, sort: true)
        waiting = in_order(waiting, nodes) if sort
        request, *waiting = waiting.drop_while { |each| @steps.any? { |step| step.request == each } }
        groups = request ? groups_of(@resolver.search_for(request)) : []
        if request && groups.empty? && @resolver.allow_missing?(request)
          # what may be missing is as if nobody had asked for it
          return push(waiting, without(nodes, request.name), sort: false)
        end
        @steps.push(Step.new(request, groups, waiting, nodes, []))
      end

      def in_order(waiting, nodes)
        @resolver.sort_dependencies(waiting.uniq(&:dependency), nodes.filter_map { |name, node| name if node.candidates }, @conflicts)
      end

      def without(nodes, name)
        nodes.except(name).transform_values { |node| node.copy.tap { |copy| copy.needs.delete(name) } }
      end

      # Versions that need the same are one choice.
      def groups_of(candidates)
        candidates.chunk_while { |one, other| needs_of(one) == needs_of(other) }.to_a
      end
      def needs_of(candidate)
        @needs[[candidate.name, candidate.version, candidate.platform.to_s]] ||= @resolver.dependencies_for(candidate).map(&:dependency).sort_by { |each| [each.name, each.requirement.to_s] }
      end

      # Takes candidates for the gem of a step, or those of them that were taken before.
      def try(step, group)
        name = step.request.name
        nodes = step.nodes.transform_values(&:copy)
        taken = nodes[name].candidates
        group = taken ? common(taken, group) : group.select { |each| @resolver.requirement_satisfied_by?(step.request, nil, each) }
        return conflict(step) if group.empty?

        needed = taken ? [] : @resolver.dependencies_for(group.last)
        return step.blamed |= nodes.keys unless needed.all? { |request| need(nodes, name, request) }
        nodes[name].candidates = group
        # of what was taken already, only the rest is another way
        step.groups.reject! { |other| common(taken, other).empty? } if taken
        return push(step.waiting, nodes, sort: false) if taken
        @conflicts.delete(name)
        push(step.waiting + needed, nodes, sort: !needed.empty?)
      end

      # Sets make new objects for the same version, so these are compared.
      def common(taken, group) = taken.select { |each| group.include?(each) }

      # False where the gem needs this one in turn: any other choice might avoid that.
      def need(nodes, name, request)
        if reaches?(nodes, request.name, name)
          @circle ||= [request.name, name].uniq
          return false
        end
        node(nodes, request.name).requests << request
        nodes[name].needs |= [request.name]
      end
      def reaches?(nodes, from, to, seen = {})
        return true if from == to
        return false if seen[from] || !nodes[from]
        seen[from] = true
        nodes[from].needs.any? { |name| reaches?(nodes, name, to, seen) }
      end

      # Remembers who asked for what, for the case that there is no way out.
      def conflict(step)
        node = step.nodes[step.request.name]
        root = node.all_requests.first
        root = root.requester.request while root.requester
        @conflicts[node.name] = Conflict.new(root, node.choice, step.request)
      end

      # The gems whose other versions might avoid a failure: those that need the gem, it itself, and what made its candidates fail.
      def culprits(step)
        node = step.nodes[step.request.name]
        [node.name, *node.all_requests.filter_map { |request| request.requester&.name }, *step.blamed]
      end

      def retreat(names)
        @steps.pop
        @steps.pop until @steps.empty? || names.include?(@steps.last.request.name)
        fail_with_first if @steps.empty?
        @steps.last.blamed |= names - [@steps.last.request.name]
      end

      def fail_with_first
        raise DependencyResolutionError, @conflicts.values.first unless @conflicts.empty?
        raise DependencyError, "There is a circular dependency between #{@circle.join(" and ")}"
      end

      def finish(nodes)
        nodes.each_value do |node|
          node.candidates &&= [node.candidates.reverse.find { |each| node.all_requests.all? { |request| @resolver.requirement_satisfied_by?(request, nil, each) } }]
        end
        TSort.tsort(nodes.method(:each_key), ->(name, &block) { nodes[name].needs.each(&block) }).filter_map { |name| nodes[name].choice }
      end
    end
  end
end
