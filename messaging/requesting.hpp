// SPDX-License-Identifier: MIT
// Sends and receives that go on while their caller does something else: isend, irecv, msgdone, msgwait,
// msgcancel.
#pragma once

#include "messaging/posting.hpp"

namespace parley::messaging {

template <class F>
class Requesting : public Posting<F> {
public:
    using typename Posting<F>::EndpointType;
    using Posting<F>::Posting;

protected:
    using Posting<F>::advance;
    using Posting<F>::await;
    using Posting<F>::parts_;
    using typename Posting<F>::Destinations;

    ~Requesting() = default;

    Result<Reply> begin_send(EndpointType& self, const SendArguments& arguments)
    {
        const auto to = TRY(this->check_all(self, arguments));
        // Transfers that do not lend have the bytes when post() returns.
        const Request* const request = TRY(post_request(self, arguments, to, parts_.traits.lends, false));
        return Reply{.value = self.requests.id(*request)};
    }

    // csend where it waits for its delivery and a handler may become due meanwhile. Its message is out then:
    // what is left of the call is a request, whose id it answers. Errors: as begin_send(), and closed.
    [[gnu::noinline]] Outcome send_watched(EndpointType& self, const SendArguments& arguments,
                                           const Destinations& to)
    {
        Request& request = *TRY(post_request(self, arguments, to, true, true));
        if (arguments.node != -1 && this->endpoint(to.first).state() == EndpointState::killed) {
            abandon_send(self, request);
            return std::unexpected(Error::closed);
        }
        const long id = self.requests.id(request);
        WaitDetails details = this->details(WaitReason::delivery, arguments);
        details.restartable = true;
        const Result<Reply> ended = await_request(self, request, details);
        if (!ended && ended.error() != Error::interrupted)
            return std::unexpected(ended.error());
        return ended ? 0 : id;
    }

    Result<Reply> begin_receive(EndpointType& self, const Selector& selector, UserAddress buffer,
                                std::uint64_t maximum)
    {
        TRY_VOID(advance(self)); // what has arrived was there before this receive
        Request* const request = self.requests.allocate();
        if (request == nullptr)
            return std::unexpected(Error::no_ids);
        request->selector = selector;
        request->buffer = buffer;
        request->maximum = maximum;
        const Result<void> posted = post_receive(self, *request);
        if (!posted) {
            self.requests.release(*request);
            return std::unexpected(posted.error());
        }
        TRY_VOID(advance(self));
        return Reply{.value = self.requests.id(*request)};
    }

    Result<Reply> check_done(EndpointType& self, long id)
    {
        Request* const request = TRY(self.requests.find(id));
        if (request == nullptr)
            return Reply{.value = 1};
        if (!is_complete(*request))
            TRY_VOID(advance(self));
        if (!is_complete(*request))
            return Reply{.value = 0};
        Reply reply = TRY(collect(self, *request));
        reply.value = 1;
        return reply;
    }

    Result<Reply> await_done(EndpointType& self, long id)
    {
        Request* const request = TRY(self.requests.find(id));
        if (request == nullptr)
            return Reply{};
        return await_request(self, *request, {WaitReason::request, id, 0, -1, true});
    }

    // A posted receive is forgotten; a message it has already matched goes to the next who wants it. A send
    // is on its way.
    Result<Reply> withdraw(EndpointType& self, long id)
    {
        Request* const request = TRY(self.requests.find(id));
        if (request == nullptr)
            return Reply{};
        if (request->state.load(std::memory_order_relaxed) == RequestState::sending) {
            abandon_send(self, *request);
            return Reply{};
        }
        TRY_VOID(this->lock(self, self));
        this->take_back(self, *request);
        this->unlock(self, self);
        self.requests.release(*request);
        return Reply{};
    }

    // The end of this request will interrupt the process. One that has already ended will not: whoever asks
    // for interruptions arms its watch first, or looks at its requests afterwards.
    Result<Reply> watch_request(EndpointType& self, long id)
    {
        Request* const request = TRY(self.requests.find(id));
        if (request == nullptr)
            return Reply{};
        TRY_VOID(this->lock(self, self));
        request->watched = true;
        this->unlock(self, self);
        return Reply{};
    }

    // The signal pairs with put() and retire(): who signals after it sees the watch; what came before it is
    // seen by the owner, who looks at its requests now.
    void set_watch(EndpointType& self, WatchState state)
    {
        self.attention.set_watch(state);
        if (state == WatchState::armed)
            this->signal(self.event());
    }

private:
    // A send under way to these destinations, whose deliveries it counts if so said. `quiet`: its end does
    // not interrupt the caller. Errors: no_ids, and those of post().
    Result<Request*> post_request(EndpointType& self, const SendArguments& arguments, const Destinations& to,
                                  bool counts, bool quiet)
    {
        Request* const request = self.requests.allocate();
        if (request == nullptr)
            return std::unexpected(Error::no_ids);
        request->quiet = quiet;
        request->state.store(RequestState::sending, std::memory_order_relaxed);
        request->remaining.store(counts ? to.count : 0, std::memory_order_relaxed);
        const Result<void> posted = this->post(self, arguments, to, counts ? request : nullptr);
        if (!posted) {
            abandon_send(self, *request);
            return std::unexpected(posted.error());
        }
        return request;
    }

    Result<Reply> await_request(EndpointType& self, Request& request, const WaitDetails& details)
    {
        TRY_VOID(await(self, details, [&] { return is_complete(request); }));
        return collect(self, request);
    }

    static bool is_complete(Request& request)
    {
        switch (request.state.load(std::memory_order_acquire)) {
        case RequestState::sending: return request.delivered();
        case RequestState::finished:
        case RequestState::failed: return true;
        default: return false;
        }
    }

    Result<Reply> collect(EndpointType& self, Request& request)
    {
        const RequestState state = request.state.load(std::memory_order_relaxed);
        const Reply reply = state == RequestState::finished ? this->reply_of(request.found) : Reply{};
        const Error error = request.error;
        self.requests.release(request);
        if (state == RequestState::failed)
            return std::unexpected(error);
        return reply;
    }

    // The slot is free again once no message counts on it any more.
    void abandon_send(EndpointType& self, Request& request)
    {
        if (request.delivered())
            self.requests.release(request);
        else
            request.state.store(RequestState::abandoned, std::memory_order_relaxed);
    }

    // Lock held.
    static void match(EndpointType& self, Request& request, Message& message)
    {
        request.message = &message;
        trace::matched(message);
        request.state.store(RequestState::matched, std::memory_order_relaxed);
        self.matched.push_back(request);
        self.has_matched.store(1, std::memory_order_relaxed);
    }

    Result<void> post_receive(EndpointType& self, Request& request)
    {
        TRY_VOID(this->lock(self, self));
        Message* previous = nullptr;
        Message* const message = this->find_unexpected(self, request.selector, previous);
        if (message == nullptr) {
            request.state.store(RequestState::posted, std::memory_order_relaxed);
            self.posted.push_back(request);
        } else if (message->length() > request.maximum) {
            request.error = Error::message_too_long;
            request.state.store(RequestState::failed, std::memory_order_relaxed);
        } else {
            self.unexpected.remove_after(previous);
            if (!this->lacks_bytes(*message) || !this->grant(self, *message, request))
                match(self, request, *message);
        }
        this->unlock(self, self);
        return {};
    }
};

} // namespace parley::messaging
