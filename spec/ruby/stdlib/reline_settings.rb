# What Reline is set to, and its history: no line is read.
require "reline"

def failing
  yield
rescue => error
  [error.class, error.message]
end

history = Reline::HISTORY
history << "a"
history.push("b", "c")
history.concat(["d"])
p history.size, history[0], history[-1], history.to_s, history.inspect
p failing { history[9] }, failing { history[-9] }, failing { history[2**40] }, failing { history[9] = "q" }, failing { history.delete_at(44) }
history[1] = "z"
p history.to_a, history.delete_at(0), history.pop, history.shift, history.empty?, history.length
p history.each.class, history.clear.equal?(history), history.map(&:itself)
p failing { history << :sym }, failing { history.push(nil) }
line = "x"
history << line
p history[0].equal?(line), history[0].frozen?

%i(completion_append_character basic_word_break_characters completer_word_break_characters basic_quote_characters completer_quote_characters filename_quote_characters special_prefixes
   completion_case_fold completion_proc output_modifier_proc prompt_proc auto_indent_proc pre_input_hook dig_perfect_match_proc autocompletion last_incremental_search
   completion_quote_character line_buffer point emacs_editing_mode? vi_editing_mode? eof? encoding_system_needs).each { |name| p [name, Reline.public_send(name)] }
["", "ab", "c", nil].each do |given|
  Reline.completion_append_character = given
  p [given, Reline.completion_append_character]
end
[:x, nil, proc { 1 }].each do |given|
  %i(completion_proc pre_input_hook dig_perfect_match_proc prompt_proc output_modifier_proc auto_indent_proc).each do |name|
    p [name, failing { Reline.public_send(:"#{name}=", given).class }]
  end
end
Reline.basic_word_break_characters = "ab"
p Reline.basic_word_break_characters
p failing { Reline.input = 3 }, failing { Reline.output = 3 }
p Reline.vi_editing_mode, Reline.vi_editing_mode?, Reline.emacs_editing_mode?, Reline.emacs_editing_mode, Reline.emacs_editing_mode?
p Reline::FILENAME_COMPLETION_PROC, Reline::USERNAME_COMPLETION_PROC, Reline::CursorPos.members, Reline::Key.members, Reline::DialogRenderInfo.members
p failing { Reline.add_dialog_proc(:a, 3) }, Reline.add_dialog_proc(:a, proc {}).class, Reline.dialog_proc(:a).class, Reline.dialog_proc(:zz), Reline.core.class
