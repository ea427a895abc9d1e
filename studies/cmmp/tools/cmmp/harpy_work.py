# SPDX-License-Identifier: MIT
"""The units of work of HARPY's searches, as `harpy --variant 0 --write work` tells them."""

from dataclasses import dataclass, field


@dataclass
class Segment:
    candidates: list[list[tuple[int, int]]] = field(default_factory=list)  # the (state, score) of their pairs
    kept: int = 0  # states that pruning saves

    @property
    def pairs(self) -> int:
        return sum(map(len, self.candidates))

    @property
    def reached(self) -> int:
        return len({state for pairs in self.candidates for state, _ in pairs})


def parsed(lines: list[str], name: str) -> list[Segment]:
    """Of all utterances, one after the other; ValueError: what is wrong, and where."""
    segments, segment = [], Segment()
    for number, line in enumerate(lines, start=1):
        words = line.split("#")[0].split()
        try:
            if not words or words[0] in ("utterance", "harpy:"):
                continue
            if words[0] == "candidate":
                pairs = [word.split(":") for word in words[1:]]
                segment.candidates.append([(int(state), int(score)) for state, score in pairs])
            elif words[0] == "kept":
                segment.kept = int(words[1])
                segments.append(segment)
                segment = Segment()
            else:
                raise ValueError
        except (ValueError, IndexError):
            raise ValueError(f"{name}:{number}: this is no work of harpy: {line.strip()[:40]}") from None
    if not segments:
        raise ValueError(f"{name}: there is no segment in it; harpy --variant 0 --write work makes one")
    return segments


def read(path: str) -> list[Segment]:
    with open(path, encoding="utf-8") as file:
        return parsed(file.readlines(), path)
