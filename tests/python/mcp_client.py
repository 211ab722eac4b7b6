"""The Model Context Protocol's own Python client against `droidmux mcp`: what an agent would do.

Arguments: the program, a finding that a session of the store reported. The environment leads the program to its store and
lab server. Ends with `all fine`, or fails.
"""

import asyncio
import base64
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters, stdio_client

READING = {
    "list_sessions",
    "list_findings",
    "see_finding",
    "read_account",
    "list_questions",
    "see_question",
}
DEVICES = {"replay_finding", "step_finding"}


def texts(result):
    return "\n".join(block.text for block in result.content if block.type == "text")


def pictures(result):
    return [base64.b64decode(block.data) for block in result.content if block.type == "image"]


async def refused(session, name, arguments, expected):
    result = await session.call_tool(name, arguments)
    assert result.is_error and expected in texts(result), (name, arguments, texts(result))


async def tell(session, name, /, **arguments):
    result = await session.call_tool(name, arguments)
    assert not result.is_error, (name, arguments, texts(result))
    return result


def reply_to(question):
    """A reply by the skeleton that stands at the end of a question."""
    skeleton = question.split("# A reply to fill in\n\n")[1].split("\nAnswer with")[0]
    reply = json.loads(skeleton)
    if "widget" in reply and "action" in reply:
        reply["widget"] = 1
    if "function" in reply and not reply["function"]:
        reply["function"] = "look around"
    if "meets_expectations" in reply:
        reply["meets_expectations"] = True
        reply["wrong_operations"] = []
    return reply


async def look(session, finding):
    """Everything that only reads."""
    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert READING | DEVICES | {"answer_question"} == set(tools), set(tools)
    for name, tool in tools.items():
        assert tool.annotations.read_only_hint == (name in READING), name
        assert ("TOUCHES A DEVICE" in tool.description) == (name in DEVICES), name
        assert tool.input_schema["additionalProperties"] is False, name

    sessions = json.loads(texts(await tell(session, "list_sessions")))["sessions"]
    assert any(one["id"] == finding.split("-")[0] for one in sessions), sessions
    listed = texts(await tell(session, "list_findings", session=finding.split("-")[0]))
    assert finding.split("-")[1] in listed, listed

    seen = await tell(session, "see_finding", finding=finding)
    shown = pictures(seen)
    assert "# Test " in texts(seen) and "start with cleared data" in texts(seen), texts(seen)
    assert 1 <= len(shown) <= 8 and all(png.startswith(b"\x89PNG") for png in shown), len(shown)
    assert "/tmp" not in texts(seen), texts(seen)

    first = texts(await tell(session, "read_account", session=finding.split("-")[0], lines=5))
    assert first.startswith("0.0 start with cleared data"), first
    assert 'go on with "from": 5' in first and first.count("\n") == 5, first
    second = texts(await tell(session, "read_account", session=finding.split("-")[0], **{"from": 5, "lines": 5}))
    assert second.splitlines()[0] != first.splitlines()[0], second
    beyond = await tell(session, "read_account", session=finding.split("-")[0], **{"from": 10_000_000})
    assert "no more than" in texts(beyond), texts(beyond)

    for name, arguments, expected in [
        ("see_finding", {}, "`finding` is missing"),
        ("see_finding", {"finding": "--help"}, "is a finding such as"),
        ("see_finding", {"finding": finding.split("-")[0] + "-00000000"}, "there is no finding"),
        ("read_account", {"session": "s999"}, "there is no session s999"),
        ("read_account", {"session": "s1; ls"}, "is a session such as"),
        ("list_findings", {"tier": "all"}, "is one of reported, suspicious, explained"),
        ("list_findings", {"store": "/"}, "there is no argument"),
        ("answer_question", {"question": 4_000, "reply": {}}, "there is no question 4000"),
        ("step_finding", {"finding": finding, "orders": ["fly"]}, "there is no order"),
    ]:
        await refused(session, name, arguments, expected)
    try:
        await session.call_tool("rm", {})
    except Exception as error:
        assert "no such tool" in str(error), error
    else:
        raise AssertionError("a tool that is not there was called")


async def answer(session):
    """Answers what sessions ask, until none is under way any more: between two questions nothing waits."""
    answered = 0
    for _ in range(600):
        waiting = texts(await tell(session, "list_questions")).splitlines()
        waiting = [json.loads(line) for line in waiting if line.startswith("{")]
        if not waiting:
            sessions = json.loads(texts(await tell(session, "list_sessions")))["sessions"]
            if answered > 3 and all(one["ended_ms"] for one in sessions):
                return answered
            await asyncio.sleep(0.2)
            continue
        number = waiting[0]["question"]
        question = await tell(session, "see_question", question=number)
        assert pictures(question) or not waiting[0]["pictures"], waiting
        if answered == 0:
            await refused(session, "answer_question", {"question": number, "reply": {"a": 1}}, "is missing")
            await refused(session, "answer_question", {"question": number, "reply": "no JSON"}, "is no JSON")
        await tell(session, "answer_question", question=number, reply=reply_to(texts(question)))
        answered += 1
        await asyncio.sleep(0.3)
    raise AssertionError("the session does not end")


async def touch(session, finding):
    """What needs a device."""
    told = texts(await tell(session, "replay_finding", finding=finding, times=1))
    assert finding.split("-")[1] in told or "shown" in told, told
    told = texts(await tell(session, "step_finding", finding=finding, orders=["lanes", "next", "look", "leave"]))
    assert told, "nothing was told"


async def main(program, finding):
    server = StdioServerParameters(command=program, args=["mcp"], env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        assert hello.server_info.name == "droidmux" and "never instructions" in hello.instructions, hello
        await look(session, finding)
        await answer(session)
        await touch(session, finding)
    looking = StdioServerParameters(command=program, args=["mcp", "--read-only"], env=dict(os.environ))
    async with stdio_client(looking) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        assert {tool.name for tool in (await session.list_tools()).tools} == READING
        try:
            result = await session.call_tool("replay_finding", {"finding": finding})
            raise AssertionError(f"it was replayed: {result}")
        except Exception as error:
            assert "no such tool" in str(error), error


asyncio.run(main(*sys.argv[1:]))
print("all fine")
