"""What META elements say about a product, and the price that a page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tamis.deadline import checked
from tamis.document import Document
from tamis.metadata.view import View

# META elements as properties of schema.org, the most telling names first.
_OFFER_NAMES = {
    "price": ("product:sale_price:amount", "product:price:amount", "og:price:amount", "product:price"),
    "priceCurrency": ("product:sale_price:currency", "product:price:currency", "og:price:currency"),
    "availability": ("product:availability", "og:availability"),
}
_PRODUCT_NAMES = {
    "name": ("og:title", "twitter:title"),
    "brand": ("product:brand", "og:brand"),
    "sku": ("product:retailer_item_id", "product:retailer_part_no", "product:sku"),
    "gtin": ("product:ean", "product:gtin", "product:upc", "product:isbn"),
}
_AVAILABILITY = {
    "instock": "InStock",
    "in stock": "InStock",
    "available": "InStock",
    "oos": "OutOfStock",
    "outofstock": "OutOfStock",
    "out of stock": "OutOfStock",
    "preorder": "PreOrder",
    "backorder": "BackOrder",
    "discontinued": "Discontinued",
    "pending": "PreOrder",
}

_TYPES = ("product", "product.item", "og:product")

# Signs of one currency. "$", "kr" and "¥" are those of several.
_CURRENCIES = {
    "€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₩": "KRW", "₺": "TRY", "₴": "UAH", "₫": "VND", "₪": "ILS",
    "฿": "THB", "zł": "PLN", "kč": "CZK", "ft": "HUF", "lei": "RON", "chf": "CHF", "eur": "EUR", "usd": "USD",
    "us$": "USD", "gbp": "GBP", "r$": "BRL", "c$": "CAD", "ca$": "CAD", "a$": "AUD", "au$": "AUD", "nz$": "NZD",
    "s$": "SGD", "hk$": "HKD", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "cad": "CAD", "aud": "AUD",
    "pln": "PLN", "円": "JPY", "元": "CNY", "руб": "RUB", "лв": "BGN", "$": None, "kr": None, "¥": None,
    "￥": None, ",-": None, ":-": None,
}  # fmt: skip
_SIGNS = sorted(_CURRENCIES, key=len, reverse=True)
_AMOUNT = re.compile(r"\d(?:[\d.,' \xa0\u202f]{0,14}\d)?")
_PRICE_CLASS = re.compile(r"price|preis|prix|precio|prezzo|prijs|cena|preco|pris(?:$|[-_ ])", re.IGNORECASE)
_NOT_NOW = re.compile(
    r"old|was|strike|regular|compare|before|original|list-?price|rrp|msrp|uvp|crossed|previous|unit|per-|shipping|save|"
    r"saving|discount|filter|range|slider|related|carousel|recommend|cart|basket|minicart|drawer|cross-?sell|up-?sell",
    re.IGNORECASE,
)
_IS_OLD = frozenset({"del", "s", "strike"})

_MOST_PRICES = 200  # elements with such a class that are read
_LONGEST_PRICE = 60  # characters around a price: "from $ 1,299.00 incl. VAT"
_LEVELS = 8  # elements around a price whose class may say that it is not the product's


class Price(NamedTuple):
    """A price as it is shown."""

    text: str
    currency: str | None


def meta_product(meta: Mapping[str, list[str]]) -> dict[str, object]:
    """The product in META elements, as a thing of schema.org; empty if they describe none."""
    offer = _named(meta, _OFFER_NAMES)
    is_product = any(kind.lower() in _TYPES for kind in meta.get("og:type", []))
    if not is_product and "price" not in offer:
        return {}
    if (given := str(offer.get("availability", "")).lower().replace("_", " ")) in _AVAILABILITY:
        offer["availability"] = _AVAILABILITY[given]
    return {"@type": "Product", **_named(meta, _PRODUCT_NAMES), **({"offers": [offer]} if offer else {})}


def _named(meta: Mapping[str, list[str]], names: Mapping[str, tuple[str, ...]]) -> dict[str, object]:
    found = ((key, next((meta[name][0] for name in given if meta.get(name)), None)) for key, given in names.items())
    return {key: value for key, value in found if value}


def shown_price(document: Document, view: View, after: int) -> Price | None:
    """The first price behind an element that the page shows in an element with such a class; no old or other price."""
    for row in checked(_priced_rows(document, after)):
        text = view.text_of(view.leaves_in(row))
        amounts = _AMOUNT.findall(text)
        if len(amounts) != 1 or len(text) > _LONGEST_PRICE:
            continue
        lower = text.lower()
        if (sign := next((sign for sign in _SIGNS if sign in lower), None)) is not None:
            return Price(amounts[0], _CURRENCIES[sign])
    return None


def _priced_rows(document: Document, after: int) -> Iterator[int]:
    """The elements behind a row that have the class of a price, without those of old prices and other products."""
    elements = document.elements
    found = 0
    for row in range(after + 1, len(elements)):
        if not _PRICE_CLASS.search(elements.class_[row]) or elements.tag[row] == "body":
            continue
        found += 1
        if found > _MOST_PRICES:
            return
        around = [ancestor for ancestor, _ in zip(elements.ancestors(row), range(_LEVELS), strict=False)]
        if not any(elements.tag[each] in _IS_OLD or _NOT_NOW.search(elements.class_[each]) for each in around):
            yield row
