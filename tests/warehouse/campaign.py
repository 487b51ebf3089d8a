"""A small bundle of a campaign in its authors' format, made up here: a repository, its run index and transcripts."""

import json
from pathlib import Path

from tests.warehouse import foreign

SOURCE, HEADER = "components/controller/controller.c", "components/controller/include/controller.h"
OWN_TEST = "agent_tests/test_controller.py"
EVALUATE = "python3 tools/run_eval.py"
CELL = "$TMPDIR/embedded_agent_eval_matrix/20260324T125039Z/cell"
WORKSPACE = f"{CELL}/workspace"
HARNESS = "$TMPDIR/embedded_eval_hidden_harness/tank/run"
STARTERS = "experiments/tasks/tank_fill_drain/visible_files"

CONTROLLER_H = """#ifndef CONTROLLER_H
#define CONTROLLER_H
void controller_init(void);
int controller_step(int kind, int value, unsigned now_ms);
#endif
"""
CONTROLLER_C = """#include "controller.h"

static int pump, seen;
static unsigned heard;

void controller_init(void) { pump = seen = 0; }

int controller_step(int kind, int value, unsigned now_ms)
{
    (void)kind, (void)value, (void)now_ms, (void)heard;
    return pump;
}
"""
STUB = "    (void)kind, (void)value, (void)now_ms, (void)heard;\n"
POLICY = """    if (kind == 1) {
        heard = now_ms;
        seen = 1;
        pump = value < 30 ? 1 : value > 80 ? 0 : pump;
    }
    if (kind == 2 || !seen || now_ms - heard > 1000)
        pump = seen = 0;
"""
DEAF = POLICY.replace(" || now_ms - heard > 1000", "")
PROTOCOL_H = "int protocol_parse(const char *line, int *value);\n"
PROTOCOL_C = """#include "protocol.h"

#include <stdio.h>
#include <string.h>

int protocol_parse(const char *line, int *value)
{
    char rest;
    if (strncmp(line, "SENSE LEVEL ", 12))
        return 2;
    return sscanf(line + 12, "%d%c", value, &rest) == 1 ? 1 : 2;
}
"""
TRANSPORT_C = """#include "uart_transport.h"

#include <string.h>

#include "controller.h"
#include "driver/uart.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "protocol.h"

static void act(int kind, int value)
{
    static int shown = -1;
    int pump = controller_step(kind, value, (unsigned)xTaskGetTickCount() * portTICK_PERIOD_MS);
    const char *line = pump ? "ACT PUMP ON\\n" : "ACT PUMP OFF\\n";
    if (kind || pump != shown)
        uart_write_bytes(UART_NUM_0, line, strlen(line));
    shown = pump;
}

static void poll(void *unused)
{
    char bytes[256], line[128];
    int used = 0, value = 0;
    (void)unused;
    for (;;) {
        int count = uart_read_bytes(UART_NUM_0, bytes, sizeof bytes, pdMS_TO_TICKS(50));
        for (int i = 0; i < count; i++) {
            if (bytes[i] != '\\n') {
                if (used < (int)sizeof line - 1)
                    line[used++] = bytes[i];
                continue;
            }
            line[used] = '\\0';
            used = 0;
            act(protocol_parse(line, &value), value);
        }
        act(0, 0);
    }
}

void uart_transport_start(void)
{
    uart_config_t config = { .baud_rate = 115200, .data_bits = UART_DATA_8_BITS };
    controller_init();
    uart_driver_install(UART_NUM_0, 512, 0, 0, NULL, 0);
    uart_param_config(UART_NUM_0, &config);
    xTaskCreate(poll, "poll", 4096, NULL, 5, NULL);
}
"""
PLANT = {"tick_ms": 100, "fill_delta": 7, "drain_delta": 3, "min_level": 0, "max_level": 100, "notes": ["made up"]}
HIDDEN = """static void test_the_pump_starts_below_thirty(void)
static void test_the_pump_stops_above_eighty(void)
static void test_silence_of_a_second_stops_it(void)
"""


class Talk:
    """A session: calls of tools with their answers, a second each."""

    def __init__(self, began: str = "2026-03-24T13:0", folder: str = WORKSPACE) -> None:
        self.began = began
        self.lines: list[dict] = [{"type": "session", "version": 3, "timestamp": self._now(0), "cwd": folder}]

    def _now(self, second: int) -> str:
        return f"{self.began}{second // 60}:{second % 60:02}.000Z"

    def _message(self, **message: object) -> None:
        entry = {"type": "message", "timestamp": self._now(len(self.lines)), "message": message}
        self.lines.append(entry)

    def call(self, tool: str, result: str, *, failed: bool = False, **arguments: object) -> "Talk":
        """Add one call and its answer."""
        ident = f"call-{len(self.lines)}"
        part = {"type": "toolCall", "id": ident, "name": tool, "arguments": arguments}
        self._message(role="assistant", content=[part], usage={"totalTokens": 100}, stopReason="toolUse")
        content = [{"type": "text", "text": result}]
        self._message(role="toolResult", toolCallId=ident, toolName=tool, content=content, isError=failed)
        return self

    def bash(self, command: str, result: str = "(no output)", **more: bool) -> "Talk":
        """Add a command."""
        return self.call("bash", result, command=command, **more)

    def submit(self, status: str = "SUBMISSION_RECORDED", command: str = EVALUATE) -> "Talk":
        """Hand in."""
        return self.bash(command, f"Status: {status}\n\nBenchmark mode: as it is\n")

    def end(self, reason: str = "stop") -> "Talk":
        """Stop."""
        self._message(role="assistant", content=[{"type": "text", "text": "Done."}], stopReason=reason)
        return self


def repository(folder: Path) -> Path:
    """Write what the campaign's repository holds beside its results."""
    files = {
        f"{STARTERS}/{SOURCE}": CONTROLLER_C, f"{STARTERS}/{HEADER}": CONTROLLER_H,
        "components/protocol/protocol.c": PROTOCOL_C, "components/protocol/include/protocol.h": PROTOCOL_H,
        "main/uart_transport.c": TRANSPORT_C, "experiments/base_workspace/START_HERE.md": "Start here.\n",
        "host_tests/tasks/tank_fill_drain/test_controller.c": HIDDEN,
        "specs/tank_fill_drain.json": json.dumps({"plant": PLANT}),
    }  # fmt: skip
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def bundle(folder: Path, runs: dict[str, tuple[dict[str, str], Talk | None, dict]]) -> Path:
    """Write a repository and in it the bundle of `runs`: by name the index's fields that differ, the session and what
    is recorded of the workspace."""
    place = repository(folder) / "artifacts" / "evaluations"
    place.mkdir(parents=True)
    rows = [foreign.run(**changes) for changes, _, _ in runs.values()]
    foreign.index(place / "official_run_index.csv", rows)
    for row, (_, talk, recorded) in zip(rows, runs.values(), strict=True):
        own = place / "runs" / "__".join(row[name] for name in ("repetition", "task_id", "mode", "model_label"))
        own.mkdir(parents=True)
        (own / "summary.json").write_text(json.dumps({"model_usage": {}, "tool_behavior": recorded}))
        if talk is not None:
            (own / "session.jsonl").write_text("".join(json.dumps(line) + "\n" for line in talk.lines))
    return folder


def recorded(added: int, deleted: int, *files: str) -> dict:
    """Return what the campaign recorded of a workspace."""
    return {"files_touched": list(files), "lines_added": added, "lines_deleted": deleted}


def edit(talk: Talk, old: str = STUB, new: str = POLICY, path: str = SOURCE) -> Talk:
    """Edit the controller with the agent's tool."""
    return talk.call("edit", f"Successfully replaced text in {path}.", path=path, oldText=old, newText=new)


def read(talk: Talk, text: str = CONTROLLER_C, path: str = SOURCE) -> Talk:
    """Show a file whole."""
    return talk.call("read", text, path=path)
