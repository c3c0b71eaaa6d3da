# Start with `make run` and `make test`. Each command installs what it needs; see console/launch.
PYTHON ?= python3
do := @exec $(PYTHON) -m console.launch.setup

.PHONY: help run reset demo-json manage test check format prove bench gallery
help:
	@echo "make run        start the console on http://localhost:8000 (PORT, DATA_DIR, DEMO=0)"
	@echo "make reset      delete the demo data"
	@echo "make demo-json  print the demo data of a running console as JSON (use make -s)"
	@echo "make manage     run a manage.py command (ARGS='audit verify')"
	@echo "make test       run the tests (ARGS='tests/launch -x')"
	@echo "make check      run every check required before a merge (ARGS=types)"
	@echo "make format     format code and templates, and update the generated pages of docs/"
	@echo "make prove      run the long proofs at full size (REPORT=file, ARGS='R1 R2')"
	@echo "make bench      run the benchmarks against peer libraries (REPORT=file)"
	@echo "make gallery    show screenshots of every demo page on one sheet (ARGS='agreements:document')"

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
