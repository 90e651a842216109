execute 'true' do
  cwd '@ROOT@/t'
  environment 'WORD' => 'said'
  not_if 'test "$WORD" = said && test "$PWD" = @ROOT@/t'
end
