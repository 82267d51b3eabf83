"""Dates that a reader sees."""

from __future__ import annotations

import pytest

from tamis.document import Document
from tamis.metadata.dateline import Dateline
from tamis.metadata.view import View

TEXT = "<p>The river rose in the night, and by the morning the lower streets of the town stood under water.</p>"


def view(body: str, lang: str = "en", url: str | None = None) -> View:
    return View(Document.from_html(f"<html lang={lang}><body><h1>The river</h1>{body}{TEXT}</body></html>", url=url))


def found(body: str, field: str = "date", lang: str = "en", url: str | None = None) -> list[tuple[str, str]]:
    given = Dateline(view(body, lang, url)).candidates(field)
    return [(each.value.iso, each.place) for each in given]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("<time datetime=2021-05-03T10:00:00Z>2 days ago</time>", {"time datetime"}),
        ("<time datetime=2021-05-03>May 3, 2021</time>", {"time datetime", "time text"}),
        ("<time class=entry-date>May 3, 2021</time>", {"time text", "class date"}),
        ("<relative-time datetime=2021-05-03T10:00:00Z>2 days ago</relative-time>", {"time datetime"}),
        ("<span class=post-date>May 3, 2021</span>", {"short text", "class date"}),
        ("<div class=postedOn><b>May 3, 2021</b></div>", {"short text", "class published"}),
        ("<p>May 3, 2021</p>", {"short text"}),
        ("<p>By Ann Lee | Monday, 3 May 2021 | 12 comments</p>", {"short text"}),
        ("<p>Published on May 3, 2021 by Ann Lee</p>", {"short text", "label published"}),
        ("<p>Posted by <a href=/ann>Ann Lee</a> on <b>May 3, 2021</b></p>", {"short text", "label published"}),
        ("<div><span>03</span><span>May</span><span>2021</span></div>", {"short text"}),
        ("<div><em>3</em><span>May 2021</span></div>", {"short text"}),
        ("<p>03/05/21</p>", {"short text"}),
        ("<abbr class=published title=2021-05-03T10:00:00+02:00>Monday</abbr>", {"attribute", "class published"}),
        (f"<p>{'The town had been warned. ' * 6}On May 3, 2021 the mayor spoke.</p>", {"text"}),
    ],
)  # fmt: skip
def test_places(body: str, places: set[str]) -> None:
    given = found(body, lang="en-gb")
    assert {iso for iso, _ in given} == {"2021-05-03"}
    assert {place for _, place in given} == places


@pytest.mark.parametrize(
    ("lang", "published", "updated"),
    [
        ("en", "Published May 3, 2021", "Last updated on June 4, 2021"),
        ("de", "Veröffentlicht am 3. Mai 2021", "Zuletzt aktualisiert: 4. Juni 2021"),
        ("fr", "Publié le 3 mai 2021 à 10h30", "Mis à jour le 4 juin 2021"),
        ("es", "Publicado el 3 de mayo de 2021", "Actualizado: 4 de junio de 2021"),
        ("it", "Pubblicato il 3 maggio 2021", "Ultimo aggiornamento 4 giugno 2021"),
        ("pt", "Publicado em 3 de maio de 2021", "Atualizado em 4 de junho de 2021"),
        ("nl", "Gepubliceerd op 3 mei 2021", "Bijgewerkt op 4 juni 2021"),
        ("pl", "Opublikowano: 3 maja 2021", "Aktualizacja: 4 czerwca 2021"),
        ("ru", "Опубликовано 3 мая 2021", "Обновлено 4 июня 2021"),
        ("uk", "Опубліковано 3 травня 2021", "Оновлено 4 червня 2021"),
        ("cs", "Publikováno 3. května 2021", "Aktualizováno 4. června 2021"),
        ("sk", "Publikované 3. mája 2021", "Aktualizované 4. júna 2021"),
        ("hu", "Megjelent: 2021. május 3.", "Frissítve: 2021. június 4."),
        ("ro", "Publicat la 3 mai 2021", "Actualizat la 4 iunie 2021"),
        ("bg", "Публикувано на 3 май 2021", "Обновено на 4 юни 2021"),
        ("hr", "Objavljeno 3. svibnja 2021.", "Ažurirano 4. lipnja 2021."),
        ("el", "Δημοσιεύτηκε: 3 Μαΐου 2021", "Ενημερώθηκε: 4 Ιουνίου 2021"),
        ("tr", "Yayınlanma: 3 Mayıs 2021", "Güncelleme: 4 Haziran 2021"),
        ("sv", "Publicerad 3 maj 2021", "Uppdaterad 4 juni 2021"),
        ("da", "Udgivet 3. maj 2021", "Opdateret 4. juni 2021"),
        ("nb", "Publisert 3. mai 2021", "Oppdatert 4. juni 2021"),
        ("fi", "Julkaistu 3.5.2021", "Päivitetty 4.6.2021"),
        ("zh", "发布时间：2021年5月3日", "更新时间：2021-06-04"),
        ("ja", "公開日：2021年5月3日", "2021年6月4日 更新"),
        ("ko", "입력 2021.05.03. 10:30", "수정 2021.06.04. 11:00"),
        ("ar", "نشر في 3 مايو 2021", "آخر تحديث 4 يونيو 2021"),
        ("he", "פורסם: 3 במאי 2021", "עודכן: 4 ביוני 2021"),
        ("id", "Diterbitkan 3 Mei 2021", "Diperbarui 4 Juni 2021"),
    ],
)
def test_labels(lang: str, published: str, updated: str) -> None:
    body = f"<p>{published}</p><p>{updated}</p>"
    assert found(body, "date", lang) == [("2021-05-03", "label published"), ("2021-05-03", "short text")]
    assert found(body, "date_modified", lang) == [("2021-06-04", "label updated"), ("2021-06-04", "short text")]
    together = f"<p>{published} | {updated}</p>"
    assert ("2021-05-03", "label published") in found(together, "date", lang)
    assert ("2021-06-04", "label updated") in found(together, "date_modified", lang)


@pytest.mark.parametrize(
    "body",
    [
        "<span class=last-modified>May 3, 2021</span>",
        "<time class=updated datetime=2021-05-03>Monday</time>",
        "<time itemprop=dateModified datetime=2021-05-03>Monday</time>",
        "<p>Updated <time datetime=2021-05-03>2 days ago</time></p>",
        "<time datetime=2021-05-03>Updated 2 days ago</time>",
        "<dl><dt>Reviewed<dd>3 May 2021</dl>",
    ],
)
def test_dates_of_modification(body: str) -> None:
    assert {iso for iso, _ in found(body, "date_modified")} == {"2021-05-03"}
    assert found(body) == []


@pytest.mark.parametrize(
    "body", ["<p>Joined: May 3, 2021</p>", "<p>Member since <b>3 May 2021</b></p>", "<p>Expires 2021-05-03</p>"]
)
def test_dates_of_something_else(body: str) -> None:
    assert found(body) == [("2021-05-03", "label other"), ("2021-05-03", "short text")]


def test_published_and_updated_in_one_class_is_published() -> None:
    assert ("2021-05-03", "class published") in found("<time class='entry-date published updated'>May 3, 2021</time>")


@pytest.mark.parametrize(
    "body",
    ["<footer>© 2021 The River</footer>", "<p>Since 1998</p>", "<p>Best of 2021</p>", "<p>Call 020 2021 2022</p>", ""],
)
def test_years_alone_are_no_dates(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize(
    ("body", "lang", "url", "expected"),
    [
        ("<p>03/05/2021</p>", "en", "https://example.com/", "2021-03-05"),
        ("<p>03/05/2021</p>", "en", "https://example.co.uk/", "2021-05-03"),
        ("<p>03/05/2021</p><p>25/05/2021</p>", "en", "https://example.com/", "2021-05-03"),
        ("<p>03/05/2021</p>", "en", "https://example.com/2021/05/river", "2021-05-03"),
        ("<p>03/05/2021</p><meta name=modified_time content=2021-05-04T10:00:00Z>", "en", None, "2021-05-03"),
    ],
)
def test_day_and_month_in_numbers(body: str, lang: str, url: str | None, expected: str) -> None:
    assert found(body, "date", lang, url)[0][0] == expected


def test_hidden_dates_come_last_and_the_row_is_that_of_the_element() -> None:
    page = view("<p hidden>May 1, 2020</p><p class=date>May 3, 2021</p>")
    given = list(Dateline(page).candidates("date"))
    assert [each.value.iso for each in given] == ["2021-05-03", "2021-05-03", "2020-05-01"]  # type: ignore[union-attr]
    assert page.document.elements.attribute(given[0].row, "class") == "date"


def test_few_of_many_dates_are_read() -> None:
    menu = "".join(f"<li>Best of {year}</li>" for year in range(1990, 2060))
    teasers = "".join(f"<p>May {1 + n % 28}, 2020</p>" for n in range(500))
    given = found(f"{menu}<p>May 3, 2021</p>{teasers}<p>Last updated June 4, 2021</p>")
    assert given[0] == ("2021-05-03", "short text")
    assert len(given) < 30
    assert found(f"{teasers}<p>Last updated June 4, 2021</p>", "date_modified")[0] == ("2021-06-04", "label updated")
