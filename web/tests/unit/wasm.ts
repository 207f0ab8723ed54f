/// <reference types="node" />
/** The rules as the browser runs them, in node. */
import { readFileSync } from 'node:fs';
import { WasmRules } from '../../src/lib/api/rules';
import { RulesModule } from '../../src/lib/api/wasm';

export async function realRules(): Promise<WasmRules> {
  const bytes = readFileSync(new URL('../../wasm/rules.wasm', import.meta.url));
  const code = await WebAssembly.compile(bytes);
  return new WasmRules(code, await RulesModule.instantiate(code));
}
