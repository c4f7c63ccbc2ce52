#pragma once

#include <cstdint>
#include <random>

namespace google::protobuf {
class Message;
}

namespace headroom::fuzz {

/// Changes one thing somewhere in the message: a number, a name (for another of the same message), or the order, number
/// or presence of the elements of a field. Bytes changed at random would hardly ever leave a model that parses.
void mutate(google::protobuf::Message& message, std::minstd_rand& random);

}  // namespace headroom::fuzz
