"""The server as a page meets it: seats, answers, undo, the slider, questions, and what is refused."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from ddob_rules.serve.app import make_app
from ddob_rules.serve.opening import Library
from ddob_rules.serve.seats import HOUSE, Seats
from interpreter.records.diaries import in_use
from tests.looping import each

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = json.loads((ROOT / "ddob_rules/serve/table.schema.json").read_text("utf-8"))
SENT = Draft202012Validator({"$ref": "#/$defs/sent", "$defs": SCHEMA["$defs"]})
ORIGIN = "http://localhost"


class Page:
    """A page at a table: sends, and keeps what it is told."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []

    def say(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.receive_text())
            SENT.validate(message)
            self.heard.append(message)
            if message["is"] in kinds:
                return message

    def sit(self, seat: str) -> dict[str, Any]:
        self.say(do="sit", seat=seat)
        table: dict[str, Any] = self.hear("table")["table"]
        return table


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestClient]:
    with serving(tmp_path) as client:
        yield client


def serving(folder: Path) -> TestClient:
    """A browser of somebody who is at home."""
    seats = Seats(folder / "seats.sqlite")
    app = make_app(Library(folder / "games", "en"), seats, "localhost")
    client = TestClient(app, base_url=ORIGIN, headers={"origin": ORIGIN})
    client.headers["x-secret"] = seats.link(HOUSE, HOUSE)
    return client


def at_home(client: TestClient) -> TestClient:
    answer = client.post("/sit", json={"token": client.headers["x-secret"]})
    assert answer.status_code == 200 and answer.json() == {"table": None}
    assert "httponly" in answer.headers["set-cookie"].lower()
    return client


def new_table(client: TestClient, scenario: str, **wish: Any) -> dict[str, Any]:
    answer = client.post("/tables", json={"scenario": scenario, "seed": 1, **wish})
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()
    return data


def line_to(client: TestClient, table: str) -> WebSocketTestSession:
    return client.websocket_connect(f"ws://localhost/table/{table}/line", headers={"origin": ORIGIN})


def guest_line(house: TestClient, made: dict[str, Any], seat: str) -> WebSocketTestSession:
    """The line of somebody who came by the link of a seat."""
    guest = TestClient(house.app, base_url=ORIGIN, headers={"origin": ORIGIN})
    # One loop for both lines, as in a server.
    guest.portal = house.portal
    assert guest.post("/sit", json={"token": made["links"][seat].partition("#")[2]}).status_code == 200
    return line_to(guest, made["table"])


def test_a_game_for_two_at_one_screen(house: TestClient) -> None:
    table = new_table(at_home(house), "tic-tac-toe")["table"]
    with line_to(house, table) as socket:
        page = Page(socket)
        seats = page.hear("seats")["seats"]
        assert [(seat["id"], seat["mine"]) for seat in seats] == [("cross", True), ("nought", True)]
        first = page.sit("cross")
        act = first["question"]["acts"][0]
        page.say(do="answer", q=first["question"]["q"], o=act["tree"]["b2"])
        news = page.hear("news")["news"]
        assert news["spaces"]["b2"]["tokens"] == [{"text": "Cross", "side": "cross"}]
        assert news["question"] is None and news["asked"] == ["nought"]
        assert house.get(f"/book/{first['book']}").json()["title"] == "Tic-tac-toe"
        second = page.sit("nought")
        page.say(do="answer", q=second["question"]["q"], o=second["question"]["acts"][0]["tree"]["a1"])
        page.hear("news")
        page.say(do="undo")
        back = page.hear("table")["table"]
        assert back["choice"] == 1 and back["story"][-1]["what"] == "note" and back["undone"] == 1
        page.say(do="redo")
        assert page.hear("table")["table"]["choice"] == 2
        page.say(do="at", n=1)
        past = page.hear("table")["table"]
        assert past["past"] and past["question"] is None and past["choices"] == 2


def test_late_and_foreign_answers_are_refused(house: TestClient) -> None:
    table = new_table(at_home(house), "tic-tac-toe")["table"]
    with line_to(house, table) as socket:
        page = Page(socket)
        number = page.sit("nought")["n"]
        page.say(do="answer", q=number, o=0)
        assert page.hear("refused")["why"] == "you are not asked now"
        page.sit("cross")
        page.say(do="answer", q=number - 1, o=0)
        assert page.hear("refused")["why"] == "the table has changed meanwhile"
        page.say(do="answer", q=number, o=9)
        assert page.hear("refused")["why"] == "there is no such answer"
        page.say(do="dance")
        assert page.hear("refused")["why"] == "this is not understood"
        page.say(do="undo")
        assert page.hear("refused")["why"] == "there is nothing to take back"


def test_a_table_says_that_there_is_nothing_to_take_back(house: TestClient) -> None:
    home = at_home(house)
    # Before the first question of this game others have played, but nobody has decided anything.
    with line_to(house, new_table(home, "easy-fox", seats={})["table"]) as line:
        begun = Page(line).sit("us")
        assert begun["choice"] > 0 and begun["back"]["none"] is True
    with line_to(house, new_table(home, "tic-tac-toe", seats={})["table"]) as line:
        page = Page(line)
        first = page.sit("cross")
        assert first["back"]["none"] is True
        page.say(do="answer", q=first["question"]["q"], o=0)
        assert "none" not in page.hear("news")["news"]["back"]


def test_others_agree_to_what_is_taken_back(house: TestClient) -> None:
    made = new_table(at_home(house), "tic-tac-toe", seats={"nought": "link"})
    with line_to(house, made["table"]) as one, guest_line(house, made, "nought") as other:
        cross, nought = Page(one), Page(other)
        first = cross.sit("cross")
        cross.say(do="answer", q=first["question"]["q"], o=0)
        cross.hear("news")
        second = nought.sit("nought")
        nought.say(do="answer", q=second["question"]["q"], o=0)
        nought.hear("news"), cross.hear("news")
        for agrees in each((False, True)):
            cross.say(do="undo", to=0)
            wish = {"by": "cross", "to": 0, "agreed": ["cross"], "of": ["cross", "nought"]}
            assert cross.hear("news")["news"]["vote"] == wish
            assert nought.hear("news")["news"]["vote"] == wish
            nought.say(do="vote", yes=agrees)
            if not agrees:
                told = cross.hear("news")["news"]
                assert (
                    told["vote"] is None and told["story"][-1]["text"] == "Nought does not want to take back"
                )
                nought.hear("news")
        back = cross.hear("table")["table"]
        assert back["choice"] == 0 and "vote" not in back
        nought.hear("table")
        nought.say(do="vote", yes=True)
        assert nought.hear("refused")["why"] == "nobody asks to take anything back"


def test_a_computer_answers_by_itself(house: TestClient) -> None:
    table = new_table(at_home(house), "tic-tac-toe", seats={"nought": "greedy"})["table"]
    with line_to(house, table) as socket:
        page = Page(socket)
        first = page.sit("cross")
        page.say(do="answer", q=first["question"]["q"], o=0)
        while True:
            news = page.hear("news")["news"]
            if news.get("question") is not None:
                break
        assert len(news["question"]["labels"]) == 7
        page.say(do="undo")
        assert page.hear("table")["table"]["choice"] == 0


def test_a_seat_is_taken_by_its_link_only(house: TestClient, tmp_path: Path) -> None:
    made = new_table(at_home(house), "pegasus-bridge", seats={"axis": "link"})
    table, secret = made["table"], made["links"]["axis"].partition("#")[2]
    assert len(secret) >= 22
    stranger = TestClient(house.app, base_url=ORIGIN, headers={"origin": ORIGIN})
    with pytest.raises(WebSocketDisconnect) as shut, line_to(stranger, table) as socket:
        socket.receive_text()
    assert (shut.value.code, shut.value.reason) == (1008, "This table needs a link: ask whoever opened it.")
    assert stranger.get("/games").status_code == 403
    assert stranger.post("/tables", json={"scenario": "pig"}).status_code == 403
    assert stranger.post("/sit", json={"token": "x" * 22}).status_code == 403
    assert stranger.post("/sit", json={"token": secret}).json() == {"table": table}
    with line_to(stranger, table) as socket:
        page = Page(socket)
        mine = [seat["id"] for seat in page.hear("seats")["seats"] if seat.get("mine")]
        assert mine == ["axis"]
        page.say(do="sit", seat="allies")
        assert page.hear("refused")["why"] == "this seat is not yours"
        assert page.sit("axis")["question"] is None
    for file in tmp_path.glob("seats.sqlite*"):
        assert secret.encode() not in file.read_bytes()


def test_foreign_pages_and_names_are_kept_out(house: TestClient) -> None:
    table = new_table(at_home(house), "pig")["table"]
    with pytest.raises(WebSocketDisconnect):
        with house.websocket_connect(
            f"ws://localhost/table/{table}/line", headers={"origin": "http://evil.example"}
        ):
            pass
    assert house.post("/tables", json={}, headers={"origin": "http://evil.example"}).status_code == 403
    assert house.get("/games", headers={"host": "evil.example"}).status_code == 403
    answer = house.get("/games")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    for name in ("../seats.py", "..%2fseats.py", "%2e%2e/app.py", "/etc/passwd"):
        assert house.get(f"/web/{name}").status_code == 404
    assert house.get("/games/..%2f..%2fsecrets").status_code == 404
    assert house.post("/tables", json={"scenario": "/etc/passwd"}).status_code == 400
    assert house.post("/tables", json={"scenario": "pig", "overlays": ["/etc"]}).status_code == 400
    assert house.post("/tables", content=b"x" * 20000).status_code == 400


def test_who_sends_too_much_is_cut_off(house: TestClient) -> None:
    table = new_table(at_home(house), "pig")["table"]
    with line_to(house, table) as socket:
        page = Page(socket)
        page.hear("seats")
        with pytest.raises(WebSocketDisconnect):
            for _ in range(1000):
                for _ in range(5):
                    page.say(do="whole")
                page.hear("refused")


def test_the_start_page_has_games_details_and_kept_games(house: TestClient) -> None:
    at_home(house)
    table = new_table(house, "pig")["table"]
    found = house.get("/games").json()
    scenarios = {entry["id"] for game in found["games"] for entry in game["scenarios"]}
    assert {"pig", "first-waves", "pegasus-bridge"} <= scenarios
    assert [entry["table"] for entry in found["kept"]] == [table]
    detail = house.get("/games/pegasus-bridge").json()
    assert [player["id"] for player in detail["players"]] == ["allies", "axis"]
    assert detail["table"]["things"] and detail["book"]["boards"]
    assert house.get(f"/kept/{table}").json()["book"]["game"] == "Pig"
    overlays = {entry["id"] for entry in house.get("/games/easy-fox").json()["overlays"]}
    assert {"ddob-fr", "ddob-inerd", "ddob-extended"} <= overlays
    chosen = house.get("/games/easy-fox?option=cooperative&overlay=ddob-fr").json()
    assert [option["on"] for option in chosen["options"] if option["id"] == "cooperative"] == [True]
    assert "ddob-fr" not in {entry["id"] for entry in chosen["overlays"]}
    refused = house.get("/games/easy-fox?option=no-such-option")
    assert refused.status_code == 422 and refused.json()["findings"][0]["code"] == "E0641"


def test_questions_about_a_table(house: TestClient) -> None:
    table = new_table(at_home(house), "easy-fox", seats={"partner": "greedy"})["table"]
    with line_to(house, table) as socket:
        page = Page(socket)
        seen = page.sit("us")
        while seen["question"] is None or seen["question"]["sort"] != "offer":
            if seen["question"] is not None:
                page.say(do="answer", q=seen["question"]["q"], o=0)
            message = page.hear("news")
            seen = {**seen, **message["news"]}
        move = next(act for act in seen["question"]["acts"] if act["act"] == "move")
        unit = next(iter(move["tree"]))
        far = house.get(f"/book/{seen['book']}").json()["boards"][0]["ids"][-1]
        page.say(do="ask", id=1, about="why-not", things=[unit, far])
        reply = page.hear("reply")
        assert reply["id"] == 1 and any(reason["rule"] for reason in reply["reasons"])
        page.say(do="ask", id=2, about="rule", rule="7.3")
        assert page.hear("reply")["title"]
        page.say(do="ask", id=3, about="history", things=[unit])
        assert page.hear("reply")["lines"]
        page.say(do="ask", id=4, about="hint")
        best = page.hear("reply")["best"]
        assert 0 < len(best) <= 3 and all(0 <= hint["o"] < len(seen["question"]["labels"]) for hint in best)
        page.say(do="ask", id=5, about="try", o=best[0]["o"])
        assert page.hear("reply")["lines"]
        page.say(do="ask", id=6, about="rule", rule="no such rule")
        assert page.hear("refused")["id"] == 6
        page.say(do="ask", id=8, about="leads", things=[unit, far])
        assert page.hear("reply") == {"is": "reply", "id": 8, "leads": [], "reasons": []}
        # The pointer may rest on an answer that is gone meanwhile.
        page.say(do="ask", id=7, about="try", o=9999)
        assert page.hear("reply", "refused") == {"is": "reply", "id": 7, "lines": []}


def test_a_picture_of_a_kept_game_leaves_it_as_it_is(tmp_path: Path) -> None:
    with serving(tmp_path) as house:
        table = new_table(at_home(house), "tic-tac-toe")["table"]
    (diary,) = (tmp_path / "games").glob(f"{table}*")
    os.utime(diary, (1_000_000_000, 1_000_000_000))
    with serving(tmp_path) as house:
        seen = at_home(house).get(f"/kept/{table}").json()
        assert seen["table"]["choice"] == 0 and seen["book"]["title"] == "Tic-tac-toe"
        assert not in_use(diary) and diary.stat().st_mtime == 1_000_000_000
        # Nor does going on with it change when it was left, before anything is answered.
        with line_to(house, table) as socket:
            Page(socket).sit("cross")
            assert in_use(diary) and diary.stat().st_mtime == 1_000_000_000
        assert at_home(house).get("/kept/no-such-game").status_code == 404


def test_a_game_goes_on_after_the_server_has_ended(tmp_path: Path) -> None:
    with serving(tmp_path) as house:
        table = new_table(at_home(house), "tic-tac-toe")["table"]
        cookie = house.cookies["ddob"]
        with line_to(house, table) as socket:
            page = Page(socket)
            first = page.sit("cross")
            page.say(do="answer", q=first["question"]["q"], o=4)
            page.hear("news")
    with serving(tmp_path) as house:
        house.cookies["ddob"] = cookie
        with line_to(house, table) as socket:
            seen = Page(socket).sit("nought")
            assert seen["choice"] == 1 and "b2" in seen["spaces"] and len(seen["question"]["labels"]) == 8


def test_what_was_chosen_so_far_is_told(house: TestClient) -> None:
    table = new_table(at_home(house), "pegasus-bridge", seats={"axis": "greedy"})["table"]
    with line_to(house, table) as socket:
        page = Page(socket)
        seen = page.sit("allies")
        card = seen["question"]["acts"][0]["tree"]["probe-centre#4"]
        page.say(do="answer", q=seen["question"]["q"], o=card)
        question = page.hear("news")["news"]["question"]
        assert question["sort"] == "some" and question["chosen"] == []
        unit, number = next(iter(question["acts"][0]["tree"].items()))
        page.say(do="answer", q=question["q"], o=number)
        again = page.hear("news")["news"]["question"]
        assert again["chosen"] == [unit]
        page.say(do="undo")
        page.hear("table")
        page.say(do="redo")
        assert page.hear("table")["table"]["question"]["chosen"] == [unit]


def test_what_others_choose_at_once_is_sealed_and_the_next_round_begins_anew(house: TestClient) -> None:
    made = new_table(at_home(house), "omaha-beach-dice", options=["2 players"])
    with line_to(house, made["table"]) as socket:
        page = Page(socket)

        def choose(seat: str, count: int) -> list[str]:
            """Chooses the first things on offer; what was told to be chosen before each."""
            chosen: list[str] = []
            for _ in range(count):
                question = page.sit(seat)["question"]
                assert question["chosen"] == chosen
                (act,) = [act for act in question["acts"] if act["act"] == "choose"]
                name, number = next(iter(act["tree"].items()))
                page.say(do="answer", q=question["q"], o=number)
                page.hear("news")
                chosen.append(name)
            return chosen

        assert len(choose("dog", 2)) == 2  # locked
        assert choose("easy", 2)[0].startswith("easy")
        again = choose("dog", 4)  # all that are free are rolled again
        choose("easy", 4)
        question = page.sit("dog")["question"]
        assert question["chosen"] == [] and set(again) <= set(question["acts"][0]["tree"])
        assert all(": " in question["words"][name] for name in again)


class Roller(Page):
    """A page of a seat that rolls dice; it knows its newest question."""

    def __init__(self, socket: WebSocketTestSession, seat: str) -> None:
        super().__init__(socket)
        self.table = self.sit(seat)

    @property
    def question(self) -> dict[str, Any] | None:
        question: dict[str, Any] | None = self.table["question"]
        return question

    def listen(self) -> dict[str, Any]:
        """What is new, put into the table."""
        message = self.hear("news", "table")
        if message["is"] == "table":
            self.table = message["table"]
        else:
            self.table = {**self.table, **message["news"]}
        return self.table

    def first(self) -> None:
        """Chooses the first thing on offer, and waits until that is told."""
        assert self.question is not None
        (act,) = [act for act in self.question["acts"] if act["act"] == "choose"]
        self.say(do="answer", q=self.question["q"], o=next(iter(act["tree"].values())))
        self.listen()


def test_all_answer_at_once_in_any_order(house: TestClient) -> None:
    made = new_table(at_home(house), "omaha-beach-dice", options=["2 players"], seats={"easy": "link"})
    with line_to(house, made["table"]) as one, guest_line(house, made, "easy") as other:
        dog, easy = Roller(one, "dog"), Roller(other, "easy")
        assert dog.table["asked"] == easy.table["asked"] == ["dog", "easy"]
        assert easy.question is not None and dog.question is not None
        assert easy.question["text"] == dog.question["text"] == "Which two dice are locked?"
        asked = dog.question["q"]
        easy.first()
        assert easy.question["chosen"] != [] and dog.listen()["asked"] == ["dog", "easy"]
        assert dog.question["q"] == asked  # what others do is no reason to be asked anew
        easy.first()
        assert easy.question is None and easy.table["asked"] == dog.listen()["asked"] == ["dog"]
        assert dog.table["choices"] == 0 and dog.question["chosen"] == []
        easy.say(do="answer", q=asked, o=0)
        assert easy.hear("refused")["why"] == "you are not asked now"
        easy.say(do="undo")  # nobody has seen it
        assert easy.listen()["question"]["chosen"] != []
        dog.listen()
        easy.first()
        dog.listen()
        dog.first()
        easy.listen()
        dog.first()
        while dog.question is None or "again" not in dog.question["text"]:
            dog.listen()
        assert dog.table["choices"] == 4 and dog.table["asked"] == ["dog", "easy"]
        while easy.question is None or "again" not in easy.question["text"]:
            easy.listen()
        assert easy.question["chosen"] == []


def test_what_is_sealed_outlives_the_server(tmp_path: Path) -> None:
    wish: dict[str, Any] = {"options": ["2 players"], "seats": {"easy": "link"}}
    with serving(tmp_path) as house:
        made = new_table(at_home(house), "omaha-beach-dice", **wish)
        cookie = house.cookies["ddob"]
        with guest_line(house, made, "easy") as other:
            easy = Roller(other, "easy")
            easy.first()
            easy.first()
            assert easy.question is None
    with serving(tmp_path) as house:
        house.cookies["ddob"] = cookie
        with line_to(house, made["table"]) as one:
            dog = Roller(one, "dog")
            assert dog.table["asked"] == ["dog"] and dog.table["choices"] == 0
            dog.first()
            dog.first()
            while dog.question is None or "again" not in dog.question["text"]:
                dog.listen()
            assert dog.table["choices"] == 4


@pytest.mark.parametrize("answer", [["nothing such", 0], ["easy-red#1", 77]])
def test_sealed_answers_that_nobody_can_have_given_are_asked_again(tmp_path: Path, answer: list[Any]) -> None:
    with serving(tmp_path) as house:
        made = new_table(at_home(house), "omaha-beach-dice", options=["2 players"])
        cookie = house.cookies["ddob"]
    (diary,) = (tmp_path / "games").glob("*.game")
    line = {"sealed": "easy", "answers": [answer, ["?", 99]], "turn": 1, "player": "dog", "over": False}
    diary.write_text(diary.read_text("utf-8") + json.dumps(line) + "\n", encoding="utf-8")
    with serving(tmp_path) as house:
        house.cookies["ddob"] = cookie
        with line_to(house, made["table"]) as one:
            assert Page(one).sit("easy")["asked"] == ["dog", "easy"]
