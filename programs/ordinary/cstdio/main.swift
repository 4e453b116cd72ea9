// The C library's streams, and the numbers that its module names.
import Glibc
setvbuf(stdout, nil, _IOLBF, 0)
setbuf(stderr, nil)
print(fputs("text ", stdout) >= 0, fputc(65, stdout), putc(10, stdout))
"bytes\n".withCString { print(fwrite($0, 2, 3, stdout), fwrite($0, 0, 3, stdout)) }
fputs("not here\n", stderr)
puts("line")
print(fileno(stdin), fileno(stdout), fileno(stderr), ferror(stdout), fflush(stdout))
print(M_PI, M_PI_2, M_PI_4, M_SQRT2, M_SQRT1_2)
struct Errors: TextOutputStream { mutating func write(_ s: String) { fputs(s, stderr) } }
var errors = Errors()
print("not here either", to: &errors)
fflush(nil)
