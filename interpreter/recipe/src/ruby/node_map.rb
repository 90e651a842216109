class Chef
  # Classes by a key, each for the nodes that its filters let through; the narrowest filters come first.
  class NodeMap
    COLLISION_WARNING = "%{type_caps} %{key} built into %{client_name} is being overridden by the %{type} from a cookbook. Please upgrade your cookbook or remove the cookbook from your run_list."
    # How filters rank, the most telling first.
    RANKED = %i{block platform_version platform platform_family os override}.freeze
    private_constant :RANKED

    def set(key, klass, platform: nil, platform_version: nil, platform_family: nil, os: nil, override: nil, chef_version: nil, target_mode: nil, &block)
      given = { platform: platform, platform_version: platform_version, platform_family: platform_family, os: os, block: block, override: override }
      matcher = { klass: klass }.merge(given.compact).merge(target_mode: target_mode)
      return map if chef_version && Chef::VERSION !~ chef_version

      warn_of_collision(key, klass) if map[key]&.any? { |known| known[:locked] }
      list = map[key] ||= []
      place = list.index { |known| compare(matcher, known) <= 0 } || list.size
      list.insert(place, matcher)
      map
    end

    def get(node, key) = map[key]&.find { |matcher| node_matches?(node, matcher) }&.fetch(:klass)
    def list(node, key) = (map[key] || []).select { |matcher| node_matches?(node, matcher) }.map { |matcher| matcher[:klass] }

    def delete_class(klass)
      raise "please use a Class type for the klass argument" unless klass.is_a?(Class)

      map.keys.each_with_object({}) do |key, deleted|
        gone, kept = map[key].partition { |matcher| matcher[:klass].to_s == klass.to_s }
        deleted[key] = gone unless gone.empty?
        kept.empty? ? map.delete(key) : map[key] = kept
      end
    end

    def locked? = !!@locked

    def lock!
      map.each_value { |matchers| matchers.each { |matcher| matcher[:locked] = true } }
      @locked = true
    end

    private

    def map = @map ||= {}

    def warn_of_collision(key, klass)
      type = if klass < Chef::Resource then "resource"
             elsif klass < Chef::Provider then "provider"
             else klass.superclass.to_s
             end
      Chef::Log.warn(format(COLLISION_WARNING, type: type, key: key, type_caps: type.capitalize, client_name: ChefUtils::Dist::Infra::PRODUCT))
    end

    def node_matches?(node, matcher)
      return true unless node

      %i{os platform_family platform}.all? { |attribute| allowed?(node, matcher, attribute) } && version_fits?(node, matcher) &&
        (matcher[:block].nil? || matcher[:block].call(node))
    end

    def allowed?(node, matcher, attribute)
      return true unless matcher[attribute]

      value = node[attribute]
      refused, wanted = Array(matcher[attribute]).partition { |name| name.is_a?(String) && name.start_with?("!") }
      return false if refused.any? { |name| same?(node, attribute, name[1..], value) }

      wanted.empty? || wanted.any? { |name| name == :all || same?(node, attribute, name, value) }
    end

    # A family may be one of the groups that ChefUtils knows, such as `fedora_derived`.
    def same?(node, attribute, name, value)
      return true if name == value

      attribute == :platform_family && ChefUtils.respond_to?("#{name}?") && !!ChefUtils.public_send("#{name}?", node)
    end

    def version_fits?(node, matcher)
      wanted = Array(matcher[:platform_version])
      wanted.empty? || wanted.any? { |constraint| Gem::Requirement.new(constraint).satisfied_by?(Gem::Version.new(node[:platform_version])) }
    end

    def compare(left, right)
      RANKED.each do |name|
        order = rank(left[name], right[name])
        return order if order && order != 0
      end
      0
    end

    def rank(left, right)
      return 0 if !left && !right
      return 1 unless left
      return -1 unless right

      refusing = [left, right].map { |filter| Array(filter).any? { |name| name.is_a?(String) && name.start_with?("!") } }
      return refusing[0] ? 1 : -1 if refusing[0] != refusing[1]

      left <=> right
    end
  end
end
