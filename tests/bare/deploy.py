"""docs/deploy.md by its own words, in a bare system: each indented block of its section *Install*, from the first on.

What the page asks people to do by hand is done here: the lines it shows for a file, the keys it prints, a certificate
for the names that nginx.conf says. Where it says ``systemctl``, ``systemctl.py`` does what the units say. Packages come
over the machine's network; everything after that happens on one of the system's own.
"""

import re
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.bare import systemctl
from tests.bare.guide import Step, read_steps
from tests.bare.machine import ROOT, Failed
from tests.bare.system import BareSystem

PAGE = ROOT / "docs" / "deploy.md"
REPOSITORY = "/srv/smazzata.git"  # what <this repository> is here
NAME = "carte.trial.example"  # of the site
MAIL = {"EMAIL_URL": "smtp+tls://smazzata:a%40b@localhost:587", "EMAIL_FROM": f"Smazzata <carte@{NAME}>"}
ADMINISTRATOR = "Custode"
SERVICES = ("postgresql", "redis-server", "nginx")  # Debian's packages start them, where a system runs
CERTIFICATE = re.compile(r"^\s*ssl_certificate\s+(\S+);", re.MULTILINE)
CERTIFICATE_KEY = re.compile(r"^\s*ssl_certificate_key\s+(\S+);", re.MULTILINE)
KEY = re.compile(r"(?<==')change-me(?='$)", re.MULTILINE)  # a value that is a word of our own and nothing else
PLACEHOLDER = re.compile(r"<(?!/)[^<>]*[a-z][^<>]*>")


class Deployment:
    """Somebody who follows the page in a system, as root: where they stand, and what they made up or were shown."""

    def __init__(self, system: BareSystem) -> None:
        self.system = system
        self.log = system.folder / "deploy.log"
        self.place = "/root"
        self.words: dict[str, str] = {"<this repository>": REPOSITORY}  # by placeholder
        self.keys: list[str] = []  # in the order in which they were printed
        self.password = secrets.token_urlsafe(12)
        self.redis_password = ""
        self.certificate = ""
        self.commands = 0

    # --- What the page says ------------------------------------------------------------------------------------------

    def take(self, step: Step) -> None:
        """Do what one indented block says."""
        if step.file is None:
            for command in step.lines:
                self.obey(command)
            return
        lines = "\n".join(step.lines)
        if "requirepass" in lines:
            self.redis_password = secrets.token_urlsafe(24)
            lines = PLACEHOLDER.sub(self.redis_password, lines)
        self.put_in(self.find(step.file), lines)
        if step.then is not None:
            self.obey(step.then)

    def obey(self, command: str) -> None:
        """Do what one line says. Failed if it can't be done."""
        self.commands += 1
        for placeholder, word in self.words.items():
            command = command.replace(placeholder, word)
        if PLACEHOLDER.search(command):
            raise Failed(f"nobody says what is meant in `{command}`")
        verb, *rest = command.split()
        if verb == "cd":
            self.place = rest[0]
        elif verb == "editor":
            self.edit(self.find(rest[0]))
        elif command.endswith(" createsuperuser"):  # which asks on a terminal
            names = {"DJANGO_SUPERUSER_USERNAME": ADMINISTRATOR, "DJANGO_SUPERUSER_EMAIL": f"custode@{NAME}"}
            self.do(f"{command} --noinput", **names, DJANGO_SUPERUSER_PASSWORD=self.password)
        else:
            output = self.do(command)
            if verb == "apt":
                self.system.take_machine_files()
            elif "print(" in command:
                self.keys += output.split()

    def do(self, command: str, **variables: str) -> str:
        """Run a line as it stands; what it said."""
        return self.system.do(f"cd {self.place} && {command}", self.log, **variables)

    def find(self, path: str) -> Path:
        """Return a file of the system as this machine sees it. Failed if there is none."""
        file = self.system.root / path.lstrip("/")
        if not file.is_file():
            raise Failed(f"there is no {path} to edit")
        return file

    # --- What is done by hand ----------------------------------------------------------------------------------------

    def put_in(self, file: Path, lines: str) -> None:
        """Put lines into a file, in place of what it says of the same."""
        text = file.read_text()
        for name in re.findall(r"^(\w+) \{", lines, re.MULTILINE):
            text = re.sub(rf"^{name} \{{[^}}]*\}}", "", text, flags=re.MULTILINE)
        file.write_text(f"{text}\n{lines}\n")

    def edit(self, file: Path) -> None:
        """Give a file that came with the site what is ours in it. Failed if something is left that nobody told of."""
        text = file.read_text()
        named = re.search(r"^ALLOWED_HOSTS='([^']+)'$|^ +server_name (\S+);", text, re.MULTILINE)
        if named is None:
            raise Failed(f"no name of a site to change in {file}")
        text = text.replace(named[1] or named[2], NAME)
        if file.name == "environment":
            for key in self.keys:  # printed in the order in which they stand there
                text = KEY.sub(key, text, count=1)
            text = re.sub(r"^(REDIS_URL=.*?)change-me", rf"\g<1>{self.redis_password}", text, flags=re.MULTILINE)
            for name, value in MAIL.items():
                text = re.sub(rf"^{name}=.*$", f"{name}='{value}'", text, flags=re.MULTILINE)
            left = [line for line in text.splitlines() if "change-me" in line and not line.startswith("#")]
            if left:
                raise Failed(f"the page doesn't say what to put into {', '.join(left)}")
        file.write_text(text)
        for certificate, key in zip(CERTIFICATE.findall(text), CERTIFICATE_KEY.findall(text), strict=True):
            self.certify(certificate, key)

    def certify(self, certificate: str, key: str) -> None:
        """Make a certificate for the site where nginx looks for it, and let the system trust it."""
        self.certificate = certificate
        for path in (certificate, key):
            (self.system.root / path.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
        self.do(
            f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={NAME} -addext subjectAltName=DNS:{NAME}"
            f" -keyout {key} -out {certificate} && cp {certificate} /usr/local/share/ca-certificates/site.crt"
            " && update-ca-certificates"
        )


def follow(system: BareSystem, go_on: Callable[[Deployment], str]) -> str:
    """Follow the page from its first word to a table, go on with the site, stop everything; what was done."""
    guide = Deployment(system)
    packages, *steps = read_steps(PAGE.read_text(), "Install")
    (system.root / "etc/apt/apt.conf.d/91yes").write_text('APT::Get::Assume-Yes "true";\nDpkg::Use-Pty "false";\n')
    system.clone("--bare", to=REPOSITORY)
    guide.take(packages)
    with (system.root / "etc/hosts").open("a") as hosts:
        hosts.write(f"\n127.0.0.1 {NAME}\n")
    stand_in = system.root / "usr/local/bin/systemctl"
    shutil.copy(Path(systemctl.__file__), stand_in)
    stand_in.chmod(0o755)
    with system.cut_off():
        guide.do(" && ".join(f"systemctl start {name}" for name in SERVICES))
        for step in steps:
            guide.take(step)
        seen = visit(guide)[-1]
        upkeep = go_on(guide)
        guide.do("systemctl stop smazzata.target")
        guide.do(" && ".join(f"systemctl stop {name}" for name in reversed(SERVICES)))
    system.check_nothing_runs("the deployed site")
    followed = f"docs/deploy.md was followed ({guide.commands} commands)"
    return f"{followed}; {seen}; {upkeep}; all stopped and left nothing behind"


def visit(guide: Deployment) -> list[str]:
    """Send a visitor; the address of the style sheet that they were given, and what they did."""
    shutil.copy(Path(__file__).with_name("visitor.py"), guide.system.root / "opt/visitor.py")
    output = guide.do(
        "/srv/smazzata/.venv/bin/python -I /opt/visitor.py"
        f" https://{NAME} {guide.certificate} {ADMINISTRATOR} {guide.password}"
    )
    return output.strip().splitlines()[-2:]
