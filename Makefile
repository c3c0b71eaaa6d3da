# Two commands: `make run` and `make test`. Each sets up what it needs first; see console/launch.
PYTHON ?= python3
do := @exec $(PYTHON) -m console.launch.setup

.PHONY: help run reset demo-json manage test check format prove bench gallery
help:
	@echo "make run        start everything, on http://localhost:8000 (PORT, DATA_DIR, DEMO=0)"
	@echo "make reset      empty the demo world"
	@echo "make demo-json  print the demo world of a running console (with -s)"
	@echo "make manage     run a command of manage.py (ARGS='audit verify')"
	@echo "make test       run the tests (ARGS='tests/launch -x')"
	@echo "make check      run everything that must hold before a change lands (ARGS=types)"
	@echo "make format     format code and templates, and write the generated pages of docs/"
	@echo "make prove      run the long proofs at their full size (REPORT=file, ARGS='R1 R2')"
	@echo "make bench      measure against the peers (REPORT=file)"
	@echo "make gallery    show every page of the demo world on one sheet (ARGS='agreements:document')"

run:
	$(do) -m console.launch.run
reset:
	$(do) -m console.launch.reset
demo-json:
	$(do) -m console.launch.demo json
manage:
	$(do) -m console.launch.manage $(ARGS)
test:
	$(do) --dev -m pytest $(ARGS)
check:
	$(do) --dev -m console.launch.check $(ARGS)
format:
	$(do) --dev -m console.launch.check --format
prove:
	$(do) --dev -m console.launch.prove $(ARGS)
bench:
	$(do) --dev -m benchmarks $(ARGS)
gallery:
	$(do) --dev -m tests.gallery $(ARGS)
