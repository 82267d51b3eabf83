"""What schema.org calls the content of a page and its fields, for linked data and microdata."""

from __future__ import annotations

import re

# Types that describe the content of a page; the others (WebSite, Organization, BreadcrumbList, Person) describe what
# stands around it.
CONTENT_TYPE = re.compile(
    r"(Article|BlogPosting|Posting|Recipe|Product|HowTo|QAPage|Question|Review|Event|JobPosting|Movie|Book"
    r"|Dataset|SoftwareApplication|Course|Report|ScholarlyArticle|VideoObject|ImageGallery|CollectionPage"
    r"|SearchResultsPage|ItemPage|AboutPage|FAQPage|WebPage)$"
)

KEYS = {
    "title": ("headline", "name"),
    "author": ("author", "creator"),
    "date": ("datePublished", "dateCreated", "uploadDate", "datePosted"),
    "description": ("description",),
    "image": ("image",),
}
