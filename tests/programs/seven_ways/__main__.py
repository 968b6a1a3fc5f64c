"""Ask 200 random questions in seven ways, by HTTP, as tools, and by both packages: `make clients-check`.

Each way has to give the same answer, or the same problem.
"""

import subprocess
import sys
from typing import Any, Final

import httpx
import msgspec
from catch_the_ten import Client
from catch_the_ten.refusal import Refusal

from tests.programs.pairwise.node import CLIENTS, NODE
from tests.support.http.client import Answer, Request
from tests.support.http.samples import PATHS
from tests.support.http.server import serving
from tests.support.ways import WAYS, AskedQuestion, Outcome, draw_questions, read_outcome

QUESTIONS: Final = 200
LONGEST: Final = 120
"""Seconds that all questions may take by the package for TypeScript."""


def main() -> int:
    """Ask every question in every way, and return the exit code: 0 if all answers are the same."""
    with serving() as server, httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=30) as http:

        def send(request: Request) -> Answer:
            sent = http.request(request.method, request.path, content=request.parts[0], headers=request.headers)
            return Answer(sent.status_code, dict(sent.headers), sent.content, 1)

        questions = [*draw_questions(send, "seven ways", QUESTIONS)]
        answers = {name: [way(send, asked) for asked in questions] for name, way in WAYS.items()}
        url = str(http.base_url)
        with Client(url) as client:
            answers["Python"] = [by_python(client, asked) for asked in questions]
        answers["TypeScript"] = [*by_typescript(url, questions)]
    return compare(questions, answers)


def compare(questions: list[AskedQuestion], answers: dict[str, list[Outcome | None]]) -> int:
    """Print each answer that is another one than to POST, and return 1 if there are any."""
    different = 0
    for name, given in answers.items():
        for asked, expected, found in zip(questions, answers["POST"], given, strict=True):
            if found is not None and found != expected:
                different += 1
                print(f"{name}: {asked}\n  {found}\n  POST: {expected}", file=sys.stderr)
        print(f"{name}: {sum(found is not None for found in given)} answers")
    refused = sum(outcome is not None and outcome.status >= 400 for outcome in answers["POST"])
    print(f"{len(questions)} questions, {refused} of them refused: {different} answers differ")
    return 1 if different else 0


def by_python(client: Any, asked: AskedQuestion) -> Outcome:
    """Ask by the package for Python."""
    call = getattr(client, asked.kind)
    try:
        answer = call(asked.body) if asked.kind == "adjudications" else call(**asked.body)
    except Refusal as refusal:
        return read_outcome(refusal.problem.status, msgspec.json.encode(refusal.problem))
    return read_outcome(200, msgspec.json.encode(answer))


def by_typescript(url: str, questions: list[AskedQuestion]) -> list[Outcome]:
    """Ask by the package for TypeScript, all in one process."""
    asked = [{"name": PATHS[kind].removeprefix("/v1/"), "body": body} for kind, body in questions]
    done = subprocess.run(
        [*NODE, "typescript/test/seven-ways.ts"],
        input=msgspec.json.encode({"url": url, "questions": asked}),
        stdout=subprocess.PIPE,
        cwd=CLIENTS,
        timeout=LONGEST,
        check=True,
    )
    return [
        read_outcome(item["status"], msgspec.json.encode(item["answer"])) for item in msgspec.json.decode(done.stdout)
    ]


if __name__ == "__main__":
    sys.exit(main())
