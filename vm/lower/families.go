package lower

import "silvm/ir/op"

// familyLowerings gathers the lowerings of the value families: memory, reference counts, enums, objects, existentials, casts,
// globals, weak references, executors.
func familyLowerings() map[op.Op]lowering {
	return buildLowerings(memoryLowerings, refcountLowerings, enumLowerings, objectLowerings, globalLowerings,
		metatypeLowerings, refcastLowerings, existentialLowerings, castLowerings, concurrencyLowerings)
}
