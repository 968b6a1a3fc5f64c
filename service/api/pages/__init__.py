"""The pages for people, and the files that they need."""

from typing import Final

from service.api.pages.docs import show_docs, show_document, show_newer_document, show_workflows
from service.api.pages.front import front_page, list_for_models
from service.api.pages.guide import show_guide
from service.api.pages.missing import EXCEPTION_HANDLERS
from service.api.pages.problems import show_problem, show_problems
from service.api.pages.rulesets import compare_rulesets
from service.api.pages.static_files import show_file
from service.api.pages.table import show_table

__all__ = ["EXCEPTION_HANDLERS", "HANDLERS"]

HANDLERS: Final = (
    show_document,
    show_newer_document,
    show_workflows,
    show_docs,
    show_file,
    show_guide,
    show_table,
    front_page,
    list_for_models,
    show_problems,
    show_problem,
    compare_rulesets,
)
