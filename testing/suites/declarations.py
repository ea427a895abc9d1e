# SPDX-License-Identifier: MIT
"""What a Python test, or a class of them, may declare to the runner, as decorators.

    @needs("static")       built before: traced, accounted, static ... beside what every boot needs
    @alone                 measures time or needs every processor: nothing else runs meanwhile
    @extra                 `make test` leaves it out, as one of many of its kind; `make test-rest` runs it
    @seldom                `make test-rest` leaves it out, too: it takes long, and looks again at what others
                           or `make soak` look at; `make test-all` runs it
    @under("exp6,ticket")  the designs that it boots, so that ONLY=<leaf> finds it
"""


def needs(*names: str):
    def decorate(test):
        test.needs = (*getattr(test, "needs", ()), *names)
        return test

    return decorate


def alone(test):
    test.alone = True
    return test


def extra(test):
    test.extra = True
    return test


def seldom(test):
    test.seldom = True
    return test


def under(*designs: str):
    def decorate(test):
        test.designs = designs
        return test

    return decorate
