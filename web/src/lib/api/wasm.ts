/**
 * The C ABI of the modules in web/wasm: `alloc`, `dealloc`, and `call`, which takes a JSON request and returns
 * pointer and length of a JSON reply packed in one 64-bit number.
 */
import { RulesError } from './types';

interface Exports {
  memory: WebAssembly.Memory;
  alloc(len: number): number;
  dealloc(ptr: number, len: number): void;
  call(ptr: number, len: number): bigint;
}

interface Reply {
  ok?: unknown;
  error?: {
    message: string;
    field?: string | null;
    part?: string | null;
    code?: string;
    params?: Record<string, string>;
  };
}

export class RulesModule {
  readonly #exports: Exports;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  private constructor(instance: WebAssembly.Instance) {
    this.#exports = instance.exports as unknown as Exports;
  }

  static async instantiate(module: WebAssembly.Module): Promise<RulesModule> {
    return new RulesModule(await WebAssembly.instantiate(module, {}));
  }

  /** Sends one request. @throws RulesError when the rules refuse it. */
  call(request: object): unknown {
    const { alloc, dealloc, call, memory } = this.#exports;
    const input = this.#encoder.encode(JSON.stringify(request));
    const ptr = alloc(input.length) >>> 0;
    new Uint8Array(memory.buffer, ptr, input.length).set(input);
    const packed = BigInt.asUintN(64, call(ptr, input.length));
    const outPtr = Number(packed >> 32n);
    const outLen = Number(packed & 0xffffffffn);
    // `call` may have grown the memory, so the view is made anew.
    const text = this.#decoder.decode(new Uint8Array(memory.buffer, outPtr, outLen));
    dealloc(outPtr, outLen);
    const reply = JSON.parse(text) as Reply;
    if (reply.error) {
      const { message, field = null, part = null, code, params } = reply.error;
      throw new RulesError(message, field, part, code, params);
    }
    return reply.ok;
  }
}

/** Fetches and compiles the module; says in words what went wrong. */
export async function compileRules(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // Not compileStreaming: it refuses servers that send another content type.
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The compiled module of an address, fetched once for this thread and its workers. A failure is not kept. */
export function moduleOnce(url: string): () => Promise<WebAssembly.Module> {
  let compiled: Promise<WebAssembly.Module> | null = null;
  return () => {
    compiled ??= compileRules(url).catch((error: unknown) => {
      compiled = null;
      throw error;
    });
    return compiled;
  };
}
