// Two files of one module have private types of the same names, with other members, cases and conformances.
runFirst()
runSecond()
