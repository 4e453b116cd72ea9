// Command stdlib writes the facts about the standard library's types that silvm needs into stdlib/ordinary.silh and
// stdlib/embedded.silh, and those of the modules _Concurrency, Synchronization and Observation into files of their own. It reads the libraries as a
// Swift toolchain prints them (_Concurrency wants -I with an empty module SwiftConcurrencyInternalShims):
//
//	swift-frontend -sil-opt LIB/Swift.swiftmodule/x86_64-….swiftmodule -module-name Swift -o Swift.sil
//	go run ./gen/stdlib Swift.sil EmbeddedSwift.sil Concurrency.sil Synchronization.sil Observation.sil
//	go run ./gen/stdlib -newer Swift.sil EmbeddedSwift.sil Concurrency.sil Synchronization.sil Observation.sil
//
//	go run ./gen/stdlib -named stdlib/regex.silh StringProcessing.sil AnyRegexOutput CustomConsumingRegexComponent DSLTree ReferenceID Regex RegexComponent
//	  RegexRepetitionBehavior RegexSemanticLevel RegexWordBoundaryKind _RegexFactory
//
//	go run ./gen/stdlib -named stdlib/regexbuilder.silh RegexBuilder.sil AlternationBuilder Anchor Capture CharacterClass ChoiceOf Local Lookahead NegativeLookahead
//	  One OneOrMore Optionally Reference RegexComponentBuilder Repeat TryCapture ZeroOrMore _BuiltinRegexComponent
//
// These write names of modules of which all releases say the same.
//
//	go run ./gen/stdlib -foundation library/heads_ FoundationEssentials.sil Foundation.sil
//	go run ./gen/stdlib -foundation library/newer_heads_ FoundationEssentials.sil Foundation.sil
//
// These write what the texts of Foundation declare of the types of which silvm brings functions along, see foundation.go.
//
//	go run ./gen/stdlib -internal LIB/Swift.swiftmodule/x86_64-….private.swiftinterface …
//
// The second line takes the libraries of a newer release and writes stdlib/newer_….silh with the names of which it says something else.
// The last writes stdlib/internal.txt: the types at the top of the libraries that are in none of their interfaces, of the three modules in both
// releases. Code that is inlined into a program names no such type.
// Each output line of the others declares one type with everything nested in it, or the conformances of one type under one
// set of requirements with their associated types. embedded.silh holds only what differs in Embedded Swift.
package main

import (
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"silvm/ir"
	"silvm/loader"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "-internal" {
		writeInternal(os.Args[2:])
		return
	}
	if len(os.Args) > 3 && os.Args[1] == "-foundation" {
		writeHeads(os.Args[2], os.Args[3:])
		return
	}
	if len(os.Args) > 4 && os.Args[1] == "-named" {
		lines := facts(os.Args[3]).lines
		maps.DeleteFunc(lines, func(name string, _ []string) bool { return !slices.Contains(os.Args[4:], name) })
		write(os.Args[2], lines)
		return
	}
	newer := len(os.Args) == 7 && os.Args[1] == "-newer"
	args := os.Args[1:]
	if newer {
		args = args[1:]
	}
	if len(args) != 5 {
		log.Fatal("usage: stdlib [-newer] Swift.sil EmbeddedSwift.sil Concurrency.sil Synchronization.sil Observation.sil")
	}
	write := write
	if newer {
		write = writeNewer
	}
	ordinary, embedded := facts(args[0]), facts(args[1])
	for _, text := range imported {
		ordinary.lines[strings.Fields(text)[1]] = []string{text}
	}
	write("stdlib/ordinary.silh", ordinary.lines)
	differing := map[string][]string{}
	for name, lines := range embedded.lines {
		if embedded.laidOutDifferently(ordinary, name) {
			differing[name] = lines
		}
	}
	write("stdlib/embedded.silh", differing)
	write("stdlib/concurrency.silh", facts(args[2]).lines)
	write("stdlib/synchronization.silh", facts(args[3]).lines)
	write("stdlib/observation.silh", facts(args[4]).lines)
}

// imported are the types that the library takes from C (stdlib/public/SwiftShims) and stores in its own.
var imported = []string{
	"struct _SwiftArrayBodyStorage { var count: Int; var _capacityAndFlags: UInt }",
	"struct HeapObject { var metadata: Builtin.RawPointer; var refCounts: UInt64 }",
	"struct _SwiftDictionaryBodyStorage { var count: Int; var capacity: Int; var scale: Int8; var reservedScale: Int8; var extra: Int16; var age: Int32; var seed: Int; var rawKeys: Builtin.RawPointer; var rawValues: Builtin.RawPointer }",
	"struct _SwiftEmptyArrayStorage { var header: HeapObject; var body: _SwiftArrayBodyStorage }",
	"struct _SwiftEmptyDictionarySingleton { var header: HeapObject; var body: _SwiftDictionaryBodyStorage; var metadata: UInt }",
	"struct _SwiftEmptySetSingleton { var header: HeapObject; var body: _SwiftSetBodyStorage; var metadata: UInt }",
	"struct _SwiftHashingParameters { var seed0: UInt64; var seed1: UInt64; var deterministic: Bool }",
	"struct _SwiftSetBodyStorage { var count: Int; var capacity: Int; var scale: Int8; var reservedScale: Int8; var extra: Int16; var age: Int32; var seed: Int; var rawElements: Builtin.RawPointer }",
}

func write(path string, facts map[string][]string) { writeFacts(path, "6.0.3", facts) }

// writeNewer writes the names of which the older release, whose file is at path, says something else.
func writeNewer(path string, facts map[string][]string) {
	older := map[string]bool{}
	for line := range strings.Lines(read(path)) {
		older[strings.TrimSuffix(line, "\n")] = true
	}
	count := map[string]int{}
	for line := range older {
		count[rootOf(line)]++
	}
	for name, lines := range facts {
		same := len(lines) == count[name]
		for _, line := range lines {
			same = same && older[line]
		}
		if same {
			delete(facts, name)
		}
	}
	writeFacts(strings.Replace(path, "stdlib/", "stdlib/newer_", 1), "6.2.3", facts)
}

// declaration finds the names of declared types.
var declaration = regexp.MustCompile("\\b(?:struct|enum|class|protocol|actor|typealias) `?(\\w+)")

// writeInternal writes the names of types that the facts have and the interfaces of the modules have not.
func writeInternal(interfaces []string) {
	known := map[string]bool{}
	for _, path := range interfaces {
		for _, m := range declaration.FindAllStringSubmatch(read(path), -1) {
			known[m[1]] = true
		}
	}
	for _, text := range imported {
		known[strings.Fields(text)[1]] = true
	}
	paths, err := filepath.Glob("stdlib/*.silh")
	if err != nil {
		log.Fatal(err)
	}
	internal := map[string]bool{}
	for _, path := range paths {
		for line := range strings.Lines(read(path)) {
			head, _, _ := strings.Cut(line, "{")
			m := declaration.FindStringSubmatch(head)
			if m != nil && !strings.HasPrefix(line, "extension ") && !strings.HasPrefix(line, "//") && !known[m[1]] {
				internal[m[1]] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(internal))
	if err := os.WriteFile("stdlib/internal.txt", []byte(strings.Join(names, "\n")+"\n"), 0o666); err != nil {
		log.Fatal(err)
	}
}

func read(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	return string(text)
}

// rootOf returns the name of the outermost type that a line is about.
func rootOf(line string) string {
	for word := range strings.FieldsSeq(line) {
		switch word {
		case "struct", "class", "enum", "protocol", "actor", "typealias", "extension":
			_, line, _ = strings.Cut(line, word+" ")
			if n := strings.IndexAny(line, " .<:="); n >= 0 {
				line = line[:n]
			}
			return line
		}
	}
	return ""
}

func writeFacts(path, version string, facts map[string][]string) {
	var b strings.Builder
	b.WriteString("// Generated by loader/gen/stdlib from the library of Swift " + version + "; do not edit.\n")
	names := make([]string, 0, len(facts))
	for name := range facts {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		b.WriteString(strings.Join(facts[name], "\n") + "\n")
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		log.Fatal(err)
	}
}

// laidOutDifferently reports whether a type of that name, or one nested in it, stores something else than in
// base. Types that are there but not available have lost their fields; they don't count.
func (g *generator) laidOutDifferently(base *generator, name string) bool {
	for path, d := range g.mod.Nominals {
		if root, _, _ := strings.Cut(path, "."); root != name || len(d.Fields)+len(d.Cases) == 0 || d.Kind == ir.Protocol {
			continue
		}
		other := base.mod.Nominals[path]
		if other == nil || stored(d) != stored(other) {
			return true
		}
	}
	return false
}

func stored(d *ir.Nominal) string {
	var b strings.Builder
	for _, f := range d.Fields {
		b.WriteString(f.Name + ": " + f.Type.String() + "\n")
	}
	for _, c := range d.Cases {
		b.WriteString(c.Name + "(" + c.Payload.String() + ")\n")
	}
	return b.String()
}

type generator struct {
	mod   *ir.Module
	exts  map[string][]*ir.Nominal // by extended type
	lines map[string][]string      // by root name
	given map[string]*group        // what a type conforms to without further requirements
}

// facts returns the lines for each top-level name.
func facts(path string) *generator {
	text, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	mod, diags := loader.Load(path, text, loader.Options{Lazy: true, OfLibrary: true})
	if diags.Errors() > 0 {
		log.Fatal(diags.Err())
	}
	g := &generator{mod: mod, exts: map[string][]*ir.Nominal{}, lines: map[string][]string{}, given: map[string]*group{}}
	for _, e := range mod.Extensions {
		g.exts[e.Path] = append(g.exts[e.Path], e)
	}
	groups := g.conformances()
	for _, item := range mod.Items {
		if d, ok := item.(*ir.Nominal); ok && d.Kind != ir.ExtensionDecl && !strings.Contains(d.Path, ".") {
			if text := g.decl(d); text != "" {
				g.lines[d.Path] = append(g.lines[d.Path], text)
			}
		}
	}
	keys := make([]string, 0, len(groups))
	for key := range groups {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		g.group(groups[key])
	}
	maps.DeleteFunc(g.lines, func(name string, _ []string) bool { // conformances of a type that is C's
		d := mod.Nominal(name)
		return d == nil || d.Kind == ir.TypeAlias && (d.Target == nil || d.Target.Kind == ir.KindUnparsed || d.Target.String() == name)
	})
	return g
}

var words = map[ir.NominalKind]string{
	ir.Struct: "struct", ir.Class: "class", ir.Enum: "enum", ir.Protocol: "protocol", ir.Actor: "actor", ir.TypeAlias: "typealias",
}

// decl returns the declaration of a type with everything nested in it.
func (g *generator) decl(d *ir.Nominal) string {
	var b strings.Builder
	if f := g.mod.Deinits[d.Path]; f != nil {
		fmt.Fprintf(&b, "@_deinit(%q) ", f.Name)
	}
	for _, a := range d.Attrs {
		switch a.Kind {
		case ir.ModRawLayout, ir.ModAlignment, ir.ModIndirect, ir.ModFinal, ir.ModMarker:
			b.WriteString(a.Text + " ")
		}
	}
	name := d.Path[strings.LastIndexByte(d.Path, '.')+1:]
	b.WriteString(words[d.Kind] + " " + name)
	if d.Generic != nil && len(d.Generic.Params) > 0 {
		params := &ir.GenericSig{Params: d.Generic.Params}
		b.WriteString(params.String())
	}
	if d.Kind == ir.TypeAlias {
		if d.Target == nil || d.Target.Kind == ir.KindUnparsed || name == "AnyObject" {
			return ""
		}
		text := g.mod.Qualify(d.Target, d.Outer).String()
		if d.Target.Kind == ir.KindExistential && !strings.Contains(text, "&") { // the name stands for the protocol as a constraint too
			text = strings.TrimPrefix(text, "any ")
		}
		return b.String() + " = " + text
	}
	var inherits []string
	for _, t := range d.Inherits {
		if d.Kind == ir.Protocol || t == d.Super || t == d.RawType || t.String() == "~Copyable" || t.String() == "~Escapable" {
			inherits = append(inherits, strings.TrimPrefix(t.String(), "any "))
		}
	}
	if len(inherits) > 0 {
		b.WriteString(" : " + strings.Join(inherits, ", "))
	}
	if d.Generic != nil && len(d.Generic.Requirements) > 0 {
		full := (&ir.GenericSig{Requirements: d.Generic.Requirements}).String()
		b.WriteString(full[1 : len(full)-1])
	}
	members := g.members(d)
	if len(members) == 0 {
		return b.String() + " {}"
	}
	return b.String() + " { " + strings.Join(members, "; ") + " }"
}

func (g *generator) members(d *ir.Nominal) []string {
	var list []string
	for _, f := range d.Fields {
		word := "var"
		if f.Let {
			word = "let"
		}
		list = append(list, word+" "+f.Name+": "+f.Type.String())
	}
	for _, c := range d.Cases {
		text := "case " + c.Name
		switch {
		case c.Payload == nil:
		case c.Payload.Kind == ir.KindTuple:
			text += c.Payload.String()
		default:
			text += "(" + c.Payload.String() + ")"
		}
		if c.Indirect {
			text = "indirect " + text
		}
		list = append(list, text)
	}
	for _, a := range d.AssocTypes {
		list = append(list, "associatedtype "+a)
	}
	nested := append([]*ir.Nominal(nil), d.Members...)
	for _, e := range g.exts[d.Path] {
		nested = append(nested, e.Members...)
	}
	for _, m := range nested {
		if text := g.decl(m); text != "" {
			list = append(list, text)
		}
	}
	aliases := map[string]*ir.Type{}
	for name, t := range d.Aliases {
		aliases[name] = t
	}
	for _, e := range g.exts[d.Path] {
		for name, t := range e.Aliases {
			if e.Generic == nil {
				aliases[name] = g.mod.Qualify(t, d)
			}
		}
	}
	if x := g.given[d.Path]; x != nil {
		for name, t := range x.aliases {
			if aliases[name] == t {
				delete(aliases, name)
			}
		}
	}
	delete(aliases, "AnyObject")
	return append(list, aliasLines(aliases)...)
}

func aliasLines(aliases map[string]*ir.Type) []string {
	var list []string
	for name, t := range aliases {
		if (t.String() != name || t.Kind == ir.KindNominal) && t.Kind != ir.KindUnparsed { // Duration in ContinuousClock is the type outside
			list = append(list, "typealias "+name+" = "+t.String())
		}
	}
	sort.Strings(list)
	return list
}

// group is what one type conforms to under one set of requirements.
type group struct {
	path, where string
	protos      map[string]bool
	aliases     map[string]*ir.Type
}

func (g *generator) conformances() map[string]*group {
	groups := map[string]*group{}
	at := func(path string, reqs []string) *group {
		where := strings.Join(reqs, ", ")
		key := path + "\n" + where
		if groups[key] == nil {
			groups[key] = &group{path: path, where: where, protos: map[string]bool{}, aliases: map[string]*ir.Type{}}
			if where == "" {
				g.given[path] = groups[key]
			}
		}
		return groups[key]
	}
	for _, w := range g.mod.WitnessTables {
		c := w.Conformance
		d := g.mod.DeclOf(c.Type)
		if w.Default || d == nil {
			continue
		}
		x := at(d.Path, g.extraRequirements(c.Generic, d))
		x.protos[c.Protocol.String()] = true
		for _, e := range w.Entries {
			if e.Kind == ir.WitnessAssociatedType {
				x.aliases[e.Name] = e.Type
			}
		}
	}
	for _, e := range g.mod.Extensions {
		if d := g.mod.Nominals[e.Path]; d != nil && d.Kind != ir.Protocol && !e.Builtin {
			g.inherited(at(e.Path, g.extraRequirements(e.Generic, d)), e, e.Inherits)
		}
	}
	for _, d := range g.mod.Nominals {
		if d.Kind != ir.Protocol && d.Kind != ir.TypeAlias && !d.Builtin {
			g.inherited(at(d.Path, nil), d, d.Inherits)
		}
	}
	return groups
}

// inherited adds the protocols of an inheritance clause.
func (g *generator) inherited(x *group, in *ir.Nominal, list []*ir.Type) {
	for _, t := range list {
		if d := g.mod.DeclOf(g.mod.Qualify(t, in)); d != nil && d.Kind == ir.Protocol {
			x.protos[d.Path] = true
		}
	}
}

// extraRequirements returns the requirements of sig that the declaration does not have itself.
func (g *generator) extraRequirements(sig *ir.GenericSig, d *ir.Nominal) []string {
	own := map[string]bool{}
	for n := d; n != nil; n = n.Outer {
		if n.Generic != nil {
			for _, r := range requirements(n.Generic) {
				own[r] = true
			}
		}
	}
	var list []string
	if sig != nil {
		for _, r := range requirements(sig) {
			if !own[r] {
				list = append(list, r)
			}
		}
	}
	sort.Strings(list)
	return list
}

func requirements(sig *ir.GenericSig) []string {
	var list []string
	for _, r := range sig.Requirements {
		text := (&ir.GenericSig{Requirements: []ir.Requirement{r}}).String()
		list = append(list, strings.TrimPrefix(text[1:len(text)-1], " where "))
	}
	return list
}

// markers conform without a witness table and without a test at run time. Copyable and Escapable do too, and take back what a type is not.
var markers = map[string]bool{"Sendable": true, "BitwiseCopyable": true}

func (g *generator) group(x *group) {
	var protos []string
	for p := range x.protos {
		if !markers[p] {
			protos = append(protos, p)
		}
	}
	sort.Strings(protos)
	if len(protos) == 0 {
		return
	}
	text := "extension " + x.path + " : " + strings.Join(protos, ", ")
	if x.where != "" {
		text += " where " + x.where
	}
	text += " {"
	if list := aliasLines(x.aliases); len(list) > 0 {
		text += " " + strings.Join(list, "; ") + " "
	}
	root, _, _ := strings.Cut(x.path, ".")
	if g.mod.Nominal(root) == nil { // taken from C, and not among those that the library stores
		return
	}
	g.lines[root] = append(g.lines[root], fmt.Sprintf("%s}", text))
}
