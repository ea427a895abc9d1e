// SPDX-License-Identifier: MIT
// How a PC shows text by itself: its text screen and its first serial line. For machines that have no
// emulator's console; not synchronised.
#pragma once

#include "base/address.hpp"

#include <cstdint>
#include <string_view>

namespace parley::arch {

class TextScreen {
public:
    static constexpr unsigned columns = 80, rows = 25;

    // `cells`: where the loader says that the screen's characters lie.
    void start(PhysAddr cells);
    void write(std::string_view text);

private:
    void put(char character);
    void new_line();
    void show_cursor() const;

    volatile std::uint16_t* cells_ = nullptr; // null: there is no such screen
    unsigned row_ = 0;
    unsigned column_ = 0;
};

class SerialLine {
public:
    void start();
    void write(std::string_view text);

private:
    void put(char character);

    bool started_ = false;
};

} // namespace parley::arch
