"""What is true of every page: well-formed, complete in itself, and within a strict content policy."""

import base64
import hashlib
import re
from html.parser import HTMLParser

VOID = {"meta", "br", "link", "img", "hr", "input"}
FORBIDDEN = {"iframe", "object", "embed", "base", "foreignObject", "animate"}


class Page(HTMLParser):
    """Tags are closed in order; attributes, texts and the contents of style and script are collected."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []
        self.contents = {"script": [], "style": []}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), f"an attribute is given twice: {tag} {attrs}"
        if tag not in VOID:
            self.open.append(tag)
        if tag in self.contents:
            self.contents[tag].append("")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        inside = self.open[-1] if self.open else ""
        if inside in self.contents:
            self.contents[inside][-1] += data
        else:
            self.texts.append(data)

    @property
    def text(self):
        """All that is shown."""
        return " ".join("".join(self.texts).split())

    def values(self, *names):
        return [value for _, attrs in self.tags for name, value in attrs.items() if name in names]


def _hash(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check_page(text, *, served=False):
    """Check a page; ``served`` ones may refer to addresses of their own server. Returns the parsed page."""
    assert text.startswith("<!DOCTYPE html>")
    page = Page(text)
    ids = page.values("id")
    assert len(ids) == len(set(ids)), sorted(name for name in ids if ids.count(name) > 1)
    for link in page.values("href", "src", "action", "srcset", "poster", "data"):
        if link.startswith("#"):
            assert link[1:] in ids, f"{link} leads nowhere"
        else:
            assert link.startswith("data:") or (served and re.match(r"/(?!/)", link)), link
    for tag, attrs in page.tags:
        assert tag not in FORBIDDEN
        assert "style" not in attrs
        assert not any(name.startswith("on") for name in attrs)
    for reference in re.findall(r"url\(([^)]*)\)", text):
        assert reference.startswith("#")
        assert reference[1:] in ids
    assert not re.search(r"@import|javascript:", text)
    assert any(tag == "meta" and attrs.get("charset") == "utf-8" for tag, attrs in page.tags)
    assert page.tags[0] == ("html", {"lang": "en"})
    if served:
        assert page.contents["style"] == []
        assert all(code == "" for code in page.contents["script"])
        return page
    policies = [a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert len(policies) == 1
    assert policies[0].startswith("default-src 'none';")
    assert "unsafe" not in policies[0]
    for kind, contents in page.contents.items():
        allowed = re.search(rf"{kind}-src ([^;]*)", policies[0])[1]
        assert len(contents) == 1
        assert all(f"'{_hash(content)}'" in allowed for content in contents)
    return page
