package repl

import (
	"fmt"
	"slices"
	"strings"
)

// command is one row of the table.
type command struct {
	name    string
	aliases []string
	group   string
	usage   string // what stands behind the name
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
)

// The groups, in the order of help.
var groups = []string{"running", "going back", "breakpoints", "data", "objects", "session"}

// table has all commands; init fills it because help looks at it.
var table []command

func init() {
	table = slices.Concat(runCommands, queryCommands, breakCommands, dataCommands, objectCommands, sessionCommands)
	slices.SortStableFunc(table, func(a, b command) int { return slices.Index(groups, a.group) - slices.Index(groups, b.group) })
	words := map[string]bool{}
	for _, c := range table {
		for _, word := range append([]string{c.name}, c.aliases...) {
			if words[word] {
				panic("two commands are called " + word) // a wrong table
			}
			words[word] = true
		}
	}
}

// lookup finds a command by its name, an alias or a unique prefix.
func lookup(word string) (*command, error) {
	var found []*command
	for n := range table {
		c := &table[n]
		if c.name == word || slices.Contains(c.aliases, word) {
			return c, nil
		}
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
			for n := range table {
				if x := &table[n]; x.group == g {
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
	r.printf("%s %s\n", r.paint(Name, x.name), x.usage)
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
	for n := range table {
		x := &table[n]
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
