"""When an answer about metadata equals the gold, and how it counts. docs/research/evaluation.md has the rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_SINGLE_QUOTES = "‘’‚‛‹›`´ʼ′"
_DOUBLE_QUOTES = "“”„‟«»″"
_DASHES = "‐‑‒–—―−"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_FOLDED = str.maketrans(
    dict.fromkeys(_SINGLE_QUOTES, "'")
    | dict.fromkeys(_DOUBLE_QUOTES, '"')
    | dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_INVISIBLE, "")
)
_TRAILING = " .,;:!?-|…。！？、，"

_DATE = re.compile(r"\s*(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?(?!\d)")

# A part in brackets behind a name does not belong to the name.
_BRACKETS = re.compile(r"(?<=[^\s,;|/&])\s?(?:\([^()]*\)|<[^<>]*>|\[[^\[\]]*\])")
_AROUND = " .:@()<>[]"
_LISTS = re.compile(r"[;\n|•·、/]|\s-\s")
_AND = re.compile(r"&|(?:^|\s)(?:and|with|und|mit|et|avec|y|con|e|och|og|en|ja|i|и|και)\s", re.I)
_HONORIFICS = frozenset(
    "dr prof professor mr mrs ms miss mx sir dame rev reverend hon herr frau dipl ing mag mme mlle señor señora".split()
)
_SUFFIXES = frozenset("jr sr ii iii iv".split())
# As they are written behind names, without dots.
_CREDENTIALS = frozenset(
    "PhD MD MPH MPhil MA MS MSc MSN MSW MBA MBBS MFA MEd BA BS BSc BSN BEng BVSc LLB LLM JD Esq Esquire DO DDS DMD DVM "
    "VMD DACVB DPT DNP DPhil EdD PsyD PharmD ScD RD RDN LDN LD CDN CDCES CNS CSSD CSCS CPT RN NP APRN PA OD PT OT OTR "
    "SLP AuD LCSW LICSW LMFT LPC LVT CVT RVT VTS CFP CFA CPA CEPF CPP PSP PE PMP CISSP CPRW FACS FACP FAAP FAAD FACLM "
    "FACC FACOG FAND IBCLC NASM RYT E-RYT".split()
)
_JOBS = re.compile(
    r"\b(?:editor|writer|reporter|correspondent|columnist|journalist|contributor|producer|photographer|blogger|director|"
    r"manager|president|founder|co-founder|chief|officer|ceo|cto|cfo|coo|expert|specialist|analyst|consultant|adviser|"
    r"advisor|strategist|engineer|scientist|researcher|professor|educator|teacher|coach|attorney|lawyer|physician|"
    r"veterinarian|therapist|psychologist|dietitian|nutritionist|horticulturalist|horticulturist|representative|"
    r"redakteur|redakteurin|journaliste|rédacteur|rédactrice|redactor|redactora|periodista)\b",
    re.I,
)
_MOST_GIVEN_NAMES = 3
_MARKS = re.compile(r"[.®™*]")  # of degrees


class FieldCounts(NamedTuple):
    """One field on one page, or on several."""

    expected: int = 0  # pages of which the gold has a value
    answered: int = 0  # of these
    right: int = 0
    strict: int = 0  # right to the letter
    without: int = 0  # pages of which the gold has none
    false: int = 0  # answers there
    names: int = 0  # names of authors in the gold, in the answers to it, and in both
    names_given: int = 0
    names_right: int = 0

    @property
    def accuracy(self) -> float:
        """The share of pages with gold that have the right answer. It is the recall, too."""
        return _share(self.right, self.expected)

    @property
    def precision(self) -> float:
        """The share of right ones among the answers to pages with gold."""
        return _share(self.right, self.answered)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return _share(2 * self.right, self.expected + self.answered)

    @property
    def strict_accuracy(self) -> float:
        """The share of pages with gold whose answer is right to the letter."""
        return _share(self.strict, self.expected)

    @property
    def false_rate(self) -> float:
        """The share of pages without gold that have an answer."""
        return _share(self.false, self.without)

    @property
    def names_precision(self) -> float:
        """The share of right names among those given on pages with gold."""
        return _share(self.names_right, self.names_given)

    @property
    def names_recall(self) -> float:
        """The share of the gold's names that were given."""
        return _share(self.names_right, self.names)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def judge(field: str, answer: str | Sequence[str], gold: str) -> FieldCounts | None:
    """The counts of one page; None if its gold can't be read, so that an answer is neither right nor wrong."""
    if not gold.strip():
        return FieldCounts(without=1, false=int(bool(answer)))
    if field == "authors":
        return _judge_authors(answer, gold)
    given = answer if isinstance(answer, str) else ", ".join(answer)
    same, strictly, key = (
        (same_title, same_title_strictly, title_key) if field == "title" else (same_date, same_date, date_of)
    )
    if not key(gold):
        return None
    right, strict = same(given, gold), strictly(given, gold)
    return FieldCounts(1, int(bool(given)), int(right), int(strict))


def _judge_authors(answer: str | Sequence[str], gold: str) -> FieldCounts | None:
    given, wanted = name_keys(answer), name_keys(gold)
    if not wanted:
        return None
    right, strict = same_authors(answer, gold), same_authors_strictly(answer, gold)
    names = len(wanted), len(given), len(given & wanted)
    return FieldCounts(1, int(bool(given)), int(right), int(strict), 0, 0, *names)


def total(many: Iterable[FieldCounts]) -> FieldCounts:
    """The sum of some counts."""
    return FieldCounts(*map(sum, zip(FieldCounts(), *many, strict=True)))


def same_title(answer: str, gold: str) -> bool:
    """Equal but for white space, case, forms of quotes and dashes, and punctuation at the end."""
    return title_key(answer) == title_key(gold) != ""


def same_title_strictly(answer: str, gold: str) -> bool:
    """Equal but for white space."""
    return " ".join(answer.split()) == " ".join(gold.split()) != ""


def title_key(text: str) -> str:
    """What two titles must share."""
    return " ".join(_folded(text).split()).casefold().rstrip(_TRAILING)


def same_date(answer: str, gold: str) -> bool:
    """The same day; or a day within the month or year, if the gold says no more."""
    given, wanted = date_of(answer), date_of(gold)
    return bool(wanted) and (given == wanted or (len(wanted) < len("2026-01-01") and given.startswith(f"{wanted}-")))


def date_of(text: str) -> str:
    """A text that starts with a date of ISO 8601 as YYYY-MM-DD, YYYY-MM or YYYY; empty for other texts."""
    found = _DATE.match(text)
    return "-".join(filter(None, found.groups())) if found else ""


def same_authors(answer: str | Sequence[str], gold: str | Sequence[str]) -> bool:
    """The same set of names, without titles, degrees and jobs, or as they are written."""
    return name_keys(answer) == name_keys(gold) != frozenset() or same_authors_strictly(answer, gold)


def same_authors_strictly(answer: str | Sequence[str], gold: str | Sequence[str]) -> bool:
    """The same names but for white space, case and order: with all titles, dots and jobs."""
    given, wanted = (
        set(_lower_case_names(each if isinstance(each, str) else ";".join(each))) for each in (answer, gold)
    )
    return given == wanted != set()


def name_keys(names: str | Sequence[str]) -> frozenset[str]:
    """The names as they are compared: without case, dots and spaces."""
    text = names if isinstance(names, str) else ";".join(names)
    return frozenset(key for name in names_of(text) if (key := re.sub(r"[.\s]", "", name.casefold())))


def names_of(text: str) -> tuple[str, ...]:
    """The names of a list such as "Ann Lee, PhD; Dr. Bob Ray and Cy Day", without titles, degrees and jobs."""
    parts: list[str] = []
    for each in _LISTS.split(_BRACKETS.sub(" ", _folded(text))):
        between = [part for word in each.split(",") if (part := word.strip(_AROUND))]
        is_turned = len(between) == 2 and _is_last_name_first(*between)
        parts += [f"{between[1]} {between[0]}"] if is_turned else between
    return tuple(dict.fromkeys(filter(None, map(_without_titles, _split_names(parts)))))


def _split_names(parts: list[str]) -> Iterator[str]:
    """The names; degrees and jobs may follow each."""
    name, titled = "", False
    for part in parts:
        pieces = list(filter(None, map(str.strip, _AND.split(part))))
        if pieces and name and _JOBS.search(pieces[-1]):  # "..., Home and Garden Expert"
            titled = True
            continue
        for piece in pieces:
            if name and piece.replace(".", "").casefold() in _SUFFIXES:
                name = f"{name} {piece}"
            elif name and (_is_degree(piece, titled) or _JOBS.search(piece)):
                titled = True
            else:
                yield name
                name, titled = piece, False
    yield name


def _is_last_name_first(last: str, given: str) -> bool:
    """Is it "Ray, Bob"? Not if only one of the two is in capitals: then one of them is an outlet."""
    if (
        len(last.split()) > 1
        or len(given.split()) > _MOST_GIVEN_NAMES
        or _is_in_capitals(last) != _is_in_capitals(given)
    ):
        return False
    is_title = _is_degree(given) or _JOBS.search(given) or given.replace(".", "").casefold() in _SUFFIXES
    return not is_title and not _AND.search(given)


def _is_in_capitals(name: str) -> bool:
    """Is a word of it in capitals? Initials don't count."""
    return any(word.isupper() for word in name.split() if len(word.replace(".", "")) > 1 and "." not in word)


def _is_degree(part: str, titled: bool = False) -> bool:
    """Is it one or more degrees? Behind other degrees (`titled`), any word in capitals is one."""
    words = [_MARKS.sub("", word) for word in part.split()]
    if "".join(words) in _CREDENTIALS:  # "Ph. D."
        return True
    if not all(word in _CREDENTIALS or word.isdigit() or word.isupper() for word in words):
        return False
    return words[0] in _CREDENTIALS or (titled and len(words) == 1)


def _without_titles(name: str) -> str:
    """A name without titles before it and degrees behind it."""
    words = name.split()
    while len(words) > 1 and words[0].rstrip(".").casefold() in _HONORIFICS:
        words = words[1:]
    while len(words) > 2 and not name.isupper() and _MARKS.sub("", words[-1]) in _CREDENTIALS:
        words = words[:-1]
    return " ".join(words).strip(" -")


def _lower_case_names(text: str) -> Iterator[str]:
    for part in _LISTS.split(_folded(text).casefold()):
        for each in part.split(","):
            yield from filter(None, map(str.strip, _AND.split(each)))


def _folded(text: str) -> str:
    """NFKC, one form of each quote and dash, lines kept apart, no other white space than single spaces."""
    folded = unicodedata.normalize("NFKC", text.translate(_FOLDED)).translate(_FOLDED)
    return "\n".join(line for part in folded.splitlines() if (line := " ".join(part.split())))
