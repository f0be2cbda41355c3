"""Bundles of many modules: their text, their refusals; and the product's own, as it is collected."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import override_settings

from config.bundle import Unbundled, bundle
from config.static_storage import BundledStaticStorage
from config.stylesheets import squeeze

ROOT = Path(__file__).resolve().parents[2]


def made(**modules: str) -> str:
    return bundle(
        "js/main.js", {f"js/{name.replace('__', '/')}.js": text for name, text in modules.items()}.__getitem__
    )


def test_each_module_stands_once_before_those_that_import_it() -> None:
    text = made(
        main='import { one as first } from "./a.js";\nimport { two } from "./b.js";\nfirst(two);\n',
        a='import { two } from "./b.js";\nexport function one() { return two; }\n',
        b="export const two = 2;\nexport class Three {}\nexport async function four() {}\n",
    )
    assert text.split("\n") == [
        "const $js_b = (() => {", "const two = 2;", "class Three {}", "async function four() {}", "",
        "return { two, Three, four };", "})();",
        "const $js_a = (() => {", "const { two } = $js_b;", "function one() { return two; }", "",
        "return { one };", "})();",
        "const $js_main = (() => {", "const { one: first } = $js_a;", "const { two } = $js_b;", "first(two);", "",
        "return {  };", "})();", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "odd",
    [
        'import all from "./a.js";',
        'import * as all from "./a.js";',
        'import "./a.js";',
        'import { a } from "elsewhere";',
        "export default 1;",
        "export { a };",
        "export let changing = 1;",
        'export * from "./a.js";',
        'const later = import("./a.js");',
        "const here = import.meta.url;",
        "await something();",
        "const many = `one\n  // of several lines`;",
    ],
)
def test_what_is_not_read_is_refused(odd: str) -> None:
    with pytest.raises(Unbundled):
        made(main=f"const one = 1;\n{odd}\n", a="export const a = 1;\n")


def test_comments_on_lines_of_their_own_and_indents_are_left_out() -> None:
    text = made(
        main="// one\n/** two\n * three */\nconst a = /** @type {any} */ (1); // four\n/** @type {any} */ (a).b();\n"
        "  const url = `//${a}`;\n    /* five */\n"
    )
    assert text.split("\n")[1:-3] == [
        "const a = /** @type {any} */ (1); // four", "/** @type {any} */ (a).b();", "const url = `//${a}`;", "",
    ]  # fmt: skip


def test_modules_that_import_each_other_are_refused() -> None:
    with pytest.raises(Unbundled, match=r"js/a\.js > js/b\.js"):
        made(
            main='import { a } from "./a.js";\n',
            a='import { b } from "./b.js";\nexport const a = 1;\n',
            b='import { a } from "./a.js";\nexport const b = 1;\n',
        )


def test_types_in_comments_are_nobodys_import() -> None:
    text = "// @ts-check\n/** @param {import('./types.js').View} view */\nexport function draw(view) {}\n"
    assert "draw(view) {}" in made(main=text)


def test_each_page_has_its_script_in_one_file_that_is_collected_with_a_hash(tmp_path: Path) -> None:
    with override_settings(
        STATICFILES_DIRS=[ROOT / "static"],
        STATIC_ROOT=tmp_path,
        STORAGES={"staticfiles": {"BACKEND": "config.static_storage.BundledStaticStorage"}},
        STATICFILES_FINDERS=["django.contrib.staticfiles.finders.FileSystemFinder"],
    ):
        call_command("collectstatic", interactive=False, verbosity=0)
        storage = BundledStaticStorage()
        for main, whole in BundledStaticStorage.bundles.items():
            assert storage.stored_name(whole) != whole
            assert storage.url(main) == storage.url(whole)
            text = (tmp_path / storage.stored_name(whole)).read_text()
            own = (ROOT / "static" / main).read_text().splitlines()[-1]
            assert own in text
            assert 'from "./' not in text
        for main, whole in BundledStaticStorage.joined.items():
            sheet = (tmp_path / storage.stored_name(whole)).read_text()
            assert storage.url(main) == storage.url(whole)
            assert "@import" not in sheet
        table = (tmp_path / storage.stored_name("css/table_page.css")).read_text()
        felt, talk = (squeeze((ROOT / "static/css" / part).read_text()) for part in ("felt.css", "talk.css"))
        assert felt in table
        assert table.endswith(talk)
        everywhere = (tmp_path / storage.stored_name("css/everywhere.css")).read_text()
        assert storage.url("css/main.css") == storage.url("css/everywhere.css")
        assert "@import" not in everywhere
        assert "/*" not in everywhere
        tokens = squeeze((ROOT / "static/css/tokens.css").read_text())
        assert everywhere.startswith(tokens)
        fonts = re.findall(r'url\("([^"]+)"\)', everywhere)
        assert fonts
        assert all((tmp_path / "css" / font).resolve().is_file() for font in fonts)
