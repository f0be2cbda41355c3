"""docs/operations.md by its own words, on the site that stands as docs/deploy.md says: a backup, an update, and the
backup restored, each followed by a visitor.

The repository that the site was cloned from gets a commit that changes what every page shows; a guest who came after
the backup is gone once it is restored.
"""

import re
import tempfile

from tests.bare.deploy import NAME, REPOSITORY, Deployment, visit
from tests.bare.guide import read_steps
from tests.bare.machine import ROOT, Failed, run

PAGE = ROOT / "docs" / "operations.md"
EXAMPLE = "carte.example.org"  # of the page
DAY = re.compile(r"/\d{4}-\d\d-\d\d(?=\.dump)")
SHOWN = "static/css/main.css"  # on every page, under a name that its content gives it
COUNT = "su postgres -c \"psql --tuples-only --no-align --command 'select count(*) from players_player' smazzata\""


def carry_on(guide: Deployment) -> str:
    """Make a backup, update the site, restore the backup; the words that tell of it. Failed if anything is amiss."""
    page = PAGE.read_text()
    (update,) = read_steps(page, "Update")
    back_up, restore = read_steps(page, "Backup and restore")
    obey(guide, back_up.script)
    people = count_people(guide)
    before = visit(guide)[0]
    publish_change(guide)
    obey(guide, update.script)
    if visit(guide)[0] == before:
        raise Failed("after the update pages are made of what they were made of before")
    if count_people(guide) < people + 2:
        raise Failed("the guests of after the backup aren't there")
    obey(guide, DAY.sub("/$(date +%F)", restore.script))
    if count_people(guide) != people:
        raise Failed("the database that was restored is not that of the backup")
    visit(guide)
    return "a backup was made, the site updated and the backup restored as docs/operations.md says"


def obey(guide: Deployment, script: str) -> None:
    """Do what a block says, as a script that ends at the first command that fails."""
    guide.commands += 1
    guide.do(f"set -e\n{script.replace(EXAMPLE, NAME)}")


def count_people(guide: Deployment) -> int:
    """Return how many people the site's database knows."""
    return int(guide.do(COUNT).split()[-1])


def publish_change(guide: Deployment) -> None:
    """Commit a change of what every page shows to the repository the site comes from.

    Git serves a folder only to its owner; a repository elsewhere asks for no such thing.
    """
    log = guide.system.folder / "system.log"
    repository = f"{guide.system.root}{REPOSITORY}"
    with tempfile.TemporaryDirectory() as folder:
        run(("git", "clone", "--quiet", repository, folder), log)
        with open(f"{folder}/{SHOWN}", "a") as sheet:
            sheet.write("\n:root { --release: later; }\n")
        who = ("-c", "user.name=Trial", "-c", f"user.email=trial@{NAME}")
        run(("git", "-C", folder, *who, "commit", "--quiet", "--all", "--message", "css: change a word"), log)
        run(("git", "-C", folder, "push", "--quiet"), log)
    guide.do(f"chown -R smazzata:smazzata {REPOSITORY}")
