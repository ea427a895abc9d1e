// SPDX-License-Identifier: MIT
#include "arch/x86_64/text_screen.hpp"

#include "arch/x86_64/page_table.hpp"
#include "arch/x86_64/registers.hpp"

namespace parley::arch {

namespace {

constexpr std::uint16_t grey_on_black = 0x0700;

// The controller's index and data ports, and the cursor's place in it.
constexpr std::uint16_t controller_index = 0x3d4, controller_data = 0x3d5;
constexpr std::uint8_t cursor_high = 14, cursor_low = 15;

// The first serial line's registers.
constexpr std::uint16_t line_data = 0x3f8, line_interrupts = 0x3f9, line_fifo = 0x3fa, line_format = 0x3fb,
                        line_modem = 0x3fc, line_status = 0x3fd;
constexpr std::uint8_t divisor_access = 0x80, eight_bits = 0x03, fifo_on = 0x07, ready_signals = 0x03,
                       room = 0x20, nobody = 0xff;
constexpr unsigned longest_wait = 100'000; // a line that takes nothing must not hold the kernel

bool shown_as_is(char character) { return character >= ' ' && character <= '~'; }

// Of a character of several bytes the first stands for all.
bool follows(char character) { return (static_cast<unsigned char>(character) & 0xc0) == 0x80; }

} // namespace

void TextScreen::start(PhysAddr cells)
{
    if (cells.value == 0)
        return;
    cells_ = to_pointer<volatile std::uint16_t>(cells);
    for (unsigned cell = 0; cell < rows * columns; ++cell)
        cells_[cell] = grey_on_black | ' ';
}

void TextScreen::write(std::string_view text)
{
    if (cells_ == nullptr)
        return;
    for (char character : text)
        put(character);
    show_cursor();
}

void TextScreen::put(char character)
{
    if (character == '\n')
        return new_line();
    if (follows(character))
        return;
    if (column_ == columns)
        new_line();
    const auto shown = static_cast<std::uint16_t>(shown_as_is(character) ? character : '?');
    cells_[row_ * columns + column_++] = static_cast<std::uint16_t>(grey_on_black | shown);
}

void TextScreen::new_line()
{
    column_ = 0;
    if (++row_ < rows)
        return;
    row_ = rows - 1;
    for (unsigned cell = 0; cell < row_ * columns; ++cell)
        cells_[cell] = cells_[cell + columns];
    for (unsigned cell = row_ * columns; cell < rows * columns; ++cell)
        cells_[cell] = grey_on_black | ' ';
}

void TextScreen::show_cursor() const
{
    const unsigned place = row_ * columns + column_;
    write_port(controller_index, cursor_high);
    write_port(controller_data, static_cast<std::uint8_t>(place >> 8));
    write_port(controller_index, cursor_low);
    write_port(controller_data, static_cast<std::uint8_t>(place));
}

void SerialLine::start()
{
    if (read_port(line_status) == nobody)
        return;
    write_port(line_interrupts, 0);
    write_port(line_format, divisor_access);
    write_port(line_data, 1); // 115200 bits a second
    write_port(line_interrupts, 0);
    write_port(line_format, eight_bits);
    write_port(line_fifo, fifo_on);
    write_port(line_modem, ready_signals);
    started_ = true;
}

void SerialLine::write(std::string_view text)
{
    if (!started_)
        return;
    for (char character : text) {
        if (character == '\n')
            put('\r');
        put(character);
    }
}

void SerialLine::put(char character)
{
    for (unsigned wait = 0; wait < longest_wait && (read_port(line_status) & room) == 0; ++wait)
        ;
    write_port(line_data, static_cast<std::uint8_t>(character));
}

} // namespace parley::arch
