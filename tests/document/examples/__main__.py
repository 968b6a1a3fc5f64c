"""Write the examples of the document and of the pages anew: python -m tests.document.examples."""

from service.api.examples import EXAMPLES_FILE
from tests.document.examples.answers import write_examples

if __name__ == "__main__":
    EXAMPLES_FILE.write_text(write_examples(), encoding="utf-8", newline="\n")
