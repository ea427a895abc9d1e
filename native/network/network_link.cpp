// SPDX-License-Identifier: MIT
#include "native/network/network_link.hpp"

#include "base/address.hpp"
#include "native/network/clock_rounds.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace parley::native {

namespace {

using messaging::Envelope;

// MPI is asked again and again: it has nothing that one could sleep on. For so many turns in vain the helper
// looks at once, then it gives its processor away each time, and then it sleeps between looks.
constexpr unsigned eager_turns = 200;
constexpr unsigned yielding_turns = 2000;
constexpr timespec nap{0, 50'000};

[[noreturn]] void give_up(const char* sentence)
{
    (void)!::write(STDERR_FILENO, sentence, std::strlen(sentence));
    _exit(1);
}

} // namespace

void NetworkLink::carry(messaging::Gateway& gateway)
{
    gateway_ = &gateway;
    polling_ = &gateway.polling();
    departure_.until_asked([this] { carry_messages(); });
    leave();
    if (!clocks_.empty())
        ClockRounds(wire_, spread_.here, spread_.machines).read(clocks_, &ClockReadings::end);
    wire_.end();
    departure_.finish();
}

void NetworkLink::carry_messages()
{
    for (unsigned idle = 0; !departure_.is_asked(); ++idle) {
        const std::uint32_t seen = gateway_->sequence();
        if (turn()) {
            idle = 0;
            continue;
        }
        if (over_)
            return wake();
        // A signal may have brought nothing to do: a rank that ends sends one. The rest begins anew, so that
        // a search for deadlocks sees this helper rest since that signal.
        if (is_resting_ && seen != rests_since_)
            wake();
        if (!is_resting_) {
            gateway_->begin_rest(seen);
            is_resting_ = true;
            rests_since_ = seen;
        }
        if (rest(idle))
            polling_->look_next(); // others have run meanwhile
    }
}

// Before anything that has been found is acted on, and before a frame is counted: whoever watches must not
// think that we rest meanwhile. What nxruns say to each other is no matter: they ask whether we rest.
void NetworkLink::wake()
{
    if (!is_resting_)
        return;
    is_resting_ = false;
    gateway_->end_rest();
}

// Whether there was anything to do.
bool NetworkLink::turn()
{
    // Requests first: what was sent before them has then been taken, too.
    const bool controlled = read_control();
    const unsigned taken = take_messages();
    const unsigned received = polling_->looks_far() ? receive_frames() : 0;
    polling_->note(taken, received);
    const bool put = put_arrivals();
    const bool sent = send_streams();
    const bool granted = send_granted();
    const bool delivered = send_deliveries();
    const bool gathered = gather();
    const bool collected = collect_sent();
    const bool forwarded = forward_control();
    const bool written = write_control();
    return controlled || taken > 0 || received > 0 || put || sent || granted || delivered || gathered ||
           collected || forwarded || written;
}

// Whether it has let others run.
bool NetworkLink::rest(unsigned turns)
{
    if (turns < eager_turns && !patient_) {
        asm volatile("pause");
        return false;
    }
    if (turns < yielding_turns) {
        sched_yield();
        was_called_ = true; // perhaps: that may have taken longer than to ask
        return true;
    }
    pollfd control{control_, POLLIN, 0};
    was_called_ = ppoll(&control, 1, &nap, nullptr) > 0;
    return true;
}

// ---- the end of the job ----

// The job is over, or is being ended by force: no lock of its memory is taken, and only what nxruns say to
// each other crosses until all of it has. A frame that nobody takes may keep its sender's MPI from ending; so
// each machine says goodbye when it sends nothing any more, and takes what comes until all others have.
void NetworkLink::leave()
{
    has_job_ = is_resting_ = false;
    for (unsigned idle = 0; !may_leave(); ++idle) {
        if (turn_without_job())
            idle = 0;
        else if (over_ && !said_goodbye_)
            say_goodbye();
        else
            (void)rest(idle);
    }
}

bool NetworkLink::turn_without_job()
{
    const bool controlled = read_control();
    const unsigned received = receive_frames();
    const bool finished = finish_receiving();
    const bool gathered = gather_without_job();
    const bool collected = collect_sent();
    const bool forwarded = forward_control();
    const bool written = write_control();
    return controlled || received > 0 || finished || gathered || collected || forwarded || written;
}

// Bytes that others have sent come without fail, and whoever sends them waits for that.
bool NetworkLink::finish_receiving()
{
    bool moved = false;
    for (Inbox* const inbox : receiving_)
        moved = has_come(*inbox->arrivals.front()) || moved;
    return moved;
}

void NetworkLink::say_goodbye()
{
    for (unsigned machine = 0; machine < spread_.machines; ++machine) {
        if (machine == spread_.here)
            continue;
        const Frame frame{.kind = Kind::goodbye, .message = gathering_.begun()};
        Bytes buffer(new std::byte[sizeof frame]);
        std::memcpy(buffer.get(), &frame, sizeof frame);
        send_buffer(machine, std::move(buffer), sizeof frame, false);
    }
    said_goodbye_ = true;
}

bool NetworkLink::may_leave() const
{
    const auto comes = [](const Inbox* inbox) { return inbox->arrivals.front()->stage == Stage::coming; };
    return said_goodbye_ && goodbyes_ == spread_.machines - 1 && sent_.empty() && incoming_.empty() &&
           gathering_.is_idle() && gathering_.begun() >= gathered_by_others_ &&
           std::ranges::none_of(receiving_, comes);
}

// ---- meetings with the ranks of other machines ----

// As on one machine, whatever was sent before all came to a meeting is in its mailbox when they go on: each
// machine begins only when all that its ranks have sent is posted. What they had sent before they came is
// taken in the turn after the one that has found the meeting.
bool NetworkLink::gather()
{
    messaging::MachineMeetings* const meetings = gateway_->meetings();
    if (meetings == nullptr)
        return false;
    if (!has_found_meeting_ && gathering_.finds(*meetings)) {
        wake();
        has_found_meeting_ = true;
        return true;
    }
    bool moved = false;
    if (has_found_meeting_ && sending_.empty() && unposted_ == 0) {
        wake();
        has_found_meeting_ = false;
        gathering_.begin();
        moved = true;
    }
    if (!gathering_.has_come())
        return moved;
    wake();
    gathering_.end(*meetings);
    return true;
}

// After all goodbyes all machines know which of them has begun most, which is one more than the others at
// most.
bool NetworkLink::gather_without_job()
{
    const bool begins =
        goodbyes_ == spread_.machines - 1 && gathering_.is_idle() && gathering_.begun() < gathered_by_others_;
    if (begins)
        gathering_.begin_with_nothing();
    if (!gathering_.has_come())
        return begins;
    gathering_.forget();
    return true;
}

// ---- from this machine to others ----

unsigned NetworkLink::take_messages()
{
    unsigned count = 0;
    while (Message* const message = gateway_->next()) {
        wake();
        ++count;
        Stream& to = stream(message->source(), machine_of(message->destination));
        to.waiting.push_back(message);
        if (!to.is_listed)
            sending_.push_back(&to);
        to.is_listed = true;
    }
    return count;
}

bool NetworkLink::send_streams()
{
    bool moved = false;
    for (std::size_t index = 0; index < sending_.size();) {
        Stream& one = *sending_[index];
        moved = send_from(one) || moved;
        if (!one.waiting.empty()) {
            ++index;
            continue;
        }
        one.is_listed = false;
        sending_[index] = sending_.back();
        sending_.pop_back();
    }
    return moved;
}

NetworkLink::Frame NetworkLink::frame_of(Kind kind, const Message& message) const
{
    return {.kind = kind,
            .source = message.source(),
            .awaited = gateway_->is_awaited(message) ? 1u : 0u,
            .contents = message.contents(),
            .sender = message.sender()};
}

NetworkLink::Copies NetworkLink::alike(const Stream& stream) const
{
    Copies copies;
    for (const Message* const message : stream.waiting) {
        if (!copies.empty() && !gateway_->are_alike(*stream.waiting.front(), *message))
            break;
        copies.push_back({message->destination, message->stamp, reinterpret_cast<std::uint64_t>(message)});
    }
    return copies;
}

// A message whose bytes are still being brought is something to do, but for others to do first.
bool NetworkLink::send_from(Stream& from)
{
    bool moved = false;
    while (!from.waiting.empty() && from.in_flight < window) {
        const Message& first = *from.waiting.front();
        const Copies copies = alike(from);
        if (first.length() > eager_bytes) {
            send(from.machine, frame_of(Kind::announce, first), copies);
            ++from.in_flight, ++unposted_;
        } else if (!send_eager(from, copies)) {
            sched_yield();
            return true;
        }
        from.waiting.erase(from.waiting.begin(),
                           from.waiting.begin() + static_cast<std::ptrdiff_t>(copies.size()));
        moved = true;
    }
    return moved;
}

// False: the bytes are not all there; nothing has changed.
bool NetworkLink::send_eager(Stream& from, const Copies& copies)
{
    const Message& first = message_of(copies.front());
    Frame frame = frame_of(Kind::eager, first);
    frame.copies = static_cast<std::uint32_t>(copies.size());
    const std::size_t end = sizeof frame + round_up(first.length(), alignof(Copy));
    const std::size_t count = end + copies.size() * sizeof(Copy);
    Bytes buffer(new std::byte[count]);
    std::memcpy(buffer.get(), &frame, sizeof frame);
    std::memcpy(buffer.get() + end, copies.data(), copies.size() * sizeof(Copy));
    const Result<void> taken = take(copies, buffer.get() + sizeof frame);
    if (!taken)
        return taken.error() != Error::would_block;
    send_buffer(from.machine, std::move(buffer), count);
    ++from.in_flight, ++unposted_;
    return true;
}

bool NetworkLink::send_granted()
{
    const bool moved = !granted_out_.empty();
    for (auto at = granted_out_.begin(); at != granted_out_.end();)
        at = send_bytes(*at) ? granted_out_.erase(at) : std::next(at);
    return moved;
}

// False: they are not all there.
bool NetworkLink::send_bytes(Granted& granted)
{
    const Message& first = message_of(granted.copies.front());
    const std::size_t length = first.length();
    if (!granted.bytes)
        granted.bytes.reset(new std::byte[length]);
    Frame frame = frame_of(Kind::bytes, first);
    frame.arrival = granted.arrival;
    const Result<void> taken = take(granted.copies, granted.bytes.get());
    if (!taken && taken.error() == Error::would_block) {
        sched_yield();
        return false;
    }
    frame.kind = taken ? Kind::bytes : Kind::gone;
    send(granted.machine, frame);
    if (taken) {
        void* const transfer = wire_.send(granted.machine, parley_channel_bytes, granted.bytes.get(), length);
        sent_.push_back({transfer, std::move(granted.bytes)});
    }
    return true;
}

Result<void> NetworkLink::take(const Copies& copies, std::byte* buffer)
{
    Message& first = message_of(copies.front());
    const bool is_awaited = gateway_->is_awaited(first);
    const bool has_bytes = first.length() != 0;
    const Result<void> taken = has_bytes ? gateway_->take(first, buffer) : Result<void>{};
    if (!taken && taken.error() == Error::would_block)
        return taken;
    for (const Copy& copy : copies) {
        Message& message = message_of(copy);
        if (has_bytes && &message != &first)
            gateway_->pass_over(message);
        if (!taken || !is_awaited)
            gateway_->complete(message);
    }
    return taken;
}

void NetworkLink::send(unsigned machine, Frame frame, const Copies& copies)
{
    frame.copies = static_cast<std::uint32_t>(copies.size());
    const std::size_t count = sizeof frame + copies.size() * sizeof(Copy);
    Bytes buffer(new std::byte[count]);
    std::memcpy(buffer.get(), &frame, sizeof frame);
    if (!copies.empty())
        std::memcpy(buffer.get() + sizeof frame, copies.data(), copies.size() * sizeof(Copy));
    send_buffer(machine, std::move(buffer), count);
}

void NetworkLink::send_buffer(unsigned machine, Bytes buffer, std::size_t count, bool counts)
{
    if (counts)
        __atomic_store_n(&traffic_.sent, traffic_.sent + 1, __ATOMIC_RELEASE);
    void* const transfer = wire_.send(machine, parley_channel_frames, buffer.get(), count);
    sent_.push_back({transfer, std::move(buffer)});
}

// That a send is over is nothing that others wait for.
bool NetworkLink::collect_sent()
{
    for (auto at = sent_.begin(); at != sent_.end();)
        at = wire_.done(at->transfer) != 0 ? sent_.erase(at) : std::next(at);
    return false;
}

// ---- from others ----

unsigned NetworkLink::receive_frames()
{
    constexpr unsigned at_once = 64;
    unsigned count = 0;
    for (; count < at_once; ++count) {
        unsigned machine = 0;
        const long bytes = wire_.look(&machine);
        if (bytes < 0)
            break;
        Bytes frame(new std::byte[static_cast<std::size_t>(bytes)]);
        wire_.take(machine, frame.get(), static_cast<unsigned long>(bytes));
        receive(machine, std::move(frame), static_cast<std::size_t>(bytes));
    }
    return count;
}

void NetworkLink::receive(unsigned machine, Bytes bytes, std::size_t count)
{
    Frame frame;
    std::memcpy(&frame, bytes.get(), sizeof frame);
    if (frame.kind == Kind::control) {
        Packet packet{{bytes.get() + sizeof frame - sizeof(ControlHead), bytes.get() + count}};
        const ControlHead head{machine, ControlHead::none};
        std::memcpy(packet.bytes.data(), &head, sizeof head);
        incoming_.push_back(std::move(packet));
        return;
    }
    if (frame.kind == Kind::goodbye) {
        ++goodbyes_;
        gathered_by_others_ = std::max(gathered_by_others_, frame.message);
        return;
    }
    wake();
    __atomic_store_n(&traffic_.received, traffic_.received + 1, __ATOMIC_RELEASE);
    Copies copies(frame.copies);
    if (!copies.empty())
        std::memcpy(copies.data(), bytes.get() + count - copies.size() * sizeof(Copy),
                    copies.size() * sizeof(Copy));
    auto* const message = reinterpret_cast<Message*>(frame.message);
    auto* const arrival = reinterpret_cast<Arrival*>(frame.arrival);
    switch (frame.kind) {
    case Kind::eager:
    case Kind::announce: return keep(machine, frame, std::move(copies), std::move(bytes));
    case Kind::go: granted_out_.push_back({std::move(copies), machine, frame.arrival}); return;
    case Kind::bytes:
        arrival->transfer =
            wire_.receive(machine, parley_channel_bytes, arrival->bytes.get(), arrival->length());
        arrival->stage = Stage::coming;
        return;
    case Kind::gone:
        arrival->copies.clear();
        arrival->stage = Stage::whole;
        return;
    case Kind::posted:
        --stream(frame.source, machine).in_flight;
        --unposted_;
        return;
    case Kind::delivered:
        if (has_job_)
            gateway_->complete(*message);
        return;
    case Kind::control:
    case Kind::goodbye: return;
    }
}

void NetworkLink::keep(unsigned machine, const Frame& frame, Copies copies, Bytes bytes)
{
    auto arrival = std::make_unique<Arrival>();
    arrival->frame = frame;
    arrival->machine = machine;
    arrival->stage = frame.kind == Kind::eager ? Stage::whole : Stage::announced;
    arrival->bytes = std::move(bytes);
    arrival->copies = std::move(copies);
    Inbox& inbox = inboxes_[frame.source];
    inbox.arrivals.push_back(std::move(arrival));
    if (!inbox.is_listed)
        receiving_.push_back(&inbox);
    inbox.is_listed = true;
}

bool NetworkLink::put_arrivals()
{
    bool moved = false;
    budget_wish_.attempt(*gateway_, [&] {
        bool wants = false;
        for (std::size_t index = 0; index < receiving_.size();) {
            Inbox& inbox = *receiving_[index];
            moved = advance(inbox) || moved;
            if (!inbox.arrivals.empty()) {
                wants = wants || inbox.arrivals.front()->stage == Stage::whole;
                ++index;
                continue;
            }
            inbox.is_listed = false;
            receiving_[index] = receiving_.back();
            receiving_.pop_back();
        }
        return wants;
    });
    return moved;
}

// The oldest messages of one sender, as far as they can go. Some of its bytes are always let in, else as much
// as there may be.
bool NetworkLink::advance(Inbox& inbox)
{
    bool moved = false;
    while (!inbox.arrivals.empty()) {
        Arrival& first = *inbox.arrivals.front();
        if (first.stage == Stage::announced) {
            if (granted_in_ > 0 && granted_in_ + first.length() > gateway_->budget())
                return moved;
            granted_in_ += first.length();
            first.bytes.reset(new std::byte[first.length()]);
            first.stage = Stage::granted;
            Frame go = first.frame;
            go.kind = Kind::go;
            go.arrival = reinterpret_cast<std::uint64_t>(&first);
            send(first.machine, go, first.copies);
            return true;
        }
        if (has_come(first))
            wake();
        if (first.stage != Stage::whole)
            return moved;
        if (!put(first))
            return moved;
        inbox.arrivals.pop_front();
        moved = true;
    }
    return moved;
}

// Whether the last of its bytes has come just now.
bool NetworkLink::has_come(Arrival& arrival)
{
    if (arrival.stage != Stage::coming || wire_.done(arrival.transfer) == 0)
        return false;
    arrival.stage = Stage::whole;
    return true;
}

// False: there is no memory for the rest of it now.
bool NetworkLink::put(Arrival& arrival)
{
    for (; arrival.put < arrival.copies.size(); ++arrival.put)
        if (!put_copy(arrival, arrival.copies[arrival.put]))
            return false;
    if (arrival.frame.kind == Kind::announce)
        granted_in_ -= arrival.length();
    wake();
    Frame posted = arrival.frame;
    posted.kind = Kind::posted;
    send(arrival.machine, posted);
    return true;
}

// False: there is no memory for it now.
bool NetworkLink::put_copy(const Arrival& arrival, const Copy& copy)
{
    const Frame& frame = arrival.frame;
    const std::byte* const bytes = arrival.bytes.get() + (frame.kind == Kind::eager ? sizeof frame : 0);
    messaging::Completion* delivered = nullptr;
    if (frame.awaited != 0) {
        const Result<messaging::Completion*> made = gateway_->new_completion();
        if (!made)
            return false;
        delivered = *made;
    }
    const Result<void> put = gateway_->put(Envelope::of_words(frame.contents, frame.sender), copy.stamp,
                                           copy.destination, bytes, delivered);
    if (!put && delivered != nullptr)
        gateway_->free(*delivered);
    if (!put && put.error() == Error::no_memory)
        return false;
    if (!put)
        give_up("nxrun: A message from another machine is larger than all the memory for messages: give "
                "the job more (--budget).\n");
    if (delivered != nullptr)
        awaited_.push_back({delivered, arrival.machine, copy.message});
    return true;
}

// The event moves with each delivery that is counted.
bool NetworkLink::send_deliveries()
{
    const std::uint32_t sequence = gateway_->sequence();
    if (awaited_.empty() || sequence == looked_)
        return false;
    looked_ = sequence;
    bool moved = false;
    for (auto at = awaited_.begin(); at != awaited_.end();) {
        if (!at->completion->is_reached()) {
            ++at;
            continue;
        }
        wake();
        send(at->machine, {.kind = Kind::delivered, .message = at->message});
        gateway_->free(*at->completion);
        at = awaited_.erase(at);
        moved = true;
    }
    return moved;
}

// ---- nxrun ----

bool NetworkLink::read_control()
{
    constexpr unsigned every = 16; // turns: to ask Linux costs more than to ask MPI
    if (++turns_ % every != 0 && !was_called_)
        return false;
    was_called_ = false;
    std::byte bytes[longest_control];
    const ssize_t count = recv(control_, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count == 0)
        _exit(1); // nxrun is no more
    if (count < static_cast<ssize_t>(sizeof(ControlHead)))
        return false;
    outgoing_.push_back({{bytes, bytes + count}});
    return true;
}

bool NetworkLink::has_crossed(unsigned endpoint) const
{
    for (unsigned machine = 0; machine < spread_.machines; ++machine) {
        const auto one = streams_.find({endpoint, machine});
        if (one != streams_.end() && (!one->second.waiting.empty() || one->second.in_flight > 0))
            return false;
    }
    return true;
}

// Packets that wait for an endpoint's messages let others pass.
bool NetworkLink::forward_control()
{
    bool moved = false;
    for (auto at = outgoing_.begin(); at != outgoing_.end();) {
        ControlHead head;
        std::memcpy(&head, at->bytes.data(), sizeof head);
        if (head.machine == ControlHead::over) {
            if (outgoing_.size() > 1)
                return moved;
            over_ = true;
            outgoing_.clear();
            return true;
        }
        if (head.after != ControlHead::none && has_job_ && !has_crossed(head.after)) {
            ++at;
            continue;
        }
        const std::size_t more = at->bytes.size() - sizeof head;
        Bytes buffer(new std::byte[sizeof(Frame) + more]);
        const Frame frame{.kind = Kind::control};
        std::memcpy(buffer.get(), &frame, sizeof frame);
        std::memcpy(buffer.get() + sizeof frame, at->bytes.data() + sizeof head, more);
        send_buffer(head.machine, std::move(buffer), sizeof frame + more, false);
        at = outgoing_.erase(at);
        moved = true;
    }
    return moved;
}

bool NetworkLink::write_control()
{
    bool moved = false;
    for (; !incoming_.empty(); incoming_.pop_front(), moved = true) {
        const std::vector<std::byte>& bytes = incoming_.front().bytes;
        const ssize_t sent = ::send(control_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR))
            break;
        if (sent < 0)
            _exit(1);
    }
    return moved;
}

} // namespace parley::native
