"""A context pack goes before every prompt of every track, and its hash into the name of the config."""

from pathlib import Path

import pytest

from tasks.contract import BaseSample, Config, Message, Prompt
from tasks.inference.packs import packed, read_pack, with_pack
from tasks.inference.plan import plan
from tasks.inference.scenarios import scenario
from tasks.inference.selection import configs
from tasks.inference.tokens import estimate
from tests.inference import toy
from warehouse.errors import UsageError
from warehouse.layout import Layout

KNOWN = {"full": Config(name="full")}
PACK = "Always check the return value."


class Room(toy.ToyTrack):
    """A track that says in its prompt what the config told it."""

    def prompt(self, sample: BaseSample, config: Config) -> Prompt:
        text = f"{config.name} {config.budget_tokens} {config.pack}"
        return Prompt(messages=(Message(role="system", content="s"), Message(role="user", content=text)), tokens=3)


def test_the_pack_comes_first_and_its_tokens_are_the_budgets() -> None:
    (config,) = configs(KNOWN, ["full"], 8192, 2048, PACK).values()
    shown = scenario("generation").shown(Room(), toy.make(1), config)
    block = f"## Team Context\n\n{PACK}\n\n"
    assert shown.messages[0].content == "s"
    assert shown.messages[1].content == f"{block}full {8192 - estimate(block)} None"
    assert shown.tokens == 3 + estimate(block)


def test_a_prompt_without_a_users_message_gets_one() -> None:
    only = Prompt(messages=(Message(role="system", content="s"),), tokens=1)
    assert [message.role for message in packed(only, PACK).messages] == ["system", "user"]


def test_packs_of_other_text_are_other_configs_and_the_same_text_is_the_same() -> None:
    names = {name for pack in (PACK, PACK + "!", PACK) for name in configs(KNOWN, ["full"], 8192, 2048, pack)}
    assert len(names) == 2
    assert all(name.startswith("full+pack-") for name in names)
    assert list(configs(KNOWN, ["full"], 4096, 2048, PACK)) == [f"{with_pack(KNOWN['full'], PACK).name}@4096"]
    assert list(configs(KNOWN, ["full"], 8192, 2048)) == ["full"]


def test_a_pack_is_another_reply_and_the_track_sees_its_own_name_for_the_config(tmp_path: Path) -> None:
    samples = toy.samples(2)
    asked = [configs(KNOWN, ["full"], budget, 2048, pack) for pack in (None, PACK) for budget in (8192, 4096)]
    plans = [plan(Room(), samples, ["reference"], list(one.values()), layout=Layout(tmp_path)) for one in asked]
    ids = [planned.generation_id for one in plans for planned in one.units]
    assert len(set(ids)) == len(ids) == 8


def test_a_pack_that_leaves_no_room_is_refused() -> None:
    config = with_pack(KNOWN["full"], "word " * 10_000)
    with pytest.raises(UsageError, match="leaves no room"):
        scenario("generation").shown(Room(), toy.make(1), config)


@pytest.mark.parametrize(
    ("content", "said"),
    [(b" \n", "is empty"), (b"\xff\xfe\x00", "not UTF-8"), (b"x" * (1 << 21), "larger"), (None, "cannot be read")],
)
def test_a_file_that_is_no_pack_is_refused(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "pack.md"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        read_pack(path)


def test_a_pack_is_read_as_text_whatever_its_line_ends(tmp_path: Path) -> None:
    (tmp_path / "pack.md").write_bytes(b"\xef\xbb\xbfa\r\nb\r\n\r\n")
    assert read_pack(tmp_path / "pack.md") == "a\nb"
