// Command library writes library/library.swift: functions through which the witnesses of the standard library's wrapper types, whose bodies stand
// in no file of a program, can be called. The compiler prints them as SIL, with what it inlines of the library:
//
//	library/make
//
// With the argument seldom it writes those of the types of rangeset.swift.
//
// A function is named library_TYPE_requirement; it takes the address of the result, if that is not a number, the arguments of the
// requirement, and the address of self, as a witness does.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// wrapper is a generic type of the library.
type wrapper struct {
	name   string // without arguments: Zip2Sequence.Iterator
	params string // of the function: Base: Sequence, Element
	self   string // with arguments
	where  string
}

var iterators = []wrapper{
	{"LazyMapSequence.Iterator", "B: Sequence, E", "LazyMapSequence<B, E>.Iterator", ""},
	{"LazyFilterSequence.Iterator", "B: Sequence", "LazyFilterSequence<B>.Iterator", ""},
	{"LazyPrefixWhileSequence.Iterator", "B: Sequence", "LazyPrefixWhileSequence<B>.Iterator", ""},
	{"LazyDropWhileSequence.Iterator", "B: Sequence", "LazyDropWhileSequence<B>.Iterator", ""},
	{"PrefixSequence.Iterator", "B: Sequence", "PrefixSequence<B>.Iterator", ""},
	{"DropWhileSequence.Iterator", "B: Sequence", "DropWhileSequence<B>.Iterator", ""},
	{"FlattenSequence.Iterator", "B: Sequence", "FlattenSequence<B>.Iterator", "B.Element: Sequence"},
	{"JoinedSequence.Iterator", "B: Sequence", "JoinedSequence<B>.Iterator", "B.Element: Sequence"},
	{"Zip2Sequence.Iterator", "A: Sequence, B: Sequence", "Zip2Sequence<A, B>.Iterator", ""},
	{"EnumeratedSequence.Iterator", "B: Sequence", "EnumeratedSequence<B>.Iterator", ""},
	{"ReversedCollection.Iterator", "B: BidirectionalCollection", "ReversedCollection<B>.Iterator", ""},
	{"CollectionOfOne.Iterator", "E", "CollectionOfOne<E>.Iterator", ""},
	{"StrideToIterator", "E: Strideable", "StrideToIterator<E>", ""},
	{"StrideThroughIterator", "E: Strideable", "StrideThroughIterator<E>", ""},
	{"PartialRangeFrom.Iterator", "E: Strideable", "PartialRangeFrom<E>.Iterator", "E.Stride: SignedInteger"},
	{"UnfoldSequence", "E, S", "UnfoldSequence<E, S>", ""},
	{"IteratorSequence", "B: IteratorProtocol", "IteratorSequence<B>", ""},
	{"IndexingIterator", "C: Collection", "IndexingIterator<C>", ""},
	{"_ClosureBasedIterator", "E", "LibraryClosureIterator<E>", ""},
	{"AnyIterator", "E", "AnyIterator<E>", ""},
	{"String.UnicodeScalarView.Iterator", "", "String.UnicodeScalarView.Iterator", ""},
	{"String.UTF16View.Iterator", "", "String.UTF16View.Iterator", ""},
	{"UnsafeBufferPointer.Iterator", "E", "UnsafeBufferPointer<E>.Iterator", ""},
	{"UnsafeRawBufferPointer.Iterator", "", "UnsafeRawBufferPointer.Iterator", ""},
	{"EmptyCollection.Iterator", "E", "EmptyCollection<E>.Iterator", ""},
}

var sequences = []wrapper{
	{"LazyPrefixWhileSequence", "B: Sequence", "LazyPrefixWhileSequence<B>", ""},
	{"LazyDropWhileSequence", "B: Sequence", "LazyDropWhileSequence<B>", ""},
	{"PrefixSequence", "B: Sequence", "PrefixSequence<B>", ""},
	{"DropFirstSequence", "B: Sequence", "DropFirstSequence<B>", ""},
	{"DropWhileSequence", "B: Sequence", "DropWhileSequence<B>", ""},
	{"JoinedSequence", "B: Sequence", "JoinedSequence<B>", "B.Element: Sequence"},
	{"FlattenSequence", "B: Sequence", "FlattenSequence<B>", "B.Element: Sequence"},
	{"LazyMapSequence", "B: Sequence, E", "LazyMapSequence<B, E>", ""},
	{"LazyFilterSequence", "B: Sequence", "LazyFilterSequence<B>", ""},
	{"LazySequence", "B: Sequence", "LazySequence<B>", ""},
	{"Zip2Sequence", "A: Sequence, B: Sequence", "Zip2Sequence<A, B>", ""},
	{"EnumeratedSequence", "B: Sequence", "EnumeratedSequence<B>", ""},
	{"StrideTo", "E: Strideable", "StrideTo<E>", ""},
	{"StrideThrough", "E: Strideable", "StrideThrough<E>", ""},
	{"PartialRangeFrom", "E: Strideable", "PartialRangeFrom<E>", "E.Stride: SignedInteger"},
	{"UnfoldSequence", "E, S", "UnfoldSequence<E, S>", ""},
	{"IteratorSequence", "B: IteratorProtocol", "IteratorSequence<B>", ""},
	{"AnySequence", "E", "AnySequence<E>", ""},
	{"AnyIterator", "E", "AnyIterator<E>", ""},
	{"_ClosureBasedIterator", "E", "LibraryClosureIterator<E>", ""},
	{"IndexingIterator", "C: Collection", "IndexingIterator<C>", ""},
}

var collections = []wrapper{
	{"LazyMapSequence", "B: Collection, E", "LazyMapSequence<B, E>", ""},
	{"LazyFilterSequence", "B: Collection", "LazyFilterSequence<B>", ""},
	{"LazySequence", "B: Collection", "LazySequence<B>", ""},
	{"FlattenSequence", "B: Collection", "FlattenSequence<B>", "B.Element: Collection"},
	{"ReversedCollection", "B: BidirectionalCollection", "ReversedCollection<B>", ""},
	{"Slice", "B: Collection", "Slice<B>", ""},
	{"Repeated", "E", "Repeated<E>", ""},
	{"CollectionOfOne", "E", "CollectionOfOne<E>", ""},
	{"EmptyCollection", "E", "EmptyCollection<E>", ""},
	{"DefaultIndices", "B: Collection", "DefaultIndices<B>", ""},
	{"Range", "E: Strideable", "Range<E>", "E.Stride: SignedInteger"},
	{"ClosedRange", "E: Strideable", "ClosedRange<E>", "E.Stride: SignedInteger"},
	{"Array", "E", "Array<E>", ""},
	{"ContiguousArray", "E", "ContiguousArray<E>", ""},
	{"ArraySlice", "E", "ArraySlice<E>", ""},
	{"Set", "E: Hashable", "Set<E>", ""},
	{"Dictionary", "K: Hashable, V", "Dictionary<K, V>", ""},
	{"Dictionary.Keys", "K: Hashable, V", "Dictionary<K, V>.Keys", ""},
	{"Dictionary.Values", "K: Hashable, V", "Dictionary<K, V>.Values", ""},
	{"KeyValuePairs", "K, V", "KeyValuePairs<K, V>", ""},
	{"AnyCollection", "E", "AnyCollection<E>", ""},
	{"AnyBidirectionalCollection", "E", "AnyBidirectionalCollection<E>", ""},
	{"AnyRandomAccessCollection", "E", "AnyRandomAccessCollection<E>", ""},
	{"UnsafeBufferPointer", "E", "UnsafeBufferPointer<E>", ""},
	{"UnsafeMutableBufferPointer", "E", "UnsafeMutableBufferPointer<E>", ""},
	{"String", "", "String", ""},
	{"Substring", "", "Substring", ""},
	{"LazyPrefixWhileSequence", "B: Collection", "LazyPrefixWhileSequence<B>", ""},
	{"Int8.Words", "", "Int8.Words", ""},
	{"Int16.Words", "", "Int16.Words", ""},
	{"Int32.Words", "", "Int32.Words", ""},
	{"Int64.Words", "", "Int64.Words", ""},
	{"Int.Words", "", "Int.Words", ""},
	{"UInt8.Words", "", "UInt8.Words", ""},
	{"UInt16.Words", "", "UInt16.Words", ""},
	{"UInt32.Words", "", "UInt32.Words", ""},
	{"UInt64.Words", "", "UInt64.Words", ""},
	{"UInt.Words", "", "UInt.Words", ""},
	{"LazyDropWhileSequence", "B: Collection", "LazyDropWhileSequence<B>", ""},
	{"UnsafeRawBufferPointer", "", "UnsafeRawBufferPointer", ""},
	{"UnsafeMutableRawBufferPointer", "", "UnsafeMutableRawBufferPointer", ""},
	{"String.UTF8View", "", "String.UTF8View", ""},
	{"String.UTF16View", "", "String.UTF16View", ""},
	{"String.UnicodeScalarView", "", "String.UnicodeScalarView", ""},
	{"Substring.UTF8View", "", "Substring.UTF8View", ""},
	{"Substring.UTF16View", "", "Substring.UTF16View", ""},
	{"Substring.UnicodeScalarView", "", "Substring.UnicodeScalarView", ""},
}

// twoWay are the collections of the list above that go backwards too, if those that they are made of do.
var twoWay = []string{
	"LazyMapSequence", "LazyFilterSequence", "LazySequence", "ReversedCollection", "Slice", "Repeated", "Range", "ClosedRange",
	"Array", "ContiguousArray", "ArraySlice", "AnyBidirectionalCollection", "AnyRandomAccessCollection", "UnsafeBufferPointer",
	"String", "Substring", "KeyValuePairs", "CollectionOfOne", "EmptyCollection", "DefaultIndices", "FlattenSequence",
	"UnsafeMutableBufferPointer", "UnsafeRawBufferPointer", "UnsafeMutableRawBufferPointer", "String.UTF8View",
	"String.UTF16View", "String.UnicodeScalarView", "Substring.UTF8View", "Substring.UTF16View", "Substring.UnicodeScalarView",
}

var arrays = []wrapper{
	{"Array", "E", "Array<E>", ""},
	{"ContiguousArray", "E", "ContiguousArray<E>", ""},
	{"ArraySlice", "E", "ArraySlice<E>", ""},
	{"String", "", "String", ""},
	{"Substring", "", "Substring", ""},
}

// collection returns the collection of that name.
func collection(name string) wrapper {
	return collections[slices.IndexFunc(collections, func(w wrapper) bool { return w.name == name })]
}

func (w wrapper) function(requirement, args, result, body string) {
	self := "_ s: LibraryPointer<" + w.self + ">"
	if args != "" {
		self = args + ", " + self
	}
	w.raw(requirement, self, result, body)
}

func (w wrapper) raw(requirement, args, result, body string) {
	params, where := "", ""
	if w.params != "" {
		params = "<" + w.params + ">"
	}
	if w.where != "" {
		where = " where " + w.where
	}
	name := "library_" + strings.ReplaceAll(w.name+"."+requirement, ".", "_")
	if written[name] { // as a sequence already
		return
	}
	written[name] = true
	throws := ""
	if strings.Contains(body, "try ") {
		throws = " throws"
	}
	fmt.Printf("@_silgen_name(%q) public func f%d%s(%s)%s -> %s%s { %s }\n", name, len(written), params,
		strings.ReplaceAll(args, "Self", w.self), throws, strings.ReplaceAll(result, "Self", w.self), where, strings.ReplaceAll(body, "Self", w.self))
}

// numbers writes what natives don't know of integers and of floating-point numbers.
func numbers() {
	for _, name := range []string{"Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64"} {
		wrapper{name, "", name, ""}.integer()
	}
	for _, name := range []string{"Int128", "UInt128"} {
		w := wrapper{name, "", name, ""}
		w.integer()
		w.arithmetic()
		w.wide()
	}
	w := wrapper{"Int128", "", "Int128", ""}
	w.getter("negated", "Self", "-s.pointee")
	w.function("negate", "", "()", "s.pointee.negate()")
	for _, name := range []string{"Double", "Float"} {
		w := wrapper{name, "", name, ""}
		w.arithmetic()
		w.floatingPoint()
	}
}

// getter passes a value of self by address.
func (w wrapper) getter(requirement, result, body string) {
	w.function(requirement, "_ o: LibraryPointer<"+result+">", "()", "o.initialize(to: "+body+")")
}

// constant passes a value of the type by address.
func (w wrapper) constant(requirement, body string) {
	w.raw(requirement, "_ o: LibraryPointer<Self>", "()", "o.initialize(to: "+body+")")
}

// operator is a static requirement of two operands, and the one that assigns the result to the first.
func (w wrapper) operator(requirement, symbol string) {
	w.raw(requirement, "_ o: LibraryPointer<Self>, _ a: LibraryPointer<Self>, _ b: LibraryPointer<Self>", "()", "o.initialize(to: a.pointee "+symbol+" b.pointee)")
	w.raw(requirement+"To", "_ a: LibraryPointer<Self>, _ b: LibraryPointer<Self>", "()", "a.pointee = a.pointee "+symbol+" b.pointee")
}

func (w wrapper) arithmetic() {
	w.operator("plus", "+")
	w.operator("minus", "-")
	w.operator("times", "*")
	w.operator("over", "/")
	w.getter("magnitude", "Self.Magnitude", "s.pointee.magnitude")
	w.getter("advanced", "Self>, _ n: LibraryPointer<Self.Stride", "s.pointee.advanced(by: n.pointee)")
	w.getter("distance", "Self.Stride>, _ n: LibraryPointer<Self", "s.pointee.distance(to: n.pointee)")
	w.constant("zero", ".zero")
}

func (w wrapper) integer() {
	for _, x := range [][2]string{{"addReporting", "addingReportingOverflow("}, {"subtractReporting", "subtractingReportingOverflow("},
		{"multiplyReporting", "multipliedReportingOverflow(by: "}, {"divideReporting", "dividedReportingOverflow(by: "},
		{"remainderReporting", "remainderReportingOverflow(dividingBy: "}} {
		name, method := x[0], x[1]
		w.function(name, "_ o: LibraryPointer<Self>, _ r: LibraryPointer<Self>", "Bool",
			"let (v, f) = s.pointee."+method+"r.pointee); o.initialize(to: v); return f")
	}
	w.function("multiplyFull", "_ h: LibraryPointer<Self>, _ l: LibraryPointer<Self.Magnitude>, _ r: LibraryPointer<Self>", "()",
		"let v = s.pointee.multipliedFullWidth(by: r.pointee); h.initialize(to: v.high); l.initialize(to: v.low)")
	w.function("divideFull", "_ q: LibraryPointer<Self>, _ m: LibraryPointer<Self>, _ h: LibraryPointer<Self>, _ l: LibraryPointer<Self.Magnitude>", "()",
		"let v = s.pointee.dividingFullWidth((h.pointee, l.pointee)); q.initialize(to: v.quotient); m.initialize(to: v.remainder)")
	w.operator("shiftLeft", "&<<")
	w.operator("shiftRight", "&>>")
	w.operator("addWrapping", "&+")
	w.operator("subtractWrapping", "&-")
	w.operator("multiplyWrapping", "&*")
	smart := w
	smart.params = "R: BinaryInteger"
	for _, x := range [][2]string{{"smartLeft", "<<"}, {"smartRight", ">>"}} {
		name, symbol := x[0], x[1]
		smart.raw(name, "_ o: LibraryPointer<Self>, _ a: LibraryPointer<Self>, _ b: LibraryPointer<R>", "()", "o.initialize(to: a.pointee "+symbol+" b.pointee)")
		smart.raw(name+"To", "_ a: LibraryPointer<Self>, _ b: LibraryPointer<R>", "()", "a.pointee "+symbol+"= b.pointee")
	}
	w.step()
	w.getter("words", "Self.Words", "s.pointee.words")
	w.getter("bigEndian", "Self", "s.pointee.bigEndian")
	w.getter("littleEndian", "Self", "s.pointee.littleEndian")
	w.raw("truncatingBits", "_ o: LibraryPointer<Self>, _ n: UInt", "()", "o.initialize(to: Self(_truncatingBits: n))")
}

func (w wrapper) wide() {
	w.operator("modulo", "%")
	w.operator("and", "&")
	w.operator("or", "|")
	w.operator("xor", "^")
	w.raw("not", "_ o: LibraryPointer<Self>, _ a: LibraryPointer<Self>", "()", "o.initialize(to: ~a.pointee)")
	w.raw("isSigned", "", "Bool", "Self.isSigned")
	w.raw("staticBitWidth", "", "Int", "128")
	w.function("bitWidth", "", "Int", "128")
	w.constant("max", ".max")
	w.constant("min", ".min")
	w.function("lowWord", "", "UInt", "s.pointee._lowWord")
	w.function("trailing", "", "Int", "s.pointee.trailingZeroBitCount")
	w.function("leading", "", "Int", "s.pointee.leadingZeroBitCount")
	w.function("nonzero", "", "Int", "s.pointee.nonzeroBitCount")
	w.getter("byteSwapped", "Self", "s.pointee.byteSwapped")
	w.getter("signum", "Self", "s.pointee.signum()")
	w.function("isMultiple", "_ n: LibraryPointer<Self>", "Bool", "s.pointee.isMultiple(of: n.pointee)")
	w.function("divided", "_ q: LibraryPointer<Self>, _ m: LibraryPointer<Self>, _ n: LibraryPointer<Self>", "()",
		"let v = s.pointee.quotientAndRemainder(dividingBy: n.pointee); q.initialize(to: v.quotient); m.initialize(to: v.remainder)")
}

// step is how strides go on.
func (w wrapper) step() {
	w.raw("step", "_ o: LibraryPointer<Self>, _ n: Int?, _ v: LibraryPointer<Self>, _ s: LibraryPointer<Self>, _ d: LibraryPointer<Self.Stride>", "Int?",
		"let r = Self._step(after: (n, v.pointee), from: s.pointee, by: d.pointee); o.initialize(to: r.value); return r.index")
}

func (w wrapper) floatingPoint() {
	w.step()
	for _, name := range []string{"significand", "ulp", "nextUp", "nextDown", "binade"} {
		w.getter(name, "Self", "s.pointee."+name)
	}
	w.getter("exponent", "Int", "s.pointee.exponent")
	w.getter("squareRoot", "Self", "s.pointee.squareRoot()")
	w.function("formSquareRoot", "", "()", "s.pointee.formSquareRoot()")
	for _, name := range []string{"remainder", "truncatingRemainder"} {
		form := "form" + strings.ToUpper(name[:1]) + name[1:]
		w.getter(name, "Self>, _ r: LibraryPointer<Self", "s.pointee."+name+"(dividingBy: r.pointee)")
		w.function(form, "_ r: LibraryPointer<Self>", "()", "s.pointee."+form+"(dividingBy: r.pointee)")
	}
	w.getter("addingProduct", "Self>, _ a: LibraryPointer<Self>, _ b: LibraryPointer<Self", "s.pointee.addingProduct(a.pointee, b.pointee)")
	w.function("addProduct", "_ a: LibraryPointer<Self>, _ b: LibraryPointer<Self>", "()", "s.pointee.addProduct(a.pointee, b.pointee)")
	w.function("rounded", "_ o: LibraryPointer<Self>, _ r: LibraryPointer<FloatingPointRoundingRule>", "()", "o.initialize(to: s.pointee.rounded(r.pointee))")
	w.function("round", "_ r: LibraryPointer<FloatingPointRoundingRule>", "()", "s.pointee.round(r.pointee)")
	w.function("sign", "", "FloatingPointSign", "s.pointee.sign")
	for _, x := range [][2]string{{"pi", "pi"}, {"infinity", "infinity"}, {"nan", "nan"}, {"signalingNaN", "signalingNaN"},
		{"greatest", "greatestFiniteMagnitude"}, {"leastNormal", "leastNormalMagnitude"}, {"leastNonzero", "leastNonzeroMagnitude"}, {"ulpOfOne", "ulpOfOne"}} {
		w.constant(x[0], "."+x[1])
	}
	for _, name := range []string{"isNaN", "isFinite", "isInfinite", "isZero", "isNormal", "isSubnormal", "isSignalingNaN"} {
		w.function(name, "", "Bool", "s.pointee."+name)
	}
	w.function("isEqual", "_ r: LibraryPointer<Self>", "Bool", "s.pointee.isEqual(to: r.pointee)")
	w.function("isLess", "_ r: LibraryPointer<Self>", "Bool", "s.pointee.isLess(than: r.pointee)")
	w.function("isLessOrEqual", "_ r: LibraryPointer<Self>", "Bool", "s.pointee.isLessThanOrEqualTo(r.pointee)")
	w.raw("fromParts", "_ o: LibraryPointer<Self>, _ s: FloatingPointSign, _ e: LibraryPointer<Int>, _ m: LibraryPointer<Self>", "()",
		"o.initialize(to: Self(sign: s, exponent: e.pointee, significand: m.pointee))")
	w.raw("fromSign", "_ o: LibraryPointer<Self>, _ s: LibraryPointer<Self>, _ m: LibraryPointer<Self>", "()",
		"o.initialize(to: Self(signOf: s.pointee, magnitudeOf: m.pointee))")
	w.function("significandWidth", "", "Int", "s.pointee.significandWidth")
	w.getter("significandBits", "Self.RawSignificand", "s.pointee.significandBitPattern")
	w.getter("exponentBits", "UInt", "s.pointee.exponentBitPattern")
	w.raw("significandBitCount", "", "Int", "Self.significandBitCount")
	w.raw("exponentBitCount", "", "Int", "Self.exponentBitCount")
	w.raw("fromDouble", "_ o: LibraryPointer<Self>, _ d: Double", "()", "o.initialize(to: Self(d))")
	w.raw("fromFloat", "_ o: LibraryPointer<Self>, _ d: Float", "()", "o.initialize(to: Self(d))")
	w.raw("fromBits", "_ o: LibraryPointer<Self>, _ s: FloatingPointSign, _ e: LibraryPointer<UInt>, _ m: LibraryPointer<Self.RawSignificand>", "()",
		"o.initialize(to: Self(sign: s, exponentBitPattern: e.pointee, significandBitPattern: m.pointee))")
	from := w
	from.params = "S: BinaryInteger"
	from.raw("fromInteger", "_ o: LibraryPointer<Self>, _ n: LibraryPointer<S>", "()", "o.initialize(to: Self.converted(n.pointee).value)")
	from.raw("exactlyInteger", "_ o: LibraryPointer<Self?>, _ n: LibraryPointer<S>", "()",
		"let (v, exact) = Self.converted(n.pointee); o.initialize(to: exact ? v : nil)")
}

// storage writes what passes the elements to a closure if they lie one after the other.
func (w wrapper) storage() {
	name := "library_" + strings.ReplaceAll(w.name, ".", "_") + "_storage"
	if written[name] {
		return
	}
	written[name] = true
	params, where := "R", ""
	if w.params != "" {
		params = w.params + ", R"
	}
	if w.where != "" {
		where = " where " + w.where
	}
	fmt.Printf("@_silgen_name(%q) public func f%d<%s>(_ o: LibraryPointer<R?>, _ f: (UnsafeBufferPointer<%[4]s.Element>) throws -> R, _ s: LibraryPointer<%[4]s>) throws%s "+
		"{ o.initialize(to: try s.pointee.withContiguousStorageIfAvailable(f)) }\n", name, len(written), params, w.self, where)
}

// contents writes what copies all elements.
func (w wrapper) contents() {
	w.function("copyContents", "_ o: LibraryPointer<Self.Iterator>, _ b: UnsafeMutableBufferPointer<Self.Element>", "Int",
		"let (it, n) = s.move()._copyContents(initializing: b); o.initialize(to: it); return n")
	w.storage()
	w.function("toArray", "", "ContiguousArray<Self.Element>", "s.move()._copyToContiguousArray()")
}

var written = map[string]bool{}

// ranges are the ranges that collections can be sliced by.
var ranges = []string{"Range", "ClosedRange", "PartialRangeFrom", "PartialRangeUpTo", "PartialRangeThrough"}

// pointers are the types of pointers.
var pointers = []wrapper{
	{"UnsafePointer", "E", "UnsafePointer<E>", ""},
	{"UnsafeMutablePointer", "E", "UnsafeMutablePointer<E>", ""},
	{"UnsafeRawPointer", "", "UnsafeRawPointer", ""},
	{"UnsafeMutableRawPointer", "", "UnsafeMutableRawPointer", ""},
}

// collection writes what Collection asks for.
func (w wrapper) collection() {
	w.function("makeIterator", "_ o: LibraryPointer<Self.Iterator>", "()", "o.initialize(to: s.move().makeIterator())")
	w.function("underestimatedCount", "", "Int", "s.pointee.underestimatedCount")
	w.function("startIndex", "_ o: LibraryPointer<Self.Index>", "()", "o.initialize(to: s.pointee.startIndex)")
	w.function("endIndex", "_ o: LibraryPointer<Self.Index>", "()", "o.initialize(to: s.pointee.endIndex)")
	w.function("element", "_ o: LibraryPointer<Self.Element>, _ i: LibraryPointer<Self.Index>", "()", "o.initialize(to: s.pointee[i.pointee])")
	w.function("slice", "_ o: LibraryPointer<Self.SubSequence>, _ r: LibraryPointer<Range<Self.Index>>", "()", "o.initialize(to: s.pointee[r.pointee])")
	w.function("indices", "_ o: LibraryPointer<Self.Indices>", "()", "o.initialize(to: s.pointee.indices)")
	w.function("after", "_ o: LibraryPointer<Self.Index>, _ i: LibraryPointer<Self.Index>", "()", "o.initialize(to: s.pointee.index(after: i.pointee))")
	w.function("formAfter", "_ i: LibraryPointer<Self.Index>", "()", "s.pointee.formIndex(after: &i.pointee)")
	w.function("moved", "_ o: LibraryPointer<Self.Index>, _ i: LibraryPointer<Self.Index>, _ n: Int", "()", "o.initialize(to: s.pointee.index(i.pointee, offsetBy: n))")
	w.function("limited", "_ o: LibraryPointer<Self.Index?>, _ i: LibraryPointer<Self.Index>, _ n: Int, _ l: LibraryPointer<Self.Index>", "()",
		"o.initialize(to: s.pointee.index(i.pointee, offsetBy: n, limitedBy: l.pointee))")
	w.function("distance", "_ i: LibraryPointer<Self.Index>, _ j: LibraryPointer<Self.Index>", "Int", "s.pointee.distance(from: i.pointee, to: j.pointee)")
	w.function("count", "", "Int", "s.pointee.count")
	w.function("check", "_ i: LibraryPointer<Self.Index>, _ b: LibraryPointer<Range<Self.Index>>", "()",
		"s.pointee._failEarlyRangeCheck(i.pointee, bounds: b.pointee)")
	w.function("checkClosed", "_ i: LibraryPointer<Self.Index>, _ b: LibraryPointer<ClosedRange<Self.Index>>", "()",
		"s.pointee._failEarlyRangeCheck(i.pointee, bounds: b.pointee)")
	w.function("checkRange", "_ i: LibraryPointer<Range<Self.Index>>, _ b: LibraryPointer<Range<Self.Index>>", "()",
		"s.pointee._failEarlyRangeCheck(i.pointee, bounds: b.pointee)")
	w.contents()
	w.function("isEmpty", "", "Bool", "s.pointee.isEmpty")
}

// replaceable writes what RangeReplaceableCollection asks for.
func (w wrapper) replaceable() {
	w.raw("new", "_ o: LibraryPointer<Self>", "()", "o.initialize(to: Self())")
	w.function("append", "_ e: LibraryPointer<Self.Element>", "()", "s.pointee.append(e.move())")
	w.function("reserveCapacity", "_ n: Int", "()", "s.pointee.reserveCapacity(n)")
	w.function("insert", "_ e: LibraryPointer<Self.Element>, _ i: LibraryPointer<Self.Index>", "()", "s.pointee.insert(e.move(), at: i.pointee)")
	w.function("remove", "_ o: LibraryPointer<Self.Element>, _ i: LibraryPointer<Self.Index>", "()", "o.initialize(to: s.pointee.remove(at: i.pointee))")
	w.function("removeFirst", "_ o: LibraryPointer<Self.Element>", "()", "o.initialize(to: s.pointee.removeFirst())")
	w.function("removeLast", "_ o: LibraryPointer<Self.Element?>", "()", "o.initialize(to: s.pointee.remove(at: s.pointee.index(before: s.pointee.endIndex)))")
	w.function("removeAll", "_ keep: Bool", "()", "s.pointee.removeAll(keepingCapacity: keep)")
	w.function("removeSubrange", "_ r: LibraryPointer<Range<Self.Index>>", "()", "s.pointee.removeSubrange(r.pointee)")
	w.raw("repeating", "_ o: LibraryPointer<Self>, _ e: LibraryPointer<Self.Element>, _ n: Int", "()", "o.initialize(to: Self(repeating: e.pointee, count: n))")
	w.function("removeFirsts", "_ n: Int", "()", "s.pointee.removeFirst(n)")
	w.function("removeLasts", "_ n: Int", "Bool", "s.pointee.removeLast(n); return true")
	more := w
	if more.params = "S: Sequence"; w.params != "" {
		more.params = w.params + ", S: Sequence"
	}
	more.where = "S.Element == " + w.self + ".Element"
	more.function("appendAll", "_ e: LibraryPointer<S>", "()", "s.pointee.append(contentsOf: e.move())")
	more.raw("from", "_ o: LibraryPointer<Self>, _ e: LibraryPointer<S>", "()", "o.initialize(to: Self(e.move()))")
	more.params = strings.ReplaceAll(more.params, "Sequence", "Collection")
	more.function("insertAll", "_ e: LibraryPointer<S>, _ i: LibraryPointer<Self.Index>", "()", "s.pointee.insert(contentsOf: e.move(), at: i.pointee)")
	more.function("replaceSubrange", "_ r: LibraryPointer<Range<Self.Index>>, _ e: LibraryPointer<S>", "()", "s.pointee.replaceSubrange(r.pointee, with: e.move())")
}

// sequence writes what Sequence asks for.
func (w wrapper) sequence() {
	w.function("makeIterator", "_ o: LibraryPointer<Self.Iterator>", "()", "o.initialize(to: s.move().makeIterator())")
	w.function("underestimatedCount", "", "Int", "s.pointee.underestimatedCount")
	w.contents()
}

// backwards writes what BidirectionalCollection asks for.
func (w wrapper) backwards() {
	w.params = strings.ReplaceAll(w.params, ": Collection", ": BidirectionalCollection")
	w.where = strings.ReplaceAll(w.where, ": Collection", ": BidirectionalCollection")
	w.function("before", "_ o: LibraryPointer<Self.Index>, _ i: LibraryPointer<Self.Index>", "()", "o.initialize(to: s.pointee.index(before: i.pointee))")
	w.function("formBefore", "_ i: LibraryPointer<Self.Index>", "()", "s.pointee.formIndex(before: &i.pointee)")
}

// seldom writes the witnesses of the types of rangeset.swift.
func seldom() {
	fmt.Println("public typealias LibraryPointer = UnsafeMutablePointer")
	for _, w := range []wrapper{
		{"RangeSet.Ranges", "E: Comparable", "RangeSet<E>.Ranges", ""},
		{"DiscontiguousSlice", "B: Collection", "DiscontiguousSlice<B>", ""},
	} {
		w.collection()
		w.backwards()
	}
	for _, w := range []struct {
		wrapper
		equatable, hashable string
	}{
		{wrapper{"RangeSet", "E: Comparable", "RangeSet<E>", ""}, "", "E: Hashable"},
		{wrapper{"RangeSet.Ranges", "E: Comparable", "RangeSet<E>.Ranges", ""}, "", "E: Hashable"},
		{wrapper{"DiscontiguousSlice", "B: Collection", "DiscontiguousSlice<B>", ""}, "B.Element: Equatable", "B.Element: Hashable"},
		{wrapper{"DiscontiguousSlice.Index", "B: Collection", "DiscontiguousSlice<B>.Index", ""}, "", "B.Index: Hashable"},
	} {
		w.function("description", "", "String", "s.pointee.description")
		w.where = w.equatable
		w.function("equal", "_ a: LibraryPointer<Self>", "Bool", "a.pointee == s.pointee")
		w.where = w.hashable
		w.function("hash", "_ h: LibraryPointer<Hasher>", "()", "s.pointee.hash(into: &h.pointee)")
	}
	wrapper{"DiscontiguousSlice.Index", "B: Collection", "DiscontiguousSlice<B>.Index", ""}.function("less", "_ a: LibraryPointer<Self>", "Bool", "a.pointee < s.pointee")
}

// codable writes the witnesses of Encodable and Decodable; params are those of the types of the name's arguments.
func codable() {
	single := []string{"Bool", "String", "Double", "Float", "Float16", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
		"UInt128", "Duration"}
	var types []wrapper
	for _, name := range single {
		types = append(types, wrapper{name, "", name, ""})
	}
	for _, name := range []string{"Optional", "Array", "ContiguousArray"} {
		types = append(types, wrapper{name, "E: Codable", name + "<E>", ""})
	}
	for _, name := range []string{"Range", "ClosedRange", "PartialRangeFrom", "PartialRangeUpTo", "PartialRangeThrough"} {
		types = append(types, wrapper{name, "E: Comparable & Codable", name + "<E>", ""})
	}
	types = append(types, wrapper{"Set", "E: Hashable & Codable", "Set<E>", ""}, wrapper{"Dictionary", "K: Hashable & Codable, V: Codable", "Dictionary<K, V>", ""})
	for _, w := range types {
		params := w.params
		w.params = strings.ReplaceAll(params, "Codable", "Encodable")
		w.function("encode", "_ e: LibraryPointer<any Encoder>", "()", "try s.pointee.encode(to: e.pointee)")
		w.params = strings.ReplaceAll(params, "Codable", "Decodable")
		w.raw("decode", "_ o: LibraryPointer<Self>, _ d: LibraryPointer<any Decoder>", "()", "o.initialize(to: try Self(from: d.move()))")
	}
}

// keyed writes the witnesses of the containers by keys, by which code that is generic over such containers decodes and encodes.
func keyed() {
	single := []string{"Bool", "String", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128"}
	const key = "_ k: LibraryPointer<K>"
	from := wrapper{"KeyedDecodingContainer", "K: CodingKey", "KeyedDecodingContainer<K>", ""}
	to := wrapper{"KeyedEncodingContainer", "K: CodingKey", "KeyedEncodingContainer<K>", ""}
	for _, w := range []wrapper{from, to} {
		w.function("codingPath", "", "[any CodingKey]", "s.pointee.codingPath")
	}
	from.function("allKeys", "", "[K]", "s.pointee.allKeys")
	from.function("contains", key, "Bool", "s.pointee.contains(k.pointee)")
	from.function("getNil", key, "Bool", "try s.pointee.decodeNil(forKey: k.pointee)")
	to.function("putNil", key, "()", "try s.pointee.encodeNil(forKey: k.pointee)")
	for _, name := range single {
		from.function("get"+name, key, name, "try s.pointee.decode("+name+".self, forKey: k.pointee)")
		from.function("getIf"+name, key, name+"?", "try s.pointee.decodeIfPresent("+name+".self, forKey: k.pointee)")
		to.function("put"+name, "_ v: "+name+", "+key, "()", "try s.pointee.encode(v, forKey: k.pointee)")
		to.function("putIf"+name, "_ v: "+name+"?, "+key, "()", "try s.pointee.encodeIfPresent(v, forKey: k.pointee)")
	}
	from.function("nestedList", "_ o: LibraryPointer<any UnkeyedDecodingContainer>, "+key, "()", "o.initialize(to: try s.pointee.nestedUnkeyedContainer(forKey: k.pointee))")
	from.function("super", "_ o: LibraryPointer<any Decoder>", "()", "o.initialize(to: try s.pointee.superDecoder())")
	from.function("superAt", "_ o: LibraryPointer<any Decoder>, "+key, "()", "o.initialize(to: try s.pointee.superDecoder(forKey: k.pointee))")
	to.function("nestedList", "_ o: LibraryPointer<any UnkeyedEncodingContainer>, "+key, "()", "o.initialize(to: s.pointee.nestedUnkeyedContainer(forKey: k.pointee))")
	to.function("super", "_ o: LibraryPointer<any Encoder>", "()", "o.initialize(to: s.pointee.superEncoder())")
	to.function("superAt", "_ o: LibraryPointer<any Encoder>, "+key, "()", "o.initialize(to: s.pointee.superEncoder(forKey: k.pointee))")
	from.params, to.params = "K: CodingKey, N: CodingKey", "K: CodingKey, N: CodingKey"
	from.function("nested", "_ t: N.Type, "+key, "KeyedDecodingContainer<N>", "try s.pointee.nestedContainer(keyedBy: t, forKey: k.pointee)")
	to.function("nested", "_ t: N.Type, "+key, "KeyedEncodingContainer<N>", "s.pointee.nestedContainer(keyedBy: t, forKey: k.pointee)")
	from.params, to.params = "K: CodingKey, T: Decodable", "K: CodingKey, T: Encodable"
	from.function("get", "_ o: LibraryPointer<T>, _ t: T.Type, "+key, "()", "o.initialize(to: try s.pointee.decode(t, forKey: k.pointee))")
	from.function("getIf", "_ o: LibraryPointer<T?>, _ t: T.Type, "+key, "()", "o.initialize(to: try s.pointee.decodeIfPresent(t, forKey: k.pointee))")
	to.function("put", "_ v: LibraryPointer<T>, "+key, "()", "try s.pointee.encode(v.pointee, forKey: k.pointee)")
	to.function("putIf", "_ v: LibraryPointer<T?>, "+key, "()", "try s.pointee.encodeIfPresent(v.pointee, forKey: k.pointee)")
	to.params = "K: CodingKey, T: AnyObject & Encodable"
	to.function("putConditional", "_ v: T, "+key, "()", "try s.pointee.encodeConditional(v, forKey: k.pointee)")
}

func main() {
	fmt.Println("// Generated by loader/gen/library; do not edit.")
	if len(os.Args) > 1 && os.Args[1] == "seldom" {
		seldom()
		codable()
		keyed()
		return
	}
	fmt.Println("public typealias LibraryPointer = UnsafeMutablePointer")
	fmt.Println("// They stand for _ClosureBasedIterator and _ClosureBasedSequence, which have no other stored property.")
	fmt.Println("public struct LibraryClosureIterator<E>: IteratorProtocol, Sequence { let body: () -> E?; public mutating func next() -> E? { body() } }")
	fmt.Println("public struct LibraryClosureSequence<I: IteratorProtocol> { let make: () -> I }")
	for _, w := range iterators {
		w.function("next", "_ o: LibraryPointer<Self.Element?>", "()", "o.initialize(to: s.pointee.next())")
	}
	for _, w := range sequences {
		w.sequence()
	}
	for _, w := range collections {
		w.collection()
	}
	for _, name := range twoWay {
		collection(name).backwards()
	}
	for _, name := range []string{"String", "Substring"} {
		w := wrapper{name, "", name, ""}
		for _, view := range []string{"UTF8View", "UTF16View", "UnicodeScalarView"} {
			property := map[string]string{"UTF8View": "utf8", "UTF16View": "utf16", "UnicodeScalarView": "unicodeScalars"}[view]
			w.getter(property, "Self."+view, "s.pointee."+property)
		}
		w.function("lowercased", "", "String", "s.pointee.lowercased()")
		w.function("uppercased", "", "String", "s.pointee.uppercased()")
		w.function("hasPrefix", "_ p: String", "Bool", "s.pointee.hasPrefix(p)")
		w.function("hasSuffix", "_ p: String", "Bool", "s.pointee.hasSuffix(p)")
	}
	numbers()
	for _, name := range ranges {
		w := wrapper{name, "E: Comparable, C: Collection", name + "<E>", "C.Index == E"}
		w.function("relative", "_ o: LibraryPointer<Range<E>>, _ c: LibraryPointer<C>", "()", "o.initialize(to: s.pointee.relative(to: c.pointee))")
		w.params, w.where = "E: Comparable", ""
		w.function("contains", "_ e: LibraryPointer<E>", "Bool", "s.pointee.contains(e.pointee)")
	}
	for _, w := range pointers {
		w.function("rawValue", "", "UnsafeRawPointer", "UnsafeRawPointer(s.pointee)")
	}
	for _, w := range arrays {
		w.replaceable()
	}
}
