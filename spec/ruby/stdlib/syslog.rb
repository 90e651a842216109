require "syslog/logger"
p Syslog::LOG_INFO, Syslog::LOG_PID, Syslog.opened?, (Syslog.info("x") rescue $!)
Syslog.open("prog", Syslog::LOG_PID, Syslog::LOG_DAEMON)
p Syslog.ident, Syslog.options, Syslog.facility, Syslog.mask, Syslog.opened?, Syslog.inspect
p Syslog.log(Syslog::LOG_ERR, "a %d %s", 1, "b").equal?(Syslog), Syslog.warning("x %%").equal?(Syslog), (Syslog.open("a") rescue $!)
p Syslog.mask = Syslog::LOG_UPTO(Syslog::LOG_ERR), Syslog::LOG_MASK(3)
p Syslog.close, (Syslog.close rescue $!), Syslog.ident
logger = Syslog::Logger.new("program", Syslog::LOG_LOCAL0)
p logger.level, logger.info("x"), logger.debug?, logger.formatter.class, logger.facility, logger.add(Logger::WARN, "m"), logger.unknown("z")
logger.level = Logger::ERROR
p logger.warn?, logger.error?, logger.info("x"), Syslog::Logger::LEVEL_MAP, logger.formatter.call(nil, nil, nil, " 5% \e[31mred\n")
p Syslog::Macros.instance_methods.sort, Syslog::Facility.constants.sort, Syslog::Level.constants.sort, Syslog::Option.constants.sort
