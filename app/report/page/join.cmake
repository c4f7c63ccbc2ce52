# Joins MODULES (a list) to OUTPUT, one program in one scope of its own.
set(joined "'use strict';\n(() => {\n")
foreach(module ${MODULES})
  file(READ "${module}" text)
  string(APPEND joined "${text}\n")
endforeach()
string(APPEND joined "})();\n")
file(WRITE "${OUTPUT}" "${joined}")
