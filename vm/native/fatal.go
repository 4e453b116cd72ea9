package native

import (
	"strings"

	"silvm/ir"
	"silvm/vm"
)

var fatalErrors = map[string]func(*call){
	"$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_A2HSus6UInt32VtF": func(c *call) {
		c.failure(c.argStatic(0), c.argStatic(3))
	},
	"$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_SSAHSus6UInt32VtF": func(c *call) {
		c.failure(c.argStatic(0), c.text(c.argString(3)))
	},
	"$ss17_assertionFailure__5flagss5NeverOs12StaticStringV_SSs6UInt32VtF": func(c *call) {
		c.failure(c.argStatic(0), c.text(c.argString(3)))
	},
	"$ss18_fatalErrorMessage__4file4line5flagss5NeverOs12StaticStringV_A2HSus6UInt32VtF": func(c *call) {
		c.failure(c.argStatic(0), c.argStatic(3))
	},
	"$ss9_abstract4file4lines5NeverOs12StaticStringV_SutF": func(c *call) {
		c.failure("Fatal error", "Method must be overridden")
	},
	"$ss31_diagnoseUnavailableCodeReacheds5NeverOyF": func(c *call) {
		c.failure("Fatal error", "Unavailable code reached")
	},
	// What a Mutex does when its word of memory says that it is taken, or not taken by the one who gives it back: in one thread that is
	// an error in each case (stdlib/public/Synchronization/Mutex/LinuxImpl.swift).
	"$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF": func(c *call) {
		c.failure("Fatal error", "Recursive call to lock Mutex")
	},
	"$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF": func(c *call) {
		c.failure("Fatal error", "Attempt to try to lock Mutex in already acquired thread")
	},
	"$s15Synchronization12_MutexHandleV11_unlockSlowyyF": func(c *call) {
		c.failure("Fatal error", "Call to unlock Mutex on a thread which hasn't acquired the lock")
	},
	"swift_unexpectedError":             func(c *call) { c.uncaught("'try!' expression unexpectedly raised an error: ") },
	"swift_errorInMain":                 func(c *call) { c.uncaught("Error raised at top level: ") },
	"$ss5ErrorPsE5_codeSivg":            errorCode,
	"_swift_stdlib_getDefaultErrorCode": errorCode,
	"$ss5ErrorPsE7_domainSSvg":          errorDomain,
	"$ss5ErrorPsE9_userInfoyXlSgvg":     func(c *call) { c.Set(0, 0) },
}

// argStatic returns the text of the StaticString in argument scalars i to i+2.
func (c *call) argStatic(i int) string { return c.staticText(c.Arg(i), c.Arg(i+1), c.Arg(i+2)) }

// failure ends the program with a message (stdlib/public/core/AssertCommon.swift). What the runtime puts before it, place
// and "Fatal error: ", is said by the one who reports the trap; another prefix is part of the message.
func (c *call) failure(prefix, message string) {
	if c.trap != nil {
		return
	}
	text := message
	if !strings.EqualFold(prefix, "Fatal error") {
		text = strings.TrimSuffix(prefix+": "+message, ": ")
	}
	c.fail(c.Fatal(text))
}

// uncaught ends the program with the error in argument 0 (stdlib/public/core/ErrorType.swift).
func (c *call) uncaught(why string) {
	c.writing(func() {
		ti, a := c.errorValue(c.Arg(0))
		if c.trap == nil {
			c.push(itemDebug, ti, a, 0)
		}
	}, nil, func(text []byte) { c.fail(&vm.Trap{Kind: vm.UncaughtError, What: why + string(text)}) })
}

// errorCode is the number of an error that does not say it itself: of an enum the case, counted from the cases with a payload,
// else 1 (stdlib/public/core/ErrorType.swift, _getDefaultErrorCode).
func errorCode(c *call) {
	ti := c.info(c.typeArg(0))
	if c.trap != nil {
		return
	}
	if ti.Layout.Enum == nil {
		c.Set(0, 1)
		return
	}
	k := c.caseOf(ti.Layout, c.Arg(0))
	if k == nil {
		return
	}
	n, payloads := 0, 0
	for i := range ti.Layout.Enum.Cases {
		other := &ti.Layout.Enum.Cases[i]
		if other.Payload != nil {
			payloads++
		}
		if i < k.Index && (other.Payload != nil) == (k.Payload != nil) {
			n++
		}
	}
	if k.Payload == nil {
		n += payloads
	}
	c.Set(0, uint64(n))
}

// errorDomain is the name of the type of an error that does not say its domain itself.
func errorDomain(c *call) {
	if t := c.typeArg(0); t != nil {
		c.setString(c.newString(c.typeName(t, true)))
	}
}

// errorInside is a requirement of Error as any Error meets it, which conforms to itself: as the value inside does. Others meet it by a native.
func errorInside(ref string, native func(*call)) func(*call) {
	return func(c *call) {
		t := c.typeArg(0)
		switch {
		case t == nil:
			return
		case c.State() == stateInside:
			c.Set(0, c.Returned(0))
			c.Set(1, c.Returned(1))
			return
		case t.Kind != ir.KindExistential:
			native(c)
			return
		}
		ti, a := c.dynamic(c.info(t), c.Arg(0))
		if c.trap != nil {
			return
		}
		fi, trap := c.Requirement(ref, ti.Type)
		c.fail(trap)
		if c.trap == nil {
			c.SetState(stateInside)
			c.fail(c.Call(fi, a))
		}
	}
}

// stateInside: the function of the value inside returned.
const stateInside = 1
