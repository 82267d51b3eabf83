"""The pieces that hostile pages are made of: names of tags, texts, attributes, heads and parts of pages."""

from __future__ import annotations

# fmt: off
FORMATTING = "a b big code em font i nobr s small strike strong tt u".split()
BLOCKS = """address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary ul""".split()
TABLE = "table caption colgroup col thead tbody tfoot tr td th".split()
INLINE = """abbr acronym bdi bdo br cite data del dfn ins kbd label mark marquee meter output progress q rb rp
    rt rtc ruby samp span sub sup time var wbr""".split()
RAW = "script style textarea title xmp iframe noembed noframes noscript plaintext".split()
FORMS = "button datalist input keygen legend optgroup option select selectedcontent textarea".split()
MEDIA = """applet area audio canvas embed image img amp-img map object param picture source svg track video
    math""".split()
FOREIGN = """svg math mi mo mn ms mtext mglyph malignmark annotation-xml foreignObject desc title path g a style
    script use font foreignobject""".split()
DOCUMENT = "html head body base basefont bgsound link meta frameset frame template slot my-element".split()
TAGS = sorted({*FORMATTING, *BLOCKS, *TABLE, *INLINE, *RAW, *FORMS, *MEDIA, *FOREIGN, *DOCUMENT} - {"plaintext"})

WORDS = """The old bridge was closed for two years, and now it carries traffic again. Boats pass below. Мост снова.
    一座旧桥重新开放，车辆可以通行。 The mayor said on 3 May 2024 that nobody had expected it. x y""".split(" ")
SENTENCE = "The old bridge was closed for two years, and now it carries traffic again, said the mayor. "

ODD_TEXTS = (
    "\0", "\x0b", "\x0c", "\x1f", "\x7f", "\x85", "\xa0", "\u200b", "\u2028", "\ufeff", "\ufffe", "\U0001f600",
    "\ud800", "\udfff", "\udc00\ud800", "e\u0301", "\u202e", "\r", "\r\n", "\n", "\t", "   ", "a\0b", "\u0130", "ß",
    "ﬃ", "&", "&amp", "&amp;", "&lt;script&gt;", "&#0;", "&#x110000;", "&#xD800;", "&#128;", "&#38;#38;", "&notit;",
    "&notin;", "&NotEqualTilde;", "&bogus;", "&#", "&#x", "&#999999999999;", "&nbsp;", "&ThickSpace;", "&fjlig;",
    "&colon;", "<", "</", "<!", "<?", "<?php echo 1 ?>", "</>", "<3", "< p>", "<p", "<p/", "<p =", "<p a='", '<p a="',
    "</p a=1>", "<!-->", "<!--->", "<!---->", "<!--x--!>", "<!--<!--x-->", "<!--[if IE]><p>x<![endif]-->", "<!-- x",
    "<!bogus>", "<![CDATA[x]]>", "<![CDATA[", "]]>", "]]", "-->", "--!>", "<![if x]>", "<svg><![CDATA[a<b>]]></svg>",
    "`", "```", "``` js", "~~~", "**", "__", "*", "_", "|", "\\", "[x](javascript:alert(1))", "![", "](", "# ", "- ",
    "1. ", "> ", "<script>", "<img src=x onerror=alert(1)>", "[x]: data:text/html,x", "2024-05-03", "May 3, 2024",
    "3.5.2024", "$x$", "\\(", "+ ", "===", "---", "\\`", "<!--", "&#106;avascript:alert(1)", "http://a.example/", "{{",
    "%00",
)

SCHEMES = (
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
    "java\nscript:alert(1)", "\x01javascript:alert(1)", "javascript&colon;alert(1)", "&#106;avascript:alert(1)",
    "./javascript:alert(1)", "vbscript:x", "data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD4=", "view-source:x", "data:image/svg+xml,<svg onload=alert(1)>",
    "data:image/png;base64,AAAA", "blob:x", "file:///etc/passwd", "about:blank", "//evil.example/x",
    "\\\\evil.example\\x", "http:x", "http:///x", "https://u:p@a.example/x", "mailto:a@b.example", "tel:1", "#", "#top",
    "?q=1", "", " ", "../../x", "/x", "x.png", "x y.png", "a)b", "a(b", "<x>", "[x]", "x`y", "x|y", "x\\y", "\0x",
    "http://[::1", "http://a.example:99999/", "http://\ud800/", "http://xn--/", "https://a.example/\u202e", "x" * 300,
    "ä/ö",
)
SRCSETS = (
    "a.png 1x, b.png 2x", "a.png 100w,b.png 200w", ",,,,a", "a" * 60 + " b", "a b c d", "(a, b) 1x, c", "a.png 1x 2w",
    ", , , x.png 1x", "data:image/png;base64,AA 1x", "javascript:alert(1) 1x, a.png 2x", "," * 40, " " * 40, "a 1e9x",
    "a -1x",
)
CLASSES = (
    "comment", "comments", "comment-list", "reply", "sidebar", "widget", "related", "share", "nav", "menu", "footer",
    "ad", "article-body", "entry-content", "post", "post-content", "content", "main", "hentry", "author", "date",
    "byline", "crumbs", "language-python", "lang-js", "highlight-source-c", "language-a`b", "language-<b>", "code",
    "line-number", "gutter", "hidden", "sr-only", "mw-editsection", "footnote", "katex", "mathjax", "tab", "accordion",
    "spoiler", "a " * 30, "\0",
)
LANGS = (
    "en", "de-DE", "zh-Hans", "", "x", "aa_a_a_a_a_a_a_a_a_a_a!", "EN_us", "i-klingon", "\ud800", "a" * 200, "en, de",
    "*",
)
DATES = (
    "2024-05-03", "2024-05-03T10:00:00Z", "2024-13-45", "0000-00-00", "99999-01-01", "2024-05-03T10:00:00+99:99",
    "3 May", "x",
)
ROLES = (
    "main", "navigation", "banner", "complementary", "contentinfo", "presentation", "alert", "none", "article", "x",
)
STYLES = (
    "display:none", "visibility: hidden", "color:red;display : none", "background:url(//e.example/x)", "x", ";" * 30,
)
SPANS = ("0", "1", "2", "3", "10", "100", "1000", "65534", "99999999999", "-1", "x", "", "1.5")

ATTRIBUTES = (
    *(f'href="{address}"' for address in SCHEMES), *(f"src='{address}'" for address in SCHEMES),
    *(f'srcset="{value}"' for value in SRCSETS), *(f'class="{name}"' for name in CLASSES),
    *(f'id="{name}"' for name in ("comments", "content", "x", "S:0", "a", "b", "c")),
    *(f'lang="{value}"' for value in LANGS), *(f'datetime="{value}"' for value in DATES),
    *(f"role={value}" for value in ROLES), *(f'style="{value}"' for value in STYLES),
    *(f"rowspan={value}" for value in SPANS), *(f"colspan='{value}'" for value in SPANS),
    *(
        f'{name}="{value}"'
        for name in ("start", "value", "type")
        for value in ("1", "-5", "99999999999", "a", "i", "hidden")
    ),
    "itemscope", "itemscope itemtype=https://schema.org/Article", "itemprop=name", "itemprop='author'",
    "itemprop=articleBody", 'itemref="a b c"', "itemref=a id=a itemscope", "itemref=b id=a", "itemref=a id=b",
    "itemid=x", "itemprop=datePublished", "hidden", "hidden=until-found", "open", "checked", "disabled", "reversed",
    "async", "autofocus", "contenteditable", "onclick=alert(1)", "onerror='alert(1)'", "ONLOAD=alert(1)", "on=x", "onx",
    "/onload=alert(1)", "x/onload=alert(1)", 'srcdoc="<script>alert(1)</script>"', "formaction=javascript:alert(1)",
    "action=//evil.example", "ping=//evil.example", "background=//evil.example/x", "poster=//evil.example/x",
    "data=javascript:alert(1)", "xlink:href=javascript:alert(1)", "shadowrootmode=open", "slot=x", "is=x", "name=a",
    "for=x", "headers=x", "scope=col", "align=right", "width=1", "height=1", "encoding=text/html",
    "encoding=application/xhtml+xml", "type=hidden", "color=red", "face=x", "size=7", "definitionURL=x",
    'title="a &quot; b"', 'alt="<script>alert(1)</script>"', "alt='`'", 'alt="a](javascript:alert(1))"', "title=']('",
    "a=1 a=2", 'x="' + "a" * 2000 + '"', "a" * 300, "=x", "'", '"', "<", "\0=\0", "\ud800=\udfff", " / ", "a = b",
    "data-x='{\"a\":1}'", " ".join(f"a{number}={number}" for number in range(60)), " ".join("a=1" for _ in range(40)),
)

DOCTYPES = (
    "<!doctype html>", "<!DOCTYPE html>", "<!doctype>", "<!doctype html SYSTEM 'about:legacy-compat'>", "<!doctype x>",
    "\ufeff", '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN">',
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>', '<!doctype html PUBLIC "',
)

LINKED_DATA = (
    '{"@type":"Article","headline":"A bridge","author":{"@type":"Person","name":"Ann"},"datePublished":"2024-05-03"}',
    '{"@type":["NewsArticle",1],"articleBody":"' + SENTENCE * 4 + '","author":[{"name":"A"},"B",null]}',
    '{"@graph":[{"@id":"#a","author":{"@id":"#b"}},{"@id":"#b","author":{"@id":"#a"}}]}', '{"a":' * 60 + "1" + "}" * 60,
    "[" * 300, "[" * 120 + "]" * 120, '{"@type":"Article","headline":"x" , }', '{"headline":', "{'a':1}", "null",
    "1e999", '"\\ud800"', "NaN", "", "<!--{}-->",
    '{"@type":"Article","articleBody":"' + " " * 400 + '","headline":"</scr"}',
    '{"@type":"Comment","text":"hello","@type":"Person"}//<![CDATA[',
)
HEADS = (
    *(
        f"<title>{text}</title>"
        for text in ("A bridge reopens | News", "", "a - b - c - d", "<b>x</b>", "\0", " " * 200)
    ),
    *(
        f"<base href='{address}'>"
        for address in ("x", "/a/", "http://a.example/", "javascript:alert(1)//", "data:x", "//", "\ud800")
    ),
    *(
        f"<meta charset={name}>"
        for name in ("utf-8", "latin-1", "utf-16", "x-user-defined", "bogus", "'" + " " * 50 + "'")
    ),
    *(
        f"<meta http-equiv=refresh content='{value}'>"
        for value in ("0;url=//evil.example", "0; javascript:alert(1)", "x")
    ),
    "<meta http-equiv=Content-Security-Policy content='script-src *'>",
    "<meta http-equiv='Content-Type' content='text/html; charset=x'>",
    *(
        f'<meta property="og:{name}" content="{value}">'
        for name in ("title", "type", "description", "site_name", "locale", "image", "published_time", "")
        for value in ("A bridge", "2024-05-03", "javascript:alert(1)", "", " " * 300)
    ),
    *(
        f'<meta name={name} content="x, y">'
        for name in ("author", "description", "date", "keywords", "citation_author", "generator")
    ),
    "<link rel=canonical href=//a.example/x>", "<link rel=amphtml href=x>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    *(f"<script type=application/ld+json>{data}</script>" for data in LINKED_DATA),
    *(
        f"<script>{code}</script>"
        for code in ("alert(1)", "<!--<script>", "<!--</script>-->", 'self.__next_f.push([1,"x"])')
    ),
    "<style>p{}</style>", "<style><!--</style>", "<noscript><p>x</noscript>",
    "<noscript><!--</noscript><meta http-equiv=refresh>",
    '<script id=__NEXT_DATA__ type=application/json>{"props":{"body":"' + SENTENCE * 6 + '"}}</script>',
    "<template><p>x</template>",
)

PARTS = (
    f"<article><h1>A bridge reopens</h1><p>{SENTENCE * 3}<p>{SENTENCE * 2}<ul><li>One<li>Two</ul></article>",
    f"<div class=comment id=c1><p>{SENTENCE}<div class=reply>{SENTENCE}</div></div>",
    "<nav><ul>" + "<li><a href=/x>Link</a>" * 8 + "</ul></nav>",
    "<table><caption>C</caption><thead><tr><th>A<th colspan=2>B<tbody><tr><td rowspan=2>1<td>2<td>3<tr>"
    "<td>4<td>5</table>",
    "<table><tr><td rowspan=100 colspan=100>x<td rowspan=0>y<tr><td>z</table>",
    "<table><tr><td><table><tr><td>x</table></table>", "<table>x<tr>y<td>z</td>w<b>v</table>u",
    "<ol start=-3 reversed><li value=7>a<li><ol type=a><li>b</ol><ul><li>c<li>d</ul></ol>",
    "<dl><dt>a<dd>b<dt>c<dt>d<dd><p>e</dl>", "<pre><code class='language-python'>if x:\n    pass\n```\n</code></pre>",
    "<pre class='lang-a`b'>\n\n  x\n<b>y</b>\n</pre>",
    "<p>a <code>x`y``z</code> <code> </code> <b>ä</b><b><pre>x</pre></b>",
    "<ruby>漢<rp>(<rt>kan<rp>)<rb>字<rtc>ji</ruby>",
    "<details><summary>More</summary><p>Inside</details><dialog open>x</dialog>",
    "<form><fieldset><legend>L</legend><label>a<input value=x></label><button>b<p>c</button>"
    "<textarea>\nd</textarea></form>",
    "<select><option>a<optgroup label=g><option selected>b<hr><option><b>c</select>",
    "<select><table><tr><td><select><input></table></select><option><div>x",
    "<picture><source srcset='a.webp 1x, b.webp 2x'><img src=a.png alt='A bridge' srcset=',,a 1x'></picture>",
    "<figure><img src=javascript:alert(1) onerror=alert(1)><figcaption>The <b>bridge</b></figcaption></figure>",
    "<video poster=x><source src=a.mp4><track src=x>fallback <a href=x>y</a></video><audio controls src=x></audio>",
    "<iframe src=//evil.example/x srcdoc='<script>alert(1)</script>'><p>x</iframe><object data=x><embed "
    "src=y></object>",
    "<svg><title>t</title><foreignObject><p>x<svg><desc><b>y</desc></svg></foreignObject>"
    "<script>alert(1)</script></svg>",
    "<math><mi>x<mtext><p>y<mglyph><style><img src=x onerror=alert(1)></style></mtext><annotation-xml "
    "encoding=text/html><p>z</math>",
    "<math><semantics><mrow><mi>x</mi></mrow><annotation encoding=application/x-tex>x^2</annotation>"
    "</semantics></math>",
    "<svg><p>breakout<svg><font color=x>y<svg><font>z</svg></p>", "<math><annotation-xml><svg><b>x</svg><p>y",
    "<template><tr><td>x</td></tr></template><template><template>y</template>",
    "<div><template shadowrootmode=open><slot></slot><p>shadow</template>light</div>",
    "<frameset><frame src=x><noframes><p>No frames</noframes></frameset>", "<b>1<p>2</b>3</p>",
    "<a href=x>1<div>2<a href=y>3</div>4</a>", "<b><i><u><p>x</b>y</i>z</u>", "<p><b><b><b><b><p>x",
    "<nobr>1<nobr>2<div><nobr>3</div>", "<font size=1><p><font size=2><p></font>x</font>",
    "<div itemscope itemtype=https://schema.org/Article><h1 itemprop=headline>H</h1><time "
    "itemprop=datePublished>2024-05-03</time></div>",
    "<div itemscope id=a itemref='b c'></div><div id=b itemprop=x itemscope itemref='a c'></div><p id=c "
    "itemprop=y>z</p>",
    "<p>Published on <time datetime=2024-05-03T10:00Z>3 May 2024</time> by <a rel=author href=/ann>Ann</a>",
    "<blockquote><p>q<blockquote>r<cite>s</cite></blockquote></blockquote><hr><address>t</address>",
    "<p>E<sup>2</sup> and H<sub>2</sub>O, <q>said</q> <del>x</del><ins>y</ins> <kbd>Ctrl</kbd><br><wbr><mark>m</mark>",
    "<h2><a href=x><img src=y></a> H <small>x</small></h2><h7>x</h7><hgroup><h1>a<h2>b</hgroup>",
    "<amp-img src=a.png srcset='a 1x'></amp-img><image src=x><canvas>f</canvas><map><area "
    "href=javascript:alert(1)></map>",
    "<p><a href='./javascript:alert(1)'>x</a> <a href='java&#9;script:alert(1)'>y</a> <a href=' "
    "data:text/html,x'>z</a>",
    "<textarea><p></textarea><xmp><b></xmp><noembed><b></noembed><title><b></title><style><b></style>",
    "<script>x</script><script>y<!--<script>z</script>--></script><noscript><img src=x onerror=alert(1)></noscript>",
    "<button><p><button>x</p></button><p><table><p>y</table>",
    "<body onload=alert(1) class=x><html lang=de><head><title>late</title>", "</body>after</html>more<!-- c -->",
    f"<div hidden id=S:0><p>{SENTENCE}</div><script>$RC('B:0','S:0')</script>",
    f"<ul><li>{SENTENCE}<li>{SENTENCE}<li><p>x<p>y</ul><p>{SENTENCE}",
)

# What a run repeats. Its number of open elements decides where the limit of 512 falls.
UNITS = (
    *(f"<{tag}>" for tag in (*FORMATTING, *BLOCKS, *INLINE, *FOREIGN)),
    *(f"<{tag}>" for tag in ("table", "td", "select", "template", "object", "my-element")),
    "<table><td>", "<table><tr><td>", "<table><b>", "<table><a><td>", "<table><select>", "<table><caption>",
    "<table><tbody><tr>", "<b><p>", "<b><i><p>", "<p><b>", "<a><div>", "<a href=x><p>", "<div><p>", "<b><div></b>",
    "<i><p></i>", "<div><b></div>", "<ul><li>", "<ol><li><b>", "<dl><dd>", "<svg><desc>", "<svg><foreignObject>",
    "<math><mi>", "<math><mtext><b>", "<svg><g>", "<template><td>", "<template><tr><template>", "<button><p>",
    "<select><optgroup><option>", "<ruby><rt>", "<object><p>", "<b>x", "<p>x", "<td>x", "<nobr>", "<font size=1>",
    "<a href=x>", "<li>x", "</p>", "</b>", "</table>", "</div>", "<br>x", "x ", "<table><tr><td><b>x</table>",
    "<b></p>", "<applet><b>", "<marquee><a>", "<form><div>", "<frameset>", "<center><font>", "<span><table>",
    "<blockquote><a>", "<h1><b><h2>", "<details><summary>", "<div><div><p>", "<div><table><a>", "<dir><nobr>",
    "<svg><title><math><mo>", "<math><annotation-xml encoding=text/html><svg>", "<svg><style>", "<math><malignmark>",
    "<textarea>x</textarea>", "<script></script>", "<template></template>", "<select><option></select>", "<img src=x>",
    "<tr><td>1",
)
# Units with the number of elements that each repetition leaves open inside the last.
FILLERS = (
    ("<table><td>", 4), ("<table><td>", 4), ("<table><tr><td>", 4), ("<table><caption>", 2), ("<table><th><b>", 5),
    ("<div>", 1), ("<span>", 1), ("<div><div>", 2), ("<ul><li>", 2), ("<dl><dd>", 2), ("<div><p>", 1),
    ("<blockquote>", 1), ("<b>", 1), ("<i>", 1), ("<font size=1>", 1), ("<b><div>", 2), ("<i><section>", 2),
    ("<tt><nobr><table><td>", 6),
    ("<svg>", 1), ("<svg><g>", 2), ("<math><mi>", 2), ("<svg><foreignObject>", 2), ("<svg><foreignObject><div>", 3),
    ("<template>", 1), ("<template><div>", 2), ("<object>", 1), ("<button><div>", 2), ("<ruby><rt>", 2),
    ("<my-element>", 1),
)
# Few pages go on after these, so they are rare.
LAST_WORDS = (
    "<plaintext>", "<textarea>", "<script>", "<style>", "<title>", "<xmp>", "<!--", "<svg><![CDATA[", "<p title='",
    "<iframe>",
)
