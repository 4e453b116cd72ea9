let t = Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
await t.value
