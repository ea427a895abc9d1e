// SPDX-License-Identifier: MIT
// What tools/mutate writes into a copy of the sources: changes of which at most one is made, when the program
// runs. PARLEY_MUTANT is its number; PARLEY_REACHED names a file with a byte for each number, in which a
// place that is come to is marked.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <type_traits>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::mutants {

inline unsigned chosen_number()
{
    const char* const word = std::getenv("PARLEY_MUTANT");
    return word == nullptr ? 0 : static_cast<unsigned>(std::atoi(word));
}

inline unsigned char* marks()
{
    const char* const name = std::getenv("PARLEY_REACHED");
    const int file = name == nullptr ? -1 : ::open(name, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return nullptr;
    struct stat about{};
    void* const mapped = ::fstat(file, &about) == 0 ? ::mmap(nullptr, static_cast<std::size_t>(about.st_size),
                                                             PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                                                    : MAP_FAILED;
    ::close(file);
    return mapped == MAP_FAILED ? nullptr : static_cast<unsigned char*>(mapped);
}

inline const unsigned chosen = chosen_number();
inline unsigned char* const reached = marks();

// Whether the change of that number is made. Numbers begin with 1. The marks are nobody's memory but
// tools/mutate's: the explorer does not watch them for races.
[[gnu::no_sanitize("thread")]] inline bool planted(unsigned number)
{
    if (reached != nullptr) [[unlikely]]
        reached[number] = 1;
    return number == chosen;
}

inline std::memory_order order(unsigned number, std::memory_order weaker, std::memory_order written)
{
    return planted(number) ? weaker : written;
}

// Operations that read a word and write it, in two steps.
template <class Word, class More, class... Orders>
auto fetch_add(Word& word, More more, Orders...)
{
    const auto before = word.load();
    word.store(static_cast<decltype(word.load())>(before + more));
    return before;
}
template <class Word, class Less, class... Orders>
auto fetch_sub(Word& word, Less less, Orders...)
{
    const auto before = word.load();
    word.store(static_cast<decltype(word.load())>(before - less));
    return before;
}
template <class Word, class Bits, class... Orders>
auto fetch_or(Word& word, Bits bits, Orders...)
{
    const auto before = word.load();
    word.store(static_cast<decltype(word.load())>(before | bits));
    return before;
}
template <class Word, class Bits, class... Orders>
auto fetch_and(Word& word, Bits bits, Orders...)
{
    const auto before = word.load();
    word.store(static_cast<decltype(word.load())>(before & bits));
    return before;
}
template <class Word, class Value, class... Orders>
auto exchange(Word& word, Value value, Orders...)
{
    const auto before = word.load();
    word.store(static_cast<decltype(word.load())>(value));
    return before;
}
template <class Word, class Expected, class Value, class... Orders>
bool compare_exchange_strong(Word& word, Expected& expected, Value value, Orders...)
{
    const auto before = word.load();
    if (before != expected) {
        expected = before;
        return false;
    }
    word.store(static_cast<decltype(word.load())>(value));
    return true;
}
template <class Word, class Expected, class Value, class... Orders>
bool compare_exchange_weak(Word& word, Expected& expected, Value value, Orders... orders)
{
    return compare_exchange_strong(word, expected, value, orders...);
}

} // namespace parley::mutants
