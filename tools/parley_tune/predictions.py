# SPDX-License-Identifier: MIT
"""What designs are predicted to take. At first by what each class changes alone; before a design is tried,
each two of its classes are priced together, and what that says is said of all designs that have both."""

import itertools
from collections.abc import Callable

from .cost_model import Choice, CostModel, Prices


class Predictions:
    def __init__(
        self,
        model: CostModel,
        predict: Callable[[Choice], float],  # by the model as it is
        price: Callable[[Choice], Prices | None],  # of two classes; none where they have no price together
        choices: list[Choice],
    ):
        self.model, self.predict, self.price = model, predict, price
        self.of = {choice: predict(choice) for choice in choices}  # ns
        self.refined: set[Choice] = set()
        self.looked_at: set[Choice] = set()  # pairs

    def refine(self, choice: Choice) -> bool:
        """False: that design's pairs have all been priced before, as far as they can be. True: what it, and
        others, are predicted to take may be something else now."""
        if choice in self.refined:
            return False
        self.refined.add(choice)
        for pair in itertools.combinations(choice, 2):
            if pair not in self.looked_at:
                self.look_at(pair)
        self.of[choice] = self.predict(choice)
        return True

    def look_at(self, pair: Choice) -> None:
        self.looked_at.add(pair)
        before, prices = self.predict(pair), self.price(pair)
        if prices is None:
            return
        self.model.together[pair] = prices
        more = self.predict(pair) - before
        for choice in self.of:
            if set(pair) <= set(choice):
                self.of[choice] += more
