"""The settings: who wins, what is refused, and that an edit keeps every other byte."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli import config
from memcli.config import KEYS, Config, chosen, edit, load, parse, set_key, template
from memcli.config.keys import ENCODERS
from memcli.errors import EncoderMissing, MemError, StaleWrite, Unreadable, Usage
from memcli.index import encode


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_home_without_a_file_has_the_defaults(home: Path) -> None:
    assert load(str(home), environ={}) == Config()


def test_a_new_file_sets_nothing(home: Path) -> None:
    write(home / "config.toml", template().decode())
    assert load(str(home), environ={}) == Config()


def test_uncommenting_a_default_changes_nothing_but_the_origin(home: Path) -> None:
    lines = [line.removeprefix("# ") if " = " in line else line for line in template().decode().splitlines()]
    write(home / "config.toml", "\n".join(lines))
    got = load(str(home), environ={})
    assert {name: got.get(name) for name in KEYS} == {name: key.default for name, key in KEYS.items()}
    assert set(got.origins) == set(KEYS)


def test_later_wins_default_file_project_environment(home: Path, tmp_path: Path) -> None:
    write(home / "config.toml", '[search]\nk = 4\nmode = "words"\n[index]\nencoder = "onnx"\n')
    write(tmp_path / "shop/.mem.toml", "[search]\nk = 3\n")
    got = load(str(home), str(tmp_path / "shop"), environ={"MEM_ENCODER": "none"})
    assert (got.search.k, got.search.mode, got.index.encoder, got.search.half_life_days) == (3, "words", "none", 30.0)
    assert got.origins["search.k"].endswith("shop/.mem.toml")
    assert got.origins["index.encoder"] == "MEM_ENCODER"
    assert got.notes == ()


@pytest.mark.parametrize("name", [name for name, key in KEYS.items() if not key.harmless])
def test_a_project_cannot_set_what_could_harm(name: str, home: Path, tmp_path: Path) -> None:
    section, _, leaf = name.partition(".")
    value = '["/etc"]' if name == "index.sources" else '"off"'
    write(tmp_path / ".mem.toml", f"[{section}]\n{leaf} = {value}\n")
    got = load(str(home), str(tmp_path), environ={})
    assert got.get(name) == KEYS[name].default
    assert [name in said for said in got.notes] == [True]


def test_only_three_keys_are_harmless() -> None:
    harmless = {name for name, key in KEYS.items() if key.harmless}
    assert harmless == {"search.k", "search.mode", "search.half_life_days"}


LONG = "x = " + "9" * 6_000 + "\n"  # past the digits that Python reads
DEEP = "x = " + "[" * 20_000
# Words of Python's own, which tell nobody what to mend.
INTERNAL = re.compile(r"recursion|\(\d+ digits\)|datetime|codec|object|item assignment")


@pytest.mark.parametrize("text", ["[search]\nk = 0\n", "search = 3\n", "\0", "[[[", DEEP, LONG, "x = 1e9999999\n[[["])
def test_a_broken_project_file_is_named_and_stops_nothing(text: str, home: Path, tmp_path: Path) -> None:
    write(tmp_path / ".mem.toml", text)
    got = load(str(home), str(tmp_path), environ={})
    assert got.search.k == 10
    assert ".mem.toml" in got.notes[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LONG, "is not TOML: a number in it is too long"),
        (DEEP, "is not TOML: it is nested too deeply"),
        ("# \udcff\n[search\n", "is not TOML: byte 3 is no UTF-8"),
        ("[search]\nk = 1979-05-27\n", "not 1979-05-27"),
        ("[search]\nk = 07:32:00\n", "not 07:32:00"),
        ("[search]\nk = true\n", "not true"),
        ("[search]\nk = {a = 1979-05-27}\n", "not a table"),
        ("[search]\nmode = '" + "x" * 900 + "'\n", "…"),
    ],
)
def test_a_broken_file_is_told_in_plain_words(text: str, said: str, home: Path, tmp_path: Path) -> None:
    data = text.encode("utf-8", "surrogateescape")
    write(tmp_path / ".mem.toml", "").write_bytes(data)
    (note,) = load(str(home), str(tmp_path), environ={}).notes
    assert said in note and note.endswith("; ignored") and len(note) < 300
    path = write(home / "config.toml", "")
    path.write_bytes(data)
    with pytest.raises(MemError) as caught:
        load(str(home), environ={})
    assert said in str(caught.value)
    assert not INTERNAL.search(str(caught.value))


@pytest.mark.parametrize(
    "text", ["search = 3\n", "search = 'x'\n", "search = [1]\n", "[[search]]\nk = 1\n", LONG, DEEP]
)
def test_an_edit_that_cannot_be_made_is_told_in_plain_words(text: str) -> None:
    with pytest.raises(Unreadable, match=r"^config\.toml: cannot set search\.k: ") as caught:
        edit(text.encode(), "search.k", 3)
    assert not INTERNAL.search(str(caught.value))


@pytest.mark.parametrize("name", KEYS)
def test_bytes_that_are_no_utf_8_are_no_value(name: str) -> None:
    with pytest.raises(MemError, match=r"^here: .* must be") as caught:
        parse(name, "/tmp/\udcff", "here")
    str(caught.value).encode()


@pytest.mark.parametrize("target", ["/dev/zero", "/dev/tty", "/dev/stdin", "."])
def test_a_project_file_that_is_no_file_is_not_opened(target: str, home: Path, tmp_path: Path) -> None:
    (tmp_path / ".mem.toml").symlink_to(target)
    assert "is not a file" in load(str(home), str(tmp_path), environ={}).notes[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[search]\nk = 0\n", "search.k must be a whole number from 1 to 1000, not 0"),
        ("[search]\nk = true\n", "search.k must be"),
        ("[search]\nk = 3.0\n", "search.k must be"),
        ("[search]\nhalf_life_days = nan\n", "search.half_life_days must be"),
        ('[search]\nmode = "fast"\n', 'must be "hybrid" or "words" or "vectors"'),
        ("[index]\nsources = [1]\n", "must be a list of paths"),
        ('[index]\nsources = [""]\n', "must be a list of paths"),
        ('[index]\nencoder = " "\n', "must be the name of an encoder"),
        ('[encoder]\nkey_env = "sk-secret"\n', "must be the name of an environment variable"),
        ('[server]\nmode = "on"\n', "server.mode must be"),
    ],
)
def test_a_bad_value_names_file_key_and_what_is_allowed(text: str, said: str, home: Path) -> None:
    path = write(home / "config.toml", text)
    with pytest.raises(MemError, match=r"\S") as caught:
        load(str(home), environ={})
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)


def test_a_bad_environment_names_the_variable(home: Path) -> None:
    with pytest.raises(MemError, match=r"^MEM_SERVER: server\.mode must be"):
        load(str(home), environ={"MEM_SERVER": "on"})


@pytest.mark.parametrize("text", ["k = 1\n[x", "\xff", "[search]\nk = 1\nk = 2\n"])
def test_what_is_not_toml_is_named_with_its_line(text: str, home: Path) -> None:
    write(home / "config.toml", "").write_bytes(text.encode("latin-1"))
    with pytest.raises(Unreadable, match=r"config\.toml is not TOML"):
        load(str(home), environ={})


def test_an_unknown_key_is_a_note_with_the_nearest(home: Path) -> None:
    write(home / "config.toml", "odd = 1\n[search]\nkk = 1\n[dram]\nx = 1\n")
    notes = load(str(home), environ={}).notes
    assert len(notes) == 3
    assert "unknown key search.kk (did you mean search.k?)" in notes[1]


def test_sources_start_at_the_file_and_not_here(home: Path, tmp_path: Path) -> None:
    write(home / "config.toml", '[index]\nsources = ["notes", "~/a", "/srv/b", "../c"]\n')
    got = load(str(home), environ={"HOME": "/home/ada"}).index.sources
    assert got == (f"{home}/notes", "/home/ada/a", "/srv/b", f"{tmp_path}/c")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("search.k", "7", 7),
        ("search.half_life_days", "7", 7.0),
        ("index.encoder", "7", "7"),
        ("index.sources", "~/笔记", ["~/笔记"]),
        ("index.sources", '["a", "b"]', ["a", "b"]),
        ("index.sources", "[]", []),
    ],
)
def test_what_a_person_types_gets_the_type_of_its_key(name: str, text: str, value: object) -> None:
    assert parse(name, text, "here") == value


@pytest.mark.parametrize(("name", "text"), [("search.k", "x"), ("search.k", "1.5"), ("index.sources", "[x")])
def test_what_a_person_types_is_checked(name: str, text: str) -> None:
    with pytest.raises(MemError):
        parse(name, text, "here")


@pytest.mark.parametrize(
    "name",
    ["nope", "Auto", "none ", "openai:", "openai:http://localhost:1/v1", "openai:http://[x#m", "openai:http://#m",
     "openai:#m", "OpenAI:http://a#m", "http://localhost:1#m", "sentence-transformers:", "sentence-transformers: "],
)  # fmt: skip
def test_an_encoder_that_there_cannot_be_is_not_chosen(name: str, home: Path) -> None:
    with pytest.raises(MemError, match=r"must be the name of an encoder: auto, none, hash, .* not "):
        chosen("index.encoder", name, "here")
    write(home / "config.toml", f"[index]\nencoder = '{name}'\n")  # by hand it costs the vectors and no search
    assert load(str(home), environ={"MEM_ENCODER": name}).index.encoder == name


@pytest.mark.parametrize(
    "name",
    [
        *ENCODERS,
        "sentence-transformers:/a b",
        "openai:http://localhost:11434#nomic-embed-text",
        "openai:https://u:p@[::1]:8080/v1#bge-m3",
    ],
)
def test_a_known_encoder_is_chosen(name: str) -> None:
    assert chosen("index.encoder", name, "here") == name


@pytest.mark.parametrize("name", ["nope", "openai:", "sentence-transformers:"])
def test_what_cannot_be_chosen_is_no_encoder_either(name: str) -> None:
    with pytest.raises(EncoderMissing, match="no encoder is called"):
        encode.choose(name)


def test_there_is_no_other_key() -> None:
    with pytest.raises(Usage, match=r"did you mean search\.mode"):
        parse("search.mod", "words", "here")


STRANGE = '\ufeff# 我的设置\r\n\r\nodd="x"   # kept\r\n[search]   # here\r\nk   =  3 # three\r\n\r\n'
STRANGE += "[other.deep]\r\nz = [1,\r\n 2]\r\n"


@pytest.mark.parametrize("name", KEYS)
def test_an_edit_keeps_every_other_line(name: str) -> None:
    value = {int: 9, float: 9.5, str: "words", list: ["a", "笔"]}[type(KEYS[name].default)]
    before = STRANGE.encode()
    after = edit(before, name, value)
    kept = [line for line in before.splitlines(keepends=True) if not line.startswith(b"k ")]
    assert [line for line in after.splitlines(keepends=True) if line in kept] == kept
    section, _, leaf = name.partition(".")
    assert tomllib.loads(after.decode("utf-8-sig"))[section][leaf] == value


@given(st.integers(1, 1000), st.sampled_from(["", "\n", "# end", "[search]", "[search]\n# k = 10\n\n[index]\n"]))
def test_what_is_set_is_read_back_and_setting_it_back_restores_the_bytes(k: int, text: str) -> None:
    once = edit(text.encode(), "search.k", k)
    assert tomllib.loads(once.decode())["search"]["k"] == k
    other = edit(once, "search.k", k + 1)
    assert edit(other, "search.k", k) == once


def test_an_edit_refuses_what_is_not_toml() -> None:
    with pytest.raises(Unreadable):
        edit(b"[search", "search.k", 3)
    with pytest.raises(Unreadable):
        edit(b"search = 3\n", "search.k", 3)


def test_setting_a_key_keeps_mode_and_link(home: Path, tmp_path: Path) -> None:
    real = write(tmp_path / "dotfiles/mem.toml", "[search]\nk = 3\n")
    real.chmod(0o640)
    home.mkdir()
    (home / "config.toml").symlink_to(real)
    assert set_key(str(home / "config.toml"), "search.k", 4) == 3
    assert (home / "config.toml").is_symlink()
    assert real.read_text() == "[search]\nk = 4\n"
    assert real.stat().st_mode & 0o777 == 0o640
    assert os.listdir(real.parent) == ["mem.toml"]


def test_a_new_file_is_private(home: Path) -> None:
    home.mkdir()
    assert set_key(str(home / "config.toml"), "search.k", 4) is None
    assert (home / "config.toml").stat().st_mode & 0o777 == 0o600


def test_an_edit_of_somebody_else_meanwhile_is_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(home / "config.toml", "[search]\nk = 3\n")
    monkeypatch.setattr(os, "fsync", lambda handle: path.write_text("# mine\n"))
    with pytest.raises(StaleWrite):
        set_key(str(path), "search.k", 4)
    assert path.read_text() == "# mine\n"
    assert os.listdir(home) == ["config.toml"]


def test_the_package_names_what_it_offers() -> None:
    assert all(hasattr(config, name) for name in config.__all__)
