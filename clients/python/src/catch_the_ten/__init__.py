"""A client of the service that knows the rules of Catch the Ten."""

from catch_the_ten import cards, models, problems
from catch_the_ten._async.client import AsyncClient
from catch_the_ten._async.game import AsyncGame
from catch_the_ten._sync.client import Client
from catch_the_ten._sync.game import Game
from catch_the_ten.refusal import CallFailed, NoAnswer, Refusal
from catch_the_ten.sight import Update

__version__ = "1.1.0.dev0"

__all__ = [
    "AsyncClient",
    "AsyncGame",
    "CallFailed",
    "Client",
    "Game",
    "NoAnswer",
    "Refusal",
    "Update",
    "cards",
    "models",
    "problems",
]
