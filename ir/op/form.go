package op

// A form is the syntax of an instruction after its name, as a pattern of atoms and literal words separated
// by single spaces or written together. The atoms:
//
//	%name   an operand with its type: "%1 : $*T"            %name/  an operand without its type
//	%*name  a list of operands with types, by commas (may be empty)
//	$       a type: "$T" or "$*T", kept in Inst.Types        @       a function or global name: SymbolAux
//	#       a field, case or declaration: MemberAux          N       an integer: IntAux
//	S       a string, with an encoding word in front if the Aux is a StringAux
//	W       a bare word: WordsAux                            ^       a successor block with its arguments in parentheses
//	[q]     the place of qualifiers of the row other than right after the name; [] right after the name is implied
//	?(…)    the part may be absent
//
// A trailing comma list that no atom covers is kept in Inst.Tail. Every form ends with that tail and the
// location and scope suffix, which are not written in the pattern.
