# The commands of the README. Each one first places V8's library where cargo looks for it, see runtime/v8/README.md.
CARGO ?= cargo
MODGATE := $(CARGO) run --quiet --package modgate --
FIXTURES := mods-fixtures
RECORD := target/demo/record.jsonl

.PHONY: demo test bench conformance ci provide

provide:
	@runtime/v8/provide

# Three mods at work on real commands and files, and three that are refused; then the record is checked.
demo: provide
	@rm -rf target/demo
	@mkdir -p target/demo/work
	$(MODGATE) run $(FIXTURES)/guard $(FIXTURES)/gauge $(FIXTURES)/replay \
		$(FIXTURES)/rewriter $(FIXTURES)/rerouter $(FIXTURES)/retrier \
		--scenario $(FIXTURES)/demo/scenario.toml --grants $(FIXTURES)/demo/grants.toml \
		--workdir target/demo/work --log $(RECORD)
	$(MODGATE) log verify $(RECORD)

# The suites have tests about time: they run alone, one after the other, so that no other test takes the machine from them.
test: provide
	$(CARGO) test --workspace --locked -- --skip suites::
	$(CARGO) test --workspace --test bridge --locked suites:: -- --test-threads=1

bench: provide
	scripts/bench

# The validator's cases with their expected facts, then the suites of the compatible kit, run by the program itself.
conformance: provide
	$(CARGO) test --package modgate-validate --test conformance
	$(MODGATE) test $(FIXTURES)/kit $(FIXTURES)/suites $(FIXTURES)/suites-extra

# What .ci/run calls: everything that has to hold on a clean clone.
ci: provide
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(MAKE) test
	$(MAKE) demo
