#pragma once

namespace headroom::app {

/// Lets the first 256 MiB of the main heap come in huge pages where the system has them, and keeps what is freed:
/// libraries that make a graph of thousands of small objects, or free and ask for megabytes in turns, otherwise spend
/// most of their time in page faults. To be called before anything large is allocated; does nothing where the C library
/// is not GNU's, and where there is no such room.
void prepare_heap();

}  // namespace headroom::app
