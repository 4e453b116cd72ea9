package gen

// statements of a body; deep says how many levels there may be below.
func (w *wide) statements(n, deep int) {
	for range n {
		w.statement(deep)
	}
}

// variable is the name of a variable of a type, a new one if there is none.
func (w *wide) variable(t *wideType, mutable bool) string {
	if list := w.vars(t, mutable); len(list) > 0 {
		return list[w.n(len(list))]
	}
	return w.fresh(t, mutable)
}

// fresh declares a variable.
func (w *wide) fresh(t *wideType, mutable bool) string {
	name, word := w.name("x"), "let"
	if mutable {
		word = "var"
	}
	w.line("%s %s: %s = %s", word, name, t.text, w.value(t, 3))
	w.declare(name, t, mutable)
	if mutable {
		w.line("_ = exchange(&%s, %s)", name, name)
	}
	return name
}

// local declares a constant that no other code uses, and returns its name.
func (w *wide) local(t *wideType) string {
	name := w.name("x")
	w.line("let %s: %s = %s", name, t.text, w.value(t, 1))
	return name
}

// any chooses a type of one kind; nil when there is none.
func (w *wide) any(kind wideKind) *wideType {
	for _, list := range [][]*wideType{w.lists, w.generic} {
		for _, n := range w.r.Perm(len(list)) {
			if list[n].kind == kind {
				return list[n]
			}
		}
	}
	return nil
}

func (w *wide) statement(deep int) {
	t := w.kind()
	switch k := w.n(40); {
	case k < 6:
		w.fresh(t, w.chance(2))
	case k < 8:
		v := w.variable(t, true)
		w.line("%s = passOn(%s)", v, w.value(t, 2))
	case k < 12:
		w.show(w.variable(t, false), t)
	case k < 17:
		w.change()
	case k < 27:
		if deep > 0 {
			w.control(deep - 1)
		} else {
			w.show(w.variable(t, false), t)
		}
	case k < 29:
		if len(w.funcs) > 0 && len(w.loops) == 0 && w.inner == 0 {
			w.callSafely(w.funcs[w.n(len(w.funcs))])
		}
	case k < 30 && w.inner == 0 && len(w.loops) == 0 && deep > 0:
		w.line("defer {")
		w.inner++
		w.block(func() { w.statements(1+w.n(2), 0) })
		w.inner--
		w.line("}")
	default:
		features := [][]func(*wide){wideFeatures, wideMore, wideMemory, wideLate, wideDeep, wideOwned}[w.n(6)]
		features[w.n(len(features))](w)
	}
}

// callSafely calls a function, and catches what it throws in one of the ways.
func (w *wide) callSafely(f wideFunc) {
	switch {
	case !f.throws:
		w.line("do {")
		w.block(func() { w.callFunc(f) })
		w.line("}")
	case w.throws && w.chance(2):
		w.line("do {")
		w.block(func() { w.callFunc(f) })
		w.line("}")
	default:
		w.line("do {")
		w.block(func() { w.callFunc(f) })
		w.line("} catch Failure.code(let n) where n > 2 {")
		w.line("  say(\"code\", n)")
		w.line("} catch let e as Failure {")
		w.line("  say(e.d)")
		w.line("} catch { say(\"other\") }")
	}
}

// assign writes an assignment; the compiler wants nothing to be assigned to itself.
func (w *wide) assign(to, e string) {
	if e == to {
		e = "passOn(" + e + ")"
	}
	w.line("%s = %s", to, e)
}

// change changes a value in place.
func (w *wide) change() {
	switch w.n(9) {
	case 0, 1:
		c := w.class1()
		v := w.variable(c, false)
		for _, n := range w.r.Perm(len(c.fields)) {
			if f := c.fields[n]; f.mutable {
				w.assign(v+"."+f.name, w.value(f.t, 2))
				break
			}
		}
		w.show(v, c)
	case 2:
		s := w.structs[w.n(len(w.structs))]
		v := w.variable(s, true)
		copied := w.name("x")
		w.line("let %s = %s", copied, v)
		w.line("let %sold = %s.put(%s)", copied, v, w.value(s.fields[0].t, 2))
		w.show(copied+"old", s.fields[0].t)
		w.declare(copied, s, false)
		w.show(v, s)
		w.show(copied, s)
	case 3:
		e := w.enums[w.n(len(w.enums))]
		v := w.variable(e, true)
		w.line("%s.wrap()", v)
		w.line("say(%s.d, %s.unwrap(), %s.unwrap())", v, v, v)
	case 4:
		a := w.any(wideArray)
		v := w.variable(a, true)
		copied := w.name("x")
		w.line("let %s = %s", copied, v)
		w.line("if %s.count < 9 { %s.append(%s) }", v, v, w.value(a.elems[0], 2))
		w.line([]string{
			"if %[1]s.count > 1 { %[1]s.swapAt(0, %[1]s.count - 1) }",
			"if !%[1]s.isEmpty { %[1]s.removeLast() }",
			"%[1]s.insert(contentsOf: %[2]s.prefix(1), at: 0)",
			"if %[1]s.count > 2 { %[1]s.removeSubrange(0..<2) }",
			"if !%[1]s.isEmpty { let x = %[3]s; _ = exchange(&%[1]s[0], x) }",
			"%[1]s.reverse(); %[1]s += %[2]s.suffix(1)",
			"_ = %[1]s.popLast(); _ = %[2]s.count",
		}[w.n(7)]+" // %[1]s %[2]s %.0[3]s", v, copied, w.value(a.elems[0], 1))
		w.declare(copied, a, false)
		w.show(v, a)
		w.show(copied, a)
	case 5:
		d := w.any(wideDict)
		if d == nil {
			return
		}
		v := w.variable(d, true)
		copied := w.name("x")
		w.line("let %s = %s", copied, v)
		switch w.n(4) {
		case 0:
			w.line("%s[\"k%d\"] = %s", v, w.n(3), w.value(d.elems[0], 2))
		case 1:
			w.line("say(%s.removeValue(forKey: \"k%d\")?.d ?? \"none\")", v, w.n(3))
		case 2:
			x, y := w.local(d.elems[0]), w.local(d.elems[0]) // what is read while it is changed is an error
			w.line("_ = exchange(&%s[\"k%d\", default: %s], %s)", v, w.n(3), x, y)
		default:
			w.line("%s.merge(%s) { a, b in %s }", v, copied, []string{"a", "b"}[w.n(2)])
		}
		w.line("for (k, x) in %s.sorted(by: { $0.key < $1.key }) { say(k, x.d) }", v)
		w.show(copied, d)
	case 6:
		t := w.any(wideTwo)
		if t == nil {
			return
		}
		v := w.variable(t, true)
		w.line("say(%s.setFirst(%s).d, %s.swapped().d)", v, w.value(t.elems[0], 2), v)
	case 7:
		b := w.any(wideBox)
		v := w.variable(b, false)
		w.line("say(%s.put(%s).d)", v, w.value(b.elems[0], 2))
		w.line("%s.with { $0 = %s }", v, w.local(b.elems[0]))
		w.show(v, b)
	case 8:
		t := w.kind()
		a, b := w.fresh(t, true), w.fresh(t, true)
		w.line("swap(&%s, &%s)", a, b)
		w.show(a, t)
	}
}

func (w *wide) control(deep int) {
	body := func(n int) { w.block(func() { w.statements(n, deep) }) }
	switch w.n(10) {
	case 0:
		w.line("if %s {", w.condition(3))
		body(1 + w.n(3))
		w.line("} else if %s {", w.condition(2))
		body(w.n(2))
		w.line("} else {")
		body(w.n(3))
		w.line("}")
	case 1:
		o := w.any(wideOptional)
		x := w.name("x")
		w.line("if let %s = %s, %s {", x, w.value(o, 3), w.condition(2))
		w.block(func() { w.declare(x, o.elems[0], false); w.statements(1+w.n(2), deep); w.show(x, o.elems[0]) })
		w.line("} else {")
		body(w.n(2))
		w.line("}")
	case 2, 3:
		w.loop(deep)
	case 4, 5:
		w.switchOver(deep)
	case 6:
		w.line("do {")
		body(1 + w.n(2))
		w.block(func() {
			w.line("if %s { throw %s }", w.condition(2), w.failure())
			c := w.class1()
			x := w.name("x")
			w.line("let %s = try %s(failing%s: %s, %s)", x, c.text, c.text, w.value(wInt, 1), w.arguments(c.fields, 1))
			w.declare(x, c, false)
			w.show(x, c)
			w.statements(1, deep)
		})
		w.line("} catch Failure.plain {")
		body(1)
		w.line("} catch let e as Failure {")
		w.block(func() { w.line("say(e.d)") })
		w.line("} catch { say(\"other\") }")
	case 7:
		if w.inner > 0 {
			return
		}
		o := w.any(wideOptional)
		x := w.name("x")
		w.line("guard let %s = %s else {", x, w.value(o, 3))
		w.block(func() { w.statements(w.n(2), 0); w.leave() })
		w.line("}")
		w.declare(x, o.elems[0], false)
	case 8:
		if w.inner > 0 {
			return
		}
		w.line("if %s {", w.condition(3))
		w.block(func() { w.statements(w.n(2), 0); w.leave() })
		w.line("}")
	case 9:
		if w.inner > 0 || len(w.loops) > 0 {
			return
		}
		name := w.name("local")
		var captured string
		if list := w.vars(wInt, true); len(list) > 0 {
			captured = list[w.n(len(list))]
		} else {
			captured = w.fresh(wInt, true)
		}
		w.line("func %s(_ n: Int) -> Int {", name)
		w.inner++
		quiet := w.quiet
		w.quiet = true
		w.block(func() {
			w.line("%s = %s &+ n", captured, captured)
			w.declare("n", wInt, false)
			w.statements(1+w.n(2), deep)
			w.line("return burn() && n < 4 ? %s(n &+ 1) &+ %s : n", name, captured)
		})
		w.inner--
		w.quiet = quiet
		w.line("}")
		w.line("say(%s(%d), %s)", name, w.n(6), captured)
		if w.chance(2) {
			w.line("globalActs.append(%s)", name)
		}
	}
}

// leave ends the block: by the end of a turn, of the loop, or of the function.
func (w *wide) leave() {
	switch {
	case len(w.loops) > 0 && !w.chance(3):
		w.line("%s %s", []string{"break", "continue"}[w.n(2)], w.loops[w.n(len(w.loops))])
	case w.throws && w.chance(2):
		w.line("throw %s", w.failure())
	default:
		w.giveBack()
	}
}

func (w *wide) failure() string {
	switch w.n(3) {
	case 0:
		return "Failure.plain"
	case 1:
		return "Failure.code(" + w.value(wInt, 1) + ")"
	}
	return "Failure.held(" + w.value(w.generic[0], 1) + ")"
}

func (w *wide) loop(deep int) {
	if len(w.loops) > 1 {
		return
	}
	label, i := w.name("loop"), w.name("i")
	inside := func(declare func()) {
		w.loops = append(w.loops, label)
		inner := w.inner
		w.inner = min(w.inner, 1)
		w.block(func() {
			if declare != nil {
				declare()
			}
			w.statements(1+w.n(3), deep)
		})
		w.inner = inner
		w.loops = w.loops[:len(w.loops)-1]
	}
	switch w.n(6) {
	case 0, 1:
		w.line("%s: for %s in %s {", label, i, []string{"0..<3", "(1...2)", "stride(from: 6, to: 0, by: -3)", "[2, 5].reversed()"}[w.n(4)])
		inside(func() { w.declare(i, wInt, false) })
	case 2:
		w.line("var %s = 0", i)
		w.line("%s: while %s < %d, burn() {", label, i, 1+w.n(3))
		inside(func() { w.line("%s += 1", i) })
	case 3:
		w.line("var %s = 0", i)
		w.line("%s: repeat {", label)
		inside(func() { w.line("%s += 1", i) })
		w.line("} while %s < %d && burn()", i, 1+w.n(3))
		return
	case 4:
		a := w.any(wideArray)
		x := w.name("x")
		w.line("%s: for (%s, %s) in (%s as %s).prefix(4).enumerated() where %s != 1 {", label, i, x, w.value(a, 3), a.text, i)
		inside(func() { w.declare(i, wInt, false); w.declare(x, a.elems[0], false) })
	default:
		w.line("%s: for %s in Countdown(n: %d, token: %s) {", label, i, w.n(4), w.value(w.generic[0], 1))
		inside(func() { w.declare(i, wInt, false) })
	}
	w.line("}")
}

func (w *wide) switchOver(deep int) {
	arm := func(declare func()) {
		w.block(func() {
			if declare != nil {
				declare()
			}
			w.statements(1+w.n(2), deep)
			w.line("say(%d)", w.n(100))
		})
	}
	switch w.n(4) {
	case 0:
		w.line("switch (%s, %s) {", w.value(wInt, 2), w.value(wBool, 2))
		w.line("case (0..<10, true), (10, _):")
		arm(nil)
		w.line("case (let n, false) where n > 3:")
		arm(func() { w.declare("n", wInt, false) })
		w.line("default:")
		arm(nil)
	case 1: // by class
		c := w.class1()
		w.line("switch %s as Any {", w.value(c, 2))
		for _, d := range w.classes {
			if d.super != nil {
				x := w.name("x")
				w.line("case let %s as %s:", x, d.text)
				arm(func() { w.declare(x, d, false); w.show(x, d) })
			}
		}
		w.line("case is Int: say(\"int\")")
		w.line("default:")
		arm(nil)
	default:
		e := w.enums[w.n(len(w.enums))]
		w.line("switch %s {", w.value(e, 3))
		for _, c := range e.cases {
			var binds []string
			var bound []wideVar
			for _, p := range c.payload {
				if w.chance(4) {
					binds = append(binds, "_")
					continue
				}
				x := w.name("x")
				binds = append(binds, "let "+x)
				bound = append(bound, wideVar{x, p, false})
			}
			w.line("case .%s%s:", c.name, parenthesized(binds))
			arm(func() {
				for _, v := range bound {
					w.declare(v.name, v.t, false)
					w.show(v.name, v.t)
				}
			})
		}
	}
	w.line("}")
}

// wideFeatures are statements about one feature of the language each.
var wideFeatures = []func(*wide){
	func(w *wide) { // weak references
		c := w.class1()
		v, n := w.variable(c, false), w.name("x")
		w.assign(v+".friend"+c.text, w.value(c, 2))
		w.line("say(%s.friend%s === %s, %s.friend%s?.d ?? \"gone\")", v, c.text, v, v, c.text)
		w.line("weak var %s = %s", n, v)
		w.line("withExtendedLifetime(%s) { say(%s?.d ?? \"gone\") }", v, n)
	},
	func(w *wide) { // a weak reference to what dies in between
		c := w.class1()
		n, m := w.name("x"), w.name("x")
		w.line("weak var %s: %s? = nil", n, c.text)
		w.line("do { let %s = %s; %s = %s; withExtendedLifetime(%s) { say(%s != nil) } }", m, w.object(c, 1), n, m, m, n)
		w.line("say(%s?.d ?? \"gone\")", n)
	},
	func(w *wide) { // unowned references
		c := w.class1()
		v, n := w.variable(c, false), w.name("f")
		w.line("let %s = { [unowned %s] (n: Int) -> String in %s.d + String(n) }", n, v, v)
		w.line("withExtendedLifetime(%s) { say(%s(%d)) }", v, n, w.n(9))
	},
	func(w *wide) { // unowned(unsafe)-free: an unowned variable
		c := w.class1()
		v, n := w.variable(c, false), w.name("x")
		w.line("unowned var %s = %s", n, v)
		w.line("withExtendedLifetime(%s) { say(%s.d); %s = %s; say(%s.work(2)) }", v, n, n, v, n)
	},
	func(w *wide) { // chains of objects
		c := w.class1()
		v := w.variable(c, false)
		w.line("%s.next%s = %s", v, c.text, w.object(c, 1))
		w.line("%s.next%s?.next%s = %s", v, c.text, c.text, w.value(c, 1))
		w.line("say(%s.next%s?.next%s?.d ?? \"end\", %s.next%s?.work(1) ?? 0)", v, c.text, c.text, v, c.text)
		w.line("%s.next%s = %s.next%s?.next%s", v, c.text, v, c.text, c.text)
		if w.chance(2) {
			w.line("%s.next%s = nil", v, c.text)
		}
	},
	func(w *wide) { // closures in properties
		c := w.class1()
		v := w.variable(c, false)
		w.line("%s.act%s = %s", v, c.text, w.value(wClosure, 2))
		if !w.quiet {
			w.line("say(%s.act%s?(%d) ?? 0)", v, c.text, w.n(9))
		}
		w.line("%s.act%s = { [weak %s] (n: Int) -> Int in %s?.work(n) ?? n }", v, c.text, v, v)
		if !w.quiet {
			w.line("say(%s.act%s!(%d), later(%s.act%s!)(1))", v, c.text, w.n(9), v, c.text)
		}
	},
	func(w *wide) { // lazy, static and computed properties, subscripts
		c := w.class1()
		v := w.variable(c, false)
		w.line("say(%s.late%s.d, %s.count%s > 0, %s.shared%s.put(%d))", v, c.text, c.text, c.text, c.text, c.text, w.n(9))
		w.line("%s.double%s += %d", v, c.text, w.n(9))
		w.line("%s[%d] &+= %s", v, w.n(4), w.value(wInt, 1))
		w.line("say(exchange(&%s.double%s, %d), %s.d)", v, c.text, w.n(30), v)
	},
	func(w *wide) { // casts
		for _, c := range w.classes {
			if c.super != nil {
				v, n := w.variable(c.super, false), w.name("x")
				w.line("if let %s = %s as? %s { say(\"is\", %s.d) } else { say(\"is none\", %s.d) }", n, v, c.text, n, v)
				w.line("say((%s as AnyObject) === %s, (%s as Any) is %s, type(of: %s) == %s.self)", v, v, v, c.text, v, c.super.text)
				return
			}
		}
	},
	func(w *wide) { // higher order
		a := w.any(wideArray)
		v := w.value(a, 2)
		e := a.elems[0]
		w.line("say((%s as %s).map { (x: %s) -> Int in %s }.reduce(0, &+))", v, a.text, e.text, w.within(func() string { return w.value(wInt, 1) }))
		if e.kind == wideInt {
			w.line("say(%s.sorted(by: >).d, %s.contains { $0 > 3 }, %s.max()?.d ?? \"\")", w.value(a, 1), w.value(a, 1), w.value(a, 1))
		} else if isShown(e) {
			w.line("say(%s.sorted { $0.d < $1.d }.d)", w.value(a, 1))
			w.line("for (a, b) in zip(%s, 0..<3) { say(a.d, b) }", w.value(a, 1))
		}
	},
	func(w *wide) { // compact and flat maps, optional maps
		c := w.class1()
		v := w.variable(c, false)
		w.line("say([%s, nil, %s].compactMap { $0?.next%s }.d, Optional(%s).flatMap { $0.next%s }.d)", v, w.value(c, 1), c.text, v, c.text)
	},
	func(w *wide) { // fallible initializers
		c := w.class1()
		n := w.name("x")
		w.line("if let %s = %s(maybe%s: %s, %s) { say(%s.d) } else { say(\"no object\") }", n, c.text, c.text, w.value(wInt, 1), w.arguments(c.fields, 1), n)
		w.line("say((try? %s(failing%s: %s, %s))?.d ?? \"failed\")", c.text, c.text, w.value(wInt, 1), w.arguments(c.fields, 1))
	},
	func(w *wide) { // values that are not copied
		n := w.name("t")
		w.line("do {")
		w.block(func() {
			w.line("let %s = Ticket(held: %s)", n, w.value(w.generic[0], 1))
			w.line("say(%s.look())", n)
			switch w.n(3) {
			case 0:
				w.line("say(%s.spend().d)", n)
			case 1:
				w.line("if %s { say(%s.spend().d) } else { say(\"kept\") }", w.condition(2), n)
			}
		})
		w.line("}")
	},
	func(w *wide) { // a stack with a subscript that is set
		t := w.shown()
		n := w.name("s")
		w.line("var %s = Stack<%s>()", n, t.text)
		w.line("%s.push(%s); %s.push(%s)", n, w.value(t, 2), n, w.value(t, 1))
		w.line("let %scopy = %s", n, n)
		w.line("%s[%d] = %s", n, w.n(3), w.value(t, 1))
		w.line("say(%s.pop()?.d ?? \"empty\", %s.d, %scopy.d)", n, n, n)
	},
	func(w *wide) { // globals
		w.line("publish(%s)", w.value(w.global, 2))
		w.line("say(globalObject?.d ?? \"none\", globalList.count)")
		if w.chance(2) {
			w.line("forget()")
		}
		if !w.quiet {
			w.line("for g in globalActs.prefix(3) { say(g(1)) }")
		}
	},
	func(w *wide) { // key paths
		s := w.structs[w.n(len(w.structs))]
		v, n := w.variable(s, true), w.name("k")
		f := s.fields[w.n(len(s.fields))]
		w.line("let %s = \\%s.%s", n, s.text, f.name)
		w.line("%s[keyPath: %s] = %s", v, n, w.value(f.t, 1))
		w.line("say(%s[keyPath: %s].d, [%s].map { $0[keyPath: %s] }.count)", v, n, v, n)
	},
	func(w *wide) { // opaque types and existentials
		w.line("say(hidden(%s).d, describeAny(hidden(%d)))", w.value(wInt, 1), w.n(9))
		p := w.protos[w.n(len(w.protos))]
		n := w.name("x")
		w.line("var %s: [any %s] = [%s, %s]", n, p, w.conformer(p, 2), w.conformer(p, 1))
		w.line("%s[0].change%s(%d)", n, p, w.n(9))
		w.line("say(%s.map { $0.extra%s(1) }.joined(separator: \"+\"), useAny%s(%s[1], 3), %s[0].weight)", n, p, p, n, n)
	},
	func(w *wide) { // results
		n := w.name("x")
		w.line("let %s = Result { () throws -> Int in if %s { throw %s }; return %s }", n, w.condition(2), w.failure(), w.value(wInt, 1))
		w.line("switch %s.map({ $0 &+ 1 }) { case .success(let x): say(x); case .failure(let e): say((e as! Failure).d) }", n)
		w.line("say((try? twice { (n: Int) throws -> Int in if n > %d { throw Failure.plain }; return n &+ 3 }) ?? -1)", w.n(9))
	},
	func(w *wide) { // tuples
		x := w.name("x")
		a, b := w.shown(), w.shown()
		w.line("var (%sa, %sb): (%s, %s) = (%s, %s)", x, x, a.text, b.text, w.value(a, 2), w.value(b, 2))
		w.line("(%sa, %sb) = (passOn(%s), %s)", x, x, w.value(a, 2), w.value(b, 1))
		w.line("say(%sa.d, %sb.d)", x, x)
	},
	func(w *wide) { // operators and methods of structures
		s := w.structs[w.n(len(w.structs))]
		v := w.variable(s, false)
		w.line("say((%s + %s).d, %s.with(%s).d)", v, w.value(s, 1), v, w.value(s.fields[0].t, 1))
	},
	func(w *wide) { // strings
		n := w.name("x")
		w.line("var %s = %s", n, w.value(wString, 2))
		w.line("%s += %s; %s.append(\"é\")", n, w.value(wString, 1), n)
		w.line("say(%s.count, %s.uppercased(), %s.hasPrefix(\"t\"), %s.utf8.reduce(0) { $0 &+ Int($1) }, Array(%s.prefix(3)).count)", n, n, n, n, n)
	},
	func(w *wide) { // variables that end early
		t := w.kind()
		for t.kind == wideTuple { // the compiler crashes
			t = w.kind()
		}
		n := w.name("x")
		w.line("let %s: %s = %s", n, t.text, w.value(t, 2))
		w.show(n, t)
		w.line("_ = consume %s", n)
		w.line("say(%q)", "after "+n)
	},
	func(w *wide) { // sets of hashed values; counts only, for their order is no one's business
		w.line("say(Set([%s, %s, %s]).count, Set([%s]).union([1, 2]).sorted())", w.value(wInt, 1), w.value(wInt, 1), w.value(wInt, 1), w.value(wInt, 1))
	},
}
