package vm

import "maps"

// Time of the C library (C11 7.27, POSIX). The outside's clock can't be seen: a run has one of its own, so that it is the same run each
// time. It begins at the beginning of 2001 and goes on by a microsecond at each look, and by the time that the program sleeps.
func init() {
	maps.Copy(cNatives, map[string]Native{
		"time": cTime, "clock": cClock, "clock_gettime": clockGetTime, "gettimeofday": getTimeOfDay,
		"sleep": sleeper(1e9), "usleep": sleeper(1e3), "getenv": getenv,
	})
}

const (
	clockEpoch = 978307200 // 2001-01-01 00:00:00, in seconds since 1970
	clockTick  = 1000      // nanoseconds
)

// now gives the nanoseconds since the run began.
func (w *world) now() uint64 {
	w.elapsed += clockTick
	return w.elapsed
}

func cTime(m *Machine, c *NativeCall) *Trap {
	v := clockEpoch + m.world.now()/1e9
	if to := c.Arg(0); to != 0 && !m.heap.Store64(to, v) {
		return m.badAddress(to)
	}
	c.Set(0, v)
	return nil
}

// cClock gives processor time in millionths of a second.
func cClock(m *Machine, c *NativeCall) *Trap {
	c.Set(0, m.world.now()/1e3)
	return nil
}

// clockGetTime gives seconds and nanoseconds; all clocks are one.
func clockGetTime(m *Machine, c *NativeCall) *Trap { return m.storeTime(c, c.Arg(1), 1) }

// getTimeOfDay gives seconds and microseconds.
func getTimeOfDay(m *Machine, c *NativeCall) *Trap { return m.storeTime(c, c.Arg(0), 1e3) }

// storeTime leaves at to the seconds and the units of so many nanoseconds of the time now, and gives 0.
func (m *Machine) storeTime(c *NativeCall, to, unit uint64) *Trap {
	now := m.world.now()
	if !m.heap.Store64(to, clockEpoch+now/1e9) || !m.heap.Store64(to+8, now%1e9/unit) {
		return m.badAddress(to)
	}
	c.Set(0, 0)
	return nil
}

// sleeper makes a function that sleeps for as many units of so many nanoseconds as it is told, which takes no time outside.
func sleeper(unit uint64) Native {
	return func(m *Machine, c *NativeCall) *Trap {
		m.world.elapsed += uint64(uint32(c.Arg(0))) * unit
		c.Set(0, 0)
		return nil
	}
}

// getenv finds nothing: a program has no environment.
func getenv(_ *Machine, c *NativeCall) *Trap {
	c.Set(0, 0)
	return nil
}
