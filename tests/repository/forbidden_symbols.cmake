# cmake -DNM=nm "-DARCHIVES=a;b" -P forbidden_symbols.cmake: a library never prints, exits or aborts, so none of its
# objects may ask the linker for what does. Assertions (__assert_fail) are for programmers and stay allowed, as does
# std::terminate, which the compiler calls for noexcept functions.
set(forbidden
    exit _exit _Exit quick_exit abort
    printf vprintf puts putchar perror stdout stderr __printf_chk __vprintf_chk
    _ZSt4cout _ZSt4cerr _ZSt4clog "_ZN3fmt[^ \n]*vprint[^ \n]*"
    MPI_Abort)
list(JOIN forbidden "|" names)
set(findings "")
foreach(archive ${ARCHIVES})
  execute_process(COMMAND ${NM} --undefined-only --print-file-name ${archive} OUTPUT_VARIABLE symbols
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]* U (${names})(@[^\n]*)?\n" found "${symbols}")
  list(TRANSFORM found PREPEND "  ")
  list(APPEND findings ${found})
endforeach()
if(findings)
  list(JOIN findings "" findings)
  message(FATAL_ERROR "Libraries must not print, exit or abort:\n${findings}")
endif()
