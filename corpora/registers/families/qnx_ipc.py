"""QNX message passing: who is blocked on what, which priority a server inherits, and what it receives next."""

from typing import Any

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

TEXTS = sections("qnx_ipc")
SERVERS = ("logd", "canserv", "motiond", "fusebox", "navserv", "sensord", "audiod")
NAMES = {
    "server": SERVERS,
    "c0": ("alpha", "gui", "planner", "shell", "watcher"),
    "c1": ("beta", "pump", "camera", "writer", "bridge"),
    "c2": ("gamma", "radio", "filter", "poller", "agent"),
}
SEND, REPLY, RECEIVE, FREE = "SEND-blocked", "REPLY-blocked", "RECEIVE-blocked", "not blocked"
STATES = (SEND, REPLY, RECEIVE, FREE)
ALIASES = {
    SEND: ("SEND blocked", "SEND", "STATE_SEND"), REPLY: ("REPLY blocked", "REPLY", "STATE_REPLY"),
    RECEIVE: ("RECEIVE blocked", "RECEIVE", "STATE_RECEIVE"), FREE: ("unblocked", "READY", "RUNNING"),
}  # fmt: skip
# What happened after MsgSend, with whether the message was received and answered.
SITUATIONS: tuple[tuple[str, bool, bool], ...] = (
    ("no thread has called MsgReceive on the channel for {n} ms", False, False),
    (
        "the server still works on the message of another client (priority {n}) and has not received this one",
        False,
        False,
    ),
    ("the server's only thread has waited {n} ms for a mutex and has not received the message", False, False),
    ("the server will call MsgReceive in {n} ms for the first time", False, False),
    ("a message of priority {n}, higher than the client's, was received instead and is being worked on", False, False),
    ("the server has received the message and works on it for {n} ms", True, False),
    ("MsgReceive has returned the message {n} ms ago, and no reply was given", True, False),
    ("the server has received the message and is now blocked on a device for {n} ms", True, False),
    ("a thread of the server, at priority {n}, took the message and keeps its rcvid for later", True, False),
    (
        "the server received it, then received the message of a client of priority {n} and answered only that",
        True,
        False,
    ),
    ("the server has received the message and called MsgReply for it after {n} ms", True, True),
    ("the server has received the message and answered it with MsgError after {n} ms", True, True),
    ("the message was received, and MsgReply was called for it, by a server of priority {n}", True, True),
    ("its message was received and answered, while a client of priority {n} still waits for its answer", True, True),
    ("the server received it and replied to it before it received the next message, of priority {n}", True, True),
)


def state_step(state: dict[str, Any], event: list[Any], priorities: list[int]) -> None:
    """Apply one event to {server, clients, waiting: [priority, order, client or -1]}."""
    kind, who = event
    if kind == "receive":
        state["server"] = RECEIVE
    elif kind == "reply":
        state["clients"][who] = FREE
    else:
        state["order"] += 1
        state["waiting"].append((-priorities[who], state["order"], who if kind == "send" else -1))
        if kind == "send":
            state["clients"][who] = SEND
    if state["server"] == RECEIVE and state["waiting"]:
        taken = min(state["waiting"])
        state["waiting"].remove(taken)
        state["server"] = FREE
        if taken[2] >= 0:
            state["clients"][taken[2]] = REPLY


def start_state() -> dict[str, Any]:
    return {"server": FREE, "clients": [FREE, FREE, FREE], "waiting": [], "order": 0}


def draw_state(draws: Draws) -> Params:
    """Draw a history that a running system can have: only free threads act, only received clients get replies."""
    priorities = [draws.integer(8, 30) for _ in range(3)]
    state, events = start_state(), []
    for _ in range(draws.integer(6, 10)):
        options: list[list[Any]] = []
        for who in range(3):
            if state["clients"][who] == FREE:
                options += [["send", who]] * 3 + [["pulse", who]]
            if state["clients"][who] == REPLY and state["server"] == FREE:
                options += [["reply", who]] * 3
        if state["server"] == FREE:
            options += [["receive", -1]] * 4
        if not options:
            break
        event = draws.choice(options)
        events.append(event)
        state_step(state, event, priorities)
    final = [*state["clients"], state["server"]]
    wanted = draws.choice(STATES)  # spread the answers over the states
    subjects = [k for k, value in enumerate(final) if value == wanted] or list(range(4))
    return {"priorities": priorities, "events": events, "subject": draws.choice(subjects)}


def last_state(params: Params) -> str:
    state = start_state()
    for event in params["events"]:
        state_step(state, event, params["priorities"])
    return [*state["clients"], state["server"]][params["subject"]]


def last_state_by_times(params: Params) -> str:
    """Match sends, receives and replies by their positions in the log, one message at a time."""
    events, priorities = params["events"], params["priorities"]
    arrivals = [(at, who, kind) for at, (kind, who) in enumerate(events) if kind in ("send", "pulse")]
    receives = [at for at, (kind, _) in enumerate(events) if kind == "receive"]
    taken_at: dict[int, int] = {}  # position of the arrival → when it was received
    waits = False
    for call in receives:
        earlier = [one for one in arrivals if one[0] < call and one[0] not in taken_at]
        later = [one for one in arrivals if one[0] > call and one[0] not in taken_at]
        if earlier:
            best = sorted(earlier, key=lambda one: (priorities[one[1]], -one[0]))[-1]
            taken_at[best[0]] = call
        elif later:
            taken_at[later[0][0]] = later[0][0]
        else:
            waits = True
    if params["subject"] == 3:
        return RECEIVE if waits else FREE
    sends = [at for at, who, kind in arrivals if who == params["subject"] and kind == "send"]
    replies = [at for at, (kind, who) in enumerate(events) if kind == "reply" and who == params["subject"]]
    if len(sends) == len(replies):
        return FREE
    return REPLY if sends[-1] in taken_at else SEND


def client(index: int) -> str:
    return f"$c{index}"


def show_state(params: Params) -> dict[str, str]:
    told = {"send": "{} calls MsgSend", "pulse": "{} sends a pulse", "reply": "$server calls MsgReply for {}",
            "receive": "$server calls MsgReceive"}  # fmt: skip
    events = [f"({n}) {told[kind].format(client(who))}" for n, (kind, who) in enumerate(params["events"], 1)]
    clients = [f"{client(k)} (priority {value})" for k, value in enumerate(params["priorities"])]
    subject = "$server" if params["subject"] == 3 else client(params["subject"])
    return {"clients": f"{clients[0]}, {clients[1]} and {clients[2]}", "events": ", ".join(events), "subject": subject}


def draw_situation(draws: Draws) -> Params:
    return {"index": draws.integer(0, len(SITUATIONS) - 1), "n": draws.integer(2, 40)}


def situation_state(params: Params) -> str:
    _, received, replied = SITUATIONS[params["index"]]
    return FREE if replied else REPLY if received else SEND


def situation_by_events(params: Params) -> str:
    """Replay the message on the full model of a channel."""
    _, received, replied = SITUATIONS[params["index"]]
    events = [["send", 0], *[["receive", -1]] * received, *[["reply", 0]] * replied]
    state = start_state()
    for event in events:
        state_step(state, event, [10, 10, 10])
    return state["clients"][0]


def draw_boost(draws: Draws) -> Params:
    """Draw arrivals, receives and replies of a server that always has something to receive, or blocks."""
    own = draws.integer(9, 20)
    events: list[list[Any]] = []
    waiting: list[int] = []
    served, blocked = 0, False
    for _ in range(draws.integer(7, 11)):
        options = ["message", "message", "pulse"]
        if not blocked:
            options += ["receive"] * 3 + ["reply"] * (2 if served else 0)
        kind = draws.choice(options)
        if kind in ("message", "pulse"):
            priority = draws.integer(5, 60)
            while priority in waiting:
                priority += 1
            events.append([kind, priority])
            if blocked:
                blocked, served = False, served + (kind == "message")
            else:
                waiting.append(priority)
        elif kind == "receive":
            events.append([kind, 0])
            if waiting:
                served += 1
                waiting.remove(max(waiting))
            else:
                blocked = True
        else:
            events.append([kind, 0])
            served -= 1
    return {"own": own, "events": events}


def accepted_boost(draws: Draws) -> Params:
    return draws.until(lambda: draw_boost(draws), lambda p: sum(kind == "receive" for kind, _ in p["events"]) >= 2)


def boost(params: Params) -> int:
    now, waiting, blocked = params["own"], [], False
    for kind, priority in params["events"]:
        if kind in ("message", "pulse"):
            if blocked:
                now, blocked = priority, False
            else:
                waiting.append(priority)
                now = max(now, priority)
        elif kind == "receive":
            if waiting:
                now = waiting.pop(waiting.index(max(waiting)))
            else:
                blocked = True
    return now


def boost_by_last_receive(params: Params) -> int:
    """The priority is that of the last item received, or the highest that came while the server was busy since."""
    events = params["events"]
    calls = [at for at, (kind, _) in enumerate(events) if kind == "receive"]
    got: dict[int, int] = {}  # when an item was received → its priority
    used: set[int] = set()
    for call in calls:
        past = [
            (p, at) for at, (kind, p) in enumerate(events[:call]) if kind in ("message", "pulse") and at not in used
        ]
        future = [(p, at) for at, (kind, p) in enumerate(events) if at > call and kind in ("message", "pulse")]
        if past:
            priority, at = max(past)
            got[call] = priority
            used.add(at)
        elif future:
            priority, at = future[0]
            got[at] = priority
            used.add(at)
    last = max(got)
    blocking = calls[-1] if calls[-1] > last else len(events)
    since = [p for kind, p in events[last + 1 : blocking] if kind in ("message", "pulse")]
    return max([got[last], *since])


def show_boost(params: Params) -> dict[str, str]:
    told = {"message": "a client of priority {} sends a message", "pulse": "a pulse of priority {} is delivered",
            "receive": "$server calls MsgReceive", "reply": "$server replies to a client"}  # fmt: skip
    events = [f"({n}) {told[kind].format(priority)}" for n, (kind, priority) in enumerate(params["events"], 1)]
    return {"own": str(params["own"]), "events": ", ".join(events)}


def draw_order(draws: Draws) -> Params:
    count = draws.integer(6, 8)
    times = sorted(draws.integer(0, 14) for _ in range(count))
    codes = draws.sample(range(1, 100), count)
    levels = [draws.integer(10, 13) for _ in range(2)]
    items = [
        [time, draws.choice((*levels, draws.integer(9, 25))), code, draws.choice(("message", "message", "pulse"))]
        for time, code in zip(times, codes, strict=True)
    ]
    return {"items": items, "work": draws.integer(2, 5), "rank": draws.integer(3, count - 1)}


def order(params: Params) -> int:
    """Jump from one MsgReceive to the next."""
    left, now = [list(item) for item in params["items"]], 0
    code = 0
    for _ in range(params["rank"]):
        now = max(now, left[0][0])
        ready = [item for item in left if item[0] <= now]
        best = max(ready, key=lambda item: item[1])  # max keeps the first of equals, and items are in order of arrival
        left.remove(best)
        code, now = best[2], now + params["work"]
    return code


def order_by_ticks(params: Params) -> int:
    """Advance time one millisecond at a time with a queue for each priority."""
    queues: dict[int, list[int]] = {}
    received: list[int] = []
    busy_until = now = 0
    while len(received) < params["rank"]:
        for time, priority, code, _ in params["items"]:
            if time == now:
                queues.setdefault(priority, []).append(code)
        if now >= busy_until and any(queues.values()):
            top = sorted(priority for priority, queue in queues.items() if queue)[-1]
            received.append(queues[top].pop(0))
            busy_until = now + params["work"]
        now += 1
    return received[-1]


def told_items(items: list[list[Any]], timed: bool) -> str:
    return ", ".join(
        f"{kind} with code {code} and priority {priority}" + (f" at {time} ms" if timed else "")
        for time, priority, code, kind in items
    )


def draw_waiting(draws: Draws) -> Params:
    level = draws.integer(10, 30)
    return {
        "items": [
            [0, draws.choice((level, level, level - draws.integer(1, 5))), code, draws.choice(("message", "pulse"))]
            for code in draws.sample(range(1, 100), 4)
        ]
    }


STATE = Family(
    name="qnx_thread_state", domain="qnx", kind="choice", tier="hard", choices=STATES, aliases=ALIASES,
    draw=draw_state, show=show_state, answer=last_state, second=last_state_by_times, names=NAMES,
    rationale=lambda p: f"Each receive takes the highest waiting priority; at the end the state is {last_state(p)}.",
    wordings=TEXTS["state"], conventions=TEXTS["state conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="choice", tier="easy", choices=STATES, aliases=ALIASES,
        draw=draw_situation, answer=situation_state, second=situation_by_events,
        show=lambda p: {"situation": SITUATIONS[p["index"]][0].format(n=p["n"])},
        wordings=TEXTS["state isolate"],
        rationale=lambda p: f"Before the receive SEND, before the reply REPLY, then free: {situation_state(p)}.",
    ),
)  # fmt: skip

BOOST = Family(
    name="qnx_inherited_priority", domain="qnx", kind="integer", tier="hard",
    draw=accepted_boost, show=show_boost, answer=boost, second=boost_by_last_receive, names={"server": SERVERS},
    rationale=lambda p: f"The last item received and what came while busy decide: {boost(p)}.",
    wordings=TEXTS["boost"], conventions=TEXTS["boost conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"own": draws.integer(8, 40), "client": draws.integer(41, 63) - 35 * draws.flag(),
                            "fixed": draws.flag()},
        show=lambda p: {
            "own": str(p["own"]), "client": str(p["client"]),
            "flag": "The channel was created with _NTO_CHF_FIXED_PRIORITY." if p["fixed"]
            else "The channel was created without any flags.",
        },
        answer=lambda p: p["own"] if p["fixed"] else p["client"],
        second=lambda p: (p["client"], p["own"])[int(p["fixed"])],
        wordings=TEXTS["boost isolate"],
        rationale=lambda p: "Fixed priority: nothing is inherited." if p["fixed"] else "It is inherited.",
    ),
)  # fmt: skip

ORDER = Family(
    name="qnx_receive_order", domain="qnx", kind="integer", tier="medium",
    draw=draw_order, answer=order, second=order_by_ticks, names={"server": SERVERS},
    show=lambda p: {"arrivals": told_items(p["items"], True), "work": str(p["work"]), "rank": str(p["rank"])},
    rationale=lambda p: f"Each receive takes the highest priority, then the oldest: {order(p)}.",
    wordings=TEXTS["order"], conventions=TEXTS["order conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", draw=draw_waiting,
        show=lambda p: {"waiting": told_items(p["items"], False)},
        answer=lambda p: max(p["items"], key=lambda item: item[1])[2],
        second=lambda p: sorted(enumerate(p["items"]), key=lambda one: (-one[1][1], one[0]))[0][1][2],
        wordings=TEXTS["order isolate"],
        rationale=lambda p: "The highest priority, and among equals the one that came first.",
    ),
)  # fmt: skip

FAMILIES = (STATE, BOOST, ORDER)
