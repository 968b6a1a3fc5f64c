"""Write the examples of the document and of the pages anew: python -m openapi.examples."""

from openapi.examples.answers import write_examples
from service.api.examples import EXAMPLES_FILE

if __name__ == "__main__":
    EXAMPLES_FILE.write_text(write_examples(), encoding="utf-8", newline="\n")
