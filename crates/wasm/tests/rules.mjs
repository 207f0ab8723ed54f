// The module as a browser loads it, and the project's vectors.
import { readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);

export const bytes = readFileSync(new URL('web/wasm/engine.wasm', root));

/** A fresh instance. `raw` sends bytes and gives the reply's text, `ask` sends a request and gives its reply. */
export async function load() {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const { memory, alloc, dealloc, call, panic_message } = instance.exports;
  const taken = (result) => {
    const packed = BigInt.asUintN(64, result);
    const [from, length] = [Number(packed >> 32n), Number(packed & 0xffffffffn)];
    const text = new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(memory.buffer, from, length));
    dealloc(from, length);
    return text;
  };
  const raw = (request) => {
    const at = alloc(request.length);
    new Uint8Array(memory.buffer, at, request.length).set(request);
    try {
      return taken(call(at, request.length));
    } catch (trap) {
      throw new Error(`the module trapped: ${taken(panic_message())}`, { cause: trap });
    }
  };
  const ask = (request) => JSON.parse(raw(new TextEncoder().encode(JSON.stringify(request))));
  const ok = (request) => {
    const reply = ask(request);
    if (reply.error) throw new Error(`${JSON.stringify(request)}: ${reply.error.message}`);
    return reply.ok;
  };
  return { memory, raw, ask, ok };
}

/** The lines of a file of vectors/, as lists of fields. */
export function vectors(variant, kind) {
  const lines = readFileSync(new URL(`vectors/${variant}.${kind}.tsv`, root), 'utf8').split('\n');
  return lines.filter((line) => line && !line.startsWith('#')).map((line) => line.split('\t'));
}
