"""Texts in other languages: other letters, other lengths, and never a blank one."""

from __future__ import annotations

import numpy as np
import pytest

from tamis_lab.training import languages

TEXT = "The council of the city has decided, after a long debate, to close the old bridge. Nobody knows why!"
WRITERS = list(dict.fromkeys(languages._WRITERS))


@pytest.mark.parametrize("write", WRITERS)
class TestEvery:
    def test_equal_words_become_equal_words(self, write: languages.Writer) -> None:
        assert write("bread and bread").split("and")[0] == write("bread and bread").split("and")[0]
        assert write("bread") != write("broth")

    @pytest.mark.parametrize(
        "text", [".", "…", "\u200b", "\xadx", "-", "?!", "😀", "ß", "日本", "the", "A", "of the", "7:3"]
    )
    def test_no_text_becomes_blank(self, write: languages.Writer, text: str) -> None:
        assert write(text).strip()

    def test_sentences_end_as_before(self, write: languages.Writer) -> None:
        assert sum(map(write(TEXT).count, ".!。！")) == 2
        assert sum(map(write(TEXT).count, ",，、،")) == 2


def test_there_are_many_scripts() -> None:
    written = {languages.some_script(np.random.default_rng(seed))("bread, the old one") for seed in range(60)}
    assert len(written) == len(WRITERS)
    assert sum(text.isascii() for text in written) == 1, "German"


def test_chinese_has_no_spaces_and_wide_marks() -> None:
    found = languages._chinese(TEXT)
    assert not any(map(str.isspace, found))
    assert found.endswith("！")
    assert "，" in found


def test_words_of_slavic_languages_are_longer_and_fewer() -> None:
    for write in (languages._RUSSIAN.write, languages._POLISH.write):
        words, before = write(TEXT).split(), TEXT.split()
        assert len(words) < len(before)
        assert sum(map(len, words)) / len(words) > 1.2 * sum(map(len, before)) / len(before)
