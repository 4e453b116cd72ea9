package libc

import "silvm/vm"

// Time of the C library (C11 7.27, POSIX). The outside's clock can't be seen: a run has one of its own, so that it is the same run each
// time. It begins at the beginning of 2001 and goes on by a microsecond at each look, and by the time that the program sleeps.
var clocks = map[string]native{
	"time": cTime, "clock": cClock, "clock_gettime": clockGetTime, "gettimeofday": getTimeOfDay,
	"sleep": sleeper(1e9), "usleep": sleeper(1e3), "nanosleep": nanoSleep,
}

// clockEpoch is 2001-01-01 00:00:00, in seconds since 1970.
const clockEpoch = 978307200

func cTime(c call) *vm.Trap {
	v := clockEpoch + c.Now()/1e9
	if to := c.Arg(0); to != 0 && !c.Heap().Store64(to, v) {
		return c.BadAddress(to)
	}
	c.Set(0, v)
	return nil
}

// cClock returns processor time in millionths of a second.
func cClock(c call) *vm.Trap {
	c.Set(0, c.Now()/1e3)
	return nil
}

// clockGetTime returns seconds and nanoseconds; all clocks are one.
func clockGetTime(c call) *vm.Trap { return c.storeTime(c.Arg(1), 1) }

// getTimeOfDay returns seconds and microseconds.
func getTimeOfDay(c call) *vm.Trap { return c.storeTime(c.Arg(0), 1e3) }

// storeTime leaves at to the seconds and the units of so many nanoseconds of the time now, and returns 0.
func (c call) storeTime(to, unit uint64) *vm.Trap {
	now := c.Now()
	if !c.Heap().Store64(to, clockEpoch+now/1e9) || !c.Heap().Store64(to+8, now%1e9/unit) {
		return c.BadAddress(to)
	}
	c.Set(0, 0)
	return nil
}

// sleeper makes a function that sleeps for as many units of so many nanoseconds as it is told, which takes no time outside.
func sleeper(unit uint64) native {
	return func(c call) *vm.Trap {
		return c.sleep(uint64(uint32(c.Arg(0))) * unit)
	}
}

// sleep blocks the thread for so many nanoseconds and returns 0.
func (c call) sleep(ns uint64) *vm.Trap {
	if c.State() == 0 {
		c.SetState(1)
		return c.Block(vm.WaitsForTime, 0, ns)
	}
	c.Set(0, 0)
	return nil
}

// nanoSleep sleeps for the seconds and nanoseconds at an address.
func nanoSleep(c call) *vm.Trap {
	s, ok := c.Heap().Load64(c.Arg(0))
	ns, ok2 := c.Heap().Load64(c.Arg(0) + 8)
	if !ok || !ok2 {
		return c.BadAddress(c.Arg(0))
	}
	return c.sleep(s*1e9 + ns)
}
