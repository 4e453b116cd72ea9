// SV0113/SV0110: out of bounds by pointer arithmetic of array buffers
var xs = [1, 2, 3]
var kept: UnsafeMutableBufferPointer<Int>? = nil
xs.withUnsafeMutableBufferPointer { kept = $0 }
func f(_ p: UnsafePointer<Int>) -> Int { p[3] }
print(xs.withUnsafeBufferPointer { $0.count })
print(f(xs))
