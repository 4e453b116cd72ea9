// The C library's formats over a va_list, floating-point numbers included.
import Glibc
func fmt(_ f: String, _ args: any CVarArg...) -> String {
  withVaList(args) { va in
    var b = [CChar](repeating: 0, count: 512)
    let n = vsnprintf(&b, b.count, f, va)
    return String(cString: b) + "(\(n))"
  }
}
print(fmt("%f %e %g %.0f %5.1f %-8.2f| %+.1f %08.2f % .3f %#x %#o", 1.0/3, 12345.678, 1e-10, 2.5, 3.14159, 2.0, 1.5, -3.14159, 2.0, 255, 8))
print(fmt("%g %g %g %g %G %E %#g %#.0f %#.0e %g", 100000.0, 1000000.0, 0.0001, 0.00001, 1e20, 1e5, 1.0, 3.0, 2.0, 123456789.0))
print(fmt("%f %f %f %F %G %010f|%-10f|%+f", Double.infinity, -Double.infinity, Double.nan, Double.infinity, Double.nan, Double.infinity, Double.infinity, Double.infinity))
print(fmt("%a %A %.2a %a %a %a %.0a %.3a", 1.0, 0.5, 3.14, 0.0, -0.0, 5e-324, 1.5, 1e308))
print(fmt("%d %s %c %f %d %d %d %d %d %f %f %f %f %f %f %f %f %f", 1, strdup("x")!, 65, 2.5, 3, 4, 5, 6, 7, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0))
print(fmt("%*d|%-*d|%.*f|%hhd %hd %ld %lld %zu %u %x %X %o %i %%", 5, 3, 4, 2, 2, 2.555, 300, 70000, -1, -2, 3, UInt32.max, 255, 255, 8, -7))
print(fmt("%.10g %.3g %.15g %.17g %g %g", 0.1, 1234.5, 0.1, 0.1, 0.0, -0.0))
print(fmt("%.1f %.1f %.1f %.0f %.0f %.2f", 0.25, 0.35, 0.45, 0.5, 1.5, 2.675), fmt("%.50f", 0.1), fmt("%f", 1e300).count)
setvbuf(stdout, nil, _IOFBF, 4096)
withVaList([3, 2.5]) { _ = vprintf("%d %.2f\n", $0) }
withVaList([4, 2.5]) { _ = vfprintf(stdout, "%d %.2f\n", $0) }
