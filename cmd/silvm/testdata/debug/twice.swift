await withUnsafeContinuation { (k: UnsafeContinuation<Void, Never>) in k.resume(); k.resume() }
