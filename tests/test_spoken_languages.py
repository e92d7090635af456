"""What is said in a language is written in that language: nobody is answered in another one's letters."""

import json
import re
from pathlib import Path

import pytest

from hanpan.core.words import LANGUAGES, fill

ROOT = Path(__file__).parent.parent
HANPAN, PAGE = ROOT / "src" / "hanpan" / "words", ROOT / "web" / "src" / "words"
FOLDERS = {"hanpan": HANPAN, "page": PAGE, **{path.parent.name: path for path in sorted((ROOT / "src" / "hanpan" / "games").glob("*/words"))}}
HANGUL, KANA, HAN, LATIN = "[\uac00-\ud7a3\u3131-\u318e]", "[\u3041-\u3096\u30a1-\u30fa]", "[\u4e00-\u9fff]", "[A-Za-z]"
OWN = {"en": LATIN, "ko": HANGUL, "ja": f"{KANA}|{HAN}", "zh": HAN}
FOREIGN = {"en": f"{HANGUL}|{KANA}|{HAN}", "ko": f"{KANA}|{HAN}", "ja": HANGUL, "zh": f"{HANGUL}|{KANA}"}
KOMAS = "し香馬馬銀金角飛王玉ごいた"  # written on the pieces, whatever language is spoken; and how their game is written at home
SIMPLIFIED = "个们这还对应对没说请给让话间时图样关别单页钥码键须历战认证设删账轮续输赢颗显网访"  # letters that only Chinese writes so


EVERYWHERE = ("Hanpan", "Goita", "ID", "JSON", "SVG", "URL", "s")


def said(folder, language):
    """Every sentence by its key, without what is filled in and what is quoted as it is typed."""

    def leaves(told, above=""):
        for key, value in told.items() if isinstance(told, dict) else enumerate(told):
            if isinstance(value, str):
                yield f"{above}{key}", value
            else:
                yield from leaves(value, f"{above}{key}.")

    return dict(leaves(json.loads((FOLDERS[folder] / f"{language}.json").read_text("utf-8"))))


def plain(sentence):
    """A sentence without the names of its values (the words that agree with them stay) and without komas."""
    bare = re.sub(r"\{\w+(?::([^{}/]*)/([^{}]*))?\}", lambda found: f"{found[1] or ''}{found[2] or ''}", sentence)
    return re.sub(f"[{KOMAS}]", "", bare)


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_language_is_written_in_the_letters_of_another(folder):
    for language in LANGUAGES:
        for key, sentence in said(folder, language).items():
            found = re.search(FOREIGN[language], plain(sentence))
            assert found is None, (language, key, sentence)
            assert language == "zh" or not set(SIMPLIFIED) & set(sentence), (language, key, sentence)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_sentence_has_letters_of_its_own_language(folder):
    """A text that was forgotten in English has none; names and signs that are the same everywhere need none."""
    for language in LANGUAGES:
        for key, sentence in said(folder, language).items():
            left = re.sub(f"\\b(?:{'|'.join(EVERYWHERE)})\\b", "", re.sub("^[a-z]+[:：]", "", plain(sentence)))  # nor does the field that is meant
            assert not re.search(LATIN, left) or re.search(OWN[language], left), (language, key, sentence)


def test_every_refusal_is_said_in_four_languages():
    """Those that people read when a request of theirs is refused; a Japanese one has kana, which no Chinese one has."""
    for part in ("refusals", "unfit", "server"):
        for language in LANGUAGES:
            for key, sentence in said("hanpan", language).items():
                if key.startswith(f"{part}.") and re.search(LATIN, plain(said("hanpan", "en")[key])) and len(plain(sentence)) > 15:
                    assert re.search(KANA if language == "ja" else OWN[language], plain(sentence)), (language, key, sentence)
                    assert language == "en" or sentence != said("hanpan", "en")[key], (language, key)


@pytest.mark.parametrize("folder", FOLDERS)
def test_chinese_and_japanese_have_full_width_marks(folder):
    """Between their own letters; what stands between Latin letters, digits and values is a notation or a number."""
    for language in ("ja", "zh"):
        for key, sentence in said(folder, language).items():
            letter = f"(?:{HAN}|{KANA})"
            bare = re.sub("「[^」]*」|“[^”]*”", "", sentence)  # what is quoted stands as it is typed
            assert not re.search(f"{letter}[,;:!?()]|[,;!?()]{letter}|{letter}[.](?![.\\w])", bare), (language, key, sentence)


@pytest.mark.parametrize(
    ("particle", "said"),
    [("이/가", "0이 1이 2가 3이 4가 5가 6이 7이 8이 9가 Ann이 Bea가 Al이"), ("으로/로", "0으로 1로 2로 3으로 4로 5로 6으로 7로 8로 9로 Ann으로 Bea로 Al로")],
)
def test_a_particle_follows_how_koreans_read_digits_and_latin_letters(particle, said):
    assert " ".join(fill(f"{{n}}{{n:{particle}}}", {"n": n}, "ko") for n in (*range(10), "Ann", "Bea", "Al")) == said
