package lower

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"silvm/ir"
)

// libraryWitnesses name the functions that the loader brings for the witnesses of the standard library's types, by requirement; where
// overloads share a name, by the type behind Self as well.
var libraryWitnesses = map[string]string{
	"#RegexComponent.regex!getter":                                         "regex",
	"#Sequence.makeIterator":                                               "makeIterator",
	"#Encodable.encode":                                                    "encode",
	"#Decodable.init!allocator":                                            "decode",
	"#Sequence.underestimatedCount!getter":                                 "underestimatedCount",
	"#CustomStringConvertible.description!getter":                          "description",
	"#CustomDebugStringConvertible.debugDescription!getter":                "debugDescription",
	"#CVarArg._cVarArgEncoding!getter":                                     "cWords",
	"#_CVarArgAlignedType._cVarArgAlignment!getter":                        "cAlignment",
	"#RangeExpression.relative":                                            "relative",
	"#RangeExpression.contains":                                            "contains",
	"#MutableCollection.withContiguousMutableStorageIfAvailable":           "mutableStorage",
	"#MutableCollection._withUnsafeMutableBufferPointerIfSupported":        "mutableStorage",
	"#MutableCollection.partition":                                         "partition",
	"#MutableCollection.swapAt":                                            "swapAt",
	"#MutableCollection.subscript!setter (Self.Element, Self.Index) -> ()": "setElement",
	`#Equatable."=="`:                                                      "equal",
	`#DurationProtocol."/" (Self, Int) -> Self`:                            "overInt",
	`#DurationProtocol."*" (Self, Int) -> Self`:                            "timesInt",
	`#DurationProtocol."/=" (inout Self, Int) -> ()`:                       "overIntTo",
	`#DurationProtocol."*=" (inout Self, Int) -> ()`:                       "timesIntTo",
	`#DurationProtocol."/" (Self, Self) -> Double`:                         "ratio",
	"#Clock.now!getter":                                                    "now",
	"#Clock.minimumResolution!getter":                                      "resolution",
	"#Clock.sleep":                                                         "sleep",
	"#InstantProtocol.advanced":                                            "advanced",
	"#InstantProtocol.duration":                                            "duration",
	"#AsyncSequence.makeAsyncIterator":                                     "makeAsyncIterator",
	"#AsyncIteratorProtocol.next () async throws -> Self.Element?":         "nextAsync",
	"#AsyncIteratorProtocol.next (isolated (any Actor)?) async throws(Self.Failure) -> Self.Element?": "nextIsolated",
	`#Comparable."<"`:                                                                    "less",
	"#StringProtocol.utf8!getter":                                                        "utf8",
	"#StringProtocol.utf16!getter":                                                       "utf16",
	"#StringProtocol.unicodeScalars!getter":                                              "unicodeScalars",
	"#StringProtocol.lowercased":                                                         "lowercased",
	"#StringProtocol.uppercased":                                                         "uppercased",
	"#StringProtocol.hasPrefix (String) -> Bool":                                         "hasPrefix",
	"#StringProtocol.hasSuffix (String) -> Bool":                                         "hasSuffix",
	"#Sequence.withContiguousStorageIfAvailable":                                         "storage",
	"#_Pointer._rawValue!getter":                                                         "rawValue",
	"#Sequence._copyContents":                                                            "copyContents",
	"#Sequence._copyToContiguousArray":                                                   "toArray",
	"#IteratorProtocol.next":                                                             "next",
	"#Collection.startIndex!getter":                                                      "startIndex",
	"#Collection.endIndex!getter":                                                        "endIndex",
	"#Collection.indices!getter":                                                         "indices",
	"#Collection.count!getter":                                                           "count",
	"#Collection.isEmpty!getter":                                                         "isEmpty",
	"#Collection.distance":                                                               "distance",
	"#Collection.subscript!getter (Self.Index) -> Self.Element":                          "element",
	"#Collection.subscript!getter (Range<Self.Index>) -> Self.SubSequence":               "slice",
	"#Collection.index (Self.Index) -> Self.Index":                                       "after",
	"#Collection.formIndex (inout Self.Index) -> ()":                                     "formAfter",
	"#Collection.index (Self.Index, Int) -> Self.Index":                                  "moved",
	"#Collection.index (Self.Index, Int, Self.Index) -> Self.Index?":                     "limited",
	"#Collection._failEarlyRangeCheck (Self.Index, Range<Self.Index>) -> ()":             "check",
	"#Collection._failEarlyRangeCheck (Self.Index, ClosedRange<Self.Index>) -> ()":       "checkClosed",
	"#Collection._failEarlyRangeCheck (Range<Self.Index>, Range<Self.Index>) -> ()":      "checkRange",
	"#BidirectionalCollection.index (Self.Index) -> Self.Index":                          "before",
	"#BidirectionalCollection.index (Self.Index, Int) -> Self.Index":                     "moved",
	"#BidirectionalCollection.index (Self.Index, Int, Self.Index) -> Self.Index?":        "limited",
	"#BidirectionalCollection.distance":                                                  "distance",
	"#BidirectionalCollection.formIndex":                                                 "formBefore",
	"#RandomAccessCollection.index (Self.Index, Int) -> Self.Index":                      "moved",
	"#RandomAccessCollection.index (Self.Index, Int, Self.Index) -> Self.Index?":         "limited",
	"#RandomAccessCollection.distance":                                                   "distance",
	"#RandomAccessCollection.index (Self.Index) -> Self.Index":                           "after",
	"#RangeReplaceableCollection.init!allocator () -> Self":                              "new",
	"#RangeReplaceableCollection.init!allocator (S) -> Self":                             "from",
	"#RangeReplaceableCollection.append (__owned Self.Element) -> ()":                    "append",
	"#RangeReplaceableCollection.append (__owned S) -> ()":                               "appendAll",
	"#RangeReplaceableCollection.append (S) -> ()":                                       "appendAll",
	"#RangeReplaceableCollection.reserveCapacity":                                        "reserveCapacity",
	"#RangeReplaceableCollection.insert (__owned Self.Element, Self.Index) -> ()":        "insert",
	"#RangeReplaceableCollection.remove":                                                 "remove",
	"#RangeReplaceableCollection._customRemoveLast () -> Self.Element?":                  "removeLast",
	"#RangeReplaceableCollection.removeFirst () -> Self.Element":                         "removeFirst",
	"#RangeReplaceableCollection.removeAll (Bool) -> ()":                                 "removeAll",
	"#RangeReplaceableCollection.replaceSubrange":                                        "replaceSubrange",
	"#RangeReplaceableCollection.removeSubrange":                                         "removeSubrange",
	"#RangeReplaceableCollection.init!allocator (Self.Element, Int) -> Self":             "repeating",
	"#RangeReplaceableCollection.removeFirst (Int) -> ()":                                "removeFirsts",
	"#RangeReplaceableCollection._customRemoveLast (Int) -> Bool":                        "removeLasts",
	"#RangeReplaceableCollection.insert (__owned S, Self.Index) -> ()":                   "insertAll",
	"#RangeReplaceableCollection.removeAll ((Self.Element) throws -> Bool) throws -> ()": "removeAllWhere",
}

// keyedWitnesses are the libraryWitnesses of KeyedDecodingContainer and KeyedEncodingContainer.
var keyedWitnesses = func() map[string]string {
	const from, to = "#KeyedDecodingContainerProtocol.", "#KeyedEncodingContainerProtocol."
	names := map[string]string{
		from + "codingPath!getter": "codingPath", from + "allKeys!getter": "allKeys", from + "contains": "contains", from + "decodeNil": "getNil",
		from + "nestedContainer": "nested", from + "nestedUnkeyedContainer": "nestedList", from + "superDecoder () throws -> any Decoder": "super",
		from + "superDecoder (Self.Key) throws -> any Decoder": "superAt",
		from + "decode (T.Type, Self.Key) throws -> T":         "get", from + "decodeIfPresent (T.Type, Self.Key) throws -> T?": "getIf",
		to + "codingPath!getter": "codingPath", to + "encodeNil": "putNil",
		to + "nestedContainer": "nested", to + "nestedUnkeyedContainer": "nestedList", to + "superEncoder () -> any Encoder": "super",
		to + "superEncoder (Self.Key) -> any Encoder": "superAt",
		to + "encode (T, Self.Key) throws -> ()":      "put", to + "encodeIfPresent (T?, Self.Key) throws -> ()": "putIf",
		to + "encodeConditional": "putConditional",
	}
	for _, name := range []string{"Bool", "String", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128"} {
		names[from+"decode ("+name+".Type, Self.Key) throws -> "+name] = "get" + name
		names[from+"decodeIfPresent ("+name+".Type, Self.Key) throws -> "+name+"?"] = "getIf" + name
		names[to+"encode ("+name+", Self.Key) throws -> ()"] = "put" + name
		names[to+"encodeIfPresent ("+name+"?, Self.Key) throws -> ()"] = "putIf" + name
	}
	return names
}()

// ownWitnesses are types whose witnesses natives know, and do faster than the functions of the library would.
var ownWitnesses = map[ir.Known]bool{
	ir.KnownArray: true, ir.KnownContiguousArray: true, ir.KnownArraySlice: true, ir.KnownString: true, ir.KnownSubstring: true, ir.KnownSetIterator: true, ir.KnownDictionaryIterator: true, ir.KnownStringIterator: true,
}

// libraryWitness returns the function of the standard library by which one of its types meets a requirement, if the loader has it.
func (l *Lowerer) libraryWitness(q requirement, subs []*ir.Type) (int, bool) {
	t := subs[0]
	if l.Mod.LibraryFunc == nil || t.Kind != ir.KindNominal {
		return 0, false
	}
	text := q.ref.Text
	overload := text + " " + q.decl.Method()
	name := cmp.Or(libraryWitnesses[text], libraryWitnesses[overload], numberWitnesses[text], numberWitnesses[overload], keyedWitnesses[text], keyedWitnesses[overload])
	if name == "" || name != "limited" && name != "slice" && ownWitnesses[t.Known()] && l.Opts.HasNative != nil && l.Opts.HasNative(text) {
		return 0, false
	}
	fn := l.Mod.LibraryFunc(l.Mod, "library_"+strings.ReplaceAll(t.QualifiedName(), ".", "_")+"_"+name)
	if fn == nil {
		return 0, false
	}
	n, err := l.Func(fn, append(append([]*ir.Type(nil), t.AllArgs()...), subs[1:]...))
	return n, err == nil
}

// Library returns the index of a function of the supplement, with its type arguments.
func (l *Lowerer) Library(name string, types []*ir.Type) (int, error) {
	if l.Mod.LibraryFunc != nil {
		if fn := l.Mod.LibraryFunc(l.Mod, name); fn != nil {
			return l.Func(fn, types)
		}
	}
	return 0, unsupportedf("the library function %s", name)
}

// HasLibraryFunction reports whether a function that a program only declares, or the generic one behind it, comes from the program or the
// supplement.
func HasLibraryFunction(mod *ir.Module, fn *ir.Function) bool {
	name, ok := libraryName(fn.Name)
	if !ok {
		return false
	}
	if mod.LibraryFunc != nil && mod.LibraryFunc(mod, "library_"+name) != nil {
		return true
	}
	if !ir.IsPrespecializedName(name) {
		return false
	}
	for n := len(fn.Name) - 4; n > len("$s"); n-- {
		if f := mod.Func(fn.Name[:n]); f != nil && !f.IsDeclaration() {
			return true
		}
	}
	return false
}

// readSupplements reads those supplements that have functions which the program only declares, for one that none of them has under a name of
// its own: their texts have bodies under the names of the library too.
func (l *Lowerer) readSupplements() {
	if l.supplied {
		return
	}
	l.supplied = true
	for _, name := range slices.Sorted(maps.Keys(l.Mod.Funcs)) {
		if fn := l.Mod.Funcs[name]; fn.IsDeclaration() {
			l.libraryFunction(fn)
		}
	}
}

// callsNamesake are functions whose text looks up another initializer by the very name and type by which they are looked up themselves: the labels
// of arguments are not in the text, so that it would find the one that looks.
var callsNamesake = map[string]bool{"$s10Foundation8NSStringC6stringACSS_tcfC": true} // init(string:), which calls init(_:)

// libraryFunction returns the function of the supplement that does what a function does which the program only declares, or whose text can't be
// followed, and for which there is no native; nil when there is none.
func (l *Lowerer) libraryFunction(fn *ir.Function) *ir.Function {
	name, ok := libraryName(fn.Name)
	if !ok || !fn.IsDeclaration() && !callsNamesake[fn.Name] || l.Mod.LibraryFunc == nil || l.Opts.HasNative != nil && l.Opts.HasNative(fn.Name) {
		return nil
	}
	return l.Mod.LibraryFunc(l.Mod, "library_"+name)
}

// libraryName returns what a function of the supplement is called after library_, if it can have the function of that name.
func libraryName(name string) (string, bool) {
	if rest, ok := strings.CutPrefix(name, "$s"); ok {
		return rest, true
	}
	return name, strings.HasPrefix(name, "swift_") || strings.HasPrefix(name, "_swift_")
}
