// SPDX-License-Identifier: MIT
#include "kernel/program/archive.hpp"
#include "kernel/program/archive_builder.hpp"

#include "testing/catch.hpp"

#include <string>

using namespace parley::kernel;
using testing::ArchiveBuilder;

TEST_CASE("an archive's files are found by their paths without ./ in front")
{
    ArchiveBuilder builder;
    builder.folder("bin").file("./bin/ring", "RING").file("parley.conf", "nodes 2\n").file("files/empty", "");
    const auto archive = Archive::open(builder.finish());
    REQUIRE(archive);
    REQUIRE(as_text(archive->find("bin/ring")->bytes) == "RING");
    REQUIRE(as_text(archive->find("parley.conf")->bytes) == "nodes 2\n");
    REQUIRE(archive->find("files/empty")->bytes.empty());
    REQUIRE(!archive->find("bin"));
    REQUIRE(!archive->find("ring"));
}

TEST_CASE("an archive is walked by prefix in its own order")
{
    ArchiveBuilder builder;
    builder.file("files/b", "1").file("bin/x", "2").file("files/a", "3");
    const auto archive = Archive::open(builder.finish());
    REQUIRE(archive);
    std::string seen;
    archive->each("files/", [&](const ArchiveFile& file) { seen += file.path; });
    REQUIRE(seen == "files/bfiles/a");
}

TEST_CASE("an archive cut off anywhere is refused with a sentence")
{
    ArchiveBuilder builder;
    builder.file("one", "contents").file("two", "more contents");
    const auto whole = builder.finish();
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
        const auto archive = Archive::open(whole.first(bytes));
        REQUIRE(!archive);
        REQUIRE(!archive.error().sentence.empty());
    }
}

TEST_CASE("an archive with any damaged header byte is refused or stays inside its bytes")
{
    ArchiveBuilder builder;
    builder.file("one", "contents").file("two", "more");
    const auto whole = builder.finish();
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const char value : {'\0', 'f', '9', 'x', '\xff'}) {
            std::string copy(as_text(whole));
            copy[at] = value;
            const auto archive = Archive::open(std::as_bytes(std::span(copy)));
            if (!archive)
                continue;
            archive->each("", [&](const ArchiveFile& file) {
                const bool inside = file.bytes.empty() || (as_text(file.bytes).data() >= copy.data() &&
                                                           as_text(file.bytes).data() + file.bytes.size() <=
                                                               copy.data() + copy.size());
                REQUIRE(inside);
            });
        }
    }
}
