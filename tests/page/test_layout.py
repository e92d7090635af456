"""Nothing is cut off, covered, squeezed, unreadable or left in another language, in small windows and in every language."""

from pathlib import Path

import pytest
from visitors import PHONE

pytestmark = pytest.mark.slow
FLAWS = (Path(__file__).parent.parent.parent / "tools" / "flaws.js").read_text("utf-8")
PAGES = ("/", "/lobby", "/watch", "/learn/goita", "/best", "/archive", "/replay", "/login", "/me")
SMALL, LYING = (PHONE | {"viewport": {"width": wide, "height": high}} for wide, high in ((360, 640), (844, 390)))


def flaws(person):
    """What the page's elements tell, by day and by night."""
    found = []
    for theme in ("light", "dark"):
        person.page.emulate_media(color_scheme=theme)
        found += [(theme, *flaw) for flaw in person.page.evaluate(f"({FLAWS})({'true' if theme == 'dark' else 'false'})")]
    return found


@pytest.mark.parametrize(("language", "context"), [("en", SMALL), ("ko", LYING), ("ja", SMALL), ("zh", LYING)], ids=["en", "ko", "ja", "zh"])
def test_every_page_fits_its_window(visitor, language, context):
    person = visitor(**context, locale=language)
    for path in PAGES:
        person.go(path)
        person.page.wait_for_function("() => !document.querySelector('main[aria-busy], main .bones')")
        assert flaws(person) == [], path


def test_what_is_wrong_with_a_page_is_found(visitor):
    """The looking itself: a page that is spoilt on purpose."""
    person = visitor(**SMALL, locale="ko")
    person.page.evaluate("""() => { document.querySelector("main").innerHTML = `
        <h1 data-css="width: 40px; overflow: hidden; white-space: nowrap">아주 긴 제목입니다</h1>
        <button data-css="width: 12px; height: 12px; min-height: 0; padding: 0">가</button>
        <p data-css="color: #bbb">흐린 글</p><p>English words</p><p>{name}</p><p data-css="width: 500px">넓다</p><p>가나<br>· 다라</p>`;
        for (const each of document.querySelectorAll("[data-css]")) each.style.cssText = each.dataset.css; }""")
    assert {kind for _, kind, _ in flaws(person)} >= {"cut", "small", "contrast", "english", "raw", "scrolls sideways", "begins with"}
