// SPDX-License-Identifier: MIT
// Clang's thread-safety annotations. They are empty for compilers that do not have them. There is
// deliberately no way to switch the analysis off for a function.
#pragma once

#if defined(__clang__)
#define PARLEY_ANNOTATE(x) __attribute__((x))
#else
#define PARLEY_ANNOTATE(x)
#endif

#define CAPABILITY(name) PARLEY_ANNOTATE(capability(name))
#define SCOPED_CAPABILITY PARLEY_ANNOTATE(scoped_lockable)
#define GUARDED_BY(lock) PARLEY_ANNOTATE(guarded_by(lock))
#define REQUIRES(...) PARLEY_ANNOTATE(requires_capability(__VA_ARGS__))
#define ACQUIRE(...) PARLEY_ANNOTATE(acquire_capability(__VA_ARGS__))
#define RELEASE(...) PARLEY_ANNOTATE(release_capability(__VA_ARGS__))
#define EXCLUDES(...) PARLEY_ANNOTATE(locks_excluded(__VA_ARGS__))
#define TRY_ACQUIRE(...) PARLEY_ANNOTATE(try_acquire_capability(__VA_ARGS__))
#define RETURN_CAPABILITY(lock) PARLEY_ANNOTATE(lock_returned(lock))
#define ASSERT_CAPABILITY(lock) PARLEY_ANNOTATE(assert_capability(lock))
