"""Pages of a made-up site: a menu and teasers that repeat, and an article of its own on each."""

from __future__ import annotations

SUBJECTS = "harbour bakery bridge library orchard station theatre museum".split()
TEASERS = [f"Read what readers wrote about garden number {number}, and tell us what you think." for number in range(6)]
DISCLAIMER = "All articles of this paper may be printed for your own use, but not sold to other people."


def article(number: int) -> list[str]:
    """The paragraphs of an article."""
    subject = SUBJECTS[number % len(SUBJECTS)]
    return [
        f"The {subject} was closed on day {number + place} because inspectors found {7 * number + place} faults in its "
        f"roof, and the council of the town said that repairs will take {number + place + 3} weeks."
        for place in range(5)
    ]


def page(number: int, *, paragraphs: list[str] | None = None, teasers: list[str] = TEASERS) -> str:
    """A page of the site."""
    body = "".join(f"<p>{text}</p>" for text in paragraphs or article(number))
    rest = "".join(f"<div class=teaser><p>{text}</p></div>" for text in teasers)
    menu = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in SUBJECTS)
    title = f"Faults in building {number}"
    return (
        f"<html><head><title>{title}</title></head><body><ul class=menu>{menu}</ul><h1>{title}</h1>"
        f"<div class=story id=story-{number}>{body}</div>{rest}<p class=note>{DISCLAIMER}</p></body></html>"
    )
