package repl

import (
	"fmt"
	"slices"
	"strings"

	"silvm/ir/tables"
)

// command is one row of the table.
type command struct {
	name    string
	aliases []string
	group   string
	usage   string // what follows the name
	help    string // first line is the short form
	run     func(r *REPL, c call) error
	repeats bool   // an empty line does it again
	back    string // the command that rev NAME means, "" when it can't run backwards
	args    kind   // what completion offers
}

// kind says what the arguments of a command are.
type kind uint8

const (
	nothing   kind = iota
	places         // functions, blocks, values
	values         // variables, values, objects
	objects        // objects and classes
	events         // words for changes of counts, then objects and classes
	files          //
	commands_      // names of commands
	marks          // bookmarks
	numbers        // of breakpoints
)

// The groups, in the order of help.
var groups = []string{"running", "going back", "breakpoints", "data", "objects", "session"}

// commands has all of them, and byWord each by its names; init fills both because help looks at them.
var (
	commands []command
	byWord   = map[string]*command{}
)

func init() {
	commands = slices.Concat(runCommands, queryCommands, breakCommands, dataCommands, setCommands, objectCommands, sessionCommands)
	slices.SortStableFunc(commands, func(a, b command) int { return slices.Index(groups, a.group) - slices.Index(groups, b.group) })
	for n := range commands {
		c := &commands[n]
		for _, word := range append([]string{c.name}, c.aliases...) {
			tables.Enter(byWord, "commands", word, c)
		}
	}
}

// lookup finds a command by its name, an alias or a unique prefix.
func lookup(word string) (*command, error) {
	if c := byWord[word]; c != nil {
		return c, nil
	}
	var found []*command
	for n := range commands {
		c := &commands[n]
		if strings.HasPrefix(c.name, word) {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, fmt.Errorf("no command %s; try help, or apropos WORD", clean(word))
	}
	var names []string
	for _, c := range found {
		names = append(names, c.name)
	}
	return nil, fmt.Errorf("%s may mean %s", word, strings.Join(names, ", "))
}

// title returns the first line of the help.
func (c *command) title() string {
	line, _, _ := strings.Cut(c.help, "\n")
	return line
}

func doHelp(r *REPL, c call) error {
	if c.args == "" {
		for _, g := range groups {
			r.printf("%s:\n", r.paint(Name, g))
			for n := range commands {
				if x := &commands[n]; x.group == g {
					head := x.name
					if len(x.aliases) > 0 {
						head += " (" + strings.Join(x.aliases, " ") + ")"
					}
					r.printf("  %-24s %s\n", head, x.title())
				}
			}
		}
		r.printf("help COMMAND tells more. Prefixes that are unique do; Enter repeats; Ctrl-C stops the program.\n")
		return nil
	}
	word, _ := cutWord(c.args)
	x, err := lookup(word)
	if err != nil {
		return err
	}
	r.printf("%s\n", strings.TrimRight(r.paint(Name, x.name)+" "+x.usage, " "))
	if len(x.aliases) > 0 {
		r.printf("also: %s\n", strings.Join(x.aliases, ", "))
	}
	if x.back != "" {
		r.printf("backwards: %s, or rev %s\n", x.back, x.name)
	}
	r.printf("%s\n", x.help)
	return nil
}

func doApropos(r *REPL, c call) error {
	if c.args == "" {
		return fmt.Errorf("apropos needs a word")
	}
	any := false
	for n := range commands {
		x := &commands[n]
		if strings.Contains(strings.ToLower(x.name+" "+strings.Join(x.aliases, " ")+" "+x.usage+" "+x.help), strings.ToLower(c.args)) {
			r.printf("  %-14s %s\n", x.name, x.title())
			any = true
		}
	}
	if !any {
		return fmt.Errorf("nothing about %s", clean(c.args))
	}
	return nil
}
