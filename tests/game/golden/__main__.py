"""Write the golden games anew: `make golden`."""

from tests.game.golden.playthrough import FOLDER, REVIEWED, write_game


def write_all() -> None:
    """Write every file, and remove those of games that no longer exist."""
    wanted = {setting.path for setting in REVIEWED}
    for path in set(FOLDER.glob("*.txt")) - wanted:
        path.unlink()
        print("removed", path.name)
    for setting in REVIEWED:
        setting.path.write_text(write_game(setting), encoding="utf-8", newline="\n")
    print(len(wanted), "golden games in", FOLDER)


if __name__ == "__main__":
    write_all()
