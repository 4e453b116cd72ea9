package mangle

import (
	"strconv"
	"strings"
)

// typeStyle says how the type of a declaration is printed.
type typeStyle uint8

const (
	noType typeStyle = iota
	colonType
	functionStyle
)

// entity says how a declaration is printed: context.name.extra type, or where extra has spaces or the name is local,
// name in context.
type entity struct {
	style   typeStyle
	named   bool
	extra   string // after the name
	instead string // in place of the name
	index   int    // the child whose number follows extra, 0 for none
	from    uint64 // what is added to that number
	storage bool   // an accessor: what it accesses is the first child
}

var entities = map[Kind]entity{
	Class: {named: true}, Structure: {named: true}, Enum: {named: true}, Protocol: {named: true}, TypeAlias: {named: true},
	OtherNominalType: {named: true}, GenericTypeParamDecl: {named: true},
	Variable:    {style: colonType, named: true},
	Function:    {style: functionStyle, named: true},
	Macro:       {style: functionStyle, named: true},
	Subscript:   {style: functionStyle, instead: "subscript"},
	Constructor: {style: functionStyle, extra: "init"}, Allocator: {style: functionStyle, extra: "init"},
	Destructor: {extra: "deinit"}, Deallocator: {extra: "deinit"},
	IVarInitializer: {extra: "__ivar_initializer"}, IVarDestroyer: {extra: "__ivar_destroyer"},
	Initializer:                           {extra: "variable initialization expression"},
	PropertyWrapperBackingInitializer:     {extra: "property wrapper backing initializer"},
	PropertyWrapperInitFromProjectedValue: {extra: "property wrapper init from projected value"},
	DefaultArgumentInitializer:            {extra: "default argument ", index: 1},
	RuntimeDiscoverableAttribute:          {extra: "runtime attribute generator"},
	ExplicitClosure:                       {style: functionStyle, extra: "closure #", index: 1, from: 1},
	ImplicitClosure:                       {style: functionStyle, extra: "implicit closure #", index: 1, from: 1},
	FreestandingMacroExpansion:            {named: true, extra: "freestanding macro expansion #", index: 2, from: 1},
	AccessorAttachedMacroExpansion:        {named: true, extra: "accessor macro @%2 expansion #", index: 3, from: 1},
	MemberAttributeAttachedMacroExpansion: {named: true, extra: "member attribute macro @%2 expansion #", index: 3, from: 1},
	MemberAttachedMacroExpansion:          {named: true, extra: "member macro @%2 expansion #", index: 3, from: 1},
	PeerAttachedMacroExpansion:            {named: true, extra: "peer macro @%2 expansion #", index: 3, from: 1},
	ConformanceAttachedMacroExpansion:     {named: true, extra: "conformance macro @%2 expansion #", index: 3, from: 1},
	ExtensionAttachedMacroExpansion:       {named: true, extra: "extension macro @%2 expansion #", index: 3, from: 1},
	PreambleAttachedMacroExpansion:        {named: true, extra: "preamble macro @%2 expansion #", index: 3, from: 1},
	BodyAttachedMacroExpansion:            {named: true, extra: "body macro @%2 expansion #", index: 3, from: 1},
	MacroExpansionUniqueName:              {named: true, extra: "unique name #", index: 2, from: 1},
	Getter:                                {storage: true, extra: "getter"}, GlobalGetter: {storage: true, extra: "getter"},
	Setter: {storage: true, extra: "setter"}, MaterializeForSet: {storage: true, extra: "materializeForSet"},
	WillSet: {storage: true, extra: "willset"}, DidSet: {storage: true, extra: "didset"},
	InitAccessor: {storage: true, extra: "init"}, ReadAccessor: {storage: true, extra: "read"},
	ModifyAccessor:  {storage: true, extra: "modify"},
	OwningAddressor: {storage: true, extra: "owningAddressor"}, OwningMutableAddressor: {storage: true, extra: "owningMutableAddressor"},
	NativeOwningAddressor:         {storage: true, extra: "nativeOwningAddressor"},
	NativeOwningMutableAddressor:  {storage: true, extra: "nativeOwningMutableAddressor"},
	NativePinningAddressor:        {storage: true, extra: "nativePinningAddressor"},
	NativePinningMutableAddressor: {storage: true, extra: "nativePinningMutableAddressor"},
	UnsafeAddressor:               {storage: true, extra: "unsafeAddressor"},
	UnsafeMutableAddressor:        {storage: true, extra: "unsafeMutableAddressor"},
}

// entity writes a declaration. As the prefix of another it returns itself if it can't be there; so it does with
// its own context.
func (p *printer) entity(n *Node, e entity, prefix bool) (left *Node) {
	if e.storage {
		extra := e.extra
		n = n.Child(0)
		if !n.Is(Variable) && !n.Is(Subscript) {
			p.bad = true
			return nil
		}
		e = entities[n.Kind]
		e.style, e.extra = colonType, extra
	}
	switch {
	case n.Is(Allocator) && n.Child(0).Is(Class):
		e.extra = "__allocating_init"
	case n.Is(Deallocator) && n.Child(0).Is(Class):
		e.extra = "__deallocating_deinit"
	case (n.Is(ExplicitClosure) || n.Is(ImplicitClosure)) && p.short:
		e.style = noType
	case e.index == 3 && n.Child(2) != nil:
		e.extra = strings.Replace(e.extra, "%2", n.Child(2).Text, 1)
	}
	long := strings.Contains(e.extra, " ") || e.named && n.Child(1).Is(LocalDeclName)
	if prefix && (e.style != noType || long) {
		return n
	}
	var after *Node
	if ctx := n.Child(0); long {
		after = ctx
	} else {
		at := p.b.Len()
		after = p.printAs(ctx, true)
		if p.b.Len() != at {
			p.write(".")
		}
	}
	p.entityName(n, e, long)
	if e.style != noType {
		p.entityType(n, e.style, long)
	}
	if !prefix && after != nil {
		if n.Is(DefaultArgumentInitializer) || n.Is(Initializer) || n.Is(PropertyWrapperBackingInitializer) ||
			n.Is(PropertyWrapperInitFromProjectedValue) {
			p.write(" of ")
		} else {
			p.write(" in ")
		}
		p.print(after)
		after = nil
	}
	return after
}

func (p *printer) entityName(n *Node, e entity, long bool) {
	extra := e.extra
	if e.index > 0 {
		i := n.Child(e.index)
		if last := n.Child(len(n.Children) - 1); e.index > 1 {
			i = last
		}
		if i == nil {
			p.bad = true
			return
		}
		extra += strconv.FormatUint(i.Index+e.from, 10)
	}
	if e.named || e.instead != "" {
		if extra != "" && long {
			p.write(extra + " of ")
			extra = ""
		}
		at := p.b.Len()
		if e.instead != "" {
			p.write(e.instead)
		} else {
			if name := n.Child(1); !name.Is(PrivateDeclName) {
				p.print(name)
			}
			if private := n.first(PrivateDeclName); private != nil {
				p.print(private)
			}
		}
		if p.b.Len() != at && extra != "" {
			p.write(".")
		}
	}
	p.write(extra)
}

func (p *printer) entityType(n *Node, style typeStyle, long bool) {
	t := n.first(Type).Child(0)
	if t == nil {
		p.bad = true
		return
	}
	if style == functionStyle {
		f := t
		for f.Is(DependentGenericType) {
			f = f.Child(1).Child(0)
		}
		if !f.Is(FunctionType) && !f.Is(NoEscapeFunctionType) && !f.Is(UncurriedFunctionType) && !f.Is(CFunctionPointer) &&
			!f.Is(ThinFunctionType) {
			style = colonType
		}
	}
	if style == colonType {
		if p.short {
			return
		}
		p.write(" : ")
	} else if long || spaceBefore(t) {
		p.write(" ")
	}
	labels := n.first(LabelList)
	if labels == nil {
		p.print(t)
		return
	}
	if t.Is(DependentGenericType) {
		p.print(t.Child(0))
		if spaceBefore(t.Child(1)) {
			p.write(" ")
		}
		t = t.Child(1).Child(0)
	}
	p.functionType(labels, t)
}
