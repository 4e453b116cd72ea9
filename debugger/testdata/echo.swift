var n = 0
while let line = readLine() {
  n += line.utf8.count
  print(line)
}
print(n)
