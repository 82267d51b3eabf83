"""Small pages with notes as publishing systems write them, and pages with links that refer to something else.

Each has an article, whose paragraphs begin with "Prose", and behind it what the network would drop.
"""

from __future__ import annotations

_TOP = "<nav><a href=/>Home</a></nav><article><h1 id=top>Title</h1>"
_PAGE = _TOP + "<p id=p1>Prose of the first paragraph{}.</p><p id=p2>Prose of the second{} ends.</p></article>{}"

# Marks in two paragraphs, and the notes behind the article: "First note" and "Second note", and nothing else of both.
_NOTES = {
    "wikipedia": (
        '<sup id=cite_ref-1 class=reference><a href="#cite_note-1"><span>[</span>1<span>]</span></a></sup>',
        '<sup id=cite_ref-a_2-0 class=reference><a href="#cite_note-a-2">[2]</a></sup>',
        '<div class="reflist"><ol class=references><li id=cite_note-1><span class=mw-cite-backlink><b>'
        '<a href="#cite_ref-1">^</a></b></span> <span class=reference-text>First note</span></li><li id=cite_note-a-2>'
        '<span class=mw-cite-backlink>^ <a href="#cite_ref-a_2-0"><sup><i><b>a</b></i></sup></a></span> '
        "<span class=reference-text>Second note</span></li></ol></div>",
    ),
    "parsoid": (
        '<sup class="mw-ref reference" id=cite_ref-1><a href="./Title#cite_note-1"><span>[1]</span></a></sup>',
        '<sup class="mw-ref reference" id=cite_ref-2><a href="./Title#cite_note-2"><span>[2]</span></a></sup>',
        '<ol class="mw-references references"><li id=cite_note-1><a href="./Title#cite_ref-1">↑</a> <span>First note</span>'
        '<li id=cite_note-2><a href="./Title#cite_ref-2">↑</a> <span>Second note</span></ol>',
    ),
    "wikipedia-in-another-script": (
        '<sup class=reference><a href="#cite_note-%E5%90%8D-1">[注 1]</a></sup>',
        '<sup class=reference><a href="#cite_note-2">[註 2]</a></sup>',
        "<ol class=references><li id='cite_note-名-1'>First note</li><li id=cite_note-2>Second note</li></ol>",
    ),
    "lesswrong": (
        '<span class=footnote-reference id=fnrefx1><sup><a href="#fnx1">[1]</a></sup></span>',
        '<span class=footnote-reference id=fnrefx2><sup><a href="#fnx2">[2]</a></sup></span>',
        "<ol class='footnote-section footnotes'><li class=footnote-item id=fnx1><span class=footnote-back-link><sup>"
        '<strong><a href="#fnrefx1">^</a></strong></sup></span><div class=footnote-content><p>First note</p></div></li>'
        '<li class=footnote-item id=fnx2><span class=footnote-back-link><sup><a href="#fnrefx2">^</a></sup></span>'
        "<div class=footnote-content><p>Second note</p></div></li></ol>",
    ),
    "substack": (
        '<a data-component-name=FootnoteAnchorToDOM id=footnote-anchor-1 href="#footnote-1" class=footnote-anchor>1</a>',
        '<a data-component-name=FootnoteAnchorToDOM id=footnote-anchor-2 href="#footnote-2" class=footnote-anchor>2</a>',
        '<div class=footnote><a id=footnote-1 href="#footnote-anchor-1" class=footnote-number>1</a><div '
        "class=footnote-content><p>First note</p></div></div><div class=footnote><a id=footnote-2 "
        'href="#footnote-anchor-2" class=footnote-number>2</a><div class=footnote-content><p>Second note</p></div></div>',
    ),
    "pmc": (
        '<sup>[<a href="#B1" class=usa-link aria-describedby=B1>1</a>]</sup>',
        '<sup>[<a href="#B2" class=usa-link aria-describedby=B2>2</a>]</sup>',
        "<section class=ref-list><ul class=ref-list><li id=B1><span class=label>1.</span><cite>First note</cite></li>"
        "<li id=B2><span class=label>2.</span><cite>Second note</cite></li></ul></section>",
    ),
    "pmc-in-the-line": (
        ' (<a href="#r1" class="bibr popnode">1</a>)',
        ' (<a href="#r2" class="bibr popnode">2</a>)',
        "<div class=ref-list-sec><div class=ref-cit-blk id=r1>1. <span>First note</span></div><div class=ref-cit-blk id=r2>"
        "2. <span>Second note</span></div></div>",
    ),
    "ar5iv": (
        '<cite class=ltx_cite>[<a href="#bib.bib1" class=ltx_ref>1</a>]</cite>',
        '<cite class=ltx_cite>[<a href="#bib.bib2" class=ltx_ref>2</a>]</cite>',
        "<section class=ltx_bibliography><ul class=ltx_biblist><li id=bib.bib1 class=ltx_bibitem><span class=ltx_bibblock>"
        "First note</span></li><li id=bib.bib2 class=ltx_bibitem><span>Second note</span></li></ul></section>",
    ),
    "ar5iv-by-year": (
        ' <cite class=ltx_cite>Smith et al. (<a href="#bib.bib1" class=ltx_ref>2004</a>)</cite>',
        ' <cite class=ltx_cite>(<a href="#bib.bib2">Miller and Jones</a>, <a href="#bib.bib2">2010a</a>)</cite>',
        "<ul class=ltx_biblist><li id=bib.bib1 class=ltx_bibitem><span>First note</span></li><li id=bib.bib2 "
        "class=ltx_bibitem><span>Second note</span></li></ul>",
    ),
    "sphinx": (
        '<a class="footnote-reference brackets" href="#id3" id=id1 role=doc-noteref><span>[</span>1<span>]</span></a>',
        '<a class="footnote-reference brackets" href="#id4" id=id2 role=doc-noteref><span>[</span>2<span>]</span></a>',
        '<aside class="footnote brackets" id=id3 role=doc-footnote><span class=label><span>[</span><a role=doc-backlink '
        'href="#id1">1</a><span>]</span></span><p>First note</p></aside><aside class="footnote brackets" id=id4 '
        'role=doc-footnote><span class=label><a role=doc-backlink href="#id2">2</a></span><p>Second note</p></aside>',
    ),
    "sphinx-list": (
        '<a class="footnote-reference brackets" href="#id3" id=id1>1</a>',
        '<a class="footnote-reference brackets" href="#id4" id=id2>2</a>',
        '<dl class="footnote brackets"><dt class=label id=id3><span class=brackets><a class=fn-backref href="#id1">1</a>'
        "</span></dt><dd><p>First note</p></dd><dt class=label id=id4><span><a class=fn-backref href='#id2'>2</a></span></dt>"
        "<dd><p>Second note</p></dd></dl>",
    ),
    "sphinx-citations": (
        '<a class="reference internal" href="#cit" id=id1><span>[Cit2002]</span></a>',
        '<a class="reference internal" href="#other" id=id2><span>[Other]</span></a>',
        "<div class=citation id=cit role=doc-biblioentry><p>First note</p></div><div class=citation id=other "
        "role=doc-biblioentry><p>Second note</p></div>",
    ),
    "docutils-tables": (
        '<a class=footnote-reference href="#id3" id=id1>[1]</a>',
        '<a class=footnote-reference href="#id4" id=id2>[2]</a>',
        '<table class="docutils footnote" id=id3><tbody><tr><td class=label><a class=fn-backref href="#id1">[1]</a></td>'
        '<td>First note</td></tr></table><table class="docutils footnote" id=id4><tbody><tr><td class=label>'
        '<a class=fn-backref href="#id2">[2]</a></td><td>Second note</td></tr></table>',
    ),
    "pandoc": (
        '<a href="#fn1" class=footnote-ref id=fnref1 role=doc-noteref><sup>1</sup></a>',
        '<a href="#fn2" class=footnote-ref id=fnref2 role=doc-noteref><sup>2</sup></a>',
        '<section id=footnotes class="footnotes" role=doc-endnotes><hr><ol><li id=fn1><p>First note<a href="#fnref1" '
        'class=footnote-back role=doc-backlink>↩︎</a></p></li><li id=fn2><p>Second note<a href="#fnref2" '
        "class=footnote-back>↩︎</a></p></li></ol></section>",
    ),
    "pandoc-citations": (
        ' <span class=citation data-cites=a>(Smith <a href="#ref-a" role=doc-biblioref>2004</a>)</span>',
        ' <span class=citation data-cites=b>(<a href="#ref-b" role=doc-biblioref>Miller 2010</a>)</span>',
        "<div id=refs class='references csl-bib-body' role=list><div id=ref-a class=csl-entry role=listitem>First note</div>"
        "<div id=ref-b class=csl-entry role=listitem>Second note</div></div>",
    ),
    "goldmark": (
        '<sup id=fnref:1><a href="#fn:1" class=footnote-ref role=doc-noteref>1</a></sup>',
        '<sup id=fnref:2><a href="#fn:2" class=footnote-ref role=doc-noteref>2</a></sup>',
        '<div class=footnotes role=doc-endnotes><hr><ol><li id=fn:1><p>First note&#160;<a href="#fnref:1" '
        'class=footnote-backref>↩︎</a></p></li><li id=fn:2><p>Second note&#160;<a href="#fnref:2">↩︎</a></p></li></ol></div>',
    ),
    "kramdown": (
        '<sup id=fnref:a><a href="#fn:a" class=footnote rel=footnote>1</a></sup>',
        '<sup id=fnref:b><a href="#fn:b" class=footnote rel=footnote>2</a></sup>',
        '<div class=footnotes><ol><li id=fn:a><p>First note <a href="#fnref:a" class=reversefootnote>&#8617;</a></p></li>'
        '<li id=fn:b><p>Second note <a href="#fnref:b" class=reversefootnote>&#8617;</a></p></li></ol></div>',
    ),
    "github": (
        '<sup><a href="#user-content-fn-a" id=user-content-fnref-a data-footnote-ref>1</a></sup>',
        '<sup><a href="#user-content-fn-b" id=user-content-fnref-b data-footnote-ref>2</a></sup>',
        "<section data-footnotes class=footnotes><h2 class=sr-only id=footnote-label></h2><ol><li id=user-content-fn-a><p>"
        'First note <a href="#user-content-fnref-a" data-footnote-backref>↩</a></p></li><li id=user-content-fn-b><p>'
        'Second note <a href="#user-content-fnref-b" data-footnote-backref>↩</a></p></li></ol></section>',
    ),
    "markdown-it": (
        '<sup class=footnote-ref><a href="#fn1" id=fnref1>[1]</a></sup>',
        '<sup class=footnote-ref><a href="#fn2" id=fnref2>[2]</a></sup>',
        "<hr class=footnotes-sep><section class=footnotes><ol class=footnotes-list><li id=fn1 class=footnote-item><p>First "
        'note <a href="#fnref1" class=footnote-backref>↩︎</a></p></li><li id=fn2 class=footnote-item><p>Second note '
        '<a href="#fnref2" class=footnote-backref>↩︎</a></p></li></ol></section>',
    ),
    "wordpress": (
        '<sup data-fn=u1 class=fn><a href="#u1" id=u1-link>1</a></sup>',
        '<sup data-fn=u2 class=fn><a href="#u2" id=u2-link>2</a></sup>',
        '<ol class=wp-block-footnotes><li id=u1>First note <a href="#u1-link">↩︎</a></li><li id=u2>Second note '
        '<a href="#u2-link">↩︎</a></li></ol>',
    ),
    "easy-footnotes": (
        "<span id=easy-footnote-1-77 class=easy-footnote-margin-adjust></span><span class=easy-footnote>"
        '<a href="https://site.example/a#easy-footnote-bottom-1-77"><sup>1</sup></a></span>',
        '<span class=easy-footnote><a href="https://site.example/a#easy-footnote-bottom-2-77"><sup>2</sup></a></span>',
        "<ol class=easy-footnotes-wrapper><li class=easy-footnote-single><span id=easy-footnote-bottom-1-77></span>First "
        'note<a class=easy-footnote-to-top href="https://site.example/a#easy-footnote-1-77"></a></li>'
        "<li class=easy-footnote-single><span id=easy-footnote-bottom-2-77></span>Second note</li></ol>",
    ),
    "word": (
        "<a href='#_ftn1' name='_ftnref1'><span class=MsoFootnoteReference>[1]</span></a>",
        "<a href='#_ftn2' name='_ftnref2'><span class=MsoFootnoteReference>[2]</span></a>",
        "<div><hr><div id=ftn1><p class=MsoFootnoteText><a href='#_ftnref1' name='_ftn1'>[1]</a> First note</p></div>"
        "<div id=ftn2><p class=MsoFootnoteText><a href='#_ftnref2' name='_ftn2'>[2]</a> Second note</p></div></div>",
    ),
    "libreoffice": (
        "<sup><a class=sdfootnoteanc name=sdfootnote1anc href='#sdfootnote1sym'>1</a></sup>",
        "<sup><a class=sdfootnoteanc name=sdfootnote2anc href='#sdfootnote2sym'>2</a></sup>",
        "<div id=sdfootnote1><p><a class=sdfootnotesym name=sdfootnote1sym href='#sdfootnote1anc'>1</a>First note</p></div>"
        "<div id=sdfootnote2><p><a class=sdfootnotesym name=sdfootnote2sym href='#sdfootnote2anc'>2</a>Second note</p></div>",
    ),
    "asciidoctor": (
        '<sup class=footnote>[<a id=_footnoteref_1 class=footnote href="#_footnotedef_1">1</a>]</sup>',
        '<sup class=footnote>[<a id=_footnoteref_2 class=footnote href="#_footnotedef_2">2</a>]</sup>',
        '<div id=footnotes><hr><div class=footnote id=_footnotedef_1><a href="#_footnoteref_1">1</a>. First note</div>'
        '<div class=footnote id=_footnotedef_2><a href="#_footnoteref_2">2</a>. Second note</div></div>',
    ),
    "org-mode": (
        '<sup><a id=fnr.1 class=footref href="#fn.1" role=doc-backlink>1</a></sup>',
        '<sup><a id=fnr.2 class=footref href="#fn.2" role=doc-backlink>2</a></sup>',
        '<div id=footnotes><div class=footdef><sup><a id=fn.1 class=footnum href="#fnr.1">1</a></sup> <div class=footpara>'
        '<p>First note</p></div></div><div class=footdef><sup><a id=fn.2 class=footnum href="#fnr.2">2</a></sup> '
        "<div class=footpara><p>Second note</p></div></div></div>",
    ),
    "springer": (
        ' <a data-track=click href="#ref-CR1" id=ref-link-1>1</a>',
        ' [<a data-track=click href="#ref-CR2" id=ref-link-2>2</a>]',
        "<ol class=c-article-references><li class=c-article-references__item data-counter=1.><p "
        "id=ref-CR1>First note</p></li><li class=c-article-references__item><p id=ref-CR2>Second note</p></li></ol>",
    ),
    "highwire": (
        ' <a href="#BIB1">[1]</a>',
        '<sup><a href="#BIB2">2</a></sup>',
        "<ol compact><a name=BIB1><!-- null --></a><li value=1> First note <!-- x --><a name=BIB2></a></li><li value=2> "
        "Second note</li></ol>",
    ),
    "ids-of-footnotes": (
        '<a href="#footnote-1">*</a>',
        '<a href="#footnote-2">**</a>',
        "<ul><li id=footnote-1>* First note</li><li id=footnote-2>** Second note</li></ul>",
    ),
    "by-hand-with-links-back": (
        '<a name=r1 href="#n1">1</a>',
        '<a name=r2 href="#n2">2</a>',
        '<div><p><a name=n1></a>First note <a href="#r1">back</a></p><p><a name=n2></a>Second note <a href="#r2">back</a></p>'
        "</div>",
    ),
    "by-hand-numbered": (
        '<sup><a href="#n1">1</a></sup>',
        '<sup><a href="#n2">2</a></sup>',
        "<small><ol><li id=n1>First note</li><li id=n2>Second note</li></ol></small>",
    ),
    "by-hand-behind-a-word": (
        '<a href="#N_1_">1</a>',
        '<a href="#N_2_">2</a>',
        "<p class=fn><a name=N_1_>1</a> First note</p><p class=fn><a name=N_2_>2</a> Second note</p>",
    ),
    "by-hand-with-signs": (
        '<sup><a href="#star">*</a></sup>',
        '<sup><a href="#dagger">†</a></sup>',
        "<p id=star>* First note</p><p id=dagger>† Second note</p>",
    ),
    "by-hand-raised-digits": (
        '<a href="#n1">¹</a>',
        '<a href="#n2">²</a>',
        "<p id=n1>¹ First note</p><p id=n2>² Second note</p>",
    ),
    "by-hand-letters": (
        '<sup>[<a href="#na">a</a>]</sup>',
        '<sup>[<a href="#nb">b</a>]</sup>',
        "<p id=na>[a] First note</p><p id=nb>[b] Second note</p>",
    ),
    "by-hand-roman": (
        '<a href="#e1">[i]</a>',
        '<a href="#e2">[ii]</a>',
        "<p id=e1>[i] First note</p><p id=e2>[ii] Second note</p>",
    ),
    "by-hand-in-a-paragraph-before": (
        '<sup><a href="#n1">1</a></sup>',
        '<sup><a href="#n2">2</a></sup>',
        "<a name=n1></a><p>1. First note</p><a name=n2></a><p>2. Second note</p>",
    ),
    "short-titles-lead-on": (
        '<sup class=reference><a href="#cite_note-1">[1]</a></sup>',
        "",
        '<ol class=references><li id=cite_note-1><a href="#r1">^</a> First note, <a href="#CITEREFX">[X 2004]</a></li></ol>'
        "<ul><li><cite id=CITEREFX class=citation>Second note</cite></li></ul>",
    ),
    "first-and-last-of-a-range": (
        '<sup><a href="#B1" class=bibr>1</a>–<a href="#B3" class=bibr>3</a></sup>',
        "",
        "<ul class=ref-list><li id=B1>First note</li><li id=B2>Second note</li><li id=B3>Third note</li></ul>",
    ),
    "folded": (
        '<sup id=r1><a href="#n1">1</a></sup>',
        '<sup id=r2><a href="#n2">2</a></sup>',
        "<details><summary></summary><ol class=footnotes><li id=n1>First note</li><li id=n2>Second note</li></ol></details>",
    ),
}

# Links that refer to something else, in the article and behind it.
_OTHERS = {
    "contents": (
        '<p>Prose <a href="#s1">1</a> and <a href="#s2">2</a>',
        "<h2 id=s1>One</h2><p>A.</p><h2 id=s2>Two</h2>",
    ),
    "numbered-contents": (
        '<p>Prose.</p><ol><li><a href="#s1">1</a><li><a href="#s2">2</a></ol>',
        "<section id=s1><h2>One</h2><p>Text.</p></section><section id=s2><h2>Two</h2><p>Text.</p></section>",
    ),
    "to-the-top": ('<p>Prose here. <a href="#top">^</a> <a href="#top">↑</a></p>', "<p>End.</p>"),
    "raised-to-the-top": ('<p>Prose here.<sup><a href="#top">^</a></sup></p>', "<p>End.</p>"),
    "permalink-of-a-comment": (
        "<p>Prose of a page.</p>",
        '<ol><li id=c1><a href="#c1">1</a> A comment.</li><li id=c2><a href="#c2">2</a> Another.</li></ol>',
    ),
    "to-comments": ('<p>Prose. <a href="#comments">3</a></p>', "<div id=comments><p>3 comments</p><p>Great.</p></div>"),
    "quotes-of-comments": (
        "<p>Prose of a page.</p>",
        "<div id=c1><p>First!</p></div><div id=c2><p><a href='#c1'>#1</a> No.</p></div>",
    ),
    "heading-anchors": (
        '<h2 id=a>A<a class=headerlink href="#a">¶</a></h2><p>Prose here.</p>',
        '<h2 id=b>B<a href="#b">#</a></h2><p>End.</p>',
    ),
    "figures": (
        '<p>Prose (Fig. <a href="#f1">1</a>)</p>',
        "<figure id=f1><img src=/x><figcaption>1. A boat</figcaption></figure>",
    ),
    "raised-figures": (
        '<p>Prose<sup><a href="#f1">1</a></sup></p>',
        "<figure id=f1><figcaption>1 A</figcaption></figure>",
    ),
    "tables": ('<p>Prose in table <a href="#t1">2</a>.</p>', "<div id=t1><table><tr><td>1<td>2</table></div>"),
    "equations": ('<p>Prose by (<a href="#e1">1</a>).</p>', "<div id=e1><span>x = y</span><span>(1)</span></div>"),
    "pages-of-a-gallery": (
        '<p>Prose.</p><p><a href="#g1">1</a> <a href="#g2">2</a></p>',
        "<div id=g1>A boat</div><div id=g2>A house</div>",
    ),
    "alphabet": (
        '<p>Prose.</p><p><a href="#A">A</a> <a href="#B">B</a></p>',
        "<p id=A>Ants and apes</p><p id=B>Bees and bears</p>",
    ),
    "verses": (
        '<p>Prose.</p><p><a href="#v1">1</a> <a href="#v2">2</a></p>',
        "<p id=v1>1 In the beginning</p><p id=v2>2 And the earth</p>",
    ),
    "one-heading-for-all": (
        '<p>Prose<sup><a href="#src">1</a></sup> more<sup><a href="#src">2</a></sup></p>',
        "<h2 id=src>Sources</h2><ol><li>A book</li><li>A page</li></ol>",
    ),
    "a-long-part": (
        '<p>Prose<sup><a href="#legal">4</a></sup></p>',
        "<div id=legal><h3>Legal</h3><p>4 of our terms.</p></div>",
    ),
    "steps": (
        '<p>Prose as in step <a href="#step2">2</a> says.</p>',
        "<div><p id=step1>Wash.</p><p id=step2>Dry.</p></div>",
    ),
    "lines-of-code": (
        '<pre><a href="#L1" id=L1>1</a> x = 1\n<a href="#L2" id=L2>2</a> y = 2</pre><p>Prose.</p>',
        "<p>End.</p>",
    ),
    "functions": (
        '<p>Prose of <a class="reference internal" href="#f">f()</a>.</p>',
        "<dl><dt id=f>f()</dt><dd>Counts.</dd></dl>",
    ),
    "notes-elsewhere": (
        '<p>Prose<sup><a href="https://other.example/x#n9">1</a></sup></p>',
        "<ol><li id=n1>1 Something else</li></ol>",
    ),
    "nothing-there": ('<p>Prose<sup><a href="#n1">1</a></sup></p>', "<div id=n1></div><p>End.</p>"),
    "marks-that-are-not-kept": (
        "<p>Prose of a page.</p>",
        "<p>An advertisement<sup><a href='#n1'>1</a></sup></p><ol class=footnotes><li id=n1>1 Terms apply</li></ol>",
    ),
    "share-counts": ('<p>Prose. <a href="#share">12</a></p>', "<div id=share>12 <a href=/f>Facebook</a></div>"),
}

NOTE_PAGES = {name: _PAGE.format(*parts) for name, parts in _NOTES.items()}
OTHER_PAGES = {
    name: f"{_TOP}{article.replace('Prose', 'Prose that somebody has written')}</article>{behind}"
    for name, (article, behind) in _OTHERS.items()
}
