package main

import (
	"bytes"
	"compress/gzip"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"silvm/ir/mangle"
)

// item is one item at the top of a text.
type item struct {
	text string
	full string // of a function, with its body
	name string // of a type or extension, of the class or the type of a table, or of a function; "" for others
	kind itemKind
}

type itemKind uint8

const (
	otherItem itemKind = iota
	typeItem
	tableItem
	functionItem
)

// writeHeads writes what a text of a module of Foundation says of the types of which silvm brings functions along (library/*.txt), and of what these
// store: their declarations, their tables, and the heads of the functions in these.
func writeHeads(path string, texts []string) {
	var all [][]item
	declared := map[string][]string{}
	public := map[string]bool{}
	for _, from := range texts {
		items := itemsOf(read(from))
		for k := range items {
			public[items[k].name] = public[items[k].name] || items[k].isPublic()
			if it := &items[k]; it.kind == typeItem {
				declared[it.name] = append(declared[it.name], storedIn(it.text))
			}
		}
		all = append(all, items)
	}
	needed := map[string]bool{"Locale": true, "RecoverableError": true}
	ours := map[string]bool{}
	for _, list := range glob("library/*.txt") {
		for symbol := range strings.FieldsSeq(read(list)) {
			ours["$s"+strings.TrimPrefix(symbol, "library_")] = true
			said, _ := mangle.MentionsOf("$s"+strings.TrimPrefix(symbol, "library_"), func(name string) bool { return declared[name] != nil })
			for _, m := range said.All {
				needed[m.Name] = true
			}
		}
	}
	for _, path := range glob("library/*objects.sil") {
		for _, m := range typeOf.FindAllStringSubmatch(read(path), -1) {
			if declared[m[1]] != nil {
				needed[m[1]] = true
			}
		}
	}
	var work []string
	for name := range needed {
		work = append(work, name)
	}
	for len(work) > 0 {
		name := work[len(work)-1]
		work = work[:len(work)-1]
		for _, text := range declared[name] {
			for _, word := range wordOf.FindAllString(text, -1) {
				if !needed[word] && declared[word] != nil {
					needed[word] = true
					work = append(work, word)
				}
			}
		}
	}
	for k, items := range all {
		items = slices.DeleteFunc(items, func(it item) bool { // one module's own ProcessInfo
			return it.kind == typeItem && public[it.name] && !it.isPublic() && !strings.Contains(it.text, "extension ")
		})
		writeModule(path, texts[k], items, needed, ours)
	}
}

func glob(pattern string) []string {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		log.Fatal(err)
	}
	return paths
}

// writeModule writes the part of one module. A class whose deinit silvm does not bring along has none in its table: its objects are destroyed as they are
// stored.
func writeModule(path, from string, items []item, needed, ours map[string]bool) {
	module, _, _ := strings.Cut(filepath.Base(from), "-")
	module = strings.TrimSuffix(module, ".sil")
	functions := map[string]bool{}
	for k := range items {
		it := &items[k]
		if it.kind == tableItem && needed[it.name] {
			it.text = deinitOf.ReplaceAllStringFunc(it.text, func(line string) string {
				if ours[deinitOf.FindStringSubmatch(line)[1]] {
					return line
				}
				return ""
			})
			for _, m := range symbolOf.FindAllStringSubmatch(it.text, -1) {
				functions[m[1]] = true
			}
		}
	}
	for k := range items { // a witness that only calls what silvm brings along does so
		it := &items[k]
		if it.kind != functionItem || !functions[it.name] || !strings.HasSuffix(it.name, "TW") {
			continue
		}
		called := symbolOf.FindAllStringSubmatch(it.full, -1)
		if slices.ContainsFunc(called, func(m []string) bool { return ours[m[1]] }) {
			it.text = it.full
			for _, m := range called {
				functions[m[1]] = true
			}
		}
	}
	var b bytes.Buffer
	for _, it := range items {
		switch {
		case it.kind == otherItem, needed[it.name] && it.kind != functionItem, it.kind == functionItem && functions[it.name]:
			b.WriteString(it.text + "\n\n")
		}
	}
	var zipped bytes.Buffer
	z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if _, err := z.Write(b.Bytes()); err != nil {
		log.Fatal(err)
	}
	if err := z.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(path+strings.ToLower(module)+".sil.gz", zipped.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
}

var (
	deinitOf = regexp.MustCompile(`(?m)^ *#\w+(?:\.\w+)*!deallocator: @(\$s\w+).*\n`)
	typeOf   = regexp.MustCompile(`\$\*?(\w+)`)
	wordOf   = regexp.MustCompile(`\w+`)
	symbolOf = regexp.MustCompile(`@(\$s\w+)`)
	tableOf  = regexp.MustCompile(`^sil_(?:vtable|witness_table)(?: \[serialized\]| shared| public_external| hidden| public)*(?: <[^>]*>)? (\w+)`)
	headOf   = regexp.MustCompile(`\b(?:struct|class|enum|protocol|extension|typealias|actor) (\w+)`)
	storing  = regexp.MustCompile(`@_hasStorage|^ *(?:indirect )?case |\btypealias |\bassociatedtype |\b(?:struct|class|enum|actor|protocol) \w|^ *}$`)
)

// itemsOf cuts a text into its items.
func itemsOf(text string) (items []item) {
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if line == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "}") {
			continue
		}
		body := line
		if strings.HasSuffix(strings.TrimRight(line, " "), "{") {
			end := strings.Index(text, "\n}")
			if strings.HasPrefix(text, "}") {
				end = -1
			}
			if end >= 0 {
				body += "\n" + text[:end] + "\n}"
				text = text[end+2:]
			} else {
				body += "\n}"
			}
			_, text, _ = strings.Cut(text, "\n")
		}
		it := item{text: body}
		switch {
		case strings.HasPrefix(line, "sil_stage"), strings.HasPrefix(line, "import "):
		case strings.HasPrefix(line, "sil_vtable"), strings.HasPrefix(line, "sil_witness_table"):
			if m := tableOf.FindStringSubmatch(line); m != nil {
				it.kind, it.name = tableItem, m[1]
			} else {
				continue
			}
		case strings.HasPrefix(line, "sil "):
			_, name, _ := strings.Cut(line, "@$s")
			name, _, _ = strings.Cut(name, " ")
			_, typ, _ := strings.Cut(line, " : ")
			it.kind, it.name = functionItem, "$s"+name
			it.full = body
			it.text = "sil @$s" + name + " : " + strings.TrimSuffix(typ, " {")
		case strings.HasPrefix(line, "sil_"), strings.HasPrefix(line, "#"):
			continue
		default:
			m := headOf.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			it.kind, it.name = typeItem, m[1]
		}
		items = append(items, it)
	}
	return items
}

func (it item) isPublic() bool {
	line, _, _ := strings.Cut(it.text, "\n")
	return it.kind == typeItem && (strings.Contains(line, "public ") || strings.Contains(line, "open "))
}

// storedIn returns a declaration with those of its lines that say how it is stored.
func storedIn(text string) string {
	lines := strings.Split(text, "\n")
	if len(lines) < 3 {
		return text
	}
	kept := []string{lines[0]}
	skipped := "" // the end of what is left out
	for _, line := range lines[1 : len(lines)-1] {
		switch indent := line[:len(line)-len(strings.TrimLeft(line, " "))]; {
		case skipped != "":
			if line == skipped {
				skipped = ""
			}
		case storing.MatchString(line):
			kept = append(kept, line)
		case strings.HasSuffix(line, "{"):
			skipped = indent + "}"
		}
	}
	return strings.Join(append(kept, lines[len(lines)-1]), "\n")
}
