# The two that matter: `make run` and `make test`. Both set up what is missing.

# The port that `make run` serves on, and more arguments for `warpchess serve`.
PORT ?= 8080
ARGS ?=
# Only these steps of `make test`, by name.
STEPS ?=

.DEFAULT_GOAL := help
.PHONY: help run test bench measure-web screenshots chaos levels balance fuzz-short clean

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build everything and serve http://127.0.0.1:8080 (PORT=9000 for another port)
	@PORT=$(PORT) scripts/run.sh $(ARGS)

test: ## Run every check and test (STEPS="fmt clippy" for some)
	@scripts/test.sh $(STEPS)

bench: ## Measure speed against the yardstick of docs/benchmarks.md
	@scripts/bench.sh

chaos: ## Play games while servers, database, bus and network fail (CHAOS_SECONDS=600, CHAOS_SEED=N)
	@scripts/chaos.sh

measure-web: ## Measure the page: size, rules and engine by WebAssembly, first paint, delays (docs/benchmarks.md)
	@scripts/with-server.sh node scripts/measure.mjs

screenshots: ## Take pictures of every page at phone and desktop size in both themes, to be looked at (web/screenshots)
	@scripts/with-server.sh node scripts/screenshots.mjs

levels: ## Play the levels against each other, in every game, and write docs/levels.md (takes hours)
	@scripts/levels.sh

balance: ## Measure every game by self-play and print the tables of docs/balance.md (takes an hour)
	@scripts/balance.sh

fuzz-short: ## Feed every reader of text at random for 20 seconds each
	@scripts/fuzz.sh 20

clean: ## Remove everything that was built or set up
	rm -rf target target-* build fuzz/target web/dist web/node_modules web/wasm
