# The commands of the project. `make run` needs nothing but Python (3.11 to 3.14) with venv, and make itself.
PYTHON ?= python3
VENV := .venv/bin/python

.PHONY: run test check bare bench soak lock messages
.SILENT:

run:
	$(PYTHON) -I config/launcher/install.py requirements.lock
	exec $(VENV) -m config.launcher.supervisor

test:
	$(PYTHON) -I config/launcher/install.py requirements-test.lock
	$(VENV) -m tests

check:
	$(PYTHON) -I config/launcher/install.py requirements-test.lock
	$(VENV) -m tests check

# The README's commands and docs/deploy.md on bare Debians, as root; RELEASES=trixie and COMMANDS=run try less.
bare:
	$(PYTHON) -m tests.bare

bench:
	$(PYTHON) -I config/launcher/install.py requirements-test.lock
	$(VENV) -m bench

soak:
	$(PYTHON) -I config/launcher/install.py requirements-test.lock
	$(VENV) -m tests soak

# The catalogues, with what the code says now; needs gettext (sudo apt install gettext). Translate what is new in
# locale/*/LC_MESSAGES/django.po by hand; it is compiled at the next start or test run, without gettext. Time zones are
# named by Babel.
messages:
	$(PYTHON) -I config/launcher/install.py requirements-test.lock
	$(VENV) manage.py makemessages --locale en --no-wrap --no-obsolete --add-location file \
		--ignore bench --ignore tests --ignore var --ignore static --ignore docs
	$(VENV) -m tests.zone_names

# Exact versions with hashes, and no trace of where this machine gets its packages from.
LOCK := $(VENV) -m piptools compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host

lock:
	$(PYTHON) -I config/launcher/install.py requirements-test.lock
	$(LOCK) --output-file requirements.lock pyproject.toml
	$(LOCK) --output-file requirements-redis.lock requirements-redis.in
	$(LOCK) --extra test --constraint requirements.lock --constraint requirements-redis.lock \
		--output-file requirements-test.lock pyproject.toml requirements-redis.in
