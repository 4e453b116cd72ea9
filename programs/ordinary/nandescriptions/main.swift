// The description of a NaN is nan, whoever asks for it; what is printed and debugDescription tell its payload.
@_semantics("optimize.sil.specialize.generic.never") @inline(never)
func described<T: LosslessStringConvertible & CustomDebugStringConvertible>(_ t: T) -> [String] { [t.description, String(t), t.debugDescription, "\(t)"] }
print(described(Float(nan: 65535, signaling: false)), described(Double(nan: 5, signaling: true)), described(Float16(nan: 3, signaling: false)))
print(described(2.5), described(-1.0e10 as Float), described("s"))
